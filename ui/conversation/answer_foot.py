"""What stands under an answer, beside its figures."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import Action
from app.reasoning import without_reasoning
from app.transcript import Answer
from ui import shortcuts
from ui.conversation.turn_foot import FootCopyButton, TurnFoot
from ui.markdown.plain import plain_text_of
from ui.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable


class AnswerFoot(TurnFoot):
    """Goes between variants, goes on, answers once more, copies."""

    def __init__(self, theme: Theme, answer: Answer, parent: QWidget) -> None:
        super().__init__(theme, parent, hides=False)
        self._answer = answer
        self.go_on = self.add_button(
            "player-track-next", self.tr("Continue the answer"), shortcuts.CONTINUE
        )
        self.again = self.add_button("refresh", self.tr("Answer once more"), shortcuts.REGENERATE)
        self.copy = FootCopyButton(
            theme,
            lambda: without_reasoning(answer.text),
            self.tr("Copy answer"),
            self,
            shows_words=False,
        )
        self.add_copy(self.copy)
        self._add_ways_to_copy()

    def show_buttons(self, *, is_last: bool) -> None:
        """Show what makes sense for the answer as it is; `is_last` says that nothing follows."""
        is_over, error = self._answer.phase.is_over, self._answer.error
        # The message of an answer that failed offers the same.
        says_retry = is_last and error is not None and Action.RETRY in error.actions
        self.copy.setVisible(is_over and bool(self._answer.text))
        self.again.setVisible(is_over and not says_retry)
        self.go_on.setVisible(is_over and self.choices.can_continue)

    def _add_ways_to_copy(self) -> None:
        """The menu of Copy; a click on it copies Markdown."""
        answer = self._answer
        ways: list[tuple[str, Callable[[], str]]] = [
            (self.tr("Copy as Markdown"), lambda: without_reasoning(answer.text)),
            (
                self.tr("Copy as plain text"),
                lambda: plain_text_of(without_reasoning(answer.text)),
            ),
            (self.tr("Copy with reasoning"), lambda: answer.text),
        ]
        for name, text in ways:
            action = QAction(name, self.copy)
            action.triggered.connect(partial(self.copy.copy_text, text))
            self.copy.addAction(action)
        self.copy.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
