"""The database of conversations: one file, used from one thread."""

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from operator import attrgetter
from pathlib import Path

from app.ids import new_id
from app.store import unread
from app.store.records import (
    ChatRecord,
    FaultCode,
    FolderRecord,
    MessageRecord,
    SearchHit,
    StoreContent,
    StoreFault,
)
from app.store.schema import VERSION, NewerDatabaseError, fill, migrate, unfilled_up_to
from app.store.search import find

_BUSY_TIMEOUT_S = 1.0
_OPEN, _UNREAD = "open", "unread files"
_CHAT_COLUMNS = (
    "id, title, created_ms, changed_ms, pinned, archived, folder, draft, leaf, "
    "settings, draft_attachments"
)
_MESSAGE_COLUMNS = (
    "id, parent, role, text, created_ms, phase, finish_reason, model, engine, figures, settings, "
    "error, attachments"
)
_MESSAGE_MARKS = ", ".join("?" * len(fields(MessageRecord)))
# `dataclasses.astuple` copies deeply, and takes longer than SQLite does.
_CHAT_VALUES = attrgetter(*(field.name for field in fields(ChatRecord)))
_MESSAGE_VALUES = attrgetter(*(field.name for field in fields(MessageRecord)))
_CODES = {
    sqlite3.SQLITE_BUSY: FaultCode.LOCKED,
    sqlite3.SQLITE_LOCKED: FaultCode.LOCKED,
    sqlite3.SQLITE_READONLY: FaultCode.READ_ONLY,
    sqlite3.SQLITE_FULL: FaultCode.FULL,
    sqlite3.SQLITE_CORRUPT: FaultCode.CORRUPT,
    sqlite3.SQLITE_NOTADB: FaultCode.CORRUPT,
    sqlite3.SQLITE_CANTOPEN: FaultCode.UNREACHABLE,
    sqlite3.SQLITE_PERM: FaultCode.UNREACHABLE,
    sqlite3.SQLITE_IOERR: FaultCode.UNREACHABLE,
}
_OF_THE_CONTENT = (
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)


class DamagedDatabaseError(Exception):
    """The file opens, and a look through it finds damage."""


class ReplacedDatabaseError(Exception):
    """Another file has come into the place of the one that is open."""


