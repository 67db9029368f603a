"""The rows of the list of runs, for Qt: filtered and sorted here, in one go."""

import html
from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QIcon, QPixmap

from app.runs.record import RunSummary
from engine.titles import engine_title
from ui.format import format_date_time
from ui.runs.columns import LOOKS, Column, explanation, sort_key, title

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_COLUMNS = tuple(Column)
_LABEL = _COLUMNS.index(Column.LABEL)
_OFTEN_CUT = (Column.MODEL, Column.QUANTIZATION, Column.DEVICE, Column.LABEL)
# Made once: Qt asks for every cell.
_CHOOSABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_EDITABLE = _CHOOSABLE | Qt.ItemFlag.ItemIsEditable
_SWATCH_PX = 12
_ALIGNED = {
    True: Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
    False: Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
}


class RunTableModel(QAbstractTableModel):
    """Runs that have every word of the filter, sorted by a column.

    Signals:
        labelled(str, str): The person gave the run of this file another label.
    """

    labelled = Signal(str, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._all: list[RunSummary] = []
        self._rows: list[RunSummary] = []
        self._words: tuple[str, ...] = ()
        self._sorted_by = Column.DATE
        self._is_descending = True
        self._swatches: dict[str, QIcon] = {}
        # By file and label; writing dates takes longer than looking through all of it.
        self._texts: dict[tuple[str, str], str] = {}

    @property
    def rows(self) -> Sequence[RunSummary]:
        """What is shown, from the top."""
        return self._rows

    @property
    def has_energy(self) -> bool:
        """Whether any run knows what it took, shown or not."""
        return any(run.energy_mj is not None for run in self._all)

    def set_runs(self, runs: Sequence[RunSummary]) -> None:
        """Show these, as far as they pass the filter."""
        self._all = list(runs)
        self._arrange()

    def set_filter(self, text: str) -> None:
        """Show only runs that have every word of `text` somewhere."""
        self._words = tuple(text.casefold().split())
        self._arrange()

    def set_colors(self, colors: dict[str, QColor]) -> None:
        """Mark runs, by name of their file, with the colours that they have in the plot."""
        self._swatches = {name: _swatch(color) for name, color in colors.items()}
        if self._rows:
            last = self.index(len(self._rows) - 1, 0)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.DecorationRole])

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; called by the view."""
        self._sorted_by = _COLUMNS[column]
        self._is_descending = order == Qt.SortOrder.DescendingOrder
        self._arrange()

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        """How many runs are shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(_COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every run can be chosen; the label can be written in place."""
        if index.column() != _LABEL or self._rows[index.row()].fault is not None:
            return _CHOOSABLE
        return _EDITABLE

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """The words of a cell, and how it looks."""
        # An index may be kept over a change of the rows; an exception here ends the process.
        if not 0 <= index.row() < len(self._rows):
            return None
        run, column = self._rows[index.row()], _COLUMNS[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(run, column)
            case Qt.ItemDataRole.EditRole:
                return run.label
            case Qt.ItemDataRole.TextAlignmentRole:
                return _ALIGNED[LOOKS[column].is_number]
            case Qt.ItemDataRole.DecorationRole if column is Column.MODEL:
                return self._swatches.get(run.name)
            case Qt.ItemDataRole.ToolTipRole if column in _OFTEN_CUT:
                whole = run.device if column is Column.DEVICE else self._text(run, column)
                # Rich text, since Qt would guess what a name is.
                return f"<p>{html.escape(whole)}</p>" if whole else None
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{title(column)}: {self._text(run, column)}"
            case _:
                return None

    def setData(
        self, index: Index, value: object, role: int = int(Qt.ItemDataRole.EditRole)
    ) -> bool:
        """Take another label."""
        if not index.isValid() or role != Qt.ItemDataRole.EditRole:
            return False
        run = self._rows[index.row()]
        if str(value).strip() != run.label:
            self.labelled.emit(run.name, str(value))
        return True

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = int(Qt.ItemDataRole.DisplayRole),
    ) -> object:
        """The name of a column, and what it is."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title(_COLUMNS[section])
            case Qt.ItemDataRole.ToolTipRole:
                return explanation(_COLUMNS[section])
            case Qt.ItemDataRole.TextAlignmentRole:
                return _ALIGNED[LOOKS[_COLUMNS[section]].is_number]
            case _:
                return None

    def _text(self, run: RunSummary, column: Column) -> str:
        if run.fault is not None and column not in (Column.MODEL, Column.DATE):
            return ""
        return LOOKS[column].words(run)

    def _arrange(self) -> None:
        self.beginResetModel()
        found = [run for run in self._all if self._passes(run)] if self._words else self._all
        column = self._sorted_by
        keyed = [(sort_key(column, run), run) for run in found]
        known = [pair for pair in keyed if not pair[0][0]]
        known.sort(key=lambda pair: pair[0], reverse=self._is_descending)
        # What is not known is last, whichever way.
        self._rows = [run for _, run in known] + [run for key, run in keyed if key[0]]
        self.endResetModel()

    def _passes(self, run: RunSummary) -> bool:
        key = (run.name, run.label)
        text = self._texts.get(key)
        if text is None:
            parts = (
                LOOKS[Column.MODEL].words(run),
                *(run.quantization, run.engine, engine_title(run.engine), run.device, run.label),
                format_date_time(run.created_ms),
            )
            text = self._texts[key] = " ".join(parts).casefold()
        return all(word in text for word in self._words)


def _swatch(color: QColor) -> QIcon:
    """A square of a colour, which stays so where its row is chosen."""
    pixmap = QPixmap(_SWATCH_PX, _SWATCH_PX)
    pixmap.fill(color)
    swatch = QIcon(pixmap)
    swatch.addPixmap(pixmap, QIcon.Mode.Selected)
    return swatch
