"""Markdown that streams in, cut into blocks: all but the last are final.

However an answer is split into pieces the same blocks come out, and what a piece costs depends
on the last block only, which is cut where it grows too long to be worked on as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ui.markdown.lines import MAYBE_CLOSING, dedent, indent_of, is_closing, place_to_cut
from ui.markdown.parser import parse, unescaped
from ui.markdown.units import (
    OpenItem,
    Unit,
    columns_of,
    fence_in,
    formulas_of,
    is_sure,
    items_of,
    lines_of,
    parsed,
    units_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token


# Blocks longer than the first are cut before the second; more than the third is never parsed
# at once.
_LONGEST = 3_000
_CUT_BEFORE = 2_000
_WINDOW = 6_000
# Of a table, for which the same holds: each cell is a text of its own.
_MOST_CELLS = 200
_CELLS_BEFORE = 150
# Of a paragraph, whose formulas are all measured whenever it changes.
_MOST_FORMULAS = 100
_FORMULAS_BEFORE = 60
_LEAST_BEFORE = 250

# Bounded, so that a long line is not held back on the chance that it is a fence.
_MAYBE_FENCE = re.compile(r"[ \t]{0,40}(?:`{0,2}|`{3,40}[^`\n]{0,80}|~{0,2}|~{3,40}[^\n]{0,80})")
_OPENING = re.compile(
    r"^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){0,9}(?:`{3,}[^`\n]*|~{3,}[^\n]*)\n", re.MULTILINE
)
_FENCE = re.compile(r"(`{3,}|~{3,})([^\n]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of Markdown that is written on its own.

    Attributes:
        tokens: What it is.
        level: How many list items it stands in.
        number: Of an item of a numbered list; None for anything else.
        is_spaced: Whether an empty line is above it.
        continues: Whether it goes on with the paragraph or table above it, cut for its length.
        is_cut: Whether the cut is within a line.
    """

    tokens: tuple[Token, ...]
    level: int = 0
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

    `numbers` has the next number of each numbered list that is open, by column and marker.
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
        self._pending = ""
        self._is_mid_line = False
        self._context = _Context()
        self._final: list[Block] = []
        self._out: list[Prose | Code] = []
        # Around what is read now, outermost first, since a fence in them was taken out.
        self._items: tuple[OpenItem, ...] = ()
        # Of the fenced block that is open.
        self._fence: str | None = None
        self._fence_indent = 0
        self._at_line_start = True
        self._line_ends = 0
        self._has_code = False

    def feed(self, text: str) -> list[Prose | Code]:
        """What `text` changes, in order."""
        self._pending += text
        return self._read(is_last=False)

    def finish(self) -> list[Prose | Code]:
        """What is left when nothing follows."""
        return self._read(is_last=True)

    @property
    def _base(self) -> int:
        return self._items[-1].content if self._items else 0

    def _read(self, *, is_last: bool) -> list[Prose | Code]:
        self._out, self._final = [], []
        tail: tuple[Block, ...] = ()
        while self._pending:
            n_before = len(self._pending)
            was_code = self._fence is not None
            if was_code:
                self._read_code(is_last=is_last)
            else:
                tail = self._read_prose(is_last=is_last)
            if len(self._pending) == n_before and was_code == (self._fence is not None):
                break
        if self._fence is None:
            self._out.append(Prose(final=tuple(self._final), tail=tail if self._pending else ()))
        elif is_last:
            self._out.append(Code(text=self._empty_lines(), ends=True))
            self._fence = None
        return self._out

    def _read_prose(self, *, is_last: bool) -> tuple[Block, ...]:
        """Take what is certain; returns what is shown of the rest."""
        source, is_whole, is_closed = self._window(is_last=is_last)
        opening = _OPENING.search(source)
        # What stands below a fence is looked at once that is read.
        if opening is not None and opening.end() < len(source):
            read = parsed(source[: opening.end()], self.references, is_closed=False)
            if any(fence_in(read.tokens, unit, read.lines, read.n_whole) for unit in read.units):
                is_whole = is_closed = False
            else:
                read = parsed(source, self.references, is_closed=is_closed)
        else:
            read = parsed(source, self.references, is_closed=is_closed)
        lines, n_whole, tokens, units = read.lines, read.n_whole, read.tokens, read.units
        references, n_taken = read.references, 0
        for number, unit in enumerate(units):
            begin, stop = lines_of(tokens, unit)
            fence = fence_in(tokens, unit, lines, n_whole)
            length = sum(map(len, lines[begin:stop])) + stop - begin
            n_cells = (stop - begin) * columns_of(tokens, unit)
            has_much = n_cells > _MOST_CELLS or formulas_of(tokens, unit) > _MOST_FORMULAS
            if fence is not None or length > _LONGEST or has_much:
                self._note_references(references, begin)
                if fence is not None:
                    self._open_fence(lines, begin, fence)
                else:
                    self._cut(tokens, unit, lines, begin, stop)
                return ()
            following = units[number + 1] if number + 1 < len(units) else None
            if not (is_closed if following is None else is_sure(tokens, following, n_whole)):
                tail, context = [], self._context
                for later in units[number:]:
                    block, context = self._block(tokens, later, lines, context)
                    tail.append(block)
                self._take(lines, n_taken, references)
                return tuple(tail)
            block, self._context = self._block(tokens, unit, lines, self._context)
            self._final.append(block)
            n_taken = stop
        if is_closed or not any(map(str.strip, lines)) or not is_whole:
            n_taken = n_whole
        self._take(lines, n_taken, references)
        return ()

    def _window(self, *, is_last: bool) -> tuple[str, bool, bool]:
        """What to parse now, without the indentation of the items around it.

        Also: whether that is all there is, and whether what comes after does not belong to it.
        """
        raw = self._pending
        is_whole = len(raw) <= _WINDOW
        if not is_whole:
            line_end = raw.rfind("\n", 0, _WINDOW)
            raw = raw[: line_end + 1] if line_end >= 0 else raw[:_WINDOW]
        elif not is_last:
            line = raw[raw.rfind("\n") + 1 :]
            is_begun = self._is_mid_line and len(line) == len(raw)
            if not is_begun and _MAYBE_FENCE.fullmatch(line):
                raw = raw[: len(raw) - len(line)]
        is_closed = is_whole and is_last
        kept: list[str] = []
        for number, line in enumerate(raw.split("\n")):
            if number == 0 and self._is_mid_line:
                kept.append(line)
                continue
            if not line.strip():
                kept.append(dedent(line, self._base))
                continue
            if indent_of(line) < self._base:
                if any(map(str.strip, kept)):
                    return "\n".join(kept), is_whole, True
                self._items = tuple(i for i in self._items if i.content <= indent_of(line))
            kept.append(dedent(line, self._base))
        return "\n".join(kept), is_whole, is_closed

    def _block(
        self, tokens: Sequence[Token], unit: Unit, lines: list[str], context: _Context
    ) -> tuple[Block, _Context]:
        begin, stop = lines_of(tokens, unit)
        is_spaced = not lines[begin - 1].strip() if begin else context.is_spaced
        first = tokens[unit[0]]
        number = None
        numbers = {key: n for key, n in context.numbers.items() if key[0] < self._base}
        if unit[2]:
            key = (self._base, first.markup)
            if first.info:
                number = context.numbers.get(key, int(first.info))
                numbers[key] = number + 1
        block = Block(
            tokens=tuple(tokens[unit[0] : unit[1]]),
            level=len(self._items),
            number=number,
            is_spaced=is_spaced,
            continues=context.continues and begin == 0,
            is_cut=context.is_cut and begin == 0,
        )
        return block, _Context(is_spaced=not lines[stop - 1].strip(), numbers=numbers)

    def _take(self, lines: list[str], n_lines: int, references: dict[str, Any]) -> None:
        if n_lines:
            self._note_references(references, n_lines)
            self._context = replace(self._context, is_spaced=not lines[n_lines - 1].strip())
            self._drop_lines(n_lines)

    def _drop_lines(self, n_lines: int) -> None:
        place = 0
        for _ in range(n_lines):
            line_end = self._pending.find("\n", place)
            place = line_end + 1 if line_end >= 0 else len(self._pending)
        self._pending = self._pending[place:]
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
                self._context, is_spaced=not above.strip(), continues=False, is_cut=False
            )
        lines = source.split("\n")
        tokens = parse(source, dict(self.references)) if source.strip() else []
        for unit in units_of(tokens):
            block, self._context = self._block(tokens, unit, lines, self._context)
            self._final.append(block)

    # What is too long.

    def _cut(
        self, tokens: Sequence[Token], unit: Unit, lines: list[str], begin: int, stop: int
    ) -> None:
        """Make the beginning of a block final, and let the rest be a block of its own."""
        first = tokens[unit[0]]
        items = items_of([first], lines, self._base) if unit[2] else ()
        above = lines[begin - 1] if begin else None
        n_head, length = 0, sum(map(len, lines[begin:stop]))
        wanted = length * _FORMULAS_BEFORE // max(1, formulas_of(tokens, unit))
        before, length = min(_CUT_BEFORE, max(_LEAST_BEFORE, wanted)), 0
        columns = columns_of(tokens, unit)
        most = begin + max(3, _CELLS_BEFORE // columns) if columns else stop
        stop = min(stop, most)
        while begin + n_head < stop and length + len(lines[begin + n_head]) < before:
            length += len(lines[begin + n_head]) + 1
            n_head += 1
        if n_head == 0 or (first.type == "table_open" and n_head < 3):
            line = lines[begin]
            place = place_to_cut(line, before)
            self._add_parsed(line[:place], above)
            self._drop_lines(begin)
            if not self._is_mid_line:
                raw = self._pending[: len(line) + self._base]
                place += len(raw) - len(dedent(raw, self._base))
            self._pending = self._pending[place:]
            self._is_mid_line = True
        else:
            self._add_parsed("\n".join(lines[begin : begin + n_head]), above)
            self._drop_lines(begin + n_head)
            if first.type == "table_open":
                indent = " " * self._base
                head = "".join(f"{indent}{line}\n" for line in lines[begin : begin + 2])
                self._pending = head + self._pending
        self._items += items
        self._context = replace(
            self._context, continues=True, is_spaced=False, is_cut=self._is_mid_line
        )

    # Fenced code.

    def _open_fence(
        self, lines: list[str], begin: int, fence: tuple[int, int, list[Token]]
    ) -> None:
        line_number, column, open_items = fence
        head = lines[begin:line_number]
        line = lines[line_number]
        if line[:column].strip():
            head = [*head, line[:column]]
        items = items_of(open_items, lines, self._base)
        self._add_parsed("\n".join(head), lines[begin - 1] if begin else None)
        self._out.append(Prose(final=tuple(self._final)))
        self._final = []
        opening = _FENCE.match(line, column)
        info = unescaped(opening[2]).split() if opening is not None else []
        self._fence = opening[1] if opening is not None else "```"
        self._fence_indent = self._base + column
        self._items += items
        self._at_line_start, self._line_ends, self._has_code = True, 0, False
        self._drop_lines(line_number + 1)
        language = info[0] if info else ""
        self._out.append(Code(language=language, begins=True, level=len(self._items)))

    def _empty_lines(self) -> str:
        """What is held back at the end of code but belongs to it."""
        return "\n" * max(0, self._line_ends - 1)

    def _read_code(self, *, is_last: bool) -> None:
        text, position, pieces = self._pending, 0, []
        ended = False
        while position < len(text):
            line_end = text.find("\n", position)
            is_whole = line_end >= 0 or is_last
            end = line_end if line_end >= 0 else len(text)
            line = text[position:end]
            if self._at_line_start:
                if not is_whole and MAYBE_CLOSING.fullmatch(line):
                    break
                if self._base and line.strip() and indent_of(line) < self._base:
                    ended = True
                    break
                if is_closing(line, self._fence or "`", self._base):
                    position, ended = min(end + 1, len(text)), True
                    break
                line = dedent(line, min(indent_of(line), self._fence_indent))
            if line:
                pieces.append("\n" * self._line_ends + line)
                self._line_ends, self._has_code = 0, True
            self._line_ends += line_end >= 0
            self._at_line_start = line_end >= 0
            position = min(end + 1, len(text)) if line_end >= 0 else len(text)
        self._pending = text[position:]
        if ended:
            pieces.append(self._empty_lines())
        if pieces:
            self._out.append(Code(text="".join(pieces)))
        if ended:
            self._out.append(Code(ends=True))
            self._fence = None
            self._context = replace(self._context, is_spaced=True, continues=False, is_cut=False)
