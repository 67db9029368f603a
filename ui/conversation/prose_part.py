"""Markdown between two code blocks: final blocks, and one at the end that still changes."""

from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QWidget

from ui.conversation.beside import Beside, is_code, is_head
from ui.conversation.code_colors import CodeColors
from ui.conversation.copy_buttons import CopyButtons
from ui.conversation.text_part import TextPart
from ui.copy_button import CopyButton
from ui.loop_turn import LoopTurn
from ui.markdown.blocks import Block
from ui.markdown.formats import CODE_FOOT_PX, CODE_HEAD_PX, INDENT_PX, Formats
from ui.markdown.formulas import (
    FORMULA_OBJECT,
    FormulaObject,
    FormulaSetter,
    Key,
    key_of,
    source_of,
)
from ui.markdown.sameness import (
    first_rows,
    is_table,
    n_same_blocks,
    n_same_rows,
    n_texts,
    rows_of,
)
from ui.markdown.writer import CodePiece, MarkdownWriter
from ui.theme import Theme

# What is longer goes on in another part: with another width all of a part is laid out at once.
_FULL_CHARACTERS = 20_000
_FULL_FORMULAS = 300
_FULL_BLOCKS = 600
# Of formulas that have come.
_SLICE_S = 0.006
_TOGETHER_MS = 150
_FEW = 8
# Stands for a formula; in a text it is written as an escape.
_OBJECT = "\N{OBJECT REPLACEMENT CHARACTER}"
# Texts that are written in a moment: paragraphs, lines of code and cells of tables.
_AT_ONCE = 40


class _End(NamedTuple):
    """A place in a document up to which it is written.

    `is_fresh` says whether an empty paragraph waits there, `is_top` whether nothing is above it,
    not even a block without text; `n_formulas` and `n_codes` how many are above it.
    """

    position: int = 0
    is_fresh: bool = True
    is_top: bool = True
    n_formulas: int = 0
    n_codes: int = 0


