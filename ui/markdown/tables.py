"""Rows of a table out of its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token


_ALIGNMENTS = {
    "text-align:center": Qt.AlignmentFlag.AlignHCenter,
    "text-align:right": Qt.AlignmentFlag.AlignRight,
}


def table_rows(
    tokens: Sequence[Token], begin: int, end: int
) -> list[list[tuple[Token, Qt.AlignmentFlag]]]:
    """Cells of each row, with the alignment of their column."""
    rows: list[list[tuple[Token, Qt.AlignmentFlag]]] = []
    alignment = Qt.AlignmentFlag.AlignLeft
    for token in tokens[begin:end]:
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            alignment = _ALIGNMENTS.get(str(token.attrGet("style")), Qt.AlignmentFlag.AlignLeft)
        elif token.type == "inline":
            rows[-1].append((token, alignment))
    return rows
