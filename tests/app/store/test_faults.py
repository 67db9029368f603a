"""A database that is locked, full, read-only, damaged, out of reach or of a later version."""

from __future__ import annotations

import os
import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

from app.library import ChatLibrary
from app.store.database import Database
from app.store.schema import VERSION
from app.store.thread import StoreThread
from app.transcript import UserTurn
from tests.app.store.samples import talk
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.messages import UserMessage

    Make = Callable[..., "Watched"]


class Watched:
    """A library and what it says."""

    def __init__(self, store: StoreThread) -> None:
        self.store = store
        self.library = ChatLibrary(store)
        store.setParent(self.library)
        self.said: list[UserMessage] = []
        self.unkept: list[UserMessage | None] = []
        self.library.message_raised.connect(self.said.append)
        self.library.unkept_changed.connect(self.unkept.append)


@pytest.fixture
def make(qapp: object, database_file: Path) -> Iterator[Make]:
    made: list[Watched] = []

    def make_it(
        open_database: Callable[[Path], Database] = Database,
        *,
        path: Path = database_file,
        check_after_s: float = 60,
    ) -> Watched:
        store = StoreThread(
            path, open_database=open_database, retry_s=0.05, check_after_s=check_after_s
        )
        made.append(Watched(store))
        store.start()
        return made[-1]

    yield make_it
    for watched in made:
        watched.library.close()


def wait_until_written(watched: Watched, qtbot: QtBot) -> None:
    """Until all that was said so far is in the file."""
    with qtbot.waitSignal(watched.store.answered, timeout=WAIT_MS):
        watched.store.ask(lambda database: None)


def rows(path: Path, table: str) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        connection.close()


