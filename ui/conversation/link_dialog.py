"""Asks before a link of a model is opened, and shows where it leads."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from ui.labels import PlainLabel
from ui.markdown.visible import visible
from ui.theme import Theme

_LONGEST_SHOWN = 600


class LinkDialog(QDialog):
    """Shows an address in full; opened only when the person says so."""

    def __init__(self, theme: Theme, address: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._address = address
        self.setWindowTitle(self.tr("Open this link?"))
        self.setAccessibleName(self.windowTitle())
        url = QUrl(address)
        site = url.host(QUrl.ComponentFormattingOption.FullyEncoded) or address
        shown = visible(address[:_LONGEST_SHOWN]) + ("…" if len(address) > _LONGEST_SHOWN else "")
        self.setAccessibleDescription(shown)
        said = self.tr("A model wrote this link. It leads to:")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 16)
        layout.setSpacing(10)
        layout.addWidget(PlainLabel(theme, said, color="muted", wrap=True))
        layout.addWidget(PlainLabel(theme, visible(site[:100]), font="strong", wrap=True))
        # Labels break lines at spaces only.
        broken = "\u200b".join(shown)
        layout.addWidget(PlainLabel(theme, broken, font="code", wrap=True))
        self.open_button = QPushButton(self.tr("Open in browser"), self)
        self.copy_button = QPushButton(self.tr("Copy address"), self)
        buttons = QDialogButtonBox(self)
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        cancel = buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        for button in (self.open_button, self.copy_button, cancel):
            button.setAccessibleName(button.text())
        cancel.setDefault(True)
        buttons.accepted.connect(self._open)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._copy)
        layout.addWidget(buttons)
        self.setMinimumWidth(460)
        cancel.setFocus()

    def _open(self) -> None:
        self.accept()
        QDesktopServices.openUrl(QUrl(self._address))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._address)
