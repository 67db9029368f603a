"""Writes blocks of Markdown into a document. Nothing in them is ever loaded or run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextListFormat,
    QTextTable,
    QTextTableFormat,
)

from ui.long_text import as_cut
from ui.markdown.formats import (
    CODE_FOOT_PX,
    CODE_HEAD_PX,
    CODE_LANGUAGE,
    CODE_NUMBER,
    ITEM_GAP,
    PARAGRAPH_GAP,
    Formats,
)
from ui.markdown.inline import DrawFormula, InlineWriter
from ui.markdown.parser import closing, unescaped
from ui.markdown.tables import table_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from ui.markdown.blocks import Block


_BULLETS = (
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
)
_MOST_COLUMNS = 60
_BELOW_TABLE = 6


class CodePiece(NamedTuple):
    """Code as it arrived; `joint` is what is between it and the piece above, None if it begins."""

    text: str
    joint: str | None


def whole_code(pieces: Sequence[CodePiece], number: int) -> str:
    """The block of code that begins with a piece."""
    text = pieces[number].text
    for piece in pieces[number + 1 :]:
        if piece.joint is None:
            break
        text += piece.joint + piece.text
    return text


class MarkdownWriter:
    """Appends blocks at a cursor, which stays at the end.

    Args:
        formats: How things look.
        cursor: The end of a document that is empty or holds what was written before.
        draw_formula: Inserts a formula at the cursor, given also as it was written; False when
            it cannot be drawn.
        codes: What code was written before; what is written is appended.
        is_fresh: Whether the cursor stands in an empty paragraph to begin with.
        is_top: Whether nothing was written before.
    """

    def __init__(
        self,
        formats: Formats,
        cursor: QTextCursor,
        draw_formula: DrawFormula,
        codes: list[CodePiece],
        *,
        is_fresh: bool,
        is_top: bool,
    ) -> None:
        self._formats = formats
        self._cursor = cursor
        self._inline = InlineWriter(formats, draw_formula)
        self._codes = codes
        self.is_fresh = is_fresh
        self.is_top = is_top
        self._level = 0
        self._quotes = 0
        self._gap: int | None = None
        self._is_cut = False
        self._item_block: tuple[QTextListFormat, bool | None] | None = None

    def write(self, blocks: Sequence[Block]) -> None:
        """Append blocks."""
        for block in blocks:
            self._level, self._quotes = block.level, block.quotes
            self._gap = self._gap_above(block)
            self._is_cut = block.is_cut
            tokens = block.tokens
            if tokens and tokens[0].type == "list_item_open":
                self._list_item(tokens, 0, len(tokens), number=block.number)
            else:
                self._sequence(tokens, 0, len(tokens), skips_head=block.continues)

    def grow_table(self, block: Block, n_kept: int) -> None:
        """Make the table at the end of the document that of a block; its first rows are the same.

        Rows that are there need no new layout as long as their columns keep their widths.
        """
        rows = table_rows(block.tokens, 0, len(block.tokens))[1 if block.continues else 0 :]
        # Below a table there is one empty paragraph.
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter)
        table = self._cursor.currentTable()
        n_before = table.rows()
        if len(rows) > n_before:
            table.appendRows(len(rows) - n_before)
        elif len(rows) < n_before:
            table.removeRows(len(rows), n_before - len(rows))
        for number in range(n_kept, len(rows)):
            for column, (inline, alignment) in enumerate(rows[number][: table.columns()]):
                if number < n_before:
                    _empty(table, number, column)
                is_head = number == 0 and not block.continues
                self._cell(table, number, column, inline, alignment, is_head=is_head)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self.is_fresh = True

    def _gap_above(self, block: Block) -> int:
        if block.continues and not block.is_spaced:
            return 0
        is_item = block.tokens and block.tokens[0].type == "list_item_open"
        return ITEM_GAP if is_item and not block.is_spaced else PARAGRAPH_GAP

    def _sequence(
        self, tokens: Sequence[Token], begin: int, end: int, *, skips_head: bool = False
    ) -> None:
        index = begin
        while index < end:
            token = tokens[index]
            stop = closing(tokens, index, end)
            match token.type:
                case "paragraph_open":
                    self._paragraph(tokens[index + 1])
                case "heading_open":
                    self._heading(tokens[index + 1], int(token.tag[1]))
                case "bullet_list_open" | "ordered_list_open":
                    self._list(tokens, index + 1, stop - 1)
                case "blockquote_open":
                    self._quotes += 1
                    self._level += 1
                    self._sequence(tokens, index + 1, stop - 1)
                    self._quotes -= 1
                    self._level -= 1
                case "fence" | "code_block":
                    self._code(token.content, None if skips_head else token.info)
                case "hr":
                    self._rule()
                case "math_block":
                    self._math(token)
                case "table_open":
                    self._write_table(tokens, index, stop, skips_head=skips_head)
                case _:
                    pass
            index = stop

    # Paragraphs.

    def _begin(self, block_format: QTextBlockFormat, text_format: QTextCharFormat) -> None:
        """Begin a paragraph: the empty one at the cursor, or a new one."""
        if self.is_top:
            block_format.setTopMargin(0)
        if self._is_cut:
            block_format = as_cut(block_format)
            self._is_cut = False
        if self.is_fresh:
            self._cursor.setBlockFormat(block_format)
            self._cursor.setBlockCharFormat(text_format)
        else:
            self._cursor.insertBlock(block_format, text_format)
            block_list = self._cursor.currentList()
            if block_list is not None:
                block_list.remove(self._cursor.block())
                self._cursor.setBlockFormat(block_format)
        self.is_fresh = False
        self.is_top = False
        if self._item_block is not None:
            list_format, is_checked = self._item_block
            self._item_block = None
            if is_checked is not None:
                kinds = QTextBlockFormat.MarkerType
                marked = self._cursor.blockFormat()
                marked.setMarker(kinds.Checked if is_checked else kinds.Unchecked)
                self._cursor.setBlockFormat(marked)
            self._cursor.createList(list_format)
            placed = self._cursor.blockFormat()
            placed.setIndent(0)
            self._cursor.setBlockFormat(placed)

    def _take_gap(self, usual: int = PARAGRAPH_GAP) -> int:
        gap, self._gap = self._gap, None
        return usual if gap is None else gap

    def _paragraph_format(self, gap: int) -> QTextBlockFormat:
        return self._formats.paragraph(gap=gap, indent=self._level, quote_depth=self._quotes)

    def _paragraph(self, inline: Token) -> None:
        text_format = self._formats.text(color="muted" if self._quotes else "text")
        self._begin(self._paragraph_format(self._take_gap()), text_format)
        self._inline.write(self._cursor, inline.children or [], text_format)

    def _heading(self, inline: Token, level: int) -> None:
        text_format = self._formats.heading(level)
        gap = max(self._take_gap(), self._formats.heading_gap(level))
        block_format = self._paragraph_format(gap)
        block_format.setHeadingLevel(level)
        self._begin(block_format, text_format)
        self._inline.write(self._cursor, inline.children or [], text_format)

    def _code(self, content: str, info: str | None) -> None:
        """Write lines of code; `info` is None where they go on with the code above."""
        gap = self._take_gap()
        text_format = self._formats.code_block()
        content = content.removesuffix("\n")
        joint = None if info is not None else "" if self._is_cut else "\n"
        self._codes.append(CodePiece(content, joint))
        lines = content.split("\n")
        for number, line in enumerate(lines):
            block_format = self._formats.code_paragraph(
                gap=gap, indent=self._level, quote_depth=self._quotes
            )
            if info is not None:
                block_format.setProperty(CODE_LANGUAGE, " ".join(unescaped(info).split()[:1]))
                block_format.setProperty(CODE_NUMBER, len(self._codes) - 1)
                block_format.setTopMargin(gap + CODE_HEAD_PX)
            if number == len(lines) - 1:
                # Of two margins that meet the larger counts.
                block_format.setBottomMargin(CODE_FOOT_PX + PARAGRAPH_GAP)
            self._begin(block_format, text_format)
            self._inline.insert(self._cursor, line, text_format)
            gap, info = 0, None

    def _rule(self) -> None:
        made = self._formats.rule(
            gap=self._take_gap(), indent=self._level, quote_depth=self._quotes
        )
        self._begin(made, self._formats.text())

    def _math(self, token: Token) -> None:
        text_format = self._formats.text()
        block_format = self._paragraph_format(self._take_gap())
        block_format.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._begin(block_format, text_format)
        self._inline.formula(self._cursor, token, text_format, is_display=True)

    # Lists.

    def _list(self, tokens: Sequence[Token], begin: int, end: int) -> None:
        number: int | None = None
        index, is_first = begin, True
        while index < end:
            stop = closing(tokens, index, end)
            info = tokens[index].info
            if info:
                number = int(info) if number is None else number + 1
            if not is_first or self._gap is None:
                self._gap = ITEM_GAP
            self._list_item(tokens, index, stop, number=number)
            index, is_first = stop, False

    def _list_item(
        self, tokens: Sequence[Token], begin: int, end: int, *, number: int | None
    ) -> None:
        item = tokens[begin]
        made = QTextListFormat()
        self._level += 1
        made.setIndent(self._level)
        if number is not None:
            made.setStyle(QTextListFormat.Style.ListDecimal)
            made.setStart(number)
            made.setNumberSuffix(item.markup)
        else:
            made.setStyle(_BULLETS[(self._level - 1) % len(_BULLETS)])
        is_checked = None
        if "task-list-item" in str(item.attrGet("class") or ""):
            inline = tokens[begin + 2]
            box = inline.children[0] if inline.children else None
            is_checked = box is not None and "checked=" in box.content
        self._item_block = (made, is_checked)
        if tokens[begin + 1].type not in ("paragraph_open", "heading_open"):
            # A marker stands before words; here it has a line of its own.
            self._begin(self._paragraph_format(self._take_gap(ITEM_GAP)), self._formats.text())
        if begin + 1 < end - 1:
            self._sequence(tokens, begin + 1, end - 1)
        self._level -= 1

    # Tables.

    def _write_table(
        self, tokens: Sequence[Token], begin: int, end: int, *, skips_head: bool
    ) -> None:
        rows = table_rows(tokens, begin, end)
        if skips_head:
            rows = rows[1:]
        if not rows:
            return
        n_columns = min(_MOST_COLUMNS, max(len(row) for row in rows))
        made = QTextTableFormat()
        made.setBorder(1)
        made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        made.setBorderBrush(self._formats.color("line"))
        made.setBorderCollapse(True)
        made.setCellPadding(6)
        made.setCellSpacing(0)
        made.setTopMargin(0 if skips_head else self._take_gap())
        made.setBottomMargin(_BELOW_TABLE)
        made.setLeftMargin(self._level * self._cursor.document().indentWidth())
        made.setHeaderRowCount(0 if skips_head else 1)
        made.setWidth(QTextLength())
        if self.is_top and self.is_fresh:
            # A table needs a paragraph above it.
            self._tiny_paragraph()
        self.is_top = False
        table = self._cursor.insertTable(len(rows), n_columns, made)
        for row_number, row in enumerate(rows):
            is_head = row_number == 0 and not skips_head
            for column, (inline, alignment) in enumerate(row[:n_columns]):
                self._cell(table, row_number, column, inline, alignment, is_head=is_head)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self.is_fresh = True
        self._tiny_paragraph()
        self._gap = None

    def _tiny_paragraph(self) -> None:
        block_format = QTextBlockFormat()
        kinds = QTextBlockFormat.LineHeightTypes
        block_format.setLineHeight(1, kinds.FixedHeight.value)
        self._cursor.setBlockFormat(block_format)

    def _cell(
        self,
        table: QTextTable,
        row: int,
        column: int,
        inline: Token,
        alignment: Qt.AlignmentFlag,
        *,
        is_head: bool,
    ) -> None:
        outer = self._cursor
        self._cursor = table.cellAt(row, column).firstCursorPosition()
        text_format = self._formats.text(is_strong=is_head)
        self._cursor.setBlockFormat(self._formats.cell(alignment))
        self._cursor.setBlockCharFormat(text_format)
        self._inline.write(self._cursor, inline.children or [], text_format)
        self._cursor = outer


def _empty(table: QTextTable, row: int, column: int) -> None:
    cell = table.cellAt(row, column)
    cursor = cell.firstCursorPosition()
    end = cell.lastCursorPosition().position()
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
