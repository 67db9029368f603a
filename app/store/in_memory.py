"""The conversations that are in memory, read as from a database."""

from collections.abc import Iterable
from dataclasses import replace

from app.attachments import to_json
from app.store.codec import chat_record, message_record
from app.store.records import ChatRecord, FolderRecord, MessageRecord, StoreContent
from app.transcript import Conversation


class ChatsInMemory:
    """What was said or opened since the application started, as it is now."""

    def __init__(self, chats: Iterable[Conversation], folders: Iterable[FolderRecord]) -> None:
        """Copy what `chats` have; those that were not read since are left out."""
        read = [chat for chat in chats if chat.is_read and (chat.tree or chat.has_draft)]
        self._chats = tuple(map(_record, read))
        self._messages = {chat.chat_id: tuple(map(message_record, chat.tree)) for chat in read}
        self._folders = tuple(folders)

    def content(self) -> StoreContent:
        """All chats, and all folders."""
        return StoreContent(chats=self._chats, open_chat_id=None, folders=self._folders)

    def messages(self, chat_id: str) -> tuple[MessageRecord, ...]:
        """Every message of a chat."""
        return self._messages.get(chat_id, ())


def _record(chat: Conversation) -> ChatRecord:
    return replace(chat_record(chat), draft_attachments=to_json(chat.draft_attachments))
