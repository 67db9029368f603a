"""Where a block is cut that is too long, and what is open there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.markdown.lines import dedent, indent_of, place_to_cut
from ui.markdown.math_rules import closing_of
from ui.markdown.units import Unit, Verbatim, columns_of, formulas_of, lines_of, place_in_item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

_CUT_BEFORE = 2_000
# Of a table, each cell of which is a text of its own.
_CELLS_BEFORE = 150
# Of a paragraph, whose formulas are all measured whenever it changes.
_FORMULAS_BEFORE = 60
_LEAST_BEFORE = 250

# Of code that is not fenced.
CODE_COLUMNS = 4

_QUOTE = re.compile(r" {0,3}> ?")
_TICKS = re.compile(r"\\`|`+")


@dataclass(frozen=True, slots=True)
class Cut:
    """Whole lines of a block before a cut, and the place in the next where there is none."""

    n_lines: int
    place: int
    ticks: str


def cut_of(tokens: Sequence[Token], unit: Unit, lines: list[str]) -> Cut:
    """Where to cut a block, and the backticks of the code in its words that is open there."""
    begin, stop = lines_of(tokens, unit)
    length = sum(map(len, lines[begin:stop]))
    wanted = length * _FORMULAS_BEFORE // max(1, formulas_of(tokens, unit))
    before, length = min(_CUT_BEFORE, max(_LEAST_BEFORE, wanted)), 0
    columns = columns_of(tokens, unit)
    if columns:
        stop = min(stop, begin + max(3, _CELLS_BEFORE // columns))
    n_lines = 0
    while begin + n_lines < stop and length + len(lines[begin + n_lines]) < before:
        length += len(lines[begin + n_lines]) + 1
        n_lines += 1
    if n_lines == 0 or (columns and n_lines < 3):
        return _cut_in(lines[begin], before, has_words=not columns)
    return Cut(n_lines, 0, _ticks_before(tokens, unit, begin + n_lines))


def _cut_in(line: str, before: int, *, has_words: bool) -> Cut:
    place = place_to_cut(line, before)
    while line[place : place + 1] == "`":
        place += 1
    ticks = _open_ticks(line[:place]) if has_words else ""
    if ticks and line[:place].endswith(ticks):
        return Cut(0, max(1, place - len(ticks)), "")
    return Cut(0, place, ticks)


def _ticks_before(tokens: Sequence[Token], unit: Unit, line: int) -> str:
    """The backticks of the code that is open at the beginning of a line."""
    for before, token in zip(tokens[unit[0] :], tokens[unit[0] + 1 : unit[1]], strict=False):
        if before.type == "paragraph_open" and token.map and token.map[0] < line < token.map[1]:
            above = token.content.split("\n")[: line - token.map[0]]
            ticks = _open_ticks("\n".join(above))
            return "" if above[-1].endswith("`") else ticks
    return ""


def _open_ticks(text: str) -> str:
    is_open = ""
    for found in _TICKS.finditer(text):
        ticks = found[0]
        if is_open:
            is_open = "" if ticks.lstrip("\\") == is_open else is_open
        elif ticks[0] == "`":
            is_open = ticks
    return is_open


def verbatim_at(
    tokens: Sequence[Token], unit: Unit, lines: list[str], n_whole: int, line: int
) -> Verbatim | None:
    """The code or formula of a block that the beginning of a line is in."""
    around: list[Token] = []
    is_paragraph = False
    for token in tokens[unit[0] : unit[1]]:
        if token.type in ("list_item_open", "blockquote_open"):
            around.append(token)
        elif token.type in ("list_item_close", "blockquote_close"):
            around.pop()
        elif token.map is not None and token.map[0] <= line < token.map[1]:
            first, opening, closing = token.map[0], "", ""
            if token.type == "fence" and first < n_whole:
                opening = token.markup
            elif token.type == "math_block":
                opening, closing = token.markup, closing_of(token.markup) or ""
            elif token.type == "inline" and is_paragraph:
                closing = closing_of(token.content) or ""
                if closing and closing not in token.content[2:]:
                    opening = token.content[:2]
            elif token.type == "code_block":
                inner = inside(lines[first], marks_of(around, lines))
                # Not below the marker of an item, on its line.
                if inner is not None and indent_of(inner) >= CODE_COLUMNS:
                    return Verbatim(first, 0, list(around), is_indented=True)
            column = lines[first].find(opening) if opening else -1
            if column >= 0:
                return Verbatim(first, column, list(around), closing)
        is_paragraph = token.type == "paragraph_open"
    return None


def marks_of(around: Sequence[Token], lines: list[str]) -> list[int | None]:
    """What is around something as `inside` takes it off."""
    marks: list[int | None] = []
    last_line, rest = -1, ""
    for token in around:
        number = (token.map or [0])[0]
        if number != last_line:
            last_line, rest = number, inside(lines[number], marks) or ""
        place: int | None
        if token.type == "blockquote_open":
            mark = _QUOTE.match(rest)
            place = mark.end() if mark is not None else 0
            marks.append(None)
        else:
            place = place_in_item(rest.expandtabs(4), 0) or 0
            marks.append(place)
        rest = rest[place:]
    return marks


def inside(line: str, marks: Sequence[int | None]) -> str | None:
    """A line without the marks of what is around it; None where that is over.

    Args:
        line: As it is written.
        marks: The columns an item of a list is indented by, None for a quote.
    """
    for columns in marks:
        if columns is None:
            mark = _QUOTE.match(line)
            if mark is None:
                return None
            line = line[mark.end() :]
        elif line.strip() and indent_of(line) < columns:
            return None
        else:
            line = dedent(line, columns)
    return line
