"""Conversations out of a file: first read whole, then written in one transaction."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.store.database import Database
from app.store.foreign.build import UnknownShapeError
from app.store.foreign.shapes import read_foreign
from app.store.import_source import ImportSource, Report
from app.store.json_stream import JsonStream
from app.store.own_json import (
    FORMAT,
    VERSION,
    Chat,
    read_chat,
    read_folders,
    wrong,
)
from app.store.records import ExchangeOutcome, FolderRecord, MessageRecord
from app.store.refusal import CancelledError, RefusedError, not_json, refused, translate
from app.store.stable_id import id_of


@dataclass(slots=True, kw_only=True)
class ImportedFile:
    """What a file has.

    Attributes:
        path: The file.
        chats: Its conversations, as they stand in it.
        folders: Names of folders, also of those without conversations.
        n_twice: Conversations that stand in it once more.
        n_empty: Conversations that were left out because nothing is said in them.
        n_ignored: Files of an archive that were not read.
    """

    path: Path
    chats: list[Chat] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    n_twice: int = 0
    n_empty: int = 0
    n_ignored: int = 0


def read_file(path: Path, report: Report) -> ImportedFile:
    """All of a file: JSON or JSON lines, ours or another application's, or a ZIP of such files.

    Blocks; may be called from any thread.

    Raises:
        RefusedError: It cannot be imported, for the reason that the message says.
        CancelledError: `report` says so.
    """
    source = ImportSource(path, report)
    found = ImportedFile(path=path)
    try:
        for name, text in source.texts():
            _read_text(JsonStream(text), "" if name == path.name else f"{name} ", found)
    except UnknownShapeError as error:
        raise refused(
            translate(
                "Exchange",
                "it is no export of Oscillama, ChatGPT, Open WebUI, LM Studio or ShareGPT "
                "({where}).",
            ),
            where=str(error),
        ) from error
    except MemoryError as error:
        raise RefusedError(translate("Exchange", "there is not enough memory for it.")) from error
    _drop_repeated(found)
    _check_ids(found.chats)
    found.n_ignored = source.n_ignored
    return found


def write_file(found: ImportedFile, report: Report, database: Database) -> ExchangeOutcome:
    """Take over what a file has, all of it or nothing; called by the store's thread.

    A chat that is there already is left, also where it went on here; one that differs comes as
    another, and a second time not at all.

    Raises:
        sqlite3.Error: The chats cannot be written; nothing was.
    """
    outcome = ExchangeOutcome(path=str(found.path), is_import=True)
    n_new = 0
    known = {chat.chat_id for chat in database.content().chats}
    try:
        database.begin(durable=True)
        database.add_folders([FolderRecord(name=name) for name in found.folders])
        # The oldest first, as if they had been written here.
        for number, chat in enumerate(reversed(found.chats)):
            report(number / len(found.chats))
            new = _not_there(chat, known, database)
            if new is not None:
                database.save_chat(new[0])
                database.save_messages(new[0].chat_id, new[1])
                n_new += 1
        database.commit()
    except CancelledError:
        return replace(outcome, is_cancelled=True)
    finally:
        database.rollback()
    return replace(
        outcome,
        n_new=n_new,
        n_known=len(found.chats) - n_new + found.n_twice,
        n_empty=found.n_empty,
        n_ignored=found.n_ignored,
        content=database.content(),
    )


def _not_there(chat: Chat, known: set[str], database: Database) -> Chat | None:
    """The chat as it is to be written; None where all of it is there."""
    record, messages = chat
    if record.chat_id in known:
        there = set(map(_said, database.messages(record.chat_id)))
        # One by one, so that the window has its turn meanwhile.
        if all(_said(message) in there for message in messages):
            return None
    elif not database.has_any_message([message.message_id for message in messages]):
        return chat
    other = _with_other_ids(chat)
    return None if other[0].chat_id in known else other


def _said(message: MessageRecord) -> tuple[str, str | None, str, str]:
    """What makes a message the same; exports without times get another time at each import."""
    return message.message_id, message.parent_id, message.role, message.text


def _read_text(stream: JsonStream, where: str, found: ImportedFile) -> None:
    if stream.peek() == "[":
        is_empty = True
        for index, item in enumerate(stream.items()):
            is_empty = False
            _add_foreign(item, f"{where}[{index}]", found)
        if stream.peek():
            raise not_json("it goes on after its end")
        if is_empty:
            raise UnknownShapeError(f"{where}[]")
    elif stream.peek() == "{":
        _read_objects(stream, where, found)
    else:
        raise UnknownShapeError(where) if _has_value(stream) else not_json("it is empty")


def _has_value(stream: JsonStream) -> bool:
    if not stream.peek():
        return False
    stream.value()
    return True


def _read_objects(stream: JsonStream, where: str, found: ImportedFile) -> None:
    """One object, or one a line. Ours begins with its format, and is read piece by piece."""
    stream.expect("{")
    values: dict[str, object] = {}
    for name in _names(stream):
        if name == "conversations" and values.get("format") == FORMAT and stream.peek() == "[":
            if values.get("version") != VERSION:
                raise _later_version()
            for index, item in enumerate(stream.items()):
                found.chats.append(read_chat(item, f"conversations[{index}]"))
            values[name] = []
        else:
            values[name] = stream.value()
    if values.get("format") == FORMAT:
        _end_of_ours(values, found)
    else:
        _add_foreign(values, where, found)
        line = 1
        while stream.peek():
            line += 1
            _add_foreign(stream.value(), f"{where}{line}", found)
        return
    if stream.peek():
        raise not_json("it goes on after its end")


def _names(stream: JsonStream) -> Iterator[str]:
    """The names of an object whose brace is past; the values are read between."""
    if stream.take("}"):
        return
    while True:
        name = stream.value()
        if not isinstance(name, str):
            raise not_json("a name is missing")
        stream.expect(":")
        yield name
        if stream.take("}"):
            return
        stream.expect(",")


def _end_of_ours(values: dict[str, object], found: ImportedFile) -> None:
    if values.get("version") != VERSION:
        raise _later_version()
    chats = values.get("conversations")
    if not isinstance(chats, list):
        raise wrong("conversations")
    # Where the format stood behind them, they were read whole.
    found.chats += [read_chat(chat, f"conversations[{at}]") for at, chat in enumerate(chats)]
    found.folders += read_folders(values.get("folders", []))


def _add_foreign(item: object, where: str, found: ImportedFile) -> None:
    chat = read_foreign(item, where)
    if chat[1]:
        found.chats.append(chat)
    else:
        found.n_empty += 1


def _later_version() -> RefusedError:
    return RefusedError(translate("Exchange", "a later version of Oscillama exported it."))


def _drop_repeated(found: ImportedFile) -> None:
    """Shards of an export may have a conversation twice."""
    by_id: dict[str, Chat] = {}
    kept: list[Chat] = []
    for chat in found.chats:
        known = by_id.setdefault(chat[0].chat_id, chat)
        if known is chat or list(map(_said, known[1])) != list(map(_said, chat[1])):
            kept.append(chat)
    found.n_twice, found.chats = len(found.chats) - len(kept), kept


def _check_ids(chats: list[Chat]) -> None:
    ids = [chat.chat_id for chat, _ in chats]
    ids += [message.message_id for _, messages in chats for message in messages]
    if len(set(ids)) != len(ids):
        raise RefusedError(translate("Exchange", "two of its parts have the same id."))


def _with_other_ids(chat: Chat) -> Chat:
    """The chat under ids that follow from what is said, so that they are the same each time."""
    record, messages = chat
    seed = hashlib.sha256(repr([record.chat_id, *map(_said, messages)]).encode()).hexdigest()
    ids = {message.message_id: id_of(f"{seed} {message.message_id}") for message in messages}
    return (
        replace(
            record,
            chat_id=id_of(seed),
            leaf_id=ids.get(record.leaf_id or ""),
        ),
        tuple(
            replace(
                message,
                message_id=ids[message.message_id],
                parent_id=ids.get(message.parent_id or ""),
            )
            for message in messages
        ),
    )
