"""A table of medians and spread, one row for each model, engine and device."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.runs.compare import FIGURES, RunGroup
from engine.record import Spread
from ui.format import UNKNOWN, format_count
from ui.runs.columns import Column, explanation, figure, group_texts, title
from ui.theme import Theme

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ROW_PX = 42
_FIRST_PX = 214


class ComparisonTable(QTableWidget):
    """The median of each figure, and below it the least and the most."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(0, 2 + len(FIGURES), parent)
        figures = [Column(name) for name in FIGURES]
        names = [self.tr("Runs that were alike"), self.tr("Runs"), *map(title, figures)]
        self.setHorizontalHeaderLabels(names)
        for index, column in enumerate(figures, 2):
            item = self.horizontalHeaderItem(index)
            if item is not None:
                item.setToolTip(explanation(column))
        self.setAccessibleName(self.tr("Medians and spread of the chosen runs"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFont(theme.font("secondary"))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_PX)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.setColumnWidth(0, _FIRST_PX)
        header.setHighlightSections(False)

    def show_groups(self, groups: Sequence[RunGroup]) -> None:
        """Show these."""
        self.setRowCount(len(groups))
        for index, name in enumerate(FIGURES, 2):
            is_known = any(group.figures[name][0] is not None for group in groups)
            self.setColumnHidden(index, name == Column.ENERGY.value and not is_known)
        for row, group in enumerate(groups):
            what, how = group_texts(group)
            cells = [f"{what or UNKNOWN}\n{how}", format_count(group.n_runs)]
            cells += [_spread_text(name, group.figures[name]) for name in FIGURES]
            for index, text in enumerate(cells):
                item = QTableWidgetItem(text)
                if index:
                    item.setTextAlignment(_RIGHT)
                self.setItem(row, index, item)


def _spread_text(name: str, found: Spread) -> str:
    median, least, most = found
    if median is None:
        return UNKNOWN
    middle, low, high = (figure(name, value) for value in found)
    if least == most:
        return str(middle)
    if low.unit == middle.unit == high.unit:
        return f"{middle}\n{low.number} – {high.number}"
    return f"{middle}\n{low} – {high}"
