"""Colours of code that is part of prose: given when it comes on screen, a little at a time."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ui.conversation.beside import Beside, goes_on, is_head, number_of
from ui.loop_turn import LoopTurn
from ui.markdown.formats import CODE_LANGUAGE
from ui.markdown.highlight import (
    ColoredLine,
    color_line,
    colored_lines,
    first_recent,
    is_short_for,
    lexer_of,
    looks_of,
    text_between_blocks,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pygments.lexer import Lexer
    from PySide6.QtGui import QTextBlock
    from PySide6.QtWidgets import QTextEdit

    from ui.quiet_thread import QuietThread
    from ui.theme import Theme

_SLICE_S = 0.004
_MOST_KEPT = 50

# The language and the code.
_Key = tuple[str, str]


class CodeColors(QObject):
    """Colours code in a text, which tells it of all that is written.

    Args:
        theme: Colours.
        quiet: Where it is found out what knows a language.
        beside: Says where code is.
        text: What has the code; it calls `look_soon` when it paints.
    """

    def __init__(self, theme: Theme, quiet: QuietThread, beside: Beside, text: QTextEdit) -> None:
        super().__init__(text)
        self._theme = theme
        self._quiet = quiet
        self._beside = beside
        self._text = text
        self._lexers: dict[str, Lexer | None] = {}
        self._awaited: set[str] = set()
        # The numbers of code that has its colours; so many are final.
        self._done: set[int] = set()
        self._n_final = 0
        # What was coloured last, as what still changes is written anew with each piece.
        self._kept: dict[_Key, list[ColoredLine]] = {}
        self._key: _Key = ("", "")
        self._lines: list[ColoredLine] = []
        self._work: Iterator[ColoredLine] = iter(())
        self._soon = LoopTurn(self._color_some, self)

    def look_soon(self) -> None:
        """Other code may be on screen."""
        self._soon.put_off()

    def take_final(self, n_final: int) -> None:
        """So much of the code does not change any more."""
        if n_final != self._n_final:
            self._n_final = n_final
            self.look_soon()

    def take_written(self, position: int, n_kept: int) -> None:
        """All from a position on is written anew; above it is so much code."""
        self._done = {number for number in self._done if number < n_kept}
        block = self._text.document().findBlock(position)
        while block.isValid():
            if is_head(block):
                self._color_written(block)
            block = block.next()

    def _color_written(self, head: QTextBlock) -> None:
        self._ask_for(_language_of(head))
        stop = _end_of(head)
        lines = self._kept.get(_key_of(head, stop))
        if lines is not None:
            self._show(head, lines)
            self._done.add(number_of(head))
        elif not stop.isValid() and (lexer := self._lexers.get(_language_of(head))) is not None:
            begin = first_recent(self._text.document().lastBlock(), head)
            self._show(begin, colored_lines(lexer, text_between_blocks(begin)))

    def _color_some(self) -> None:
        """Colour what is on screen, for as long as a moment allows."""
        deadline = perf_counter() + _SLICE_S
        for head in self._due():
            key = _key_of(head, _end_of(head))
            is_late = False
            if key not in self._kept:
                self._color(key, deadline)
                is_late = perf_counter() > deadline
            if not is_late:
                self._show(head, self._kept[key])
                self._done.add(number_of(head))
            if perf_counter() > deadline:
                self._soon.put_off()
                return

    def _color(self, key: _Key, deadline: float) -> None:
        """Find the colours of some lines, and keep them when all have theirs."""
        if key != self._key:
            lexer, text = self._lexers[key[0]], key[1]
            is_colored = lexer is not None and is_short_for(lexer, len(text))
            self._key, self._lines = key, []
            self._work = colored_lines(lexer, text) if lexer and is_colored else iter(())
        for line in self._work:
            self._lines.append(line)
            if perf_counter() > deadline:
                return
        self._key = ("", "")
        self._kept[key] = self._lines
        if len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]

    def _due(self) -> Iterator[QTextBlock]:
        """The first lines of what is on screen without colours, but not of what grows."""
        area = self._text.viewport().visibleRegion().boundingRect()
        if area.isEmpty():
            return
        blocks = list(self._beside.blocks_in(area.top(), area.bottom()))
        for first in blocks[:1]:
            # Code of which the first lines are above what is seen.
            while goes_on(blocks[0]) and blocks[0].previous().isValid():
                blocks[0] = blocks[0].previous()
            blocks.insert(1, first)
        for head in filter(is_head, blocks):
            grows = number_of(head) >= self._n_final and not _end_of(head).isValid()
            is_known = _language_of(head) in self._lexers
            if is_known and not grows and number_of(head) not in self._done:
                yield head

    def _ask_for(self, language: str) -> None:
        if language and language not in self._awaited:
            self._awaited.add(language)
            self._quiet.submit(
                self, partial(lexer_of, language), partial(self._take_lexer, language)
            )

    def _take_lexer(self, language: str, lexer: Lexer | None) -> None:
        self._lexers[language] = lexer
        self.look_soon()

    def _show(self, block: QTextBlock, lines: Iterable[ColoredLine]) -> None:
        begin = end = block.position()
        looks = looks_of(self._theme)
        for line in lines:
            color_line(looks, block, line)
            end = block.position() + block.length()
            block = block.next()
        if end > begin:
            # Formats of a layout take its lines away.
            last = self._text.document().characterCount() - 1
            self._text.document().markContentsDirty(begin, min(end, last) - begin)


def _language_of(head: QTextBlock) -> str:
    return str(head.blockFormat().stringProperty(CODE_LANGUAGE))


def _end_of(head: QTextBlock) -> QTextBlock:
    """The paragraph below code; not valid at the end of the document."""
    block = head.next()
    while goes_on(block):
        block = block.next()
    return block


def _key_of(head: QTextBlock, stop: QTextBlock) -> _Key:
    return _language_of(head), text_between_blocks(head, stop)
