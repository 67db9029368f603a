"""Asks before the window closes while conversations cannot be saved."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.messages import UserMessage
from app.store_notices import StoreNotices
from ui.labels import PlainLabel
from ui.theme import Theme


class ClosingDialog(QDialog):
    """Says what would be lost, and goes by itself when everything is saved.

    Signals:
        export_requested(): Write what is here to a file first.
        close_requested(): Close all the same.
    """

    export_requested = Signal()
    close_requested = Signal()

    def __init__(self, theme: Theme, notices: StoreNotices, parent: QWidget) -> None:
        super().__init__(parent)
        title = self.tr("Close without saving?")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        lost = self.tr(
            "What could not be saved since then is lost when Oscillama closes. Wait until it is "
            "saved, or export the conversations that you have written in or opened."
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 16)
        layout.setSpacing(12)
        why = notices.unkept
        for text in (f"{why.title}. {why.text}" if why is not None else "", lost):
            layout.addWidget(PlainLabel(theme, text, wrap=True, parent=self))
        self.setAccessibleDescription(lost)
        roles = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox(self)
        self.wait_button = buttons.addButton(self.tr("Keep open"), roles.RejectRole)
        self.export_button = buttons.addButton(self.tr("Export and close…"), roles.ActionRole)
        self.close_button = buttons.addButton(self.tr("Close anyway"), roles.DestructiveRole)
        for button in buttons.buttons():
            button.setAccessibleName(button.text())
        self.wait_button.setDefault(True)
        self.wait_button.setFocus()
        buttons.rejected.connect(self.reject)
        self.export_button.clicked.connect(self.export_requested)
        self.close_button.clicked.connect(self._close)
        layout.addWidget(buttons)
        self.setMinimumWidth(480)
        notices.unkept_changed.connect(self._on_unkept_changed)

    def _close(self) -> None:
        self.accept()
        self.close_requested.emit()

    def _on_unkept_changed(self, unkept: UserMessage | None) -> None:
        if unkept is None:
            self.reject()
