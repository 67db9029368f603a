"""Paints colours behind the words of a part, where they can be seen."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, QRect, QRectF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextLine

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
        """Paint what is in `area` of the part's viewport."""
        document = self._part.document()
        layout = document.documentLayout()
        block = self._part.cursorForPosition(QPoint(0, max(0, area.top()))).block()
        left = self._part.horizontalScrollBar().value()
        painter.translate(-left, 0)
        while block.isValid() and layout.blockBoundingRect(block).top() <= area.bottom():
            self._paint_block(painter, block)
            block = block.next()
        painter.translate(left, 0)

    def _paint_block(self, painter: QPainter, block: QTextBlock) -> None:
        offset = block.layout().position()
        first, last = block.position(), block.position() + block.length() - 1
        number = bisect_right(self._ends, first)
        while number < len(self._runs) and self._runs[number][0] < last:
            begin, end, level = self._runs[number]
            color = self._colors[level - 1]
            if color.alpha():
                for line_number in range(block.layout().lineCount()):
                    line = block.layout().lineAt(line_number)
                    place = _place_in(line, begin - first, end - first)
                    if place is not None:
                        painter.fillRect(place.translated(offset), color)
            number += 1


def _place_in(line: QTextLine, begin: int, end: int) -> QRectF | None:
    """Where positions `begin` to `end` of a block stand in a line of it; None for nowhere."""
    begin = max(begin, line.textStart())
    end = min(end, line.textStart() + line.textLength())
    if begin >= end:
        return None
    left, right = _x(line, begin), _x(line, end)
    height = line.ascent() + line.descent()
    return QRectF(min(left, right), line.y() + line.height() - height, abs(right - left), height)


def _x(line: QTextLine, position: int) -> float:
    return cast("tuple[float, int]", line.cursorToX(position))[0]
