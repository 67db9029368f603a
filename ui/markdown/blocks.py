"""Markdown that streams in, cut into blocks: all but the last are final.

However an answer is split into pieces the same blocks come out, and what a piece costs depends
on the last block only, which is cut where it grows too long to be worked on as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ui.markdown.cuts import CODE_COLUMNS, Cut, cut_of, inside, marks_of, verbatim_at
from ui.markdown.lines import dedent, indent_of
from ui.markdown.parser import parse, unescaped
from ui.markdown.units import (
    OpenItem,
    Unit,
    Verbatim,
    columns_of,
    fence_in,
    formulas_of,
    is_sure,
    items_of,
    lines_of,
    parsed,
    units_of,
)
from ui.markdown.verbatim import VerbatimReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token


# Longer blocks are cut; more than the second is never parsed at once.
_LONGEST = 3_000
_WINDOW = 6_000
# Of a table, for which the same holds: each cell is a text of its own.
_MOST_CELLS = 200
# Of a paragraph, whose formulas are all measured whenever it changes.
_MOST_FORMULAS = 60

# Bounded, so that a long line is not held back on the chance that it is a fence.
_MAYBE_FENCE = re.compile(r"[ \t]{0,40}(?:`{0,2}|`{3,40}[^`\n]{0,80}|~{0,2}|~{3,40}[^\n]{0,80})")
_OPENING = re.compile(
    r"^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){0,9}(?:`{3,}[^`\n]*|~{3,}[^\n]*)\n", re.MULTILINE
)
_FENCE = re.compile(r"(`{3,}|~{3,})([^\n]*)")
_BEFORE_WORDS = re.compile(r"[ \t>]*")


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
        self._verbatim: VerbatimReader | None = None

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
            was_code = self._verbatim is not None
            if self._verbatim is not None:
                self._read_code(self._verbatim, is_last=is_last)
            else:
                tail = self._read_prose(is_last=is_last)
            if len(self._pending) == n_before and was_code == (self._verbatim is not None):
                break
        if self._verbatim is None:
            self._out.append(Prose(final=tuple(self._final), tail=tail if self._pending else ()))
        elif is_last:
            self._out.append(Code(text=self._verbatim.empty_lines(), ends=True))
            self._verbatim = None
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
            cut = None
            if fence is None and (length > _LONGEST or has_much):
                cut = cut_of(tokens, unit, lines)
                if begin or not self._is_mid_line:
                    fence = verbatim_at(tokens, unit, lines, n_whole, begin + cut.n_lines)
                # Whether that is code shows where it ends.
                if cut.ticks and not has_much and fence is None and (is_whole or number):
                    cut = None
            if fence is not None or cut is not None:
                self._note_references(references, begin)
                if fence is not None:
                    self._open(lines, begin, fence)
                elif cut is not None:
                    self._cut(tokens[unit[0]], unit, lines, begin, cut)
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

    def _cut(self, first: Token, unit: Unit, lines: list[str], begin: int, cut: Cut) -> None:
        """Make the beginning of a block final, and let the rest be a block of its own."""
        items = items_of([first], lines, self._base) if unit[2] else ()
        above = lines[begin - 1] if begin else None
        end = begin + cut.n_lines
        if not cut.n_lines:
            line = lines[begin]
            self._add_parsed(line[: cut.place] + cut.ticks, above)
            self._drop_lines(begin)
            self._drop_beginning(line, cut.place)
            self._pending = cut.ticks + self._pending
            self._is_mid_line = True
        else:
            self._add_parsed("\n".join(lines[begin:end]) + cut.ticks, above)
            self._drop_lines(end)
            if cut.ticks:
                found = _BEFORE_WORDS.match(self._pending)
                place = found.end() if found is not None else 0
                self._pending = self._pending[:place] + cut.ticks + self._pending[place:]
            if first.type == "table_open":
                indent = " " * self._base
                head = "".join(f"{indent}{line}\n" for line in lines[begin : begin + 2])
                self._pending = head + self._pending
        self._items += items
        self._context = replace(
            self._context, continues=True, is_spaced=False, is_cut=self._is_mid_line
        )

    def _drop_beginning(self, line: str, place: int) -> None:
        """Drop what stands before a place of the line that comes next."""
        if not self._is_mid_line:
            raw = self._pending[: len(line) + self._base]
            place += len(raw) - len(dedent(raw, self._base))
        self._pending = self._pending[place:]

    # Code, and formulas that are too long.

    def _open(self, lines: list[str], begin: int, found: Verbatim) -> None:
        head, line = lines[begin : found.line], lines[found.line]
        if line[: found.column].strip(" \t>"):
            head = [*head, line[: found.column]]
        n_items = 0
        while n_items < len(found.around) and found.around[n_items].type == "list_item_open":
            n_items += 1
        items = items_of(found.around[:n_items], lines, self._base)
        all_marks = marks_of(found.around, lines)
        inner, marks = inside(line, all_marks), all_marks[n_items:]
        indent = indent_of(inner or "") if marks else self._base + found.column
        self._add_parsed("\n".join(head), lines[begin - 1] if begin else None)
        self._out.append(Prose(final=tuple(self._final)))
        self._final = []
        text, language, closing = "", "", found.closing
        if found.is_indented:
            self._drop_lines(found.line)
        elif closing:
            self._drop_lines(found.line)
            self._drop_beginning(line, found.column + 2)
            text, language = line[found.column : found.column + 2], "latex"
        else:
            self._drop_lines(found.line + 1)
            opening = _FENCE.match(line, found.column)
            closing = opening[1] if opening is not None else "```"
            if opening is not None:
                language = " ".join(unescaped(opening[2]).split()[:1])
        self._items += items
        if found.is_indented:
            indent = CODE_COLUMNS + (0 if marks else self._base)
        self._verbatim = VerbatimReader(
            closing=closing,
            is_formula=bool(found.closing),
            base=self._base,
            marks=marks,
            indent=indent,
        )
        self._is_mid_line = False
        level = len(self._items) + len(marks)
        self._out.append(Code(text=text, language=language, begins=True, level=level))

    def _read_code(self, reader: VerbatimReader, *, is_last: bool) -> None:
        text, self._pending = reader.read(self._pending, is_last=is_last)
        if text:
            self._out.append(Code(text=text))
        if reader.is_ended:
            self._out.append(Code(ends=True))
            self._verbatim = None
            self._context = replace(self._context, is_spaced=True, continues=False, is_cut=False)
