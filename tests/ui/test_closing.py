"""Closing the window while conversations cannot be saved."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.library import ChatLibrary
from app.store.database import Database
from app.store.thread import StoreThread
from app.transcript import UserTurn
from tests.screen import shows
from tests.ui.driving import CONTROL, click
from tests.ui.fakes import FakeSession
from tests.waiting import WAIT_MS
from ui import dialogs
from ui.closing import ClosingDialog
from ui.main_window import MainWindow


class Disk:
    """Is full until there is `space`."""

    space = False

    def write(self, database: Database) -> None:
        if not self.space:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[FakeSession]:
    """A session without an engine, with a database."""
    store = StoreThread(tmp_path / "data" / "oscillama.sqlite3", retry_s=0.3)
    session = FakeSession(ChatLibrary(store))
    store.setParent(session)
    with qtbot.waitSignal(store.opened, timeout=WAIT_MS):
        store.start()
    session.become_ready()
    yield session
    session.library.close()


@pytest.fixture
def disk(window: MainWindow, session: FakeSession, qtbot: QtBot) -> Iterator[Disk]:
    """A disk that was full when something was said."""
    full = Disk()
    [thread] = session.findChildren(StoreThread)
    session.library.add_turn(session.current_chat, UserTurn(text="Not on disk"))
    with qtbot.waitSignal(session.library.unkept_changed, timeout=WAIT_MS):
        thread.write("full", full.write)
    yield full
    full.space = True
    thread.write("full", full.write)


def asked(window: MainWindow, qtbot: QtBot) -> ClosingDialog:
    assert not window.close()
    [dialog] = window.findChildren(ClosingDialog)
    qtbot.waitUntil(dialog.isVisible, timeout=WAIT_MS)
    assert window.isVisible()
    return dialog


def test_that_nothing_is_saved_is_said_until_it_is(
    window: MainWindow, session: FakeSession, disk: Disk, qtbot: QtBot
) -> None:
    assert shows(window, "Conversations are not being saved")
    assert shows(window, "is full")
    session.new_chat()
    assert shows(window, "is full")
    disk.space = True
    session.library.add_turn(session.current_chat, UserTurn(text="More"))
    qtbot.waitUntil(lambda: not shows(window, "Conversations are not being saved"), timeout=WAIT_MS)


def test_it_is_asked_and_goes_when_everything_is_saved(
    window: MainWindow, disk: Disk, session: FakeSession, closed: list[bool], qtbot: QtBot
) -> None:
    dialog = asked(window, qtbot)
    assert shows(dialog, "is full")
    assert not window.close()
    assert len(window.findChildren(ClosingDialog)) == 1
    disk.space = True
    session.library.add_turn(session.current_chat, UserTurn(text="More"))
    qtbot.waitUntil(lambda: not window.findChildren(ClosingDialog), timeout=WAIT_MS)
    assert closed == []
    assert window.close()
    assert len(closed) == 1


def test_nothing_is_asked_while_nothing_would_be_lost(
    window: MainWindow, session: FakeSession, closed: list[bool], qtbot: QtBot
) -> None:
    [thread] = session.findChildren(StoreThread)
    with qtbot.waitSignal(session.library.unkept_changed, timeout=WAIT_MS):
        thread.write("full", Disk().write, durable=False)
    assert shows(window, "Conversations are not being saved")
    assert window.close()
    assert len(closed) == 1


def test_keep_open_and_close_anyway(
    window: MainWindow, disk: Disk, closed: list[bool], qtbot: QtBot
) -> None:
    click(asked(window, qtbot).wait_button)
    qtbot.waitUntil(lambda: not window.findChildren(ClosingDialog), timeout=WAIT_MS)
    assert closed == []
    click(asked(window, qtbot).close_button)
    assert not window.isVisible()
    assert len(closed) == 1


def quit_from(dialog: QWidget, qtbot: QtBot) -> None:
    """Press Ctrl and Q in a dialog that has the keys."""
    qtbot.waitUntil(lambda: QApplication.focusWindow() is dialog.windowHandle(), timeout=WAIT_MS)
    QTest.keyClick(dialog, Qt.Key.Key_Q, CONTROL)


@pytest.mark.parametrize("opens", ["chat_settings", "new_folder", "shortcuts"])
def test_ctrl_q_quits_from_a_dialog(
    opens: str, window: MainWindow, closed: list[bool], qtbot: QtBot
) -> None:
    getattr(window.actions_, opens).trigger()
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    quit_from(dialog, qtbot)
    assert len(closed) == 1
    dialog.close()


def test_ctrl_q_in_a_dialog_asks_where_something_would_be_lost(
    window: MainWindow, disk: Disk, closed: list[bool], qtbot: QtBot
) -> None:
    window.actions_.shortcuts.trigger()
    first = QApplication.activeModalWidget()
    assert first is not None
    quit_from(first, qtbot)
    [dialog] = window.findChildren(ClosingDialog)
    qtbot.waitUntil(dialog.isVisible, timeout=WAIT_MS)
    assert closed == []
    click(dialog.close_button)
    assert len(closed) == 1
    first.close()


def test_export_and_close(
    window: MainWindow,
    disk: Disk,
    closed: list[bool],
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "missing" / "a.json"
    monkeypatch.setattr(dialogs, "choose_export_file", lambda _: str(path))
    dialog = asked(window, qtbot)
    click(dialog.export_button)
    said = "The conversations could not be exported"
    qtbot.waitUntil(lambda: shows(window, said), timeout=WAIT_MS)
    assert closed == []
    path.parent.mkdir()
    click(dialog.export_button)
    assert len(closed) == 1
    [chat] = json.loads(path.read_text(encoding="utf-8"))["conversations"]
    assert [message["text"] for message in chat["messages"]] == ["Not on disk"]
