"""What of some blocks is written already, so that only the rest has to be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ui.markdown.tables import table_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from ui.markdown.blocks import Block


def n_same_blocks(written: Sequence[Block], wanted: Sequence[Block]) -> int:
    """How many blocks at the beginning look the same, wherever they stood in the source."""
    n_same = 0
    for a, b in zip(written, wanted, strict=False):
        if not _stand_alike(a, b) or len(a.tokens) != len(b.tokens):
            break
        if not all(map(_is_same, a.tokens, b.tokens)):
            break
        n_same += 1
    return n_same


def n_same_rows(written: Block, wanted: Block) -> int:
    """How many rows at the beginning two tables have in common; 0 of anything else."""
    if not (is_table(written) and is_table(wanted) and _stand_alike(written, wanted)):
        return 0
    before, after = rows_of(written), rows_of(wanted)
    if not before or not after or len(before[0]) != len(after[0]):
        return 0
    n_same = 0
    for old, new in zip(before, after, strict=False):
        is_row_same = len(old) == len(new) and all(
            _is_same(a, b) and alignment == other
            for (a, alignment), (b, other) in zip(old, new, strict=True)
        )
        if not is_row_same:
            break
        n_same += 1
    return n_same


def is_table(block: Block) -> bool:
    """Whether a block is a table."""
    return bool(block.tokens) and block.tokens[0].type == "table_open"


def rows_of(block: Block) -> list[list[tuple[Token, object]]]:
    """The rows that are shown of a table: its head only where it begins."""
    rows = table_rows(block.tokens, 0, len(block.tokens))
    return [list(row) for row in (rows[1:] if block.continues else rows)]


def first_rows(block: Block, n_rows: int) -> Block:
    """A table of which no more than so many rows are shown."""
    n_seen = -1 if block.continues else 0
    for index, token in enumerate(block.tokens):
        n_seen += token.type == "tr_open"
        if n_seen > n_rows:
            return replace(block, tokens=block.tokens[:index])
    return block


def n_texts(block: Block) -> int:
    """How many texts a block consists of, lines of code included: what it costs to write it."""
    return sum(
        1 + len(token.children or ()) // 4 if token.type == "inline" else token.content.count("\n")
        for token in block.tokens
    )


def _stand_alike(a: Block, b: Block) -> bool:
    return replace(a, tokens=()) == replace(b, tokens=())


def _is_same(a: Token, b: Token) -> bool:
    return (
        a.type == b.type
        and a.content == b.content
        and a.markup == b.markup
        and a.info == b.info
        and a.attrs == b.attrs
        and a.children == b.children
    )
