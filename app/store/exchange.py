"""Conversations as files, and back.

The JSON file is an object: `format` ("oscillama-conversations"), `version` (1) and
`conversations`, a list of objects with the fields of `ChatRecord` and `messages`, a list of
objects with the fields of `MessageRecord` in the order they were written. `figures`, `settings`
and `error` are JSON objects or null, `attachments` and `draft_attachments` lists of objects with
the fields of `Attachment` or null; these two may be missing. A file that is imported and exported
again is the same, byte for byte. Markdown and HTML have the branch that is shown, and cannot be
imported.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from html import escape
from pathlib import Path
from typing import get_type_hints
from uuid import uuid4

from PySide6.QtCore import QCoreApplication

from app.attachments import Attachment, from_json, problem_in, with_attachments
from app.store.database import Database
from app.store.foreign import UnknownShapeError, read_foreign
from app.store.records import ChatRecord, ExchangeOutcome, MessageRecord

translate = QCoreApplication.translate

_FORMAT, _VERSION = "oscillama-conversations", 1
_LARGEST_BYTES = 512 << 20
_OBJECTS = ("figures", "settings", "error")
_CHAT_OBJECTS = ("settings",)
# Kept as JSON lists; what was exported first did not have them.
_MESSAGE_FILES, _CHAT_FILES = "attachments", "draft_attachments"
_ROLES = ("user", "assistant")
_CHAT_TYPES = get_type_hints(ChatRecord)
_MESSAGE_TYPES = get_type_hints(MessageRecord)
_PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{title}</title><style>
body {{ max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.6 sans-serif;
  color: #1a2027; background: #fff; }}
article {{ white-space: pre-wrap; overflow-wrap: anywhere; margin: 1.4rem 0; }}
.user details {{ margin-top: .6rem; }}
pre {{ white-space: pre-wrap; font-size: 13px; }}
.user {{ background: #eef2f7; border-radius: 14px; padding: .6rem 1rem; margin-left: 20%; }}
</style></head><body>
{body}
</body></html>
"""

Chat = tuple[ChatRecord, tuple[MessageRecord, ...]]


class RefusedError(Exception):
    """A file that is not imported; the message is for the person, translated."""


def export_file(path: Path, chat_id: str | None, database: Database) -> ExchangeOutcome:
    """Write a chat, or all, to `path`, whole or not at all; called by the store's thread.

    Raises:
        sqlite3.Error: The chats cannot be read.
    """
    records = [
        chat for chat in database.content().chats if chat_id is None or chat.chat_id == chat_id
    ]
    chats = [(chat, database.messages(chat.chat_id)) for chat in records]
    match path.suffix.lower():
        case ".md":
            text = "\n\n".join(_markdown(chat) for chat in chats)
        case ".html":
            text = _html(chats)
        case _:
            text = _json(chats)
    beside = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        return ExchangeOutcome(path=str(path), is_import=False, error=error.strerror or str(error))
    return ExchangeOutcome(path=str(path), is_import=False)


def import_file(path: Path, database: Database) -> ExchangeOutcome:
    """Take over all chats of a JSON file, ours or another's; called by the store's thread.

    A chat that is there already and the same is left; one that differs comes as another.

    Raises:
        sqlite3.Error: The chats cannot be written; nothing was.
    """
    try:
        chats = _read(path)
    except RefusedError as error:
        return ExchangeOutcome(path=str(path), is_import=True, error=str(error))
    known = {chat.chat_id: chat for chat in database.content().chats}
    n_new = 0
    try:
        database.begin(durable=True)
        # The oldest first, as if they had been written here.
        for chat, messages in reversed(chats):
            present = known.get(chat.chat_id)
            stored = database.messages(chat.chat_id) if present is not None else ()
            if present == chat and _json([(chat, stored)]) == _json([(chat, messages)]):
                continue
            ids = [message.message_id for message in messages]
            is_taken = present is not None or database.has_any_message(ids)
            new_chat, new_messages = (
                _with_other_ids(chat, messages) if is_taken else (chat, messages)
            )
            database.save_chat(new_chat)
            database.save_messages(new_chat.chat_id, new_messages)
            n_new += 1
        database.commit()
    finally:
        database.rollback()
    return ExchangeOutcome(
        path=str(path),
        is_import=True,
        n_new=n_new,
        n_known=len(chats) - n_new,
        content=database.content(),
    )


