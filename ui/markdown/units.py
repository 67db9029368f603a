"""What is cut out of Markdown: blocks at the top, and the items of lists one by one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ui.markdown.parser import parse, ranges_at, top_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token


_ITEM = re.compile(r"([ \t]*)([-+*]|\d{1,9}[.)])([ \t]+|$)")
_OPENING = re.compile(
    r"^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){0,9}(?:`{3,}[^`\n]*|~{3,}[^\n]*)\n", re.MULTILINE
)

# Index range in the tokens, and whether it is an item of a list.
Unit = tuple[int, int, bool]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Code or a formula: where its opening stands, and what is around it, outermost first.

    `closing` ends a formula; "" for code, which is fenced or indented.
    """

    line: int
    column: int
    around: list[Token]
    closing: str = ""
    is_indented: bool = False


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text, how many of its lines are whole, and what it consists of."""

    lines: list[str]
    n_whole: int
    tokens: Sequence[Token]
    units: list[Unit]
    references: dict[str, Any]


def parsed(source: str, references: dict[str, Any], depth: int, *, is_closed: bool) -> Parsed:
    """As `parse`, of a text whose last line may go on unless it `is_closed`."""
    lines, known = source.split("\n"), dict(references)
    tokens = parse(source, known, depth) if source.strip() else []
    n_whole = len(lines) if is_closed else len(lines) - 1
    return Parsed(lines, n_whole, tokens, units_of(tokens), known)


def parsed_to_fence(
    source: str, references: dict[str, Any], depth: int, *, is_closed: bool
) -> tuple[Parsed, bool]:
    """As `parsed`, to the opening of a fence, if there is one; and whether that is all.

    What stands below is looked at once the fence is read.
    """
    opening = _OPENING.search(source)
    if opening is not None and opening.end() < len(source):
        read = parsed(source[: opening.end()], references, depth, is_closed=False)
        if any(fence_in(read.tokens, unit, read.lines, read.n_whole) for unit in read.units):
            return read, False
    return parsed(source, references, depth, is_closed=is_closed), True


def units_of(tokens: Sequence[Token]) -> list[Unit]:
    """The blocks at the top, each item of a list on its own."""
    units: list[Unit] = []
    for begin, end in top_level(tokens):
        if tokens[begin].type.endswith("_list_open"):
            items = ranges_at(tokens, begin + 1, end - 1, level=1)
            units += [(first, last, True) for first, last in items]
        else:
            units.append((begin, end, False))
    return units


def lines_of(tokens: Sequence[Token], unit: Unit) -> tuple[int, int]:
    """The first line of a block, and the one after it."""
    begin, stop = tokens[unit[0]].map or (0, 1)
    return begin, max(stop, begin + 1)


def is_sure(tokens: Sequence[Token], unit: Unit, n_whole: int) -> bool:
    """Whether a block is what it looks like, so that the one above it is over."""
    needed = lines_of(tokens, unit)[0]
    if tokens[unit[0]].type == "table_open":
        needed += 1
    return needed < n_whole


def fence_in(
    tokens: Sequence[Token], unit: Unit, lines: list[str], n_whole: int
) -> Verbatim | None:
    """The first fence in a block, which only items are around."""
    open_items: list[Token] = []
    n_others = 0
    for token in tokens[unit[0] : unit[1]]:
        if token.type == "list_item_open":
            open_items.append(token)
        elif token.type == "list_item_close":
            open_items.pop()
        elif token.type == "fence" and not n_others and token.map is not None:
            line = token.map[0]
            column = lines[line].find(token.markup)
            if line < n_whole and column >= 0:
                return Verbatim(line, column, open_items)
        elif not token.type.endswith(("_list_open", "_list_close")):
            n_others += token.nesting
    return None


def place_in_item(line: str, begin: int) -> int | None:
    """Where the content of an item stands whose marker is at `begin` of a line."""
    match = _ITEM.match(line, begin)
    if match is None:
        return None
    return match.end() if 0 < len(match[3]) <= 4 else match.end(2) + 1
