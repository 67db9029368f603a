"""Colours and what they stand for, in as many lines as it takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from ui.palette import ColorName
from ui.panels.explain.flow_text import FlowText
from ui.theme import Theme

_SQUARE = 8.0
_SQUARE_GAP = 5.0
_ENTRY_GAP = 14.0
_LINE_GAP = 3.0
PALE = 0.38


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A colour, pale or full, and its meaning."""

    color: ColorName
    text: str
    is_pale: bool = False


def shade(theme: Theme, color: ColorName, *, is_pale: bool) -> QColor:
    """A colour of the theme; pale, as if the panel shone through."""
    found = theme.color(color)
    if is_pale:
        found.setAlphaF(PALE)
    return found


class Legend(FlowText):
    """Shows entries."""

    def __init__(self, theme: Theme) -> None:
        """Show none."""
        super().__init__(theme)
        self._entries: tuple[Entry, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """What is written."""
        return tuple(entry.text for entry in self._entries)

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show these."""
        found = tuple(entries)
        if found != self._entries:
            self._entries = found
            self.setAccessibleDescription(", ".join(self.texts))
            self.content_changed()

    def height_for(self, width: float) -> float:
        """Pixels that all lines take."""
        places = self._places(width)
        return places[-1].y() + self._line_height() if places else 0.0

    def paint(self, painter: QPainter) -> None:
        """Paint all."""
        height = self._line_height()
        painter.setFont(self.theme.font("secondary"))
        for entry, place in zip(self._entries, self._places(self.width()), strict=True):
            square = QRectF(place.x(), place.y() + (height - _SQUARE) / 2, _SQUARE, _SQUARE)
            painter.fillRect(square, shade(self.theme, entry.color, is_pale=entry.is_pale))
            painter.setPen(self.theme.color("muted"))
            left = place.x() + _SQUARE + _SQUARE_GAP
            painter.drawText(
                QRectF(left, place.y(), self.width() - left, height),
                int(Qt.AlignmentFlag.AlignVCenter),
                entry.text,
            )

    def _line_height(self) -> float:
        return QFontMetricsF(self.theme.font("secondary")).height()

    def _places(self, width: float) -> list[QPointF]:
        metrics = QFontMetricsF(self.theme.font("secondary"))
        places, x, y = [], 0.0, 0.0
        for entry in self._entries:
            needed = _SQUARE + _SQUARE_GAP + metrics.horizontalAdvance(entry.text)
            if x and x + needed > width:
                x, y = 0.0, y + metrics.height() + _LINE_GAP
            places.append(QPointF(x, y))
            x += needed + _ENTRY_GAP
        return places