class ProsePart(TextPart):
    """Formatted text. Its links are opened by nobody but who asked.

    Args:
        theme: Colours and fonts.
        formulas: Sets the formulas.
        parent: Its owner.

    Signals:
        resized(): It needs another height: a formula has been set.
        link_chosen(str): A link was clicked, or Enter pressed on it; its address.
    """

    link_chosen = Signal(str)
    resized = Signal()

    def __init__(self, theme: Theme, formulas: FormulaSetter, parent: QWidget) -> None:
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
        # Where the tail begins, and where each of its blocks ends.
        self._ends = [_End()]
        self._codes: list[CodePiece] = []
        self.anchorClicked.connect(lambda url: self.link_chosen.emit(self._address_of(url)))
        self.highlighted.connect(self._show_address)
        self._formulas = formulas
        # Where formulas stand that are not set, and those of them that have come since.
        self._unset: dict[Key, list[QTextCursor]] = {}
        self._come: list[Key] = []
        self._to_lay_out: dict[int, QTextCursor] = {}
        self._setting = LoopTurn(self._set_some, self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._setting.take)
        self._n_formulas = 0
        # Formulas come by the dozen, and each would have everything below moved.
        self._growth = LoopTurn(self.resized.emit, self)
        formulas.ready.connect(self._on_formula)
        self._drawer = FormulaObject(formulas, self)
        self._drawer.drawn_again.connect(self.viewport().update)
        self.document().documentLayout().registerHandler(FORMULA_OBJECT, self._drawer)
        self._beside = Beside(theme, self)
        self._colors = CodeColors(theme, formulas.quiet, self._beside, self)
        self._copy_buttons: CopyButtons | None = None
        theme.changed.connect(self._become_stale)

    @property
    def copy_buttons(self) -> list[CopyButton]:
        """Of the blocks of code in it that are on screen."""
        return [] if self._copy_buttons is None else self._copy_buttons.shown

    @property
    def is_full(self) -> bool:
        """Whether what follows should go into another part."""
        return (
            self._ends[0].position > _FULL_CHARACTERS
            or self._n_formulas > _FULL_FORMULAS
            or self.document().blockCount() > _FULL_BLOCKS
        )

    @property
    def is_setting(self) -> bool:
        """Whether formulas have come that it has not made room for."""
        return bool(self._come or self._to_lay_out) or self._growth.is_waiting

    def show_blocks(self, final: Sequence[Block], tail: tuple[Block, ...]) -> None:
        """Append final blocks and replace what follows them."""
        rest: Sequence[Block] | None = final
        while rest is not None:
            rest = self.show_some(rest, tail)

    def show_some(self, final: Sequence[Block], tail: tuple[Block, ...]) -> Sequence[Block] | None:
        """Do of `show_blocks` what fits in a moment; what is there already stays untouched.

        Returns the final blocks that are left, with which and the same tail it goes on; None
        when all is shown.
        """
        wanted = (*final, *tail)
        n_same = n_same_blocks(self._tail, wanted)
        shown, n_whole = self._tail, n_same
        if n_same < max(len(self._tail), len(wanted)):
            shown, n_whole = self._write(wanted, n_same)
        n_final = min(n_whole, len(final))
        self._final += final[:n_final]
        self._tail = shown[n_final:]
        self._n_formulas = self._ends[n_final].n_formulas
        del self._ends[:n_final]
        self._colors.take_final(self._ends[0].n_codes)
        return None if n_whole == len(wanted) else final[n_final:]

    def _write(self, wanted: tuple[Block, ...], n_same: int) -> tuple[tuple[Block, ...], int]:
        """Write what differs; returns what stands there now, and how much of it is whole."""
        selected = self.textCursor()
        anchor, position = selected.anchor(), selected.position()
        cursor = self._end
        begin, shown = self._ends[n_same], list(wanted[:n_same])
        cursor.beginEditBlock()
        old = self._tail[n_same:]
        n_rows = 0
        if len(old) == 1 and n_same < len(wanted):
            n_rows = n_same_rows(old[0], wanted[n_same])
        if old and not n_rows:
            self._remove_from(begin)
        del self._ends[n_same + 1 :]
        self._n_formulas = begin.n_formulas
        del self._codes[begin.n_codes :]
        cursor.setPosition(begin.position)
        writer = MarkdownWriter(
            self._formats,
            cursor,
            self._draw_formula,
            self._codes,
            is_fresh=begin.is_fresh,
            is_top=begin.is_top,
        )
        n_room, n_whole = _AT_ONCE, n_same
        for block in wanted[n_same:]:
            if n_room <= 0:
                break
            part = block
            if is_table(block):
                rows = rows_of(block)
                n_columns = max(1, len(rows[0])) if rows else 1
                part = first_rows(block, n_rows + max(2, n_room // n_columns))
            if n_rows:
                writer.grow_table(part, n_rows)
            else:
                writer.write((part,))
            n_rows = 0
            n_room -= n_texts(part)
            shown.append(part)
            self._ends.append(
                _End(
                    cursor.position(),
                    writer.is_fresh,
                    writer.is_top,
                    self._n_formulas,
                    len(self._codes),
                )
            )
            if part is not block:
                break
            n_whole += 1
        cursor.endEditBlock()
        if self._codes:
            self._colors.take_written(begin.position, begin.n_codes)
        self._make_room_at_top()
        if anchor != position and max(anchor, position) > begin.position:
            last = self.document().characterCount() - 1
            selected.setPosition(min(anchor, last))
            selected.setPosition(min(position, last), QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(selected)
        return tuple(shown), n_whole

    def _make_room_at_top(self) -> None:
        # Qt leaves out the margins above the first paragraph and below the last.
        room = CODE_HEAD_PX if is_head(self.document().begin()) else 0
        frame = self.document().rootFrame()
        made = frame.frameFormat()
        if made.topMargin() != room:
            made.setTopMargin(room)
            frame.setFrameFormat(made)

    def content_height(self) -> int:
        """Height of the text and of the frame around code at its end, pixels."""
        room = CODE_FOOT_PX if is_code(self.document().lastBlock()) else 0
        return super().content_height() + room

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what stands beside and behind the text, then the text."""
        if self._is_stale:
            # A document must not change while it is painted.
            QTimer.singleShot(0, self, self._rewrite)
        with self._formulas.quiet.paused():
            self._paint(event)

    def _paint(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        has_code = self._beside.paint(painter, event.rect())
        painter.end()
        if has_code:
            self._colors.look_soon()
        if has_code and self._copy_buttons is None:
            self._copy_buttons = CopyButtons(self._theme, self._beside, self, self._codes)
        if self._copy_buttons is not None:
            self._copy_buttons.place_soon()
        super().paintEvent(event)

    def selected_text(self) -> str:
        """What is selected here, formulas as they were written."""
        text = super().selected_text()
        cursor = self.textCursor()
        sources = _formulas_between(self.document(), cursor.selectionStart(), cursor.selectionEnd())
        pieces = text.split(_OBJECT)
        if not sources or len(pieces) != len(sources) + 1:
            return text
        ends = [*sources, ""]
        return "".join(piece + end for piece, end in zip(pieces, ends, strict=True))

    def _draw_formula(
        self, cursor: QTextCursor, key: Key, source: str, text_format: QTextCharFormat
    ) -> bool:
        is_known = self._formulas.knows(key)
        if is_known and self._formulas.get(key) is None:
            return False
        self._n_formulas += 1
        cursor.insertText(_OBJECT, self._drawer.format_of(key, text_format, source))
        if not is_known:
            self._formulas.want(key)
            after = QTextCursor(cursor)
            after.setKeepPositionOnInsert(True)
            self._unset.setdefault(key, []).append(after)
        return True

    def _on_formula(self, key: Key) -> None:
        if key in self._unset:
            self._come.append(key)
            if not self._soon.isActive():
                # Where many are awaited those of a line are set together.
                self._soon.start(_TOGETHER_MS if len(self._unset) > _FEW else 0)

    def _set_some(self) -> None:
        """Make room for formulas that have come; what a moment does not allow for follows."""
        deadline = perf_counter() + _SLICE_S
        while self._come and perf_counter() < deadline:
            key = self._come.pop()
            is_set = self._formulas.get(key) is not None
            for after in self._unset.pop(key, ()):
                made = after.charFormat()
                # What was there may have been replaced meanwhile. At the start of a line the
                # format is that of what follows.
                is_here = after.positionInBlock() > 0 and made.objectType() == FORMULA_OBJECT
                if not is_here or key_of(made) != key:
                    continue
                if is_set:
                    self._to_lay_out.setdefault(after.blockNumber(), after)
                else:
                    self._write_out(after, source_of(made))
        while not self._come and self._to_lay_out and perf_counter() < deadline:
            block = self._to_lay_out.popitem()[1].block()
            self.document().markContentsDirty(block.position(), block.length() - 1)
        if self._come or self._to_lay_out:
            self._setting.put_off()
        self._growth.put_off()

    def _write_out(self, after: QTextCursor, source: str) -> None:
        """Show a formula as it was written, in place of the character before a cursor."""
        cursor = QTextCursor(self.document())
        # The anchor of a cursor moves with what is inserted at it.
        cursor.setPosition(after.position())
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor)
        place = cursor.selectionEnd()
        n_before = self.document().characterCount()
        cursor.insertText(source, self._formats.code(self._formats.text()))
        n_more = self.document().characterCount() - n_before
        self._ends = [
            end if end.position < place else end._replace(position=end.position + n_more)
            for end in self._ends
        ]

    def _remove_from(self, begin: "_End") -> None:
        cursor = self._end
        cursor.setPosition(begin.position)
        kept = QTextBlockFormat(cursor.blockFormat())
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if not begin.is_fresh:
            cursor.setBlockFormat(kept)
            return
        block_list = cursor.currentList()
        if block_list is not None:
            block_list.remove(cursor.block())
        cursor.setBlockFormat(QTextBlockFormat())

    def _become_stale(self) -> None:
        self._is_stale = True
        self._formats = Formats(self._theme)
        self.viewport().update()

    def _rewrite(self) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        chosen = self.textCursor()
        ends = chosen.anchor(), chosen.position()
        final, tail = self._final, self._tail
        self._final, self._tail = [], ()
        self.document().clear()
        self._unset, self._n_formulas = {}, 0
        self._ends = [_End()]
        self._codes.clear()
        self.show_blocks(final, tail)
        # The same text has the same places.
        chosen.setPosition(ends[0])
        chosen.setPosition(ends[1], QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(chosen)

    def _address_of(self, url: QUrl) -> str:
        return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)

    def _show_address(self, url: QUrl) -> None:
        self.viewport().setToolTip(self._address_of(url))


def _formulas_between(document: QTextDocument, start: int, end: int) -> list[str]:
    found: list[str] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() < end:
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            made = fragment.charFormat()
            if made.objectType() == FORMULA_OBJECT:
                begin = max(fragment.position(), start)
                stop = min(fragment.position() + fragment.length(), end)
                found += [source_of(made)] * max(0, stop - begin)
            iterator += 1
        block = block.next()
    return found
