"""The JSON file of conversations, which is imported again without loss.

An object: `format` ("oscillama-conversations"), `version` (1), `folders`, a list of names, and
`conversations`, a list of objects with the fields of `ChatRecord` and `messages`, a list of
objects with the fields of `MessageRecord` in the order they were written. `figures`, `settings`
and `error` are JSON objects or null, `attachments` and `draft_attachments` lists of objects with
the fields of `Attachment` or null. A file that is imported and exported again is the same, byte
for byte. Files without `folders`, `attachments` and `draft_attachments` are read, too.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import get_type_hints

from app.attachments import problem_in
from app.store.records import MOST_FOLDER_CHARACTERS, ChatRecord, MessageRecord
from app.store.refusal import RefusedError, refused, translate
from engine.foreign_json import json_value

FORMAT, VERSION = "oscillama-conversations", 1
_OBJECTS = ("figures", "settings", "error")
_CHAT_OBJECTS = ("settings",)
# Kept as JSON lists; what was exported first did not have them.
_MESSAGE_FILES, _CHAT_FILES = "attachments", "draft_attachments"
_ROLES = ("user", "assistant")
_CHAT_TYPES = get_type_hints(ChatRecord)
_MESSAGE_TYPES = get_type_hints(MessageRecord)

Chat = tuple[ChatRecord, tuple[MessageRecord, ...]]


def written(folders: Sequence[str], chats: Iterable[Chat]) -> Iterator[str]:
    """The file, piece by piece."""
    head = json.dumps(
        {"format": FORMAT, "version": VERSION, "folders": list(folders)},
        ensure_ascii=False,
        indent=1,
    )
    yield head.removesuffix("\n}") + ',\n "conversations": ['
    separator = ""
    for chat in chats:
        yield separator + "\n  " + chat_text(chat).replace("\n", "\n  ")
        separator = ","
    yield "\n ]\n}\n" if separator else "]\n}\n"


def chat_text(chat: Chat) -> str:
    """One conversation as the file has it."""
    record, messages = chat
    said = [_as_object(message, _OBJECTS) for message in messages]
    return json.dumps(
        _as_object(record, _CHAT_OBJECTS) | {"messages": said}, ensure_ascii=False, indent=1
    )


def read_folders(value: object) -> list[str]:
    """The names of folders; raises RefusedError for what are none."""
    if not isinstance(value, list) or not all(
        isinstance(name, str) and 0 < len(name) <= MOST_FOLDER_CHARACTERS and _is_writable(name)
        for name in value
    ):
        raise wrong("folders")
    return value


def read_chat(value: object, where: str) -> Chat:
    """A conversation; raises RefusedError for what is none."""
    if not isinstance(value, dict):
        raise wrong(where)
    items = value.get("messages")
    if not isinstance(items, list):
        raise wrong(f"{where}.messages")
    chat = {name: part for name, part in value.items() if name != "messages"}
    _as_texts(chat, _CHAT_OBJECTS, _CHAT_FILES, where)
    _check(chat, _CHAT_TYPES, where)
    messages = tuple(
        _message(item, f"{where}.messages[{index}]") for index, item in enumerate(items)
    )
    known: set[str | None] = {None}
    for index, message in enumerate(messages):
        if message.parent_id not in known:
            raise wrong(f"{where}.messages[{index}].parent_id")
        known.add(message.message_id)
    return ChatRecord(**chat), messages


def wrong(where: str) -> RefusedError:
    """What stands at `where` is not what should."""
    text = translate("Exchange", "what it says at {where} is not as it should be.")
    return refused(text, where=where)


def _as_object(record: ChatRecord | MessageRecord, names: Sequence[str]) -> dict[str, object]:
    """A record, with what it keeps as JSON in `names` as the objects that they are."""
    values: dict[str, object] = asdict(record)
    for name in (*names, *({_MESSAGE_FILES, _CHAT_FILES} & set(values))):
        text = values[name]
        values[name] = json_value(text) if isinstance(text, str) else None
    return values


def _as_texts(values: dict[str, object], names: Sequence[str], files: str, where: str) -> None:
    """The reverse of `_as_object`, in place."""
    for name in names:
        part = values.get(name)
        if part is not None and not isinstance(part, dict):
            raise wrong(f"{where}.{name}")
        try:
            # Infinity is no JSON, whatever Python says.
            text = None if part is None else json.dumps(part, ensure_ascii=False, allow_nan=False)
        except (ValueError, RecursionError) as error:
            raise wrong(f"{where}.{name}") from error
        if text is not None and not _is_writable(text):
            raise wrong(f"{where}.{name}")
        values[name] = text
    part = values.get(files)
    problem = problem_in(part) if part is not None else None
    if problem is not None:
        raise wrong(f"{where}.{files}{problem}")
    values[files] = None if part is None else json.dumps(part, ensure_ascii=False)


def _message(value: object, where: str) -> MessageRecord:
    if not isinstance(value, dict):
        raise wrong(where)
    values = dict(value)
    _as_texts(values, _OBJECTS, _MESSAGE_FILES, where)
    _check(values, _MESSAGE_TYPES, where)
    if values["role"] not in _ROLES:
        raise wrong(f"{where}.role")
    return MessageRecord(**values)


def _check(values: dict[str, object], types: dict[str, type], where: str) -> None:
    if set(values) != set(types):
        raise wrong(f"{where}: {', '.join(sorted(map(str, set(values) ^ set(types))))}")
    for name, wanted in types.items():
        value = values[name]
        # True is an int to Python, and no number to anybody else.
        fits = isinstance(value, wanted) and (wanted is not int or not isinstance(value, bool))
        fits = fits and not (isinstance(value, int) and abs(value) >= 1 << 62)
        if not fits or (isinstance(value, str) and not _is_writable(value)):
            raise wrong(f"{where}.{name}")


def _is_writable(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
