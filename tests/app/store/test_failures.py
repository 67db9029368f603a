"""A question that fails, and what can never be written: the rest goes on."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from app.store.database import Database
from app.transcript import UserTurn
from tests.app.store.samples import talk
from tests.app.store.watched import Watch, rows, wait_until_written
from tests.waiting import WAIT_MS
from ui.export.page import html_page

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from pytestqt.qtbot import QtBot


def test_a_question_that_fails_says_so_and_nothing_of_what_is_saved(
    watch: Watch, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = watch()
    chat = talk(watched.library, "Why?", "Because.")
    wait_until_written(watched, qtbot)

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    for name in ("find", "messages", "content"):
        monkeypatch.setattr(Database, name, full)
    watched.library.search("why")
    watched.library.read(chat)
    watched.library.export(str(tmp_path / "a.json"), None, html_page)
    qtbot.waitUntil(lambda: len(watched.said) == 3, timeout=WAIT_MS)
    assert [message.title for message in watched.said] == [
        "The conversations could not be searched",
        "The conversation could not be read",
        "The conversations could not be exported",
    ]
    assert all("is full" in message.text for message in watched.said)
    watched.library.add_turn(chat, UserTurn(text="More"))
    wait_until_written(watched, qtbot)
    assert watched.unkept == []


def test_what_can_never_be_written_is_left_out_and_the_rest_is_written(
    watch: Watch, database_file: Path, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    def half_written(database: Database) -> None:
        database.set_open("half")
        raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")

    watched = watch()
    wait_until_written(watched, qtbot)
    watched.store.write("bad", half_written)
    chat = talk(watched.library, "Why?", "Because.")
    wait_until_written(watched, qtbot)
    watched.store.write("bad", half_written)
    watched.library.add_turn(chat, UserTurn(text="More"))
    wait_until_written(watched, qtbot)
    assert rows(database_file, "message") == 3
    assert [message.title for message in watched.said] == ["A change could not be saved"]
    assert "surrogates" in watched.said[0].technical
    assert watched.unkept == []
    assert "bad cannot be written" in caplog.text
    watched.library.close()
    connection = sqlite3.connect(database_file)
    assert connection.execute("SELECT * FROM state WHERE value = 'half'").fetchall() == []
    connection.close()


def test_a_failure_that_nobody_foresaw_ends_no_thread(
    watch: Watch, database_file: Path, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[None] = []

    def open_it(path: Path) -> Database:
        calls.append(None)
        if len(calls) == 1:
            raise RuntimeError("nobody thought of this")
        return Database(path)

    def unforeseen(database: Database) -> None:
        raise LookupError("nor of that")

    watched = watch(open_it)
    qtbot.waitUntil(lambda: watched.unkept[-1:] == [None], timeout=WAIT_MS)
    assert "nobody thought of this" in watched.said[0].technical
    with qtbot.waitSignal(watched.store.answered, timeout=WAIT_MS) as waiter:
        watched.store.ask(unforeseen)
    assert waiter.args is not None
    assert waiter.args[1].technical == "LookupError: nor of that"
    talk(watched.library, "Why?", "Because.")
    wait_until_written(watched, qtbot)
    assert rows(database_file, "message") == 2
