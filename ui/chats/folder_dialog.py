"""Asks for a folder where there are too many for a menu."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListView, QVBoxLayout, QWidget

from ui.chats.search_field import SearchField
from ui.theme import Theme

_SPACING = 4


class FolderDialog(QDialog):
    """All folders, and a field to look for one.

    Signals:
        chosen(str): The name of a folder; "" for none.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, names: Sequence[str], present: str, parent: QWidget) -> None:
        """Begin at `present`, the folder that something is in; "" for none."""
        super().__init__(parent)
        self._names = ("", *names)
        self.setWindowTitle(self.tr("Move to folder"))
        self.setAccessibleName(self.windowTitle())
        words = self.tr("Search folders")
        self.search_field = SearchField(theme, words, words, self)
        rows = QStringListModel([self.tr("No folder"), *names], self)
        self._found = QSortFilterProxyModel(self)
        self._found.setSourceModel(rows)
        self._found.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.view = QListView(self)
        self.view.setModel(self._found)
        # Rows of one height each need not be measured one by one.
        self.view.setUniformItemSizes(True)
        self.view.setSpacing(_SPACING)
        self.view.setFont(theme.font("control"))
        self.view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.view.setAccessibleName(self.tr("Folders"))
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, self)
        self.buttons.button(kinds.Ok).setText(self.tr("Move"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.search_field.search_changed.connect(self._search)
        self.search_field.left_downwards.connect(self.view.setFocus)
        self.search_field.entered.connect(self.accept)
        self.view.doubleClicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 16)
        layout.setSpacing(10)
        layout.addWidget(self.search_field)
        layout.addWidget(self.view)
        layout.addWidget(self.buttons)
        self.resize(400, 440)
        place = self._names.index(present) if present in self._names else 0
        self._go_to(self._found.mapFromSource(rows.index(place)))

    def accept(self) -> None:
        """Take the folder chosen in the list."""
        index = self._found.mapToSource(self.view.currentIndex())
        if index.isValid():
            super().accept()
            self.chosen.emit(self._names[index.row()])

    def _search(self, words: str) -> None:
        self._found.setFilterFixedString(words)
        self._go_to(self._found.index(0, 0))

    def _go_to(self, index: QModelIndex) -> None:
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index, QListView.ScrollHint.PositionAtCenter)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(index.isValid())
