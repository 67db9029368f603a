"""The text of an attached file, to read and to copy."""

from time import perf_counter

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.attachments import Attachment
from ui.copy_button import CopyButton
from ui.file_button import facts_of
from ui.labels import PlainLabel
from ui.long_text import insert_text
from ui.markdown.visible import visible
from ui.theme import Theme

_SLICE_CHARACTERS = 2_000
_SLICE_S = 0.008


class AttachmentDialog(QDialog):
    """Shows what the model is given of a file; long text arrives in slices."""

    def __init__(self, theme: Theme, attachment: Attachment, parent: QWidget) -> None:
        super().__init__(parent)
        self._rest = visible(attachment.text)
        self._position = 0
        self.setWindowTitle(attachment.name)
        self.setAccessibleName(attachment.name)
        facts = " · ".join(facts_of(attachment))
        self.facts = PlainLabel(theme, facts, font="secondary", color="muted", parent=self)
        self.facts.setWordWrap(True)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setProperty("look", "log")
        self.text.setFont(theme.font("code"))
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Text of the file"))
        self.copy_button = CopyButton(
            theme, lambda: attachment.text, self.tr("Copy the text"), self
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAccessibleName(self.tr("Close"))
        buttons.rejected.connect(self.reject)
        foot = QHBoxLayout()
        foot.addWidget(self.copy_button)
        foot.addStretch(1)
        foot.addWidget(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(self.facts)
        layout.addWidget(self.text, 1)
        layout.addLayout(foot)
        self.resize(parent.size() * 0.7)
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._insert_slice)
        self._slices.start()
        self._insert_slice()
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.text.setFocus()

    @property
    def is_complete(self) -> bool:
        """Whether all of the text is there."""
        return not self._slices.isActive()

    def _insert_slice(self) -> None:
        until_s = perf_counter() + _SLICE_S
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        while self._position < len(self._rest) and perf_counter() < until_s:
            end = self._position + _SLICE_CHARACTERS
            insert_text(cursor, self._rest[self._position : end])
            self._position = end
        if self._position >= len(self._rest):
            self._slices.stop()
