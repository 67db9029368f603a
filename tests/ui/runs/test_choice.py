"""Chosen rows as ranges."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QStandardItemModel

from ui.runs.choice import rows_of, selection_of


@pytest.mark.parametrize(
    ("rows", "ranges"),
    [
        ([], []),
        ([0], [(0, 0)]),
        ([0, 1, 2], [(0, 2)]),
        ([1, 2, 4, 7, 8, 9], [(1, 2), (4, 4), (7, 9)]),
    ],
)
def test_neighbours_are_one_range_of_whole_rows(
    rows: list[int], ranges: list[tuple[int, int]]
) -> None:
    model = QStandardItemModel(10, 3)
    selection = selection_of(model, rows)
    assert [(found.top(), found.bottom()) for found in selection.toList()] == ranges
    assert {(found.left(), found.right()) for found in selection.toList()} <= {(0, 2)}
    assert rows_of(selection) == rows
