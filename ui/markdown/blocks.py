"""Markdown that streams in, cut into blocks: all but the last are final.

However an answer is split into pieces the same blocks come out: final is what no text to come can
change, and a block is cut by its first characters alone. What a piece costs depends on the last.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ui.markdown.cuts import (
    CODE_COLUMNS,
    add_space,
    cut_of,
    head_of,
    inside,
    marks_of,
    numbers_at,
    prefix_of,
    verbatim_at,
)
from ui.markdown.lines import end_of_lines, indent_of, is_blank, with_line_feeds
from ui.markdown.parser import parse
from ui.markdown.units import (
    Parsed,
    Unit,
    Verbatim,
    fence_in,
    is_sure,
    lines_of,
    parsed_to_fence,
    units_of,
)
from ui.markdown.verbatim import VerbatimReader, fence_at
from ui.markdown.window import window_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

# Before words that go on, so that they begin nothing else; the parser takes it away.
_GUARD = "\N{NO-BREAK SPACE}"
# What is not less after so many rounds becomes words, so many: no text is read for ever.
_MOST_TRIES, _MOST_WORDS = 4, 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of Markdown that is written on its own.

    Attributes:
        tokens: What it is.
        level: How many list items and quotes it stands in.
        quotes: How many of those are quotes.
        number: Of an item of a numbered list; None for anything else.
        is_spaced: Whether an empty line is above it.
        continues: Whether it goes on with the paragraph or table above it, cut for its length.
        is_cut: Whether the cut is within words, so that both are one line.
    """

    tokens: tuple[Token, ...]
    level: int = 0
    quotes: int = 0
    number: int | None = None
    is_spaced: bool = True
    continues: bool = False
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """Blocks to append for good, and the one after them that may still change."""

    final: tuple[Block, ...] = ()
    tail: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Code to append to a fenced block, which begins with the first of them."""

    text: str = ""
    language: str = ""
    begins: bool = False
    ends: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True)
class _Context:
    """What a block has to know of what stands above it.

    `numbers` has the next number of each numbered list that is open, by depth and marker.
    """

    is_spaced: bool = True
    continues: bool = False
    is_cut: bool = False
    numbers: dict[tuple[int, str], int] = field(default_factory=dict)


class BlockStream:
    """Cuts arriving Markdown.

    Args:
        references: Link definitions that are known already; those found are added.
    """

    def __init__(self, references: dict[str, Any] | None = None) -> None:
        self.references: dict[str, Any] = dict(references or {})
        self.has_new_references = False
        self._pending = self._held = ""
        self._is_mid_line = False
        self._context = _Context()
        self._final: list[Block] = []
        self._out: list[Prose | Code] = []
        # Around what is read now, outermost first, as `inside` takes it off.
        self._around: tuple[int | None, ...] = ()
        self._verbatim: VerbatimReader | None = None

    def feed(self, text: str) -> list[Prose | Code]:
        """What `text` changes, in order."""
        text = self._held + text
        # It may be the first half of a line end.
        self._held = "\r" if text.endswith("\r") else ""
        self._pending += with_line_feeds(text.removesuffix("\r"))
        return self._read(is_last=False)

    def finish(self) -> list[Prose | Code]:
        """What is left when nothing follows."""
        self._pending += with_line_feeds(self._held)
        self._held = ""
        return self._read(is_last=True)

    def _read(self, *, is_last: bool) -> list[Prose | Code]:
        self._out, self._final = [], []
        tail: tuple[Block, ...] = ()
        n_left, n_tries = len(self._pending), 0
        while self._pending:
            n_before = len(self._pending)
            was_code = self._verbatim is not None
            if self._verbatim is not None:
                self._read_code(self._verbatim, is_last=is_last)
            else:
                tail = self._read_prose(is_last=is_last)
            is_same = len(self._pending) == n_before and was_code == (self._verbatim is not None)
            if is_same and not is_last and (was_code or n_before <= _MOST_WORDS):
                break
            n_tries = 0 if len(self._pending) < n_left else n_tries + 1
            if n_tries >= _MOST_TRIES:
                self._take_as_words(n_left)
            n_left = min(n_left, len(self._pending))
        if self._verbatim is None:
            self._out.append(Prose(final=tuple(self._final), tail=tail if self._pending else ()))
        elif is_last:
            self._out.append(Code(text=self._verbatim.empty_lines(), ends=True))
            self._verbatim = None
        return self._out

    def _read_prose(self, *, is_last: bool) -> tuple[Block, ...]:
        """Take what is certain; returns what is shown of the rest."""
        self._take_blank_lines()
        window = window_of(
            self._pending, self._around, is_mid_line=self._is_mid_line, is_last=is_last
        )
        self._around, source = window.around, window.source
        is_full, is_closed, depth = window.is_full, window.is_closed, len(window.around)
        read, is_all = parsed_to_fence(source, self.references, depth, is_closed=is_closed)
        is_full, is_closed = is_full and is_all, is_closed and is_all
        lines, n_whole, tokens, units = read.lines, read.n_whole, read.tokens, read.units
        references, n_taken = read.references, 0
        for number, unit in enumerate(units):
            begin, stop = lines_of(tokens, unit)
            fence = fence_in(tokens, unit, lines, n_whole)
            if fence is not None:
                self._open(read, unit, fence)
                return ()
            following = units[number + 1] if number + 1 < len(units) else None
            is_over = is_closed if following is None else is_sure(tokens, following, n_whole)
            if not is_over and is_full and number == 0:
                if following is None:
                    self._cut(read, begin)
                    return ()
                # Enough of what is below shows.
                is_over = True
            if not is_over:
                tail, context = [], self._context
                for later in units[number:]:
                    block, context = self._block(tokens, later, lines, context)
                    tail.append(block)
                self._take(lines, n_taken, references)
                return tuple(tail)
            block, self._context = self._block(tokens, unit, lines, self._context)
            self._final.append(block)
            n_taken = stop
        if is_closed:
            n_taken = n_whole
        elif is_full and not units:
            # Definitions, or one that is too long, or space to the parser.
            n_taken = n_whole
            if not n_whole:
                self._drop_beginning(0 if source.strip() else len(source))
                if source.strip() or self._is_mid_line:
                    self._pending = _GUARD + self._pending.lstrip(" \t")
                    self._is_mid_line = True
                else:
                    self._pending = prefix_of(self._around) + self._pending
        self._take(lines, n_taken, references)
        return ()

    def _take_blank_lines(self) -> None:
        place = 0
        while not self._is_mid_line and (end := self._pending.find("\n", place)) >= 0:
            inner, n_inside = inside(self._pending[place:end], self._around)
            if not is_blank(inner):
                break
            self._around = self._around[:n_inside]
            self._context = replace(self._context, is_spaced=True, continues=False, is_cut=False)
            place = end + 1
        self._pending = self._pending[place:]

    def _block(
        self, tokens: Sequence[Token], unit: Unit, lines: list[str], context: _Context
    ) -> tuple[Block, _Context]:
        begin, stop = lines_of(tokens, unit)
        is_spaced = is_blank(lines[begin - 1]) if begin else context.is_spaced
        first = tokens[unit[0]]
        number = None
        depth = len(self._around)
        numbers = {key: n for key, n in context.numbers.items() if key[0] < depth}
        if unit[2]:
            key = (depth, first.markup)
            if first.info:
                number = context.numbers.get(key, int(first.info))
                numbers[key] = number + 1
        block = Block(
            tokens=tuple(tokens[unit[0] : unit[1]]),
            level=depth,
            quotes=self._around.count(None),
            number=number,
            is_spaced=is_spaced,
            continues=context.continues and begin == 0,
            is_cut=context.is_cut and begin == 0,
        )
        return block, _Context(is_spaced=is_blank(lines[stop - 1]), numbers=numbers)

    def _drop_beginning(self, place: int) -> None:
        """Drop what stands before a place of the line that comes next, and what is around it."""
        line = self._pending.partition("\n")[0]
        inner = line if self._is_mid_line else inside(line, self._around)[0]
        # Of a tab some columns may be left, which are more than it.
        self._pending = self._pending[max(0, len(line) - len(inner) + place) :]

    def _take(self, lines: list[str], n_lines: int, references: dict[str, Any]) -> None:
        if n_lines:
            self._note_references(references, n_lines)
            is_spaced = is_blank(lines[n_lines - 1])
            self._context = replace(
                self._context, is_spaced=is_spaced, continues=False, is_cut=False
            )
            self._drop_lines(n_lines)

    def _drop_lines(self, n_lines: int) -> None:
        self._pending = self._pending[end_of_lines(self._pending, n_lines) :]
        if n_lines:
            self._is_mid_line = False

    def _note_references(self, references: dict[str, Any], n_lines: int) -> None:
        for label, definition in references.items():
            if label not in self.references and definition["map"][1] <= n_lines:
                self.references[label] = definition
                self.has_new_references = True

    def _add_parsed(self, source: str, above: str | None) -> None:
        """Make all of `source` final, which stands below the line `above`."""
        if above is not None:
            self._context = replace(
                self._context, is_spaced=is_blank(above), continues=False, is_cut=False
            )
        lines = source.split("\n")
        tokens = parse(source, dict(self.references), len(self._around)) if source.strip() else []
        for unit in units_of(tokens):
            block, self._context = self._block(tokens, unit, lines, self._context)
            self._final.append(block)

    # What is too long.

    def _take_as_words(self, n_left: int) -> None:
        """Make words of what comes first, so that less than `n_left` is left, whatever it is."""
        end = max(len(self._pending) - n_left + 1, min(len(self._pending), _MOST_WORDS))
        words, self._pending = self._pending[:end], self._pending[end:]
        self._out += [Code(ends=True)] if self._verbatim is not None else []
        self._verbatim, self._is_mid_line = None, not words.endswith("\n")
        self._add_parsed(_GUARD + words, None)

    def _cut(self, read: Parsed, begin: int) -> None:
        """Make the beginning of a block final, and let the rest be a block of its own."""
        lines, unit = read.lines, read.units[0]
        if begin:
            # Below definitions.
            self._take(lines, begin, read.references)
            return
        cut = cut_of(read.tokens, unit, lines)
        number, place, leaf = cut.n_lines, cut.place, cut.leaf
        if not self._is_mid_line:
            verbatim = verbatim_at(read.tokens, unit, lines, read.n_whole, number)
            if verbatim is not None:
                self._open(read, unit, verbatim)
                return
        self._note_references(read.references, number)
        marks = marks_of(cut.around, lines)
        head = [*lines[:number], *([lines[number][:place]] if place else [])]
        is_words = place > 0 or (
            leaf is not None and leaf.type in ("paragraph_open", "heading_open")
        )
        self._add_parsed("\n".join(head) + cut.ticks, None)
        if is_words and (not place or " " in lines[number][place - 1 : place + 1]):
            add_space(self._final[-1].tokens)
        self._drop_lines(number)
        self._context = replace(
            self._context,
            continues=leaf is not None,
            is_cut=is_words,
            is_spaced=not place and is_blank(lines[number - 1]),
        )
        self._keep_numbers(read, unit, number + (place > 0))
        if place:
            self._drop_beginning(place)
        self._around += marks
        if is_words:
            if not place:
                self._drop_beginning(0)
            self._pending = _GUARD + cut.ticks + self._pending.lstrip(" \t")
            self._is_mid_line = True
        elif leaf is not None and leaf.type == "table_open":
            self._pending = head_of(leaf, lines, prefix_of(self._around)) + self._pending

    def _keep_numbers(self, read: Parsed, unit: Unit, line: int) -> None:
        """Go on to count the items of the lists in a block that are open above a line."""
        depth, numbers = len(self._around), dict(self._context.numbers)
        for key, number in numbers_at(read.tokens[unit[0] : unit[1]], line).items():
            numbers[depth + key[0], key[1]] = number
        self._context = replace(self._context, numbers=numbers)

    # Code, and formulas that are too long.

    def _open(self, read: Parsed, unit: Unit, found: Verbatim) -> None:
        self._note_references(read.references, found.line)
        lines, begin = read.lines, lines_of(read.tokens, unit)[0]
        head, line = lines[begin : found.line], lines[found.line]
        is_marked = bool(line[: found.column].strip(" \t>"))
        if is_marked:
            head = [*head, line[: found.column]]
        marks = marks_of(found.around, lines)
        inner, n_inside = inside(line, marks)
        indent = indent_of(inner) if n_inside == len(marks) else 0
        self._add_parsed("\n".join(head), lines[begin - 1] if begin else None)
        self._keep_numbers(read, unit, found.line + 1)
        self._out.append(Prose(final=tuple(self._final)))
        self._final = []
        text, language, closing = "", "", found.closing
        if found.is_indented:
            self._drop_lines(found.line)
            indent = CODE_COLUMNS
            if is_marked:
                self._drop_beginning(found.column)
                self._pending = prefix_of(self._around + marks) + self._pending
        elif closing:
            self._drop_lines(found.line)
            self._drop_beginning(found.column + 2)
            text, language = line[found.column : found.column + 2], "latex"
        else:
            self._drop_lines(found.line + 1)
            closing, language = fence_at(line, found.column)
        self._around += marks
        self._verbatim = VerbatimReader(
            closing=closing,
            is_formula=bool(found.closing),
            around=self._around,
            indent=indent,
        )
        self._is_mid_line, level = False, len(self._around)
        numbers = {key: n for key, n in self._context.numbers.items() if key[0] < level}
        self._context = replace(self._context, numbers=numbers)
        self._out.append(Code(text=text, language=language, begins=True, level=level))

    def _read_code(self, reader: VerbatimReader, *, is_last: bool) -> None:
        text, self._pending = reader.read(self._pending, is_last=is_last)
        if text:
            self._out.append(Code(text=text))
        if reader.is_ended:
            self._out.append(Code(ends=True))
            self._verbatim = None
            self._context = replace(self._context, is_spaced=True, continues=False, is_cut=False)