def test_a_lock_is_said_and_what_waited_is_written_when_it_is_gone(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    first = make()
    talk(first.library, "Before", "x")
    first.library.close()
    other = sqlite3.connect(database_file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    watched = make()
    chat = talk(watched.library, "Why?", "Because.")
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert watched.said[0].title == "Conversations are not being saved"
    assert "Another program is using" in watched.said[0].text
    assert str(database_file) in watched.said[0].text
    assert [turn.text for turn in chat.turns] == ["Why?", "Because."]

    other.execute("ROLLBACK")
    other.close()
    qtbot.waitUntil(lambda: watched.unkept[-1:] == [None], timeout=WAIT_MS)
    qtbot.waitUntil(lambda: rows(database_file, "message") == 4, timeout=WAIT_MS)
    assert {chat.title for chat in watched.library.chats} == {"Why?", "Before"}


def test_a_full_disk_keeps_everything_in_memory_and_writes_it_later(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    watched = make(lambda path: Database(path, max_pages=60))
    talk(watched.library, "Why?", "word " * 100_000)
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "is full" in watched.said[0].text
    assert len(watched.library.chats[0].turns[1].text) == 500_000

    watched.store.ask(lambda database: database.set_max_pages(1_000_000))
    qtbot.waitUntil(lambda: watched.unkept[-1] is None, timeout=WAIT_MS)
    assert rows(database_file, "message") == 2


def test_a_read_only_file_is_said(make: Make, database_file: Path, qtbot: QtBot) -> None:
    def open_read_only(path: Path) -> Database:
        database = Database(path)
        database._connection.execute("PRAGMA query_only = 1")
        return database

    watched = make(open_read_only)
    talk(watched.library, "Why?", "Because.")
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "may only be read" in watched.said[0].text


def test_a_folder_that_cannot_be_made_is_said(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "file").write_text("in the way")
    watched = make(path=tmp_path / "file" / "oscillama.sqlite3")
    talk(watched.library, "Why?", "Because.")
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "cannot be opened" in watched.said[0].text

    (tmp_path / "file").unlink()
    qtbot.waitUntil(lambda: watched.unkept[-1] is None, timeout=WAIT_MS)
    path = tmp_path / "file" / "oscillama.sqlite3"
    qtbot.waitUntil(lambda: rows(path, "message") == 2, timeout=WAIT_MS)


def test_a_later_version_is_left_alone(make: Make, database_file: Path, qtbot: QtBot) -> None:
    database_file.parent.mkdir()
    connection = sqlite3.connect(database_file)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    watched = make()
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "later version" in watched.said[0].text
    watched.library.close()
    connection = sqlite3.connect(database_file)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()


@pytest.mark.parametrize(
    "content", [b"PNG not a database " * 500, b"SQLite format 3\0" + b"\7" * 9000]
)
def test_a_file_that_is_no_database_is_moved_aside_and_kept(
    make: Make, database_file: Path, qtbot: QtBot, content: bytes
) -> None:
    database_file.parent.mkdir()
    database_file.write_bytes(content)
    watched = make()
    talk(watched.library, "Why?", "Because.")
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    [aside] = database_file.parent.glob("oscillama-damaged-*.sqlite3")
    assert aside.read_bytes() == content
    assert aside.name in watched.said[0].text
    watched.library.close()
    assert rows(database_file, "message") == 2


def test_what_can_be_read_of_a_damaged_file_is_in_the_new_one(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    first = make()
    for number in range(60):
        talk(first.library, f"Question {number}", f"answer {number} " * 200)
    first.library.close()
    content = bytearray(database_file.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle : middle + 8192] = b"\xa5" * 8192
    database_file.write_bytes(content)

    watched = make(check_after_s=0.05)
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert watched.said[0].title == "The conversations are damaged"
    qtbot.waitUntil(lambda: len(watched.library.chats) > 0, timeout=WAIT_MS)
    [aside] = database_file.parent.glob("oscillama-damaged-*.sqlite3")
    assert bytes(content[middle : middle + 8192]) in aside.read_bytes()
    watched.library.close()
    assert rows(database_file, "chat") > 40
    connection = sqlite3.connect(database_file)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_damage_that_shows_while_writing_loses_nothing_that_is_on_screen(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    calls: list[None] = []

    def damaged_once(database: Database) -> None:
        calls.append(None)
        if len(calls) == 1:
            error = sqlite3.DatabaseError("database disk image is malformed")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error

    watched = make()
    chat = talk(watched.library, "Why?", "Because.")
    watched.store.write("fail", damaged_once)
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    watched.library.add_turn(chat, UserTurn(text="More"))
    watched.library.close()
    assert rows(database_file, "message") == 3
    assert len(list(database_file.parent.glob("oscillama-damaged-*.sqlite3"))) == 1


def test_a_file_that_is_deleted_is_written_again(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    watched = make()
    chat = talk(watched.library, "Why?", "Because.")
    wait_until_written(watched, qtbot)
    for path in database_file.parent.iterdir():
        path.unlink()
    watched.library.add_turn(chat, UserTurn(text="More"))
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert watched.said[0].title == "The file with your conversations was gone"
    qtbot.waitUntil(lambda: rows(database_file, "message") == 3, timeout=WAIT_MS)
    watched.library.add_turn(chat, UserTurn(text="Still more"))
    watched.library.close()
    assert rows(database_file, "message") == 4
    assert [path.name for path in database_file.parent.iterdir()] == [database_file.name]
    connection = sqlite3.connect(database_file)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_a_folder_that_is_deleted_comes_again(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    watched = make()
    talk(watched.library, "Why?", "Because.")
    wait_until_written(watched, qtbot)
    shutil.rmtree(database_file.parent)
    # Nothing more is said: it is noticed when the window closes.
    watched.library.close()
    assert rows(database_file, "message") == 2


def test_another_file_in_its_place_is_left_alone(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    watched = make()
    chat = talk(watched.library, "Why?", "Because.")
    wait_until_written(watched, qtbot)
    other = database_file.with_name("other")
    other.write_bytes(b"something else")
    os.replace(other, database_file)
    watched.library.add_turn(chat, UserTurn(text="More"))
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "Another file has taken the place" in watched.said[0].text
    watched.library.close()
    assert database_file.read_bytes() == b"something else"
    [kept] = database_file.parent.glob("oscillama-kept-*.sqlite3")
    assert rows(kept, "message") == 3


def test_when_the_other_file_goes_all_is_written(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    watched = make()
    chat = talk(watched.library, "Why?", "Because.")
    wait_until_written(watched, qtbot)
    database_file.unlink()
    database_file.write_bytes(b"something else")
    watched.library.add_turn(chat, UserTurn(text="More"))
    qtbot.waitUntil(lambda: len(watched.unkept) == 1, timeout=WAIT_MS)
    database_file.unlink()
    qtbot.waitUntil(lambda: watched.unkept[-1] is None, timeout=WAIT_MS)
    wait_until_written(watched, qtbot)
    assert rows(database_file, "message") == 3


def test_a_question_that_fails_does_not_say_forever_that_nothing_is_saved(
    make: Make, qtbot: QtBot
) -> None:
    watched = make()

    def full(database: Database) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    watched.store.ask(full)
    qtbot.waitUntil(lambda: len(watched.unkept) == 2, timeout=WAIT_MS)
    assert watched.unkept[1] is None


def test_what_can_only_be_read_is_shown_all_the_same(
    make: Make, database_file: Path, qtbot: QtBot
) -> None:
    first = make()
    talk(first.library, "Before", "Because.")
    first.library.close()
    may_write: list[bool] = []

    def open_it(path: Path) -> Database:
        if not may_write:
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
            raise error
        return Database(path)

    content = database_file.read_bytes()
    watched = make(open_it)
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "may only be read" in watched.said[0].text
    [before] = watched.library.chats
    with qtbot.waitSignal(watched.library.chat_read, timeout=WAIT_MS):
        watched.library.read(before)
    assert [turn.text for turn in before.turns] == ["Before", "Because."]
    with qtbot.waitSignal(watched.library.found, timeout=WAIT_MS) as waiter:
        watched.library.search("because")
    assert waiter.args is not None
    assert len(waiter.args[1]) == 1
    talk(watched.library, "During", "x")
    assert database_file.read_bytes() == content

    may_write.append(True)
    qtbot.waitUntil(lambda: watched.unkept[-1] is None, timeout=WAIT_MS)
    wait_until_written(watched, qtbot)
    assert rows(database_file, "message") == 4
    assert [chat.title for chat in watched.library.chats] == ["During", "Before"]
