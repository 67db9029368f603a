"""A bar of parts beside each other, each as wide as its share of the whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip

from ui.palette import ColorName
from ui.panels.explain.sized import Sized
from ui.theme import Theme

_RADIUS = 3.0
# A part that is there shows.
_LEAST_PIXELS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part: its colour, its size in any unit, and what it is; text of ours only."""

    color: ColorName
    size: float
    text: str


class StackBar(Sized):
    """Shows segments of a whole; what they leave is track."""

    def __init__(self, theme: Theme, height: int) -> None:
        """Show only the track."""
        super().__init__()
        self._theme = theme
        self._usual_height = height
        self._segments: tuple[Segment, ...] = ()
        self._whole = 1.0
        self._rest = ""
        self.refit()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """What is shown."""
        return self._segments

    def set_segments(self, segments: Sequence[Segment], whole: float, rest: str = "") -> None:
        """Show these of a whole, in the same unit; `rest` says what the remainder is."""
        found = tuple(segment for segment in segments if segment.size > 0)
        whole = max(whole, sum(segment.size for segment in found), 1e-9)
        if (found, whole, rest) != (self._segments, self._whole, self._rest):
            self._segments, self._whole, self._rest = found, whole, rest
            texts = [segment.text for segment in found]
            self.setAccessibleDescription(", ".join([*texts, *([rest] if rest else [])]))
            self.update()

    def refit(self) -> None:
        """Take the height that the look asks for."""
        self.setFixedHeight(round(self._usual_height * self.look.text))

    def text_at(self, x: float) -> str:
        """What lies there, in words."""
        for segment, left, right in self._placed():
            if left <= x < right:
                return segment.text
        return self._rest

    def sizeHint(self) -> QSize:
        """As high as it is."""
        return QSize(120, self.height())

    def event(self, event: QEvent) -> bool:
        """Say what lies under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self.text_at(event.pos().x())
            if text:
                QToolTip.showText(event.globalPos() + QPoint(0, 4), text, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint track and segments."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), _RADIUS, _RADIUS)
        painter.fillPath(outline, self._theme.color("line"))
        painter.save()
        painter.setClipPath(outline)
        for segment, left, right in self._placed():
            area = QRectF(left, 0, right - left, self.height())
            painter.fillRect(area, self._theme.color(segment.color))
            # A hairline keeps neighbours apart for eyes that do not tell their colours.
            painter.fillRect(QRectF(right - 1, 0, 1, self.height()), self._theme.color("panel"))
        painter.restore()
        # What is left has an end that can be seen.
        painter.setPen(QPen(self._theme.color("faint"), 1))
        edge = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, _RADIUS, _RADIUS)
        painter.end()

    def _placed(self) -> list[tuple[Segment, float, float]]:
        scale = self.width() / self._whole
        placed, left = [], 0.0
        for segment in self._segments:
            right = left + max(segment.size * scale, _LEAST_PIXELS)
            placed.append((segment, left, right))
            left = right
        return placed
