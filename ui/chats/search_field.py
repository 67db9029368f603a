"""Where the person types what to look for."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.icons import icon
from ui.theme import Theme


class SearchField(QLineEdit):
    """A search field.

    Signals:
        search_changed(str): Other words; empty when there are none.
        left_downwards(): The person goes on to the results.
        entered(): The person takes the first result.
    """

    search_changed = Signal(str)
    left_downwards = Signal()
    entered = Signal()

    def __init__(self, theme: Theme, placeholder: str, name: str, parent: QWidget) -> None:
        """Show `placeholder` while it is empty; `name` says what it searches."""
        super().__init__(parent)
        self._theme = theme
        self.setProperty("look", "field")
        self.setFont(theme.font("control"))
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name)
        self.setFixedHeight(32)
        self._glass = self.addAction(
            icon(theme, "search", size_px=14), QLineEdit.ActionPosition.LeadingPosition
        )
        self._clear = self.addAction(
            icon(theme, "x", size_px=14), QLineEdit.ActionPosition.TrailingPosition
        )
        self._clear.setToolTip(self.tr("Clear the search"))
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.clear)
        self.textChanged.connect(self._on_text)
        theme.changed.connect(self._recolor)

    def event(self, event: QEvent) -> bool:
        """Escape clears the words before it means anything else to the window."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.text()
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down goes to the results, Enter takes the first, Escape clears."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.left_downwards.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def _on_text(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self.search_changed.emit(text)

    def _recolor(self) -> None:
        self._glass.setIcon(icon(self._theme, "search", size_px=14))
        self._clear.setIcon(icon(self._theme, "x", size_px=14))