class Database:
    """An open database. Every method may raise `sqlite3.Error`; `fault_of` says what it means.

    Args:
        path: The file; its folder is made.
        max_pages: Most pages of 4 KiB that the file may have; None sets no limit.
        reads_only: Only read, from a file that cannot be written. What its journal has must be in
            it already.

    Raises:
        OSError: The folder cannot be made.
        sqlite3.Error: The file cannot be opened, or is none of SQLite's.
        NewerDatabaseError: A later version wrote it.
    """

    def __init__(
        self, path: Path, *, max_pages: int | None = None, reads_only: bool = False
    ) -> None:
        self._path = path
        if reads_only:
            self._open_to_read()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        _refuse_read_only(path)
        self._connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            if max_pages is not None:
                self.set_max_pages(max_pages)
            migrate(self._connection)
            self._opened = path.stat()
        except (sqlite3.Error, OSError, NewerDatabaseError):
            self._connection.close()
            raise

    def _open_to_read(self) -> None:
        journal = self._path.with_name(self._path.name + "-wal")
        if journal.exists() and journal.stat().st_size:
            raise PermissionError(f"{journal.name} has not been taken over")
        uri = f"{self._path.absolute().as_uri()}?immutable=1"
        self._connection = sqlite3.connect(uri, uri=True, isolation_level=None)
        try:
            self._opened = self._path.stat()
            found = int(self._connection.execute("PRAGMA user_version").fetchone()[0])
        except (sqlite3.Error, OSError):
            self._connection.close()
            raise
        if found != VERSION:
            self._connection.close()
            raise NewerDatabaseError(f"version {found}, not {VERSION}")

    def keep_in_place(self) -> bool:
        """Write the file again if it was deleted or moved away; returns whether it was.

        The system keeps a deleted file for who has it open, so that nothing of it is lost yet.
        What was written again must be opened anew.

        Raises:
            ReplacedDatabaseError: There is another file now. It is left alone.
            OSError: The file cannot be reached or written.
        """
        try:
            found = self._path.stat()
        except FileNotFoundError:
            self._write_again()
            return True
        if not os.path.samestat(found, self._opened):
            raise ReplacedDatabaseError(str(self._path))
        return False

    def copy_to(self, path: Path) -> None:
        """Write all that was committed to a new file.

        Raises:
            FileExistsError: There is one.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(exist_ok=False)
        target = sqlite3.connect(path)
        try:
            self._connection.backup(target)
        except sqlite3.Error:
            target.close()
            path.unlink()
            raise
        target.close()

    def _write_again(self) -> None:
        beside = self._path.with_name(f"{self._path.name}.{new_id()}.part")
        self.copy_to(beside)
        # A journal of the deleted file would be taken for that of the new one.
        for ending in ("-wal", "-shm"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        beside.rename(self._path)

    def set_max_pages(self, max_pages: int) -> None:
        """Let the file have this many pages of 4 KiB at most; not in a transaction."""
        self._connection.execute(f"PRAGMA max_page_count = {max_pages:d}")

    def close(self) -> None:
        """Close the file. May be called again."""
        self._connection.close()

    def begin(self, *, durable: bool) -> None:
        """Begin to write. What is `durable` survives a loss of power once `commit` returns."""
        self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """End writing; all of it is kept."""
        self._connection.execute("COMMIT")

    def rollback(self) -> None:
        """End writing; none of it is kept."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def is_sound(self) -> bool:
        """Whether the structure of the file is as it should be. Reads the whole file."""
        row = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        return row is not None and row[0] == "ok"

    def content(self) -> StoreContent:
        """All chats, the newest first, without their messages, and all folders."""
        rows = self._connection.execute(
            f"SELECT {_CHAT_COLUMNS} FROM chat ORDER BY changed_ms DESC, key DESC"
        )
        return StoreContent(
            chats=tuple(_chat_record(row) for row in rows),
            open_chat_id=self._state(_OPEN),
            folders=self.folders(),
            unread=unread.from_json(self._state(_UNREAD)),
        )

    def folders(self) -> tuple[FolderRecord, ...]:
        """All folders, by name."""
        rows = self._connection.execute("SELECT name, collapsed FROM folder ORDER BY name")
        return tuple(FolderRecord(name=name, collapsed=bool(flag)) for name, flag in rows)

    def messages(self, chat_id: str) -> tuple[MessageRecord, ...]:
        """Every message of a chat, of all its branches, in the order they were written."""
        names = [field.name for field in fields(MessageRecord)]
        rows = self._connection.execute(
            f"SELECT {_MESSAGE_COLUMNS} FROM message "
            "WHERE chat = (SELECT key FROM chat WHERE id = ?) ORDER BY key",
            (chat_id,),
        )
        return tuple(MessageRecord(**dict(zip(names, row, strict=True))) for row in rows)

    def has_any_message(self, message_ids: Sequence[str]) -> bool:
        """Whether a message with one of these ids is there, in whatever chat."""
        return any(
            self._connection.execute("SELECT 1 FROM message WHERE id = ?", (message_id,)).fetchone()
            for message_id in message_ids
        )

    def rescue(self) -> list[tuple[ChatRecord, tuple[MessageRecord, ...]]]:
        """Every chat of a damaged file that can still be read, with its messages."""
        rescued: list[tuple[ChatRecord, tuple[MessageRecord, ...]]] = []
        try:
            chats = self.content().chats
        except sqlite3.Error:
            return rescued
        # The chat changed last comes last, as it is when nothing is damaged.
        for chat in reversed(chats):
            with suppress(sqlite3.Error):
                rescued.append((chat, self.messages(chat.chat_id)))
        return rescued

    def find(self, text: str) -> tuple[SearchHit, ...]:
        """Chats that have every word of `text`."""
        return find(self._connection, text)

    def is_filled(self) -> bool:
        """Whether all messages are in the index of text without spaces."""
        return not unfilled_up_to(self._connection)

    def fill(self) -> None:
        """Put some more messages in that index, in a transaction of its own."""
        self.begin(durable=False)
        try:
            fill(self._connection)
            self.commit()
        finally:
            self.rollback()

    def save_chat(self, record: ChatRecord) -> None:
        """Write a chat, new or known."""
        marks = ", ".join("?" * len(fields(ChatRecord)))
        self._connection.execute(
            f"INSERT INTO chat({_CHAT_COLUMNS}) VALUES ({marks}) "
            "ON CONFLICT(id) DO UPDATE SET title = excluded.title, "
            "created_ms = excluded.created_ms, changed_ms = excluded.changed_ms, "
            "pinned = excluded.pinned, archived = excluded.archived, folder = excluded.folder, "
            "draft = excluded.draft, leaf = excluded.leaf, settings = excluded.settings, "
            "draft_attachments = excluded.draft_attachments",
            _CHAT_VALUES(record),
        )

    def save_messages(self, chat_id: str, records: Sequence[MessageRecord]) -> None:
        """Write messages of a chat, new or known; nothing where the chat is not there."""
        self._connection.executemany(
            f"INSERT INTO message({_MESSAGE_COLUMNS}, chat) "
            f"SELECT {_MESSAGE_MARKS}, key FROM chat WHERE id = ? "
            "ON CONFLICT(id) DO UPDATE SET text = excluded.text, phase = excluded.phase, "
            "finish_reason = excluded.finish_reason, model = excluded.model, "
            "engine = excluded.engine, figures = excluded.figures, "
            "settings = excluded.settings, error = excluded.error, "
            "attachments = excluded.attachments",
            ((*_MESSAGE_VALUES(record), chat_id) for record in records),
        )

    def save_folders(self, records: Sequence[FolderRecord]) -> None:
        """Have these folders and no others."""
        self._connection.execute("DELETE FROM folder")
        self.add_folders(records)

    def add_folders(self, records: Sequence[FolderRecord]) -> None:
        """Have these folders, too; those that are there stay as they are."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO folder(name, collapsed) VALUES (?, ?)",
            [(record.name, record.collapsed) for record in records],
        )

    def delete_chat(self, chat_id: str) -> None:
        """Take a chat and its messages away."""
        self._connection.execute("DELETE FROM chat WHERE id = ?", (chat_id,))

    def delete_messages(self, message_ids: Sequence[str]) -> None:
        """Take messages away."""
        self._connection.executemany(
            "DELETE FROM message WHERE id = ?", [(message_id,) for message_id in message_ids]
        )

    def set_open(self, chat_id: str) -> None:
        """Keep which chat is open."""
        self._set_state(_OPEN, chat_id)

    def set_unread(self, paths: Mapping[str, Sequence[str]]) -> None:
        """Keep which files are still being read, by the chat whose draft they are for."""
        self._set_state(_UNREAD, unread.to_json(paths))

    def _set_state(self, name: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    def _state(self, name: str) -> str | None:
        row = self._connection.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])


def _refuse_read_only(path: Path) -> None:
    """SQLite opens what may only be read, leaves journals like it, and never looks again."""
    by_effective = os.access in os.supports_effective_ids
    if path.exists() and not os.access(path, os.W_OK, effective_ids=by_effective):
        raise PermissionError(f"{path.name} may only be read")


def fault_of(error: Exception, path: Path) -> StoreFault:
    """What an error of `Database` means."""
    code = FaultCode.FAILED
    if isinstance(error, NewerDatabaseError):
        code = FaultCode.NEWER
    elif isinstance(error, DamagedDatabaseError):
        code = FaultCode.CORRUPT
    elif isinstance(error, ReplacedDatabaseError):
        code = FaultCode.REPLACED
    elif isinstance(error, OSError):
        code = FaultCode.UNREACHABLE
    elif isinstance(error, sqlite3.Error):
        # The low byte is the kind, the rest its detail.
        code = _CODES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, FaultCode.FAILED)
    return StoreFault(code=code, path=str(path), technical=f"{type(error).__name__}: {error}")


def is_of_the_content(error: Exception) -> bool:
    """Whether what was to be written is at fault, and not the file, the disk or the memory."""
    if isinstance(error, _OF_THE_CONTENT):
        return True
    return not isinstance(error, sqlite3.Error | OSError | MemoryError)


def name_beside(path: Path, word: str, now: datetime) -> Path:
    """A name for another file beside a database that none has yet."""
    stem = f"{path.stem}-{word}-{now:%Y%m%d-%H%M%S}"
    target = path.with_name(f"{stem}{path.suffix}")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{stem}-{number}{path.suffix}")
    return target


def move_aside(path: Path, now: datetime) -> Path:
    """Give a database that cannot be read another name, its journal with it; returns the name.

    Raises:
        OSError: The system refuses.
    """
    target = name_beside(path, "damaged", now)
    path.rename(target)
    for ending in ("-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        if beside.exists():
            beside.rename(target.with_name(target.name + ending))
    return target


def _chat_record(
    row: tuple[str, str, int, int, int, int, str, str, str | None, str | None, str | None],
) -> ChatRecord:
    chat_id, title, created_ms, changed_ms, pinned, archived, folder, draft, *rest = row
    leaf_id, settings, draft_attachments = rest
    return ChatRecord(
        chat_id=chat_id,
        title=title,
        created_ms=created_ms,
        changed_ms=changed_ms,
        pinned=bool(pinned),
        archived=bool(archived),
        folder=folder,
        draft=draft,
        leaf_id=leaf_id,
        settings=settings,
        draft_attachments=draft_attachments,
    )
