"""Where the person puts a message that was sent into other words."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui.message_field import MessageField
from ui.shortcuts import with_keys
from ui.theme import Theme


class MessageEditor(QWidget):
    """The message in a field, Send and Cancel.

    Signals:
        sent(str): Enter, or Send.
        cancelled(): Escape, or Cancel.
        height_changed(): Its text grew or shrank.
    """

    sent = Signal(str)
    cancelled = Signal()
    height_changed = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = MessageField(theme, self)
        self.field.setAccessibleName(self.tr("Edit the message"))
        self.field.setAccessibleDescription(
            self.tr("Enter sends, Shift and Enter break the line, Escape leaves it as it was")
        )
        self.send_button = QPushButton(self.tr("Send"), self)
        self.send_button.setProperty("look", "primary")
        self.send_button.setAccessibleName(self.tr("Send the edited message"))
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.setAccessibleName(self.tr("Leave the message as it was"))
        self.cancel_button.setToolTip(with_keys(self.tr("Leave the message as it was"), "Esc"))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        for button in (self.cancel_button, self.send_button):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            foot.addWidget(button)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self._layout.addWidget(self.field)
        self._layout.addLayout(foot)
        self.field.send_requested.connect(self._send)
        self.send_button.clicked.connect(self._send)
        self.cancel_button.clicked.connect(self.cancelled)
        self.field.document().documentLayout().documentSizeChanged.connect(self._tell_height)
        self.set_blocked(is_blocked=False)
        self.field.set_text(text)

    def set_blocked(self, *, is_blocked: bool) -> None:
        """Send nothing while an answer runs, and say why."""
        self.send_button.setEnabled(not is_blocked)
        reason = self.tr("An answer is running. Wait for it, or stop it first.")
        words = with_keys(self.tr("Send the edited message"), "Return")
        self.send_button.setToolTip(reason if is_blocked else words)
        self.send_button.setAccessibleDescription(reason if is_blocked else "")

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.field, self.cancel_button, self.send_button]

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        if width != self.width():
            self.resize(width, self.height())
        self._layout.activate()
        height = self.field.height() + self._layout.spacing() + self.send_button.sizeHint().height()
        self.resize(width, height)
        self._layout.activate()
        return height

    def event(self, event: QEvent) -> bool:
        """Keep Escape from stopping an answer."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves the message as it was."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _send(self) -> None:
        self.sent.emit(self.field.text())

    def _tell_height(self) -> None:
        self.height_changed.emit()
