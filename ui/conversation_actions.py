"""What the actions of the window do with the conversation shown."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.session import ChatSession
from app.transcript import Answer, UserTurn
from ui.chat_pane import ChatPane
from ui.window_actions import WindowActions


class ConversationActions(QObject):
    """Copies, edits, regenerates, continues, and goes between variants, with keys and menu."""

    def __init__(
        self, actions: WindowActions, session: ChatSession, chat: ChatPane, parent: QObject
    ) -> None:
        """Connect `actions` with what they do."""
        super().__init__(parent)
        self._actions = actions
        self._session = session
        self._view = chat.view
        actions.copy_answer.triggered.connect(self._copy_answer)
        actions.copy_plain.triggered.connect(self._copy_plain)
        actions.copy_conversation.triggered.connect(self._copy_conversation)
        actions.edit_message.triggered.connect(lambda: self._view.edit_last(UserTurn))
        actions.edit_answer.triggered.connect(lambda: self._view.edit_last(Answer))
        actions.regenerate.triggered.connect(self._regenerate)
        actions.continue_answer.triggered.connect(self._continue)
        actions.previous_variant.triggered.connect(lambda: self._step(-1))
        actions.next_variant.triggered.connect(lambda: self._step(1))
        for signal in (
            session.chat_opened,
            session.turn_added,
            session.branch_shown,
            session.engine_changed,
            session.answer_changed,
        ):
            signal.connect(self._show_what_can_be_done)
        self._show_what_can_be_done()

    def _show_what_can_be_done(self, changed: object = None) -> None:
        if isinstance(changed, Answer) and changed.text and not changed.phase.is_over:
            # Text that streams in changes nothing here.
            return
        turns, actions = self._session.current_chat.turns, self._actions
        last = turns[-1] if turns else None
        is_free = self._session.running_answer is None
        actions.edit_message.setEnabled(bool(turns) and is_free)
        has_answer = any(isinstance(turn, Answer) and turn.text for turn in turns)
        actions.edit_answer.setEnabled(has_answer and is_free)
        actions.regenerate.setEnabled(isinstance(last, Answer) and is_free)
        actions.continue_answer.setEnabled(
            isinstance(last, Answer) and is_free and last.can_continue
        )
        has_variants = self._session.current_chat.last_with_variants() is not None
        actions.previous_variant.setEnabled(has_variants)
        actions.next_variant.setEnabled(has_variants)

    def _step(self, steps: int) -> None:
        turn = self._session.current_chat.last_with_variants()
        if turn is not None:
            self._view.step_variant(turn, steps)

    def _regenerate(self) -> None:
        answer = self._last_answer()
        if answer is not None:
            self._session.regenerate(answer)

    def _continue(self) -> None:
        answer = self._last_answer()
        if answer is not None:
            self._session.continue_answer(answer)

    def _last_answer(self) -> Answer | None:
        turns = self._session.current_chat.turns
        last = turns[-1] if turns else None
        return last if isinstance(last, Answer) else None

    def _copy_answer(self) -> None:
        answer = self._view.last_answer()
        if answer is not None:
            from app.reasoning import without_reasoning

            QGuiApplication.clipboard().setText(without_reasoning(answer.text))

    def _copy_plain(self) -> None:
        answer = self._view.last_answer()
        if answer is not None:
            from app.reasoning import without_reasoning
            from ui.markdown.plain import plain_text_of

            QGuiApplication.clipboard().setText(plain_text_of(without_reasoning(answer.text)))

    def _copy_conversation(self) -> None:
        from app.reasoning import without_reasoning

        you, model = self.tr("You"), self.tr("Model")
        QGuiApplication.clipboard().setText(
            "\n\n".join(
                f"{you}:\n{turn.message.content}"
                if isinstance(turn, UserTurn)
                else f"{model}:\n{without_reasoning(turn.text)}"
                for turn in self._session.current_chat.turns
                if turn.message.content
            )
        )