def _json(chats: Sequence[Chat]) -> str:
    document = {
        "format": _FORMAT,
        "version": _VERSION,
        "conversations": [
            _as_object(chat, _CHAT_OBJECTS)
            | {"messages": [_as_object(message, _OBJECTS) for message in messages]}
            for chat, messages in chats
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _as_object(record: ChatRecord | MessageRecord, names: Sequence[str]) -> dict[str, object]:
    """A record, with what it keeps as JSON in `names` as the objects that they are."""
    values: dict[str, object] = asdict(record)
    for name in (*names, *({_MESSAGE_FILES, _CHAT_FILES} & set(values))):
        text = values[name]
        values[name] = json.loads(text) if isinstance(text, str) else None
    return values


def _as_texts(values: dict[str, object], names: Sequence[str], files: str, where: str) -> None:
    """The reverse of `_as_object`, in place."""
    for name in names:
        part = values.get(name)
        if part is not None and not isinstance(part, dict):
            raise _wrong(f"{where}.{name}")
        values[name] = None if part is None else json.dumps(part, ensure_ascii=False)
    part = values.get(files)
    wrong = problem_in(part) if part is not None else None
    if wrong is not None:
        raise _wrong(f"{where}.{files}{wrong}")
    values[files] = None if part is None else json.dumps(part, ensure_ascii=False)


def _read(path: Path) -> list[Chat]:
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise RefusedError(translate("Exchange", "it is larger than 512 MB."))
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RefusedError(error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise RefusedError(
            translate("Exchange", "it is not whole JSON ({reason}).").replace(
                "{reason}", str(error)[:200]
            )
        ) from error
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        return _unique(_foreign(document))
    if document.get("version") != _VERSION:
        raise RefusedError(translate("Exchange", "a later version of Oscillama exported it."))
    chats = document.get("conversations")
    if not isinstance(chats, list):
        raise _wrong("conversations")
    read = [_chat(chat, f"conversations[{index}]") for index, chat in enumerate(chats)]
    return _unique(read)


def _foreign(document: object) -> list[Chat]:
    try:
        return read_foreign(document)
    except UnknownShapeError as error:
        text = translate(
            "Exchange",
            "it is no export of Oscillama, ChatGPT, Open WebUI, LM Studio or ShareGPT ({where}).",
        )
        raise RefusedError(text.replace("{where}", str(error)[:200])) from error


def _unique(chats: list[Chat]) -> list[Chat]:
    ids = [chat.chat_id for chat, _ in chats]
    ids += [message.message_id for _, messages in chats for message in messages]
    if len(set(ids)) != len(ids):
        raise RefusedError(translate("Exchange", "two of its parts have the same id."))
    return chats


def _chat(value: object, where: str) -> Chat:
    if not isinstance(value, dict):
        raise _wrong(where)
    items = value.get("messages")
    if not isinstance(items, list):
        raise _wrong(f"{where}.messages")
    chat = {name: part for name, part in value.items() if name != "messages"}
    _as_texts(chat, _CHAT_OBJECTS, _CHAT_FILES, where)
    _check(chat, _CHAT_TYPES, where)
    messages = tuple(
        _message(item, f"{where}.messages[{index}]") for index, item in enumerate(items)
    )
    known: set[str | None] = {None}
    for index, message in enumerate(messages):
        if message.parent_id not in known:
            raise _wrong(f"{where}.messages[{index}].parent_id")
        known.add(message.message_id)
    return ChatRecord(**chat), messages


def _message(value: object, where: str) -> MessageRecord:
    if not isinstance(value, dict):
        raise _wrong(where)
    values = dict(value)
    _as_texts(values, _OBJECTS, _MESSAGE_FILES, where)
    _check(values, _MESSAGE_TYPES, where)
    if values["role"] not in _ROLES:
        raise _wrong(f"{where}.role")
    return MessageRecord(**values)


def _check(values: dict[str, object], types: dict[str, type], where: str) -> None:
    if set(values) != set(types):
        raise _wrong(f"{where}: {', '.join(sorted(map(str, set(values) ^ set(types))))}")
    for name, wanted in types.items():
        value = values[name]
        # True is an int to Python, and no number to anybody else.
        fits = isinstance(value, wanted) and (wanted is not int or not isinstance(value, bool))
        fits = fits and not (isinstance(value, int) and abs(value) >= 1 << 62)
        if not fits or (isinstance(value, str) and not _is_writable(value)):
            raise _wrong(f"{where}.{name}")


def _is_writable(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _wrong(where: str) -> RefusedError:
    text = translate("Exchange", "what it says at {where} is not as it should be.")
    return RefusedError(text.replace("{where}", where[:200]))


def _with_other_ids(chat: ChatRecord, messages: tuple[MessageRecord, ...]) -> Chat:
    ids = {message.message_id: uuid4().hex for message in messages}
    return (
        replace(chat, chat_id=uuid4().hex, leaf_id=ids.get(chat.leaf_id or "")),
        tuple(
            replace(
                message,
                message_id=ids[message.message_id],
                parent_id=ids.get(message.parent_id or ""),
            )
            for message in messages
        ),
    )


def _branch(chat: ChatRecord, messages: Sequence[MessageRecord]) -> list[MessageRecord]:
    by_id = {message.message_id: message for message in messages}
    message = by_id.get(chat.leaf_id or "") or (messages[-1] if messages else None)
    branch: list[MessageRecord] = []
    while message is not None and by_id.pop(message.message_id, None) is not None:
        branch.append(message)
        message = by_id.get(message.parent_id or "")
    return branch[::-1]


def _speaker(message: MessageRecord) -> str:
    if message.role == "user":
        return translate("Exchange", "You")
    return message.model or translate("Exchange", "Model")


def _title(chat: ChatRecord) -> str:
    return chat.title or translate("Exchange", "New chat")


def _markdown(chat: Chat) -> str:
    record, messages = chat
    said = [
        f"**{_speaker(part)}**\n\n{with_attachments(part.text, from_json(part.attachments))}"
        for part in _branch(record, messages)
    ]
    parts = [f"# {_title(record)}", *said]
    return "\n\n".join(parts) + "\n"


def _html_file(attachment: Attachment) -> str:
    name, text = escape(attachment.name), escape(attachment.text)
    return f"<details><summary>{name}</summary><pre>{text}</pre></details>"


def _html(chats: Sequence[Chat]) -> str:
    parts: list[str] = []
    for record, messages in chats:
        parts.append(f"<h1>{escape(_title(record))}</h1>")
        for message in _branch(record, messages):
            words = f"<b>{escape(_speaker(message))}</b>\n{escape(message.text)}"
            words += "".join(map(_html_file, from_json(message.attachments)))
            parts.append(f'<article class="{message.role}">{words}</article>')
    title = _title(chats[0][0]) if len(chats) == 1 else "Oscillama"
    return _PAGE.format(title=escape(title), body="\n".join(parts))
