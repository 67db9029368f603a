"""Colours and what they stand for, in as many lines as it takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from ui.palette import ColorName
from ui.panels.explain.flow_text import FlowText
from ui.theme import Theme

_SQUARE = 8.0
_SQUARE_GAP = 5.0
_ENTRY_GAP = 14.0
_LINE_GAP = 3.0
PALE = 0.38

LegendEntry = tuple[ColorName, str]
"""A full colour and its meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A colour, pale, hollow or full, and its meaning."""

    color: ColorName
    text: str
    is_pale: bool = False
    is_hollow: bool = False


def shade(theme: Theme, color: ColorName, *, is_pale: bool) -> QColor:
    """A colour of the theme; pale, as if the panel shone through."""
    found = theme.color(color)
    if is_pale:
        found.setAlphaF(PALE)
    return found


def paint_swatch(painter: QPainter, area: QRectF, color: QColor, *, is_hollow: bool) -> None:
    """A square of a colour, or its outline for what is empty."""
    if not is_hollow:
        painter.fillRect(area, color)
        return
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, 1))
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.restore()


class Legend(FlowText):
    """Shows entries; what an axis means ends the last line."""

    def __init__(self, theme: Theme, entries: Iterable[LegendEntry] = (), axis: str = "") -> None:
        """Show these, of which `set_entries` may make others."""
        super().__init__(theme)
        self._axis = axis
        self._entries: tuple[Entry, ...] = ()
        self.set_entries([Entry(color=color, text=text) for color, text in entries])

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
        if not self._entries and not self._axis:
            return 0.0
        _, last_y = self._places(width)
        return last_y + self._metrics().height()

    def paint(self, painter: QPainter) -> None:
        """Paint all."""
        places, last_y = self._places(self.width())
        height, square = self._metrics().height(), _SQUARE * self.look.text
        painter.setFont(self._font())
        painter.setPen(self.theme.color("muted"))
        for entry, place in zip(self._entries, places, strict=True):
            block = QRectF(place.x(), place.y() + (height - square) / 2, square, square)
            color = shade(self.theme, entry.color, is_pale=entry.is_pale)
            paint_swatch(painter, block, color, is_hollow=entry.is_hollow)
            left = place.x() + self._square_room()
            painter.drawText(
                QRectF(left, place.y(), self.width() - left, height),
                int(Qt.AlignmentFlag.AlignVCenter),
                entry.text,
            )
        end = QRectF(0, last_y, self.width(), height)
        whole = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(end, int(whole), self._axis)

    def _font(self) -> QFont:
        return self.look.font(self.theme, "secondary")

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._font())

    def _square_room(self) -> float:
        return (_SQUARE + _SQUARE_GAP) * self.look.text

    def _places(self, width: float) -> tuple[list[QPointF], float]:
        """Where each entry begins, and the top of the last line."""
        metrics, scale = self._metrics(), self.look.text
        line = metrics.height() + _LINE_GAP * scale
        places, x, y = [], 0.0, 0.0
        for entry in self._entries:
            needed = self._square_room() + metrics.horizontalAdvance(entry.text)
            if x and x + needed > width:
                x, y = 0.0, y + line
            places.append(QPointF(x, y))
            x += needed + _ENTRY_GAP * scale
        if self._axis and x and x + metrics.horizontalAdvance(self._axis) > width:
            y += line
        return places, y
