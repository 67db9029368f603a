"""Markdown between two code blocks: final blocks, and one at the end that still changes."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QWidget

from ui.conversation.text_part import TextPart
from ui.markdown.blocks import Block
from ui.markdown.formats import INDENT_PX, IS_CODE, IS_RULE, QUOTE_DEPTH, Formats
from ui.markdown.writer import MarkdownWriter
from ui.theme import Theme

_FULL_CHARACTERS = 20_000


class ProsePart(TextPart):
    """Formatted text. Its links are opened by nobody but who asked.

    Signals:
        link_chosen(str): A link was clicked, or Enter pressed on it; its address.
    """

    link_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "body", parent)
        self._formats = Formats(theme)
        self._final: list[Block] = []
        self._tail: tuple[Block, ...] = ()
        self._is_stale = False
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(
            self.textInteractionFlags()
            | flags.LinksAccessibleByMouse
            | flags.LinksAccessibleByKeyboard
        )
        self.document().setIndentWidth(INDENT_PX)
        # Where the tail begins, and whether an empty paragraph waits there.
        self._tail_begin, self._is_fresh = 0, True
        self.anchorClicked.connect(lambda url: self.link_chosen.emit(self._address_of(url)))
        self.highlighted.connect(self._show_address)
        theme.changed.connect(self._become_stale)

    @property
    def is_full(self) -> bool:
        """Whether what follows should go into another part."""
        return self._tail_begin > _FULL_CHARACTERS

    def show_blocks(self, final: Sequence[Block], tail: tuple[Block, ...]) -> None:
        """Append final blocks and replace what follows them."""
        if not final and tail == self._tail:
            return
        selected = self.textCursor()
        anchor, position = selected.anchor(), selected.position()
        cursor = self._end
        cursor.beginEditBlock()
        if self._tail:
            self._remove_tail()
        cursor.setPosition(self._tail_begin)
        writer = MarkdownWriter(self._formats, cursor, _no_formula, is_fresh=self._is_fresh)
        writer.write(final)
        self._final += final
        self._tail_begin, self._is_fresh = cursor.position(), writer.is_fresh
        writer.write(tail)
        self._tail = tail
        cursor.endEditBlock()
        if anchor != position and max(anchor, position) > self._tail_begin:
            last = self.document().characterCount() - 1
            selected.setPosition(min(anchor, last))
            selected.setPosition(min(position, last), QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(selected)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what stands beside and behind the text, then the text."""
        if self._is_stale:
            # A document must not change while it is painted.
            QTimer.singleShot(0, self, self._rewrite)
        painter = QPainter(self.viewport())
        for block in self._blocks_in(event.rect().top(), event.rect().bottom()):
            self._paint_beside(painter, block)
        painter.end()
        super().paintEvent(event)

    def _remove_tail(self) -> None:
        cursor = self._end
        cursor.setPosition(self._tail_begin)
        kept = QTextBlockFormat(cursor.blockFormat())
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if not self._is_fresh:
            cursor.setBlockFormat(kept)
            return
        block_list = cursor.currentList()
        if block_list is not None:
            block_list.remove(cursor.block())
        cursor.setBlockFormat(QTextBlockFormat())

    def _become_stale(self) -> None:
        self._is_stale = True
        self.viewport().update()

    def _rewrite(self) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        final, tail = self._final, self._tail
        self._final, self._tail = [], ()
        self.document().clear()
        self._tail_begin, self._is_fresh = 0, True
        self.show_blocks(final, tail)

    def _address_of(self, url: QUrl) -> str:
        return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)

    def _show_address(self, url: QUrl) -> None:
        self.viewport().setToolTip(_plain_tooltip(self._address_of(url)))

    def _blocks_in(self, top: int, bottom: int) -> list[QTextBlock]:
        found: list[QTextBlock] = []
        layout = self.document().documentLayout()
        block = self.cursorForPosition(QPointF(0, top).toPoint()).block()
        while block.isValid() and layout.blockBoundingRect(block).top() <= bottom:
            found.append(block)
            block = block.next()
        return found

    def _paint_beside(self, painter: QPainter, block: QTextBlock) -> None:
        block_format = block.blockFormat()
        depth = block_format.intProperty(QUOTE_DEPTH)
        layout = self.document().documentLayout()
        place = layout.blockBoundingRect(block)
        before = block.previous().blockFormat() if block.previous().isValid() else None
        above = layout.blockBoundingRect(block.previous()).bottom() if before else place.top()
        line = self._theme.color("line")
        if block_format.boolProperty(IS_RULE):
            painter.fillRect(QRectF(place.left(), place.center().y(), self.width(), 1), line)
        if block_format.boolProperty(IS_CODE):
            left = block_format.indent() * INDENT_PX
            joins = before is not None and before.boolProperty(IS_CODE) and not _has_gap(block)
            top = above if joins else place.top() - 2
            area = QRectF(left, top, self.width() - left, place.bottom() + 3 - top)
            painter.fillRect(area, self._theme.color("inline_code"))
        n_joined = before.intProperty(QUOTE_DEPTH) if before is not None else 0
        for level in range(depth):
            left = (block_format.indent() - depth + level) * INDENT_PX + 4
            top = above if level < n_joined else place.top()
            painter.fillRect(QRectF(left, top, 3, place.bottom() - top), line)


def _has_gap(block: QTextBlock) -> bool:
    return block.blockFormat().topMargin() > 0


def _no_formula(
    cursor: QTextCursor, source: str, is_display: bool, text_format: QTextCharFormat
) -> bool:
    return False


def _plain_tooltip(text: str) -> str:
    # Qt takes what looks like markup for markup.
    return text.replace("&", "&amp;").replace("<", "&lt;") if "<" in text else text
