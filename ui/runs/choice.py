"""The chosen rows of a table, as ranges: Qt asks the model about each cell of single rows."""

from collections.abc import Iterable

from PySide6.QtCore import QAbstractItemModel, QItemSelection


def rows_of(selection: QItemSelection) -> list[int]:
    """The rows in `selection`, from the top."""
    rows: set[int] = set()
    for chosen in selection.toList():
        rows.update(range(chosen.top(), chosen.bottom() + 1))
    return sorted(rows)


def selection_of(model: QAbstractItemModel, rows: Iterable[int]) -> QItemSelection:
    """Whole rows, given from the top; neighbours are one range."""
    selection = QItemSelection()
    last_column = model.columnCount() - 1
    first = last = -1
    for row in (*rows, -1):
        if first >= 0 and row != last + 1:
            selection.select(model.index(first, 0), model.index(last, last_column))
            first = -1
        if first < 0:
            first = row
        last = row
    return selection
