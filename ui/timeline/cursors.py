"""Two cursors on the timeline, A and B."""

from enum import StrEnum

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen

from ui.theme import Theme
from ui.timeline.lane import Scene

_FLAG = 15.0
_GRAB_PX = 4.0


class CursorName(StrEnum):
    """Which cursor."""

    A = "A"
    B = "B"


class Cursors(QObject):
    """Where the cursors stand, on the store's clock. Main thread only.

    Signals:
        changed(): One was set, moved or taken away.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Begin with none."""
        super().__init__(parent)
        self._at_s: dict[CursorName, float] = {}

    def at(self, name: CursorName) -> float | None:
        """Where a cursor stands; None where it is not set."""
        return self._at_s.get(name)

    @property
    def span_s(self) -> tuple[float, float] | None:
        """From A to B; None while one is not set."""
        a_s, b_s = self.at(CursorName.A), self.at(CursorName.B)
        return None if a_s is None or b_s is None else (a_s, b_s)

    @property
    def is_any_set(self) -> bool:
        """Whether there is one."""
        return bool(self._at_s)

    def set(self, name: CursorName, t_s: float | None) -> None:
        """Put a cursor there, or take it away."""
        if t_s != self.at(name):
            if t_s is None:
                del self._at_s[name]
            else:
                self._at_s[name] = t_s
            self.changed.emit()

    def clear(self) -> None:
        """Take both away."""
        if self._at_s:
            self._at_s.clear()
            self.changed.emit()

    def under(self, scene: Scene, x: float) -> CursorName | None:
        """The cursor that a pointer can take hold of."""
        near = [
            (abs(scene.x(t_s) - x), name)
            for name, t_s in self._at_s.items()
            if abs(scene.x(t_s) - x) <= _GRAB_PX
        ]
        return min(near)[1] if near else None

    def paint(self, painter: QPainter, theme: Theme, scene: Scene) -> None:
        """Draw both, and what lies between them in a tint; `scene` has the whole height."""
        area = scene.area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self.span_s is not None:
            x0, x1 = sorted(scene.x(t_s) for t_s in self.span_s)
            tint = theme.color("accent")
            tint.setAlpha(28)
            between = QRectF(x0, area.top(), x1 - x0, area.height())
            painter.fillRect(between.intersected(area), tint)
        for name, t_s in self._at_s.items():
            x = scene.x(t_s)
            if not area.left() <= x <= area.right():
                continue
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.drawLine(int(x), int(area.top()), int(x), int(area.bottom()))
            flag = QRectF(int(x) - _FLAG / 2, area.top() - 1, _FLAG, _FLAG)
            painter.fillRect(flag, theme.color("accent"))
            painter.setPen(theme.color("on_accent"))
            painter.setFont(theme.font("caption"))
            painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, name.value)
