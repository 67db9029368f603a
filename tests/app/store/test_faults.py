"""A database that is locked, full, read-only, damaged, out of reach or of a later version."""

from __future__ import annotations

import os
import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

from app.store.database import Database
from app.store.schema import VERSION
from app.transcript import UserTurn
from tests.app.store.samples import talk
from tests.app.store.watched import Watch, obey_permissions, rows, wait_until_written
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


def test_a_lock_is_said_and_what_waited_is_written_when_it_is_gone(
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    first = watch()
    talk(first.library, "Before", "x")
    first.library.close()
    other = sqlite3.connect(database_file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    watched = watch()
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
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    watched = watch(lambda path: Database(path, max_pages=60))
    talk(watched.library, "Why?", "word " * 100_000)
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "is full" in watched.said[0].text
    assert len(watched.library.chats[0].turns[1].text) == 500_000

    watched.store.ask(lambda database: database.set_max_pages(1_000_000))
    qtbot.waitUntil(lambda: watched.unkept[-1] is None, timeout=WAIT_MS)
    assert rows(database_file, "message") == 2


@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_what_is_read_only_is_said_shown_and_written_once_it_may_be(
    watch: Watch, database_file: Path, qtbot: QtBot, what: str
) -> None:
    first = watch()
    talk(first.library, "Before", "Because.")
    first.library.close()
    if what != "folder":
        database_file.chmod(0o444)
    if what != "file":
        database_file.parent.chmod(0o555)

    def open_it(path: Path) -> Database:
        obey_permissions()
        return Database(path)

    content = database_file.read_bytes()
    watched = watch(open_it)
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "may only be read" in watched.said[0].text
    assert not watched.library.notices.is_lost_at_end()
    talk(watched.library, "During", "x")
    assert watched.library.notices.is_lost_at_end()
    [before] = [chat for chat in watched.library.chats if chat.title == "Before"]
    with qtbot.waitSignal(watched.library.chat_read, timeout=WAIT_MS):
        watched.library.read(before)
    assert [turn.text for turn in before.turns] == ["Before", "Because."]
    assert database_file.read_bytes() == content

    database_file.parent.chmod(0o755)
    database_file.chmod(0o644)
    qtbot.waitUntil(lambda: watched.unkept[-1] is None, timeout=WAIT_MS)
    wait_until_written(watched, qtbot)
    assert rows(database_file, "message") == 4
    assert not watched.store.loses_something()


def test_a_folder_that_cannot_be_made_is_said(watch: Watch, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "file").write_text("in the way")
    watched = watch(path=tmp_path / "file" / "oscillama.sqlite3")
    talk(watched.library, "Why?", "Because.")
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    assert "cannot be opened" in watched.said[0].text

    (tmp_path / "file").unlink()
    qtbot.waitUntil(lambda: watched.unkept[-1] is None, timeout=WAIT_MS)
    path = tmp_path / "file" / "oscillama.sqlite3"
    qtbot.waitUntil(lambda: rows(path, "message") == 2, timeout=WAIT_MS)


def test_a_later_version_is_left_alone(watch: Watch, database_file: Path, qtbot: QtBot) -> None:
    database_file.parent.mkdir()
    connection = sqlite3.connect(database_file)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    watched = watch()
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
    watch: Watch, database_file: Path, qtbot: QtBot, content: bytes
) -> None:
    database_file.parent.mkdir()
    database_file.write_bytes(content)
    watched = watch()
    talk(watched.library, "Why?", "Because.")
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    [aside] = database_file.parent.glob("oscillama-damaged-*.sqlite3")
    assert aside.read_bytes() == content
    assert aside.name in watched.said[0].text
    watched.library.close()
    assert rows(database_file, "message") == 2


def test_what_can_be_read_of_a_damaged_file_is_in_the_new_one(
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    first = watch()
    for number in range(60):
        talk(first.library, f"Question {number}", f"answer {number} " * 200)
    first.library.close()
    content = bytearray(database_file.read_bytes())
    middle = len(content) // 4096 // 2 * 4096
    content[middle : middle + 8192] = b"\xa5" * 8192
    database_file.write_bytes(content)

    watched = watch(check_after_s=0.05)
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
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    calls: list[None] = []

    def damaged_once(database: Database) -> None:
        calls.append(None)
        if len(calls) == 1:
            error = sqlite3.DatabaseError("database disk image is malformed")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error

    watched = watch()
    chat = talk(watched.library, "Why?", "Because.")
    watched.store.write("fail", damaged_once)
    qtbot.waitUntil(lambda: len(watched.said) == 1, timeout=WAIT_MS)
    watched.library.add_turn(chat, UserTurn(text="More"))
    watched.library.close()
    assert rows(database_file, "message") == 3
    assert len(list(database_file.parent.glob("oscillama-damaged-*.sqlite3"))) == 1


def test_a_file_that_is_deleted_is_written_again(
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    watched = watch()
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
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    watched = watch()
    talk(watched.library, "Why?", "Because.")
    wait_until_written(watched, qtbot)
    shutil.rmtree(database_file.parent)
    # Nothing more is said: it is noticed when the window closes.
    watched.library.close()
    assert rows(database_file, "message") == 2


def test_another_file_in_its_place_is_left_alone(
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    watched = watch()
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
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    watched = watch()
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


def test_what_can_only_be_read_is_shown_all_the_same(
    watch: Watch, database_file: Path, qtbot: QtBot
) -> None:
    first = watch()
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
    watched = watch(open_it)
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
    assert not watched.store.loses_something()
    assert [chat.title for chat in watched.library.chats] == ["During", "Before"]
