"""What stands under an answer, beside its figures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction

from app.actions import Action
from app.reasoning import without_reasoning
from ui import shortcuts
from ui.conversation.turn_foot import FootButton, FootCopyButton, TurnFoot
from ui.markdown.plain import plain_text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu, QPushButton, QWidget

    from app.transcript import Answer
    from ui.theme import Theme


class AnswerFoot(TurnFoot):
    """Goes between variants, goes on, answers once more, copies, edits, shows the timeline.

    Signals:
        continue_requested(): Go on where the answer ended.
        regenerate_requested(): Answer once more.
        edit_requested(): Put the answer into other words.
        branch_out_requested(): Make a chat of all up to the answer.
        timeline_requested(): Show where the time of the answer went.
    """

    continue_requested = Signal()
    regenerate_requested = Signal()
    edit_requested = Signal()
    branch_out_requested = Signal()
    timeline_requested = Signal()

    def __init__(self, theme: Theme, answer: Answer, parent: QWidget) -> None:
        super().__init__(theme, parent, hides=False)
        self._answer = answer
        self._is_last = True

    def show_answer(self, *, is_last: bool) -> None:
        """Show what makes sense for the answer as it is; `is_last` says that nothing follows."""
        self._is_last = is_last
        self.refresh()

    def add_to(self, menu: QMenu) -> None:
        """Offer in the menu of the answer to edit it, and to go on from it elsewhere."""
        is_possible = bool(self._answer.text) and self._answer.phase.is_over
        for words, signal in (
            (self.tr("Edit the answer"), self.edit_requested),
            (self.tr("New chat from here"), self.branch_out_requested),
        ):
            action = menu.addAction(words, signal.emit)
            action.setEnabled(is_possible and not self.choices.is_blocked)

    def _actions(self) -> list[str]:
        return ["continue", "regenerate", "copy", "edit", "timeline"]

    def _makes_sense(self, name: str) -> bool:
        answer = self._answer
        if not answer.phase.is_over:
            return False
        if name == "continue":
            return self.choices.can_continue
        if name in ("copy", "edit"):
            return bool(answer.text)
        if name == "timeline":
            # Stamps are of this session only.
            return answer.trace.t_start_ns is not None
        # The message of an answer that failed offers the same.
        return not (
            self._is_last and answer.error is not None and Action.RETRY in answer.error.actions
        )

    def _make(self, name: str) -> QPushButton:
        if name == "copy":
            return self._make_copy()
        if name == "timeline":
            button = FootButton(self._theme, "timeline", self.tr("Show on the timeline"), self)
            button.clicked.connect(self.timeline_requested)
        elif name == "edit":
            words, keys = self.tr("Edit the answer"), shortcuts.EDIT_ANSWER
            button = FootButton(self._theme, "pencil", words, self, keys=keys)
            button.clicked.connect(self.edit_requested)
        elif name == "continue":
            words, keys = self.tr("Continue the answer"), shortcuts.CONTINUE
            button = FootButton(self._theme, "player-track-next", words, self, keys=keys)
            button.clicked.connect(self.continue_requested)
        else:
            words, keys = self.tr("Answer once more"), shortcuts.REGENERATE
            button = FootButton(self._theme, "refresh", words, self, keys=keys)
            button.clicked.connect(self.regenerate_requested)
        return button

    def _make_copy(self) -> QPushButton:
        """A click copies Markdown; its menu has other ways."""
        answer = self._answer
        copy = FootCopyButton(
            self._theme, lambda: without_reasoning(answer.text), self.tr("Copy answer"), self
        )
        ways: list[tuple[str, Callable[[], str]]] = [
            (self.tr("Copy as Markdown"), lambda: without_reasoning(answer.text)),
            (
                self.tr("Copy as plain text"),
                lambda: plain_text_of(without_reasoning(answer.text)),
            ),
            (self.tr("Copy with reasoning"), lambda: answer.text),
        ]
        for name, text in ways:
            action = QAction(name, copy)
            action.triggered.connect(partial(copy.copy_text, text))
            copy.addAction(action)
        copy.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        return copy
