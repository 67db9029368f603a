"""The middle column below the top bar: conversation or empty state, messages, composer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.actions import Action
from app.engine_state import EngineState, EngineStatus
from app.sentences_attachments import still_reading
from app.session import ChatSession
from app.transcript import Answer, AnswerPhase, Conversation, UserTurn
from ui.attaching import Attaching
from ui.composer import Composer
from ui.context_counter import ContextCounter
from ui.conversation.column import column_in
from ui.conversation.view import ConversationView
from ui.empty_state import EmptyState
from ui.message_area import MessageArea
from ui.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from app.messages import UserMessage
    from ui.conversation.find_bar import FindBar

# The composer is wider than the text by its margin, so that what is typed stands under it.
_COMPOSER_OVERHANG = 18
_LEAST_MARGIN = 12
_DRAFT_MS = 1000


class ChatPane(QWidget):
    """Shows the chat that is open and sends what is typed.

    Signals:
        action_requested(Action, object): A button of a message; with the answer it belongs to,
            or None.
    """

    action_requested = Signal(object, object)

    def __init__(self, session: ChatSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._chat: Conversation | None = None
        self.view = ConversationView(theme, self)
        self._theme = theme
        self._find_bar: FindBar | None = None
        self.empty = EmptyState(theme, self)
        self.messages = MessageArea(theme, self)
        self.composer = Composer(theme, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.view)
        # Where messages and files leave little room, what was said gives way.
        self._stack.setMinimumHeight(1)
        self._foot = QVBoxLayout()
        self._foot.setSpacing(0)
        self._foot.addWidget(self.messages)
        self._foot.addWidget(self.composer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addLayout(self._foot)
        self.attaching = Attaching(session.library, self.composer.attachments, self.messages, self)
        self._counter = ContextCounter(session, self.composer, self)
        self._draft_pause = QTimer(self)
        self._draft_pause.setSingleShot(True)
        self._draft_pause.setInterval(_DRAFT_MS)
        self._draft_pause.timeout.connect(self._on_draft_pause)
        self._connect()
        self.show_chat(session.current_chat)
        self.show_state(session.engine_state)

    def minimumSizeHint(self) -> QSize:
        """As the composer needs it: the margins beside it shrink with the width."""
        hint = super().minimumSizeHint()
        least = self.composer.minimumSizeHint().width() + 2 * _LEAST_MARGIN
        return QSize(min(hint.width(), least), hint.height())

    @property
    def find_bar(self) -> "FindBar":
        """Finds words in the conversation; made when it is first wanted."""
        if self._find_bar is None:
            from ui.conversation.find_bar import FindBar

            self._find_bar = FindBar(self._theme, self.view, self)
            self._find_bar.closed.connect(self._focus_composer)
            layout = self.layout()
            assert isinstance(layout, QVBoxLayout)
            layout.insertWidget(0, self._find_bar)
        return self._find_bar

    def follow_find(self, find: "QAction", following: "QAction", previous: "QAction") -> None:
        """Let actions of the window open the find bar and go on in it."""
        find.triggered.connect(lambda: self.find_bar.open_find())
        following.triggered.connect(lambda: self.find_bar.go(1))
        previous.triggered.connect(lambda: self.find_bar.go(-1))

    def show_chat(self, chat: Conversation) -> None:
        """Show another chat, and what was being typed in it."""
        self.keep_draft()
        if chat is not self._chat:
            self._chat = None
            self.composer.set_text(chat.draft)
            self.attaching.show_chat(chat)
            self._chat = chat
        self.messages.leave_chat()
        if self._find_bar is not None:
            self._find_bar.forget()
            self._find_bar.hide()
        # First, so that turns are laid out once, in the size that the view has then.
        self._show_view()
        self.view.show_conversation(chat)
        self._show_cut(chat)
        self._counter.forget()
        self._show_engine_error()
        # Keys that go through the list of chats stay in it.
        if not isinstance(QApplication.focusWidget(), QAbstractItemView):
            self.composer.field.setFocus()

    def keep_draft(self) -> None:
        """Keep what is typed with the chat that is open."""
        self._draft_pause.stop()
        if self._chat is not None:
            self._session.library.set_draft(self._chat, self.composer.text())

    def show_state(self, state: EngineState) -> None:
        """Show what the engine's state means for the chat."""
        self.empty.set_model_known(state.status not in (EngineStatus.NO_MODEL, EngineStatus.FAILED))
        self._show_engine_error()
        self._show_answering()

    def attach(self, paths: Sequence[str]) -> None:
        """Attach files to the message; a message says which could not be."""
        self.attaching.attach(paths)
        self.composer.field.setFocus()

    def choose_files(self) -> None:
        """Ask for files and attach them."""
        from ui.dialogs import choose_text_files

        self.attach(choose_text_files(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the composer under the text column."""
        super().resizeEvent(event)
        bar = self.view.verticalScrollBar().sizeHint().width()
        left, width = column_in(self.width() - bar)
        right = self.width() - left - width
        overhang = min(_COMPOSER_OVERHANG, left - 8)
        self._foot.setContentsMargins(left - overhang, 0, right - overhang, 20)

    def _connect(self) -> None:
        session = self._session
        session.chat_opened.connect(self.show_chat)
        session.turn_added.connect(self._on_turn_added)
        session.branch_shown.connect(self._on_branch_shown)
        session.turn_found.connect(self.view.reveal_turn)
        session.answer_changed.connect(self._on_answer_changed)
        session.message_raised.connect(self.messages.raise_message)
        session.library.message_raised.connect(self.messages.keep_if_wrong)
        session.library.message_withdrawn.connect(self.messages.withdraw)
        session.engine_changed.connect(self.show_state)
        self.composer.field.textChanged.connect(self._on_typed)
        session.settings_changed.connect(self._show_cut)
        self.composer.send_requested.connect(self._send_typed)
        self.composer.stop_requested.connect(session.stop)
        self.composer.attach_requested.connect(self.choose_files)
        self.composer.field.files_offered.connect(self.attach)
        self.empty.prompt_chosen.connect(self._session.send)
        self.empty.open_requested.connect(
            lambda: self.action_requested.emit(Action.OPEN_MODEL, None)
        )
        self.messages.action_requested.connect(
            lambda action: self.action_requested.emit(action, None)
        )
        self.view.maker.action_requested.connect(self.action_requested)
        maker = self.view.maker
        maker.first_text_painted.connect(self._on_first_text)
        maker.edit_sent.connect(self._send_edit)
        maker.edit_left.connect(self._focus_composer)
        maker.regenerate_requested.connect(session.regenerate)
        maker.continue_requested.connect(session.continue_answer)
        maker.branch_out_requested.connect(session.branch_out)
        self.view.variant_requested.connect(session.show_variant)
        self.view.delete_requested.connect(session.delete_variant)

    def _send_edit(self, turn: UserTurn | Answer, text: str) -> None:
        session = self._session
        is_taken = (
            session.edit_answer(turn, text)
            if isinstance(turn, Answer)
            else session.edit(turn, text)
        )
        # The field that was edited in is gone then.
        if is_taken:
            self._focus_composer()

    def _focus_composer(self) -> None:
        self.composer.field.setFocus()

    def _send_typed(self) -> None:
        bar = self.composer.attachments
        if bar.reading:
            self.messages.raise_message(still_reading(bar.reading[0].name))
        elif self._session.send(self.composer.text(), bar.attachments):
            self.composer.clear()
            self.keep_draft()

    def _on_draft_pause(self) -> None:
        # Asking for text that is still being pasted would insert all of it at once.
        if self.composer.field.is_inserting:
            self._draft_pause.start()
        else:
            self.keep_draft()

    def _on_typed(self) -> None:
        if self._chat is not None and not self._draft_pause.isActive():
            self._draft_pause.start()

    def _on_turn_added(self, turn: UserTurn | Answer) -> None:
        self.messages.dismiss()
        self._show_view()
        self.view.add_turn(turn)
        self._show_answering()

    def _on_branch_shown(self, chat: Conversation) -> None:
        self.messages.dismiss()
        if self._find_bar is not None:
            self._find_bar.forget()
        self.view.show_branch(chat)
        if self._find_bar is not None:
            self._find_bar.search_again()
        self._show_cut(chat)
        self._counter.forget()
        self._show_engine_error()
        self._show_answering()

    def _on_answer_changed(self, answer: Answer) -> None:
        self.view.update_answer(answer)
        # One that is regenerated or continued waits again.
        if answer.phase.is_over or answer.phase is AnswerPhase.WAITING:
            self._show_answering()
            self._show_engine_error()

    def _on_first_text(self, answer: Answer, t_ns: int) -> None:
        self._session.report_first_paint(answer, t_ns)
        self.view.update_answer(answer)

    def _show_view(self) -> None:
        has_turns = bool(self._session.current_chat.turns)
        self._stack.setCurrentWidget(self.view if has_turns else self.empty)

    def _show_answering(self) -> None:
        answer = self._session.running_answer
        is_answering = answer is not None and not answer.phase.is_over
        self.composer.set_answering(is_answering)
        self.view.set_answering(is_answering=is_answering)

    def _show_engine_error(self) -> None:
        error: UserMessage | None = self._session.engine_state.error
        turns = self._session.current_chat.turns
        last = turns[-1] if turns else None
        # The answer that met the error says it already, with the same buttons.
        if isinstance(last, Answer) and last.error == error:
            error = None
        self.messages.set_lasting(error)

    def _show_cut(self, chat: Conversation) -> None:
        """Show where the model begins to see."""
        if chat is self._session.current_chat:
            self.view.set_left_out(chat.n_left_out)
