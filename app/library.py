"""Every conversation of the person: the list, and what keeps it on disk. Main thread only."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app import sentences_store
from app.attachments import Attachment
from app.exchange import ChatExchange
from app.folders import ChatFolders, RemovedFolder
from app.removed_variant import RemovedVariant
from app.store.codec import chat_record, chats_of, message_record
from app.store.jobs import read_turns, save_chat, save_message, save_open, save_turns
from app.store.records import (
    ExchangeOutcome,
    FolderRecord,
    SearchHit,
    StoreContent,
    StoreFault,
)
from app.store_notices import StoreNotices
from app.text import cut, whole_text
from app.transcript import MOST_TITLE_CHARACTERS, Answer, Conversation, Turn, now_ms
from app.unread_files import UnreadFiles

if TYPE_CHECKING:
    from app.store.exporting import Page
    from app.store.orders import Job
    from app.store.thread import StoreThread

_STREAM_MS = 1000
_TIE_MS = 100


class ChatLibrary(QObject):
    """The chats, the one changed last first. Without a store they last as long as it does.

    An answer that runs is written once a second, and everything else at once, by the store's
    thread. Turns of an earlier run are read when their chat is asked for.

    Signals:
        changed(): A chat came, went, moved, or its title, pin, archive or folder changed; or
            the folders did.
        restored(Conversation): This chat was open when the application ended.
        chat_read(Conversation): Its turns are here now.
        found(str, tuple[SearchHit, ...]): What a search gave.
        deleted(Conversation | RemovedFolder | None): It can be brought back; None when that is
            over.
        message_raised(UserMessage): Something to say about keeping chats.
        message_withdrawn(UserMessage): What was said is no longer so.
        unkept_changed(UserMessage | None): Chats are in memory only, for this reason.
    """

    changed = Signal()
    restored = Signal(object)
    chat_read = Signal(object)
    found = Signal(str, object)
    deleted = Signal(object)
    message_raised = Signal(object)
    message_withdrawn = Signal(object)
    unkept_changed = Signal(object)

    def __init__(self, store: "StoreThread | None" = None, parent: QObject | None = None) -> None:
        """Take over `store`, which `close` ends; its owner starts it."""
        super().__init__(parent)
        self._store = store
        self._chats: list[Conversation] = []
        self._running: dict[str, tuple[Conversation, Answer]] = {}
        self._reading: dict[int, Conversation] = {}
        self._searches: dict[int, str] = {}
        self._removed: Conversation | RemovedFolder | None = None
        self._removed_at = 0
        # Deleted for good; the store may still tell of them, and an import bring them back.
        self._forgotten: set[str] = set()
        self.notices = StoreNotices(store, self)
        self.notices.message_raised.connect(self.message_raised)
        self.notices.message_withdrawn.connect(self.message_withdrawn)
        self.notices.unkept_changed.connect(self.unkept_changed)
        self.folders = ChatFolders(self._all_chats, self._write_chat, self._write_folders, self)
        self.folders.changed.connect(self.changed)
        self.variants = RemovedVariant(self._write_chat, self._write)
        self.unread_files = UnreadFiles(self._all_chats, self._write_draft, self._write)
        self.exchange = ChatExchange(store, self)
        self.exchange.done.connect(self._on_exchanged)
        self._stream = QTimer(self)
        self._stream.setSingleShot(True)
        self._stream.timeout.connect(self._write_running)
        if store is not None:
            store.opened.connect(self._on_opened)
            store.answered.connect(self._on_answered)
            store.moved_aside.connect(self._on_moved_aside)

    @property
    def chats(self) -> tuple[Conversation, ...]:
        """All chats, the one changed last first."""
        return tuple(self._chats)

    def chat(self, chat_id: str) -> Conversation | None:
        """The chat with this id."""
        return next((chat for chat in self._chats if chat.chat_id == chat_id), None)

    def new_chat(self) -> Conversation:
        """An empty chat, on top; one that is empty already is taken."""
        chat = next((chat for chat in self._chats if chat.is_empty and not chat.has_draft), None)
        if chat is None:
            chat = Conversation()
            self._chats.insert(0, chat)
        chat.folder = ""
        self._touch(chat)
        self.changed.emit()
        return chat

    def adopt(self, chat: Conversation) -> None:
        """Take over a chat that was made of another one, on top."""
        self._chats.append(chat)
        self._touch(chat)
        self._write_all(chat)
        self.changed.emit()

    def read(self, chat: Conversation) -> None:
        """Bring the turns of a chat; `chat_read` tells when they are here."""
        if self._store is not None:
            question = partial(read_turns, chat.chat_id, chat.leaf_id)
            self._reading[self._store.ask(question)] = chat

    def add_turn(self, chat: Conversation, turn: Turn, *, instead_of: Turn | None = None) -> None:
        """Append a turn to the branch shown, in the place of another one where one is given."""
        if instead_of is None:
            chat.add(turn)
        else:
            chat.add_variant(turn, instead_of)
        self._touch(chat)
        chat.is_archived = False
        self._write_chat(chat)
        self._write_turn(chat, turn)
        if isinstance(turn, Answer) and not turn.phase.is_over:
            self._running[turn.turn_id] = (chat, turn)
        self.changed.emit()

    def note_change(self, answer: Answer, *, at_once: bool = False) -> None:
        """An answer changed: it is written within a second, `at_once` or over now."""
        chat = self.chat_with(answer)
        if chat is None:
            return
        if answer.phase.is_over:
            self._running.pop(answer.turn_id, None)
            self._write_turn(chat, answer)
            return
        self._running[answer.turn_id] = (chat, answer)
        if self._store is not None and not self._stream.isActive():
            self._stream.start(0 if at_once else _STREAM_MS)

    def rename(self, chat: Conversation, title: str) -> None:
        """Give a chat another title, cut where it is too long; white space changes nothing."""
        words = cut(" ".join(whole_text(title).split()), MOST_TITLE_CHARACTERS)
        if words and words != chat.title:
            chat.title = words
            self._write_chat(chat)
            self.changed.emit()

    def set_pinned(self, chat: Conversation, pinned: bool) -> None:
        """Keep a chat on top, or no longer."""
        chat.is_pinned = pinned
        self._write_chat(chat)
        self.changed.emit()

    def set_archived(self, chat: Conversation, archived: bool) -> None:
        """Put a chat out of the way, or bring it back."""
        chat.is_archived = archived
        self._write_chat(chat)
        self.changed.emit()

    def set_draft(self, chat: Conversation, draft: str) -> None:
        """Keep what is typed in a chat. A chat without anything else is kept for it, too."""
        if draft != chat.draft and chat in self._all_chats():
            chat.draft = draft
            self._write_draft(chat)

    def set_draft_attachments(
        self, chat: Conversation, attachments: tuple[Attachment, ...]
    ) -> None:
        """Keep the files that would go along with what is typed in a chat."""
        if attachments != chat.draft_attachments and chat in self._all_chats():
            chat.draft_attachments = attachments
            self._write_draft(chat)

    def keep(self, chat: Conversation) -> None:
        """Write the settings of a chat and which branch it shows, once it has anything."""
        self._write_chat(chat)

    def set_open(self, chat: Conversation) -> None:
        """Remember which chat is open."""
        self._write("open", partial(save_open, chat.chat_id), durable=False)

    def delete(self, chat: Conversation) -> None:
        """Take a chat from the list. `undo_delete` brings it back, until the next is deleted."""
        self.finish_delete()
        if chat not in self._chats:
            return
        self._removed_at = self._chats.index(chat)
        self._chats.remove(chat)
        if chat.is_worth_keeping:
            self._removed = chat
            self.deleted.emit(chat)
        self.changed.emit()

    def undo_delete(self) -> Conversation | None:
        """Bring back the chat or the folder deleted last; returns the chat."""
        removed, self._removed = self._removed, None
        if removed is None:
            return None
        if isinstance(removed, RemovedFolder):
            self.folders.restore(removed)
            self.deleted.emit(None)
            return None
        self._chats.insert(self._removed_at, removed)
        self.deleted.emit(None)
        self.changed.emit()
        return removed

    def delete_folder(self, name: str) -> None:
        """Take a folder away; its chats stay. `undo_delete` brings it back."""
        self.finish_delete()
        self._removed = self.folders.delete(name)
        self.deleted.emit(self._removed)

    def finish_delete(self) -> None:
        """Delete for good what could still be brought back."""
        removed, self._removed = self._removed, None
        if isinstance(removed, Conversation):
            self._forget(removed)
        if removed is not None:
            self.deleted.emit(None)

    def search(self, text: str) -> None:
        """Look for words in all titles and messages; `found` tells."""
        if self._store is None:
            self.found.emit(text, ())
            return
        number = self._store.ask(lambda database: database.find(text), replaceable=True)
        self._searches[number] = text

    def export(self, path: str, chat: Conversation | None, page: "Page") -> None:
        """Write one chat, or all, as JSON, Markdown or HTML; the store's thread calls `page`."""
        self.finish_delete()
        self.variants.finish()
        self.exchange.export(path, chat.chat_id if chat is not None else None, page)

    def import_file(self, path: str) -> None:
        """Take over the chats of a file, all or none; `exchange.imports` tells how far it is."""
        self.finish_delete()
        self._forgotten.clear()
        self.exchange.import_file(path)

    def close(self) -> None:
        """Write what is left and close the database. Called once."""
        self._stream.stop()
        self.exchange.cancel()
        self.finish_delete()
        self.variants.finish()
        self._write_running()
        if self._store is not None:
            self._store.close()
            self._store = None
        # Last: a file on a disk that does not answer may keep it waiting.
        self.exchange.close()

    def _touch(self, chat: Conversation) -> None:
        self._chats.remove(chat)
        # Two changes within a millisecond keep their order on disk.
        now, before = now_ms(), self._chats[0].changed_ms if self._chats else 0
        chat.changed_ms = before + 1 if now <= before < now + _TIE_MS else now
        self._chats.insert(0, chat)

    def _all_chats(self) -> list[Conversation]:
        """Also the one that can still be brought back."""
        removed = self._removed
        return [*self._chats, removed] if isinstance(removed, Conversation) else self._chats

    def chat_with(self, answer: Answer) -> Conversation | None:
        """The chat that an answer belongs to."""
        if answer.turn_id in self._running:
            return self._running[answer.turn_id][0]
        return next((chat for chat in self._chats if answer in chat.tree), None)

    def _write(self, key: str, job: "Job", *, durable: bool = True) -> None:
        if self._store is not None:
            self._store.write(key, job, durable=durable)

    def _write_chat(self, chat: Conversation) -> None:
        if chat.is_worth_keeping:
            self._forgotten.discard(chat.chat_id)
            self._write(
                f"chat {chat.chat_id}",
                partial(save_chat, chat_record(chat), chat.draft_attachments),
            )

    def _write_all(self, chat: Conversation) -> None:
        self._write_chat(chat)
        if chat.tree:
            self._write(f"all {chat.chat_id}", partial(save_turns, chat.chat_id, tuple(chat.tree)))

    def _write_draft(self, chat: Conversation) -> None:
        if chat.is_worth_keeping:
            self._write_chat(chat)
        else:
            self._forget(chat)

    def _write_folders(self, folders: tuple[FolderRecord, ...]) -> None:
        self._write("folders", lambda database: database.save_folders(folders))

    def _write_turn(self, chat: Conversation, turn: Turn, *, durable: bool = True) -> None:
        job = partial(save_message, chat.chat_id, message_record(turn))
        self._write(f"message {turn.turn_id}", job, durable=durable)

    def _write_running(self) -> None:
        for chat, answer in self._running.values():
            self._write_turn(chat, answer, durable=False)

    def _forget(self, chat: Conversation) -> None:
        chat_id = chat.chat_id
        self._forgotten.add(chat_id)
        self._running = {
            turn_id: found for turn_id, found in self._running.items() if found[0] is not chat
        }
        # The key of saving it: of the two, the one that came last counts.
        self._write(f"chat {chat_id}", lambda database: database.delete_chat(chat_id))

    def _on_opened(self, content: StoreContent) -> None:
        known = {chat.chat_id for chat in self._all_chats()}
        new = chats_of(content, known)
        for chat in new:
            if chat.chat_id in self._forgotten:
                self._forget(chat)
        self._chats += [chat for chat in new if chat.chat_id not in self._forgotten]
        self._chats.sort(key=lambda chat: chat.changed_ms, reverse=True)
        self.folders.adopt(content.folders)
        if set(self.folders.records) != set(content.folders):
            self.folders.keep()
        self.changed.emit()
        open_chat = self.chat(content.open_chat_id or "")
        if open_chat is not None and open_chat.chat_id not in known:
            self.restored.emit(open_chat)

    def _on_answered(self, number: int, answer: object) -> None:
        chat = self._reading.pop(number, None)
        text = self._searches.pop(number, None)
        if isinstance(answer, StoreFault) and (chat is not None or text is not None):
            is_search = text is not None
            self.message_raised.emit(sentences_store.not_read(answer, is_search=is_search))
        if chat is not None and isinstance(answer, Conversation) and not chat.is_read:
            chat.take_over(answer)
            self.chat_read.emit(chat)
        if text is not None and isinstance(answer, tuple):
            hits = tuple(hit for hit in answer if isinstance(hit, SearchHit))
            self.found.emit(text, hits)

    def _on_exchanged(self, outcome: ExchangeOutcome) -> None:
        if outcome.content is not None:
            self._on_opened(replace(outcome.content, open_chat_id=None))
        self.message_raised.emit(sentences_store.of_exchange(outcome))

    def _on_moved_aside(self, fault: StoreFault) -> None:
        """Write all that is here in the new file; what was never read stays in the old one."""
        self.finish_delete()
        self._chats = [chat for chat in self._chats if chat.is_read]
        for chat in reversed(self._chats):
            self._write_all(chat)
        self._write_running()
        self.folders.keep()
        self.message_raised.emit(sentences_store.moved_aside(fault))
        self.changed.emit()
