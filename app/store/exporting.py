"""Conversations as files: JSON with everything, Markdown and HTML to read.

Markdown and HTML have the branch that is shown, and cannot be imported. `app.store.own_json` says
what the JSON is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from app.attachments import from_json, with_attachments
from app.files import file_instead_of
from app.store.codec import is_edited
from app.store.own_json import Chat, written
from app.store.records import ChatRecord, ExchangeOutcome, MessageRecord, StoreContent
from app.text import whole_text

translate = QCoreApplication.translate

Page = Callable[[Sequence[ChatRecord], Iterable[Chat]], Iterator[str]]
"""Makes an HTML page, piece by piece: of chats without their messages, and then with them."""


class Readable(Protocol):
    """What conversations are exported from."""

    def content(self) -> StoreContent:
        """All chats, and all folders."""

    def messages(self, chat_id: str) -> tuple[MessageRecord, ...]:
        """Every message of a chat."""


def export_file(path: Path, chat_id: str | None, page: Page, database: Readable) -> ExchangeOutcome:
    """Write a chat, or all, to `path`, whole or not at all. Blocks; from any thread.

    Raises:
        sqlite3.Error: The chats cannot be read.
    """
    outcome = ExchangeOutcome(path=str(path), is_import=False)
    content = database.content()
    records = [chat for chat in content.chats if chat_id is None or chat.chat_id == chat_id]
    # One at a time is in memory.
    chats = ((chat, database.messages(chat.chat_id)) for chat in records)
    match path.suffix.lower():
        case ".md":
            pieces = _markdown(chats)
        case ".html":
            pieces = page(records, chats)
        case _:
            named = {chat.folder for chat in records if chat.folder}
            every = {folder.name for folder in content.folders} if chat_id is None else set()
            pieces = written(sorted(named | every), chats)
    try:
        with file_instead_of(path) as file:
            for piece in pieces:
                file.write(whole_text(piece).encode())
    except OSError as error:
        return ExchangeOutcome(path=str(path), is_import=False, error=error.strerror or str(error))
    return outcome


def branch_of(chat: Chat) -> list[MessageRecord]:
    """The messages of the branch that is shown, from the first to the last."""
    record, messages = chat
    by_id = {message.message_id: message for message in messages}
    message = by_id.get(record.leaf_id or "") or (messages[-1] if messages else None)
    branch: list[MessageRecord] = []
    while message is not None and by_id.pop(message.message_id, None) is not None:
        branch.append(message)
        message = by_id.get(message.parent_id or "")
    return branch[::-1]


def speaker_of(message: MessageRecord) -> str:
    """Who said it, in the person's language."""
    if message.role == "user":
        return translate("Exchange", "You")
    model = message.model or translate("Exchange", "Model")
    if is_edited(message):
        return translate("Exchange", "{model}, edited").format(model=model)
    return model


def title_of_chat(chat: ChatRecord) -> str:
    """Its title, on one line; what the list calls it where it has none."""
    return " ".join(chat.title.split()) or translate("Exchange", "New chat")


def _markdown(chats: Iterable[Chat]) -> Iterator[str]:
    separator = ""
    for chat in chats:
        said = [
            f"**{_inline(speaker_of(part))}**\n\n"
            + with_attachments(part.text, from_json(part.attachments))
            for part in branch_of(chat)
        ]
        yield separator + "\n\n".join([f"# {_inline(title_of_chat(chat[0]))}", *said]) + "\n"
        separator = "\n\n"


def _inline(words: str) -> str:
    """Words that Markdown shows as they are."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#" else letter for letter in words)
