"""What the library has the database read and write, coded by the store's thread."""

from dataclasses import replace
from typing import TYPE_CHECKING

from app.attachments import Attachment, to_json
from app.store.codec import message_record, turns_of
from app.store.records import ChatRecord, MessageRecord
from app.transcript import Conversation, Turn, UserTurn

if TYPE_CHECKING:
    from app.store.database import Database


def save_chat(
    record: ChatRecord, draft_attachments: tuple[Attachment, ...], database: "Database"
) -> None:
    """Write a chat with the files of its draft."""
    database.save_chat(replace(record, draft_attachments=to_json(draft_attachments)))


def save_message(chat_id: str, record: MessageRecord, database: "Database") -> None:
    """Write a message of a chat."""
    database.save_messages(chat_id, (record,))


def save_turns(chat_id: str, turns: tuple[Turn, ...], database: "Database") -> None:
    """Write turns of a chat as they are now, without answers that run: these come by themselves."""
    over = (turn for turn in turns if isinstance(turn, UserTurn) or turn.phase.is_over)
    database.save_messages(chat_id, tuple(map(message_record, over)))


def save_open(chat_id: str, database: "Database") -> None:
    """Write which chat is open."""
    database.set_open(chat_id)


def save_unread(paths: dict[str, tuple[str, ...]], database: "Database") -> None:
    """Write which files are still being read, for the draft of which chat."""
    database.set_unread(paths)


def read_turns(chat_id: str, leaf_id: str | None, database: "Database") -> Conversation:
    """A chat that has nothing but its turns, for `Conversation.take_over`."""
    read = Conversation(chat_id=chat_id, leaf_id=leaf_id)
    read.fill(turns_of(database.messages(chat_id)))
    # Here, as it would stop the window where there are thousands.
    read.seen.messages(read.turns)
    return read
