"""What stands beside and behind prose: bars of quotes, rules, and frames of code."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QTextBlock
from PySide6.QtWidgets import QTextEdit

from ui.conversation.code_frame import language_text, paint_code_frame
from ui.markdown.formats import (
    CODE_FOOT_PX,
    CODE_HEAD_PX,
    CODE_LANGUAGE,
    CODE_NUMBER,
    CODE_SIDE_PX,
    INDENT_PX,
    IS_CODE,
    IS_RULE,
    QUOTE_DEPTH,
)
from ui.theme import Theme


class Beside:
    """Paints it; `text` does not scroll, and is not changed meanwhile."""

    def __init__(self, theme: Theme, text: QTextEdit) -> None:
        self._theme = theme
        self._text = text

    def paint(self, painter: QPainter, area: QRect) -> bool:
        """Paint what belongs to an area; returns whether there is code in it."""
        has_code = False
        for block in self.blocks_in(area.top(), area.bottom()):
            has_code = has_code or is_code(block)
            self._paint_beside(painter, block)
        return has_code

    def blocks_in(self, top: int, bottom: int) -> Iterator[QTextBlock]:
        """The paragraphs between two heights that have something beside or behind their text."""
        # The head of code is above its first line.
        last = self._text.cursorForPosition(QPoint(self._text.width(), bottom + CODE_HEAD_PX))
        block = self._text.cursorForPosition(QPoint(0, top)).block()
        # Looks have numbers, and there are few.
        kinds: dict[int, bool] = {}
        while block.isValid() and block.position() <= last.position():
            kind = block.blockFormatIndex()
            if kind not in kinds:
                made = block.blockFormat()
                kinds[kind] = any(map(made.hasProperty, (QUOTE_DEPTH, IS_RULE, IS_CODE)))
            if kinds[kind]:
                yield block
            block = block.next()

    def head_of(self, block: QTextBlock) -> QRect:
        """Where the language and Copy of code stand that begins with a paragraph."""
        place = self._text.document().documentLayout().blockBoundingRect(block)
        left = block.blockFormat().indent() * INDENT_PX
        top = round(place.top()) - CODE_HEAD_PX
        return QRect(left, top, self._text.viewport().width() - left, CODE_HEAD_PX)

    def _paint_beside(self, painter: QPainter, block: QTextBlock) -> None:
        block_format = block.blockFormat()
        depth = block_format.intProperty(QUOTE_DEPTH)
        layout = self._text.document().documentLayout()
        place = layout.blockBoundingRect(block)
        before = block.previous().blockFormat() if block.previous().isValid() else None
        above = layout.blockBoundingRect(block.previous()).bottom() if before else place.top()
        line = self._theme.color("line")
        if block_format.boolProperty(IS_RULE):
            width = self._text.width()
            painter.fillRect(QRectF(place.left(), place.center().y(), width, 1), line)
        if is_code(block):
            self._paint_code(painter, block, place, above)
        n_joined = before.intProperty(QUOTE_DEPTH) if before is not None else 0
        for level in range(depth):
            left = (block_format.indent() - depth + level) * INDENT_PX + 4
            top = above if level < n_joined else place.top()
            painter.fillRect(QRectF(left, top, 3, _bottom_of(block, place) - top), line)

    def _paint_code(
        self, painter: QPainter, block: QTextBlock, place: QRectF, above: float
    ) -> None:
        left = block.blockFormat().indent() * INDENT_PX
        width = self._text.viewport().width() - left
        begins = is_head(block)
        top = self.head_of(block).top() if begins else round(min(above, place.top()))
        ends = not goes_on(block.next())
        bottom = round(_bottom_of(block, place))
        frame = QRect(left, top, width, bottom - top)
        paint_code_frame(painter, self._theme, frame, begins=begins, ends=ends)
        if begins:
            painter.setPen(self._theme.color("muted"))
            font = self._theme.font("secondary")
            painter.setFont(font)
            label = self.head_of(block).adjusted(CODE_SIDE_PX, 0, -width // 3, 0)
            name = QFontMetrics(font).elidedText(
                language_of(block), Qt.TextElideMode.ElideRight, label.width()
            )
            painter.drawText(label, Qt.AlignmentFlag.AlignVCenter, name)


def is_code(block: QTextBlock) -> bool:
    """Whether a paragraph is a line of a block of code."""
    return block.blockFormat().boolProperty(IS_CODE)


def is_head(block: QTextBlock) -> bool:
    """Whether a paragraph is the first line of a block of code."""
    return block.blockFormat().hasProperty(CODE_LANGUAGE)


def _bottom_of(block: QTextBlock, place: QRectF) -> float:
    """Where a paragraph ends with the frame around it; its place leaves out space above a line."""
    last = block.layout().lineAt(block.layout().lineCount() - 1)
    foot = CODE_FOOT_PX if is_code(block) and not goes_on(block.next()) else 0
    return place.top() + last.y() + last.height() + foot


def number_of(block: QTextBlock) -> int:
    """The place among the code of a document of what begins with a paragraph."""
    return block.blockFormat().intProperty(CODE_NUMBER)


def goes_on(block: QTextBlock) -> bool:
    """Whether a paragraph goes on with the code above it."""
    return block.isValid() and is_code(block) and not is_head(block)


def language_of(block: QTextBlock) -> str:
    """What code is called that begins with a paragraph."""
    return language_text(block.blockFormat().stringProperty(CODE_LANGUAGE))
