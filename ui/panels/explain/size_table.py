"""Parts of a memory in rows, what is known of each in columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from ui.palette import ColorName
from ui.panels.explain.flow_text import FlowText
from ui.panels.explain.legend import paint_swatch
from ui.panels.look import PanelLook
from ui.theme import Theme

_SQUARE = 8.0
_NAME_LEFT = 14.0
_LEADING = 4.0
_STEP = 0.05
_GAP = 8.0


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
        self._fit = self.look
        self._fit_key: object = None

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

    def height_for(self, width: float) -> float:
        """Pixels that heads and rows take."""
        return self._line(self._fitted(width)) * (len(self._rows) + 1) if self._rows else 0.0

    def paint(self, painter: QPainter) -> None:
        """Paint heads and rows."""
        if not self._rows:
            return
        look = self._fitted(self.width())
        line, columns = self._line(look), self._columns(look)
        painter.setFont(look.font(self.theme, "caption"))
        painter.setPen(self.theme.color("muted"))
        self._paint_cells(painter, 0.0, line, self._heads, columns)
        for number, row in enumerate(self._rows, start=1):
            top = number * line
            if row.color is not None:
                side = _SQUARE * look.text
                square = QRectF(0, top + (line - side) / 2, side, side)
                color = self.theme.color(row.color)
                paint_swatch(painter, square, color, is_hollow=row.is_hollow)
            if row.is_sum:
                painter.fillRect(QRectF(0, top, self.width(), 1), self.theme.color("line"))
            painter.setFont(self._font(look, row))
            painter.setPen(self.theme.color("text"))
            left = _NAME_LEFT * look.text if row.color is not None else 0.0
            area = QRectF(left, top, columns[0] - left, line)
            metrics = QFontMetricsF(painter.font())
            name = metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
            self._paint_cells(painter, top, line, row.values, columns)

    def _paint_cells(
        self,
        painter: QPainter,
        top: float,
        line: float,
        texts: Sequence[str],
        columns: Sequence[float],
    ) -> None:
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column, text in enumerate(texts):
            left, right = columns[column : column + 2]
            painter.drawText(QRectF(left, top, right - left, line), flags, text)

    def _fitted(self, width: float) -> PanelLook:
        """The sizes at which no name is cut, as near to those wanted as can be."""
        key = (self._rows, self._heads, self.look, width)
        if self._fit_key != key:
            look = self.look
            while look.text > 1.0 and sum(self._needed(look)) > width:
                look = replace(look, text=max(1.0, look.text - _STEP))
            self._fit_key, self._fit = key, look
        return self._fit

    def _needed(self, look: PanelLook) -> list[float]:
        """Pixels of the longest name, and of each column."""
        names = []
        columns = [
            QFontMetricsF(look.font(self.theme, "caption")).horizontalAdvance(head)
            for head in self._heads
        ]
        for row in self._rows:
            metrics = QFontMetricsF(self._font(look, row))
            left = _NAME_LEFT * look.text if row.color is not None else 0.0
            names.append(left + metrics.horizontalAdvance(row.name))
            columns = [
                max(known, metrics.horizontalAdvance(value))
                for known, value in zip(columns, row.values, strict=True)
            ]
        gap = _GAP * look.text
        return [max(names, default=0.0) + 1, *(column + gap for column in columns)]

    def _columns(self, look: PanelLook) -> list[float]:
        """Where names end, and then each column; what is left over goes to all alike."""
        name, *needed = self._needed(look)
        begin = min(name, max(self.width() - sum(needed), 0))
        spare = max(self.width() - begin - sum(needed), 0) / max(len(needed), 1)
        edges = [begin]
        for width in needed:
            edges.append(edges[-1] + width + spare)
        return edges

    def _font(self, look: PanelLook, row: Row) -> QFont:
        return look.font(self.theme, "strong" if row.is_sum else "secondary")

    def _line(self, look: PanelLook) -> float:
        return QFontMetricsF(look.font(self.theme, "secondary")).height() + _LEADING
