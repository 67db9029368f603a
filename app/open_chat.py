"""The chat that is open, the branch of it that is shown, and the settings of chats."""

from PySide6.QtCore import QObject, Signal

from app import messages
from app.chat_copies import branch_copy, chat_copy, edited_copy
from app.chat_settings import ChatSettings, Overflow
from app.library import ChatLibrary
from app.text import whole_text
from app.transcript import Answer, Conversation, UserTurn


class OpenChat(QObject):
    """Which chat is open; there is always one. Lives in the main thread.

    Signals:
        chat_opened(Conversation): This chat is the one shown now.
        branch_shown(Conversation): Another branch of the chat shown is shown now.
        turn_found(UserTurn | Answer): A turn of the chat shown is what was searched for.
        settings_changed(Conversation): Its settings, or what the model no longer sees of it.
        message_raised(UserMessage): Something to say that belongs to no answer.
    """

    chat_opened = Signal(object)
    branch_shown = Signal(object)
    turn_found = Signal(object)
    settings_changed = Signal(object)
    message_raised = Signal(object)

    def __init__(self, library: ChatLibrary, parent: QObject | None = None) -> None:
        """Open an empty chat of `library`."""
        super().__init__(parent)
        self.library = library
        self._new_settings = ChatSettings()
        self._current = self._empty_chat()
        # Written after the store has told what was open before.
        library.set_open(self._current)
        self._wanted: Conversation | None = None
        self._wanted_turn_id: str | None = None
        self._to_copy: Conversation | None = None
        library.restored.connect(self._on_restored)
        library.chat_read.connect(self._on_chat_read)
        library.message_raised.connect(self.message_raised)

    @property
    def chats(self) -> tuple[Conversation, ...]:
        """All chats, the one changed last first."""
        return self.library.chats

    @property
    def current_chat(self) -> Conversation:
        """The chat shown."""
        return self._current

    @property
    def running_answer(self) -> Answer | None:
        """The answer that waits or is being produced, in whatever chat."""
        return None

    def new_chat(self) -> None:
        """Open an empty chat; one that is empty already is taken."""
        self._show(self._empty_chat())

    def open_chat(self, chat_id: str, turn_id: str | None = None) -> None:
        """Show a chat, as soon as its turns are read, and where one is given a turn of it."""
        chat = self.library.chat(chat_id)
        self._wanted, self._wanted_turn_id, self._to_copy = chat, turn_id, None
        if chat is None:
            return
        if chat is self._current:
            self._find_turn()
        elif chat.is_read:
            self._show(chat)
        else:
            self.library.read(chat)

    def delete_chat(self, chat: Conversation) -> None:
        """Take a chat away; the library can bring it back."""
        if chat is self._wanted:
            self._wanted = None
        if chat is self._to_copy:
            self._to_copy = None
        self.library.delete(chat)
        if chat is self._current:
            self.new_chat()

    def undo_delete(self) -> None:
        """Bring back and open the chat deleted last."""
        chat = self.library.undo_delete()
        if chat is not None:
            self.open_chat(chat.chat_id)

    def set_chat_settings(self, chat: Conversation, settings: ChatSettings) -> None:
        """Answer in this chat with `settings` from the next answer on."""
        chat.settings = settings
        if settings.overflow is Overflow.STOP:
            chat.first_seen.clear()
        self.library.keep(chat)
        self.settings_changed.emit(chat)

    def set_new_settings(self, settings: ChatSettings) -> None:
        """Give new chats `settings`, and empty ones that nobody has set otherwise."""
        for chat in self.chats:
            if chat.is_empty and chat.settings == self._new_settings:
                self.set_chat_settings(chat, settings)
        self._new_settings = settings

    def show_variant(self, turn: UserTurn | Answer) -> None:
        """Show the branch through a turn of the chat shown that was looked at last."""
        chat = self._current
        if turn in chat.tree and turn not in chat.turns:
            chat.show_through(turn)
            self.library.keep(chat)
            self.branch_shown.emit(chat)

    def edit_answer(self, answer: Answer, text: str) -> bool:
        """Put `text` in the place of what an answer of the branch shown says.

        What was there stays, as a variant, and what was thought before it is kept in both.
        Returns False when it was not taken; a message says why.
        """
        chat, text = self._current, whole_text(text)
        if answer not in chat.turns or not answer.phase.is_over:
            return False
        if not text.strip():
            self.message_raised.emit(messages.empty_answer())
            return False
        if self.running_answer is not None:
            self.message_raised.emit(messages.still_answering())
            return False
        self.library.add_turn(chat, edited_copy(answer, text), instead_of=answer)
        self.branch_shown.emit(chat)
        return True

    def delete_variant(self, turn: UserTurn | Answer) -> None:
        """Take a variant of the branch shown away, with all that follows it.

        A message offers to bring it back. Not while an answer runs, which it may be part of.
        """
        chat = self._current
        if turn not in chat.turns or len(chat.variants(turn)) < 2:
            return
        if self.running_answer is not None:
            self.message_raised.emit(messages.still_answering())
            return
        self.library.variants.delete(chat, turn)
        self.branch_shown.emit(chat)
        self.message_raised.emit(messages.variant_deleted())

    def undo_delete_variant(self) -> None:
        """Bring back and show the variant deleted last."""
        chat = self.library.variants.undo()
        if chat is not None and chat is self._current:
            self.branch_shown.emit(chat)

    def duplicate(self, chat: Conversation) -> None:
        """Make a chat that has all that `chat` has, and show it as soon as that is read."""
        self._wanted, self._to_copy = None, None if chat.is_read else chat
        if not chat.is_read:
            self.library.read(chat)
        elif not chat.is_empty:
            self._adopt(chat_copy(chat, self.tr("Copy: {title}")))

    def branch_out(self, answer: Answer) -> None:
        """Make and show a chat that has the turns of the chat shown up to an answer."""
        if answer in self._current.turns and answer.phase.is_over:
            self._adopt(branch_copy(self._current, answer, self.tr("Branch: {title}")))

    def _adopt(self, chat: Conversation) -> None:
        self.library.adopt(chat)
        self._show(chat)

    def _see_all(self) -> None:
        """Another context may hold what the last one did not."""
        for chat in self.chats:
            if chat.first_seen:
                chat.first_seen.clear()
                self.settings_changed.emit(chat)

    def _empty_chat(self) -> Conversation:
        chat = self.library.new_chat()
        if chat.settings == ChatSettings():
            chat.settings = self._new_settings
        return chat

    def _show(self, chat: Conversation) -> None:
        self._wanted = self._to_copy = None
        self._current = chat
        self.library.set_open(chat)
        self.chat_opened.emit(chat)
        self._find_turn()

    def _find_turn(self) -> None:
        """Show the turn that was asked for, in whatever branch it is."""
        turn_id, self._wanted_turn_id = self._wanted_turn_id, None
        if turn_id is None:
            return
        turn = next((turn for turn in self._current.tree if turn.turn_id == turn_id), None)
        if turn is not None:
            self.show_variant(turn)
            self.turn_found.emit(turn)

    def _on_restored(self, chat: Conversation) -> None:
        """Open again what was open, unless the person has begun something else."""
        if self._wanted is None and self._current.is_empty and not self._current.has_draft:
            self.open_chat(chat.chat_id)

    def _on_chat_read(self, chat: Conversation) -> None:
        if chat is self._to_copy:
            self.duplicate(chat)
        elif chat is self._wanted:
            self._show(chat)
