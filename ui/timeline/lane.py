"""A lane of the timeline: a name, a plain sentence, and what is drawn beside them."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.telemetry import TelemetryStore
from ui.panels.canvas import Canvas, Labels
from ui.panels.explain.legend import Entry
from ui.theme import Theme

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a lane draws with.

    Attributes:
        store: What is shown.
        theme: Colours and fonts.
        area: Where curves go, pixels.
        t0_s: The left edge, on the store's clock.
        t1_s: The right edge.
        until_s: Until when anything is known.
    """

    store: TelemetryStore
    theme: Theme
    area: QRectF
    t0_s: float
    t1_s: float
    until_s: float

    def x(self, t_s: float) -> float:
        """The pixel of a moment."""
        share = (t_s - self.t0_s) / (self.t1_s - self.t0_s)
        return self.area.left() + share * self.area.width()


def kv_entry() -> Entry:
    """What green means in every lane."""
    return Entry(color="memory_kv", text=translate("Timeline", "KV cache"))


class Lane:
    """Sub-classes say what they are called and what they draw."""

    weight = 1.0
    """The share of the height that it gets."""

    store: TelemetryStore | None = None
    """What it shows, where that is another than what the other lanes show."""

    def title(self) -> str:
        """Its name, with the unit where it has one."""
        raise NotImplementedError

    def sentence(self) -> str:
        """What it shows, for who sees such a thing for the first time."""
        raise NotImplementedError

    def legend(self, _store: TelemetryStore) -> list[Entry]:
        """Colours and what they stand for, of what the store has; nothing where that is plain."""
        return []

    def paint(self, painter: QPainter, scene: Scene) -> None:
        """Draw what is in view."""
        raise NotImplementedError

    def text_at(self, store: TelemetryStore, t_s: float) -> str:
        """The values at a moment; empty where none is known."""
        raise NotImplementedError

    def chip_at(self, _t_s: float) -> str:
        """What stands beside the line in this lane; most lanes leave that to the words below."""
        return ""


class CurveLane(Lane):
    """A lane of curves above a base line, with grid and labels."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Add curves; set the canvas's `top` and labels first."""
        raise NotImplementedError

    def empty_text(self, scene: Scene) -> str:
        """Why there is nothing to see."""
        raise NotImplementedError

    def paint(self, painter: QPainter, scene: Scene) -> None:
        """Draw grid, curves and labels."""
        area, theme = scene.area, scene.theme
        canvas = Canvas(area=area, t0_s=scene.t0_s, t1_s=scene.t1_s, top=1.0, labels=Labels())
        self.draw(canvas, scene)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.color("line"), 1))
        for share in (1.0,) if canvas.is_empty else (0.0, 0.5, 1.0):
            y = int(area.top() + share * area.height())
            painter.drawLine(int(area.left()), y, int(area.right()), y)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("muted"))
        if canvas.is_empty:
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.empty_text(scene))
            return
        painter.save()
        painter.setClipRect(area.adjusted(0, -1, 0, 1))
        canvas.paint(painter)
        painter.restore()
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("muted"))
        for text, middle in (
            (canvas.labels.top, area.top() + 2),
            (canvas.labels.bottom, area.bottom() - 4),
        ):
            box = QRectF(area.left() - 72, middle - 8, 66, 16)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
