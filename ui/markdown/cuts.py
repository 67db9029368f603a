"""Where a block is cut that is too long, and what is open there.

It is cut where something begins in it, so that what is above has ended: nothing that follows can
change it, but for link definitions, with which the whole is read once more. Where nothing begins
in reach it is cut within words, whose rest is words, too, or code, a table or a formula, which
go on. Then this may differ from a text that is read at once: emphasis, a link or a formula that
fits on neither side of the cut shows its marks; of words above an underline only the last are a
heading; a formula on lines of its own is shown as it was written; a backtick without a partner
in reach begins code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.markdown.lines import dedent, indent_of, is_blank, is_in_span, place_to_cut, whole_spans
from ui.markdown.math_rules import closing_of
from ui.markdown.units import Unit, Verbatim, place_in_item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

# Of code that is not fenced.
CODE_COLUMNS = 4

# In a quote that is open the parser takes it as far in as it stands.
_QUOTE = re.compile(r"[ \t]*> ?")
_MARKERS = re.compile(r"(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])[ \t])*")
_TICKS = re.compile(r"\\`|`+")
_CONTAINERS = ("list_item_open", "blockquote_open")
_LEAVES = (
    "paragraph_open",
    "heading_open",
    "fence",
    "code_block",
    "math_block",
    "table_open",
    "hr",
)
_LONGEST_TICKS = 80
# To look for one above which nothing is open.
_LINES_BACK = 8
# A table that is cut has a row.
_HEAD_LINES = 2


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a block is cut.

    Attributes:
        n_lines: Whole lines above.
        place: In the line below them; 0 where that is whole.
        around: The lists and quotes that go on, outermost first.
        leaf: The paragraph, table or code that goes on; None where something begins.
        ticks: The backticks of code in words that is open.
    """

    n_lines: int
    place: int
    around: list[Token]
    leaf: Token | None
    ticks: str = ""


def cut_of(tokens: Sequence[Token], unit: Unit, lines: list[str]) -> Cut:
    """Where to cut a block that begins with the first line and goes on beyond the last.

    That is where something begins in it, after about the half; else within what is long.
    """
    inner = tokens[unit[0] : unit[1]]
    before = sum(len(line) + 1 for line in lines) * 2 // 3
    starts = {
        token.map[0] for token in inner if token.map and token.type in (*_CONTAINERS, *_LEAVES)
    }
    number = offset = clean = 0
    while offset + len(lines[number]) < before and number < len(lines) - 1:
        offset += len(lines[number]) + 1
        number += 1
        if number in starts and offset > before // 4:
            clean = number
    if clean:
        return Cut(clean, 0, around_at(inner, clean, 0), None)
    leaf = _leaf_at(inner, number)
    if leaf is not None and leaf.type == "table_open" and leaf.map is not None:
        first = leaf.map[0]
        if number > first + _HEAD_LINES:
            return Cut(number, 0, around_at(inner, number, 0), leaf)
        if first:
            return Cut(first, 0, around_at(inner, first, 0), None)
        number, leaf, offset = 0, None, 0
    place = 0
    if number == 0 or before - offset > before // 2:
        place = _place_in(lines[number], before - offset)
    else:
        number = _line_between_spans(lines, number)
    return _cut_in_words(inner, lines, number, place, leaf)


def _cut_in_words(
    inner: Sequence[Token], lines: list[str], number: int, place: int, leaf: Token | None
) -> Cut:
    ticks = ""
    if leaf is not None and leaf.type == "paragraph_open" and leaf.map is not None:
        text = inner[inner.index(leaf) + 1].content.split("\n")
        above = text[: number - leaf.map[0]]
        rest = len(lines[number]) - place
        words = text[number - leaf.map[0]] if number - leaf.map[0] < len(text) else ""
        ticks = _open_ticks("\n".join([*above, words[: len(words) - rest] if place else ""]))
        if ticks and place and lines[number][:place].endswith(ticks):
            return Cut(number, place - len(ticks), around_at(inner, number, place), leaf)
        if ticks and not place and above and above[-1].endswith("`"):
            ticks = ""
    return Cut(number, place, around_at(inner, number, place), leaf, ticks)


def _line_between_spans(lines: list[str], number: int) -> int:
    """The line that comes last before a line, or that itself, and begins within no span."""
    first = max(0, number - 2 * _LINES_BACK)
    spans = whole_spans("\n".join(lines[first : number + _LINES_BACK]))
    for line in range(number, max(first, number - _LINES_BACK), -1):
        if not is_in_span(spans, len("\n".join(lines[first:line]))):
            return line
    return number


