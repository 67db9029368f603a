"""What stands under a message of the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from ui import shortcuts
from ui.conversation.turn_foot import FootButton, FootCopyButton, TurnFoot

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu, QPushButton, QWidget

    from app.transcript import UserTurn
    from ui.theme import Theme


class UserFoot(TurnFoot):
    """Goes between variants, copies, edits.

    Signals:
        edit_requested(): Put the message into other words.
    """

    edit_requested = Signal()

    def __init__(self, theme: Theme, turn: UserTurn, parent: QWidget) -> None:
        super().__init__(theme, parent, hides=True)
        self._turn = turn

    def add_to(self, menu: QMenu) -> None:
        """Offer in the menu of the message to edit it."""
        edit = menu.addAction(self.tr("Edit the message"), self.edit_requested.emit)
        edit.setEnabled(not self.choices.is_blocked)

    def _actions(self) -> list[str]:
        return ["copy", "edit"]

    def _makes_sense(self, name: str) -> bool:
        return True

    def _make(self, name: str) -> QPushButton:
        if name == "copy":
            text = self.tr("Copy message")
            return FootCopyButton(self._theme, lambda: self._turn.text, text, self)
        words = self.tr("Edit the message")
        edit = FootButton(self._theme, "pencil", words, self, keys=shortcuts.EDIT)
        edit.clicked.connect(self.edit_requested)
        return edit
