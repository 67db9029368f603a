"""Parts of a memory in rows, what is known of each in columns."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from ui.palette import ColorName
from ui.panels.explain.flow_text import FlowText
from ui.panels.explain.legend import paint_swatch
from ui.theme import Theme

_SQUARE = 8.0
_NAME_LEFT = 14.0
_LEADING = 4.0
_NAME_SHARE = 0.37


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A part: its colour, its name, and one text a column.

    `is_sum`: after a line, in bold; `is_hollow`: of what is empty.
    """

    name: str
    values: tuple[str, ...]
    color: ColorName | None = None
    is_sum: bool = False
    is_hollow: bool = False


class SizeTable(FlowText):
    """Shows rows under the heads of their columns."""

    def __init__(self, theme: Theme) -> None:
        """Show none."""
        super().__init__(theme)
        self._heads: tuple[str, ...] = ()
        self._rows: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown."""
        return self._rows

    def set_rows(self, heads: Sequence[str], rows: Sequence[Row]) -> None:
        """Show these."""
        if (tuple(heads), tuple(rows)) != (self._heads, self._rows):
            self._heads, self._rows = tuple(heads), tuple(rows)
            spoken = []
            for row in self._rows:
                cells = zip(self._heads, row.values, strict=True)
                spoken.append(f"{row.name}: " + ", ".join(f"{h} {v}" for h, v in cells if v))
            self.setAccessibleDescription(". ".join(spoken))
            self.content_changed()

    def height_for(self, _width: float) -> float:
        """Pixels that heads and rows take."""
        return self._line() * (len(self._rows) + 1) if self._rows else 0.0

    def paint(self, painter: QPainter) -> None:
        """Paint heads and rows."""
        if not self._rows:
            return
        line = self._line()
        painter.setFont(self.look.font(self.theme, "caption"))
        painter.setPen(self.theme.color("muted"))
        self._paint_cells(painter, 0.0, self._heads)
        for number, row in enumerate(self._rows, start=1):
            top = number * line
            if row.color is not None:
                side = _SQUARE * self.look.text
                square = QRectF(0, top + (line - side) / 2, side, side)
                color = self.theme.color(row.color)
                paint_swatch(painter, square, color, is_hollow=row.is_hollow)
            if row.is_sum:
                painter.fillRect(QRectF(0, top, self.width(), 1), self.theme.color("line"))
            painter.setFont(self.look.font(self.theme, "strong" if row.is_sum else "secondary"))
            painter.setPen(self.theme.color("text"))
            left = _NAME_LEFT * self.look.text if row.color is not None else 0.0
            area = QRectF(left, top, self._name_width() - left, line)
            metrics = QFontMetricsF(painter.font())
            name = metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
            self._paint_cells(painter, top, row.values)

    def _paint_cells(self, painter: QPainter, top: float, texts: Sequence[str]) -> None:
        begin = self._name_width()
        width = (self.width() - begin) / max(len(texts), 1)
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column, text in enumerate(texts):
            painter.drawText(QRectF(begin + column * width, top, width, self._line()), flags, text)

    def _name_width(self) -> float:
        return self.width() * _NAME_SHARE

    def _line(self) -> float:
        return QFontMetricsF(self.look.font(self.theme, "secondary")).height() + _LEADING
