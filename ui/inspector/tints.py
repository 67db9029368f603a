"""Paints colours behind the words of a part, where they can be seen."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextLayout, QTextLine

    from ui.conversation.text_part import TextPart

_RUNS = re.compile(rb"([^\0])\1*", re.DOTALL)
_RADIUS = 3


class PartTint:
    """The levels of one part; its `paint` is what `TextPart.underlay` is.

    Args:
        part: What is painted under.
        levels: One byte for each position of its document; 0 is no colour.
        colors: Of the levels from 1 on.
    """

    def __init__(self, part: TextPart, levels: bytes, colors: Sequence[QColor]) -> None:
        self._part = part
        self._colors = colors
        self._runs = [(found.start(), found.end(), found[1][0]) for found in _RUNS.finditer(levels)]
        self._ends = [end for _, end, _ in self._runs]

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Paint the lines in `area` of the part's viewport."""
        document = self._part.document()
        layout = document.documentLayout()
        block = self._part.cursorForPosition(QPoint(0, max(0, area.top()))).block()
        left = self._part.horizontalScrollBar().value()
        painter.translate(-left, 0)
        while block.isValid():
            place = layout.blockBoundingRect(block)
            if place.top() > area.bottom():
                break
            self._paint_block(painter, block, place.topLeft(), area)
            block = block.next()
        painter.translate(left, 0)

    def _paint_block(
        self, painter: QPainter, block: QTextBlock, offset: QPointF, area: QRect
    ) -> None:
        laid_out = block.layout()
        n_lines = laid_out.lineCount()
        top, bottom = area.top() - offset.y(), area.bottom() + 1 - offset.y()
        first = bisect_right(range(n_lines), top, key=lambda number: _bottom(laid_out, number))
        for number in range(first, n_lines):
            line = laid_out.lineAt(number)
            if line.y() >= bottom:
                break
            self._paint_line(painter, line, block.position(), offset)

    def _paint_line(
        self, painter: QPainter, line: QTextLine, block_begin: int, offset: QPointF
    ) -> None:
        first = block_begin + line.textStart()
        last = first + line.textLength()
        for number in range(bisect_right(self._ends, first), len(self._runs)):
            begin, end, level = self._runs[number]
            if begin >= last:
                break
            color = self._colors[level - 1]
            if color.alpha():
                place = _place_in(
                    line, max(begin, first) - block_begin, min(end, last) - block_begin
                )
                painter.fillRect(place.translated(offset), color)


def _bottom(laid_out: QTextLayout, number: int) -> float:
    line = laid_out.lineAt(number)
    return line.y() + line.height()


def _place_in(line: QTextLine, begin: int, end: int) -> QRectF:
    """Where positions `begin` to `end` of a block stand in the line that has them."""
    left, right = _x(line, begin), _x(line, end)
    height = line.ascent() + line.descent()
    return QRectF(min(left, right), line.y() + line.height() - height, abs(right - left), height)


def _x(line: QTextLine, position: int) -> float:
    return cast("tuple[float, int]", line.cursorToX(position))[0]
