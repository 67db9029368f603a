"""A field for text of several lines in a form."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ui.message_field import MessageField, local_files
from ui.theme import Theme

# The frame and the space inside it, as the style sheet has them.
_FRAME = 10


class MultiLineField(MessageField):
    """As the message field, but Enter breaks the line, and it has a frame and a least height."""

    def __init__(self, theme: Theme, *, least_lines: int, hint: str, parent: QWidget) -> None:
        self._least_lines = least_lines
        super().__init__(theme, parent)
        self.setProperty("look", "log")
        self.setFont(theme.font("control"))
        self.setPlaceholderText(hint)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is a line break here."""
        QPlainTextEdit.keyPressEvent(self, event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Files are of no use here."""
        if source.hasText() and not local_files(source):
            super().insertFromMimeData(source)

    def _needed_height(self) -> int:
        least = self._least_lines * self.fontMetrics().lineSpacing() + 6
        return max(least, super()._needed_height()) + _FRAME
