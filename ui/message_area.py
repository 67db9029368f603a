"""Messages above the composer: why there is no engine, and what the session has to say."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.messages import Severity, UserMessage
from ui.message_card import MessageCard
from ui.theme import Theme


class MessageArea(QWidget):
    """At most two cards: one that stays while its cause does, and one that can be closed.

    Signals:
        action_requested(Action): A button of a card was pressed.
    """

    action_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lasting: MessageCard | None = None
        self._raised: MessageCard | None = None
        self._kept: UserMessage | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 8)
        self._layout.setSpacing(8)
        self.hide()

    @property
    def cards(self) -> list[MessageCard]:
        """What is shown, from top to bottom."""
        return [card for card in (self._lasting, self._raised) if card is not None]

    def set_lasting(self, message: UserMessage | None) -> None:
        """Show what stays until it is replaced or taken away."""
        if self._lasting is not None and self._lasting.message == message:
            return
        self._lasting = self._replace(self._lasting, message, dismissable=False)

    def raise_message(self, message: UserMessage) -> None:
        """Show what the person can close; what is shown already is not shown twice."""
        if self._lasting is None or self._lasting.message != message:
            self._raised = self._replace(self._raised, message, dismissable=True)

    def dismiss(self) -> None:
        """Close what can be closed."""
        self._raised = self._replace(self._raised, None, dismissable=True)

    def keep_if_wrong(self, message: UserMessage) -> None:
        """What is wrong with all chats stays when another chat is shown."""
        if message.severity is not Severity.INFO:
            self._kept = message

    def leave_chat(self) -> None:
        """Close what can be closed and is about the chat that is left."""
        if self._raised is not None and self._raised.message != self._kept:
            self.dismiss()

    def withdraw(self, message: UserMessage) -> None:
        """Close what says this, if it is still shown: it is no longer so."""
        if self._raised is not None and self._raised.message == message:
            self.dismiss()

    def _replace(
        self, old: MessageCard | None, message: UserMessage | None, *, dismissable: bool
    ) -> MessageCard | None:
        if old is not None:
            self._layout.removeWidget(old)
            old.hide()
            old.deleteLater()
        card: MessageCard | None = None
        if message is not None:
            card = MessageCard(self._theme, message, self, dismissable=dismissable)
            card.action_requested.connect(self.action_requested)
            card.dismissed.connect(self.dismiss)
            self._layout.insertWidget(self._layout.count() if dismissable else 0, card)
        others = self._layout.count() > 0
        self.setVisible(others)
        return card
