"""Where the person puts what was said into other words."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui.labels import PlainLabel
from ui.message_field import MessageField
from ui.shortcuts import ENTER, native, with_keys
from ui.theme import Theme

_MESSAGE_LINES = 8
_ANSWER_LINES = 16


class MessageEditor(QWidget):
    """A message in a field with Send, or an answer with Save; and Cancel.

    Signals:
        sent(str): Enter, or Send or Save.
        cancelled(): Escape, or Cancel.
        height_changed(): Its text grew or shrank.
    """

    sent = Signal(str)
    cancelled = Signal()
    height_changed = Signal()

    def __init__(
        self, theme: Theme, text: str, parent: QWidget, *, is_answer: bool = False
    ) -> None:
        super().__init__(parent)
        self._is_answer = is_answer
        self._is_arranging = False
        lines = _ANSWER_LINES if is_answer else _MESSAGE_LINES
        self.field = MessageField(theme, self, most_lines=lines)
        self.field.setAccessibleName(
            self.tr("Edit the answer") if is_answer else self.tr("Edit the message")
        )
        self.field.setAccessibleDescription(
            self.tr("Enter saves, Shift and Enter break the line, Escape leaves it as it was")
            if is_answer
            else self.tr("Enter sends, Shift and Enter break the line, Escape leaves it as it was")
        )
        if is_answer:
            # Nothing asks here, where all of it was taken away.
            self.field.setPlaceholderText("")
        self.send_button = QPushButton(self.tr("Save") if is_answer else self.tr("Send"), self)
        self.send_button.setProperty("look", "primary")
        self.send_button.setAccessibleName(self._send_words())
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.keys_label = PlainLabel(
            theme,
            self._keys_words(),
            font="caption",
            color="muted",
            parent=self,
        )
        leave = (
            self.tr("Leave the answer as it was")
            if is_answer
            else self.tr("Leave the message as it was")
        )
        self.cancel_button.setAccessibleName(leave)
        self.cancel_button.setToolTip(with_keys(leave, "Esc"))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.keys_label)
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
        self.field.height_changed.connect(self._tell_height)
        self.set_blocked(is_blocked=False)
        self.field.set_text(text)

    def set_blocked(self, *, is_blocked: bool) -> None:
        """Send nothing while an answer runs, and say why."""
        self.send_button.setEnabled(not is_blocked)
        reason = self.tr("An answer is running. Wait for it, or stop it first.")
        words = with_keys(self._send_words(), ENTER)
        self.send_button.setToolTip(reason if is_blocked else words)
        self.send_button.setAccessibleDescription(reason if is_blocked else "")

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.field, self.cancel_button, self.send_button]

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        # Whoever arranges it is given the height.
        self._is_arranging = True
        if width != self.width():
            buttons = (self.cancel_button, self.send_button)
            room = width - sum(button.sizeHint().width() + 8 for button in buttons)
            self.keys_label.setVisible(self.keys_label.sizeHint().width() <= room)
            self.resize(width, self.height())
        self._layout.activate()
        height = self.field.height() + self._layout.spacing() + self.send_button.sizeHint().height()
        self.resize(width, height)
        self._layout.activate()
        self._is_arranging = False
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

    def _send_words(self) -> str:
        if self._is_answer:
            return self.tr("Keep the edited answer as a variant")
        return self.tr("Send the edited message")

    def _keys_words(self) -> str:
        send = self.tr("{keys} saves") if self._is_answer else self.tr("{keys} sends")
        words = (
            send.format(keys=native(ENTER)),
            self.tr("{keys} breaks the line").format(keys=native(f"Shift+{ENTER}")),
            self.tr("{keys} cancels").format(keys=native("Esc")),
        )
        return " · ".join(words)

    def _send(self) -> None:
        self.sent.emit(self.field.text())

    def _tell_height(self) -> None:
        if not self._is_arranging:
            self.height_changed.emit()