def _place_in(line: str, before: int) -> int:
    place = place_to_cut(line, before)
    rest = line[place : place + _LONGEST_TICKS]
    return place + len(rest) - len(rest.lstrip("`"))


def _leaf_at(inner: Sequence[Token], line: int) -> Token | None:
    """What goes on at the beginning of a line, or fills the first."""
    for token in inner:
        if (
            token.type in _LEAVES
            and token.map
            and (token.map[0] < line < token.map[1] or token.map[0] == line == 0)
        ):
            return token
    return None


def around_at(inner: Sequence[Token], line: int, place: int) -> list[Token]:
    """The lists and quotes that are open at a place of a line."""
    return [
        token
        for token in inner
        if token.type in _CONTAINERS
        and token.map
        and token.map[0] < line + (place > 0)
        and line < token.map[1]
    ]


def numbers_at(inner: Sequence[Token], line: int) -> dict[tuple[int, str], int]:
    """The next number of each numbered list in a block that is open above a line.

    By depth and marker; of the list that the block is an item of nothing is said.
    """
    numbers: dict[tuple[int, str], int] = {}
    depth = 0
    for token in inner:
        first, stop = token.map or (line, line)
        if token.type == "ordered_list_open" and first < line <= stop:
            numbers[depth, token.markup] = int(token.attrGet("start") or 1)
        elif token.type in _CONTAINERS:
            key = (depth, token.markup)
            if token.info and first < line and key in numbers:
                numbers[key] += 1
            depth += 1
        elif token.type in ("list_item_close", "blockquote_close"):
            depth -= 1
    return numbers


def head_of(table: Token, lines: list[str], prefix: str) -> str:
    """The head of a table, below which its rows go on."""
    first = (table.map or [0])[0]
    head = [_MARKERS.sub("", line, count=1) for line in lines[first : first + _HEAD_LINES]]
    return "".join(f"{prefix}{line}\n" for line in head)


def add_space(tokens: Sequence[Token]) -> None:
    """Keep the space between words where they are cut, which the parser takes away."""
    from markdown_it.token import Token

    for token in reversed(tokens):
        if token.type == "inline":
            token.children = [*(token.children or ()), Token("text", "", 0, content=" ")]
            break


def _open_ticks(text: str) -> str:
    is_open = ""
    for found in _TICKS.finditer(text):
        ticks = found[0]
        if len(ticks) > _LONGEST_TICKS:
            continue
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
        if token.type in _CONTAINERS:
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
                column = len(lines[first].expandtabs(4)) - len(text_in(around, lines, first))
                return Verbatim(first, column, list(around), is_indented=True)
            column = lines[first].find(opening) if opening else -1
            if column >= 0:
                return Verbatim(first, column, list(around), closing)
        is_paragraph = token.type == "paragraph_open"
    return None


def marks_of(around: Sequence[Token], lines: list[str]) -> tuple[int | None, ...]:
    """What is around something as `inside` takes it off."""
    return _taken_off(around, lines)[0]


def text_in(around: Sequence[Token], lines: list[str], number: int) -> str:
    """A line without what is around it, which may begin on it; tabs expanded."""
    marks, last_line, rest = _taken_off(around, lines)
    return rest if number == last_line else inside(lines[number].expandtabs(4), marks)[0]


def _taken_off(
    around: Sequence[Token], lines: list[str]
) -> tuple[tuple[int | None, ...], int, str]:
    """The marks of what is around something, the last line with one, and what is behind it."""
    marks: list[int | None] = []
    last_line, rest = -1, ""
    for token in around:
        number = (token.map or [0])[0]
        if number != last_line:
            last_line, rest = number, inside(lines[number].expandtabs(4), marks)[0]
        place: int | None
        if token.type == "blockquote_open":
            mark = _QUOTE.match(rest)
            place = mark.end() if mark is not None else 0
            marks.append(None)
        else:
            place = place_in_item(rest, 0) or 0
            marks.append(place)
        rest = rest[place:]
    return tuple(marks), last_line, rest


def inside(line: str, marks: Sequence[int | None]) -> tuple[str, int]:
    """A line without the marks of what is around it, and how many of these it has.

    Args:
        line: As it is written.
        marks: The columns an item of a list is indented by, None for a quote.
    """
    for number, columns in enumerate(marks):
        if columns is None:
            mark = _QUOTE.match(line)
            if mark is None:
                return line, number
            line = line[mark.end() :]
        elif not is_blank(line) and indent_of(line) < columns:
            return line, number
        else:
            line = dedent(line, columns)
    return line, len(marks)


def prefix_of(marks: Sequence[int | None]) -> str:
    """What `inside` takes off."""
    return "".join("> " if columns is None else " " * columns for columns in marks)
