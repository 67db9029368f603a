"""The list of runs, as a table."""

from functools import partial

from PySide6.QtCore import QCoreApplication, QItemSelectionModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from ui.runs.columns import LOOKS, Column
from ui.runs.table_model import RunTableModel

translate = QCoreApplication.translate
_ROW_PX = 30


def make_table(model: RunTableModel, parent: QWidget) -> QTableView:
    """A table of `model`, the newest run first."""
    table = QTableView(parent)
    table.setModel(model)
    table.setAccessibleName(translate("Runs", "Recorded runs"))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSortingEnabled(True)
    table.sortByColumn(list(Column).index(Column.DATE), Qt.SortOrder.DescendingOrder)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(_ROW_PX)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    # With that of the table it asks for every cell whether a column is chosen as a whole.
    header.setSelectionModel(QItemSelectionModel(model, header))
    header.setStretchLastSection(True)
    for index, column in enumerate(Column):
        table.setColumnWidth(index, LOOKS[column].width_px)
    model.modelReset.connect(partial(_hide_blank, table, model))
    return table


def _hide_blank(table: QTableView, model: RunTableModel) -> None:
    """Most machines have no counter of energy: columns of dashes would push others out."""
    for column in (Column.ENERGY, Column.ANSWER_ENERGY):
        table.setColumnHidden(list(Column).index(column), not model.has_energy)
