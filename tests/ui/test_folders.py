"""Folders in the list of conversations, driven with keys, clicks and drags on a real database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from app.library import ChatLibrary
from app.store.records import FolderRecord
from app.store.thread import StoreThread
from tests.ui.driving import CONTROL, SHIFT, click, press
from tests.ui.fakes import FakeSession
from tests.waiting import WAIT_MS
from ui.chats.folder_dialog import FolderDialog
from ui.name_dialog import NameDialog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QMenu
    from pytestqt.qtbot import QtBot

    from app.transcript import Conversation
    from ui.main_window import MainWindow

NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[FakeSession]:
    store = StoreThread(tmp_path / "data" / "oscillama.sqlite3")
    session = FakeSession(ChatLibrary(store))
    store.setParent(session)
    with qtbot.waitSignal(store.opened, timeout=WAIT_MS):
        store.start()
    session.become_ready()
    yield session
    session.library.close()


def opened(path: Path, qtbot: QtBot) -> ChatLibrary:
    """The library of a database, as after a restart."""
    store = StoreThread(path)
    library = ChatLibrary(store)
    store.setParent(library)
    with qtbot.waitSignal(store.opened, timeout=WAIT_MS):
        store.start()
    return library


def talk(session: FakeSession, question: str) -> Conversation:
    session.new_chat()
    answer = session.add_turns(question)
    session.prefill(answer)
    session.stream(answer, "Because.")
    session.finish(answer)
    return session.current_chat


def rows(window: MainWindow) -> list[str]:
    """What stands in the list; what is in a folder is indented."""
    window.sidebar.catch_up()
    model = window.sidebar.chat_list.model()
    indexes = [model.index(row, 0) for row in range(model.rowCount())]
    return [
        ("  " if index.data(Qt.ItemDataRole.UserRole).is_inside else "") + str(index.data())
        for index in indexes
    ]


def index_of(window: MainWindow, words: str) -> QModelIndex:
    shown = [row.strip() for row in rows(window)]
    return window.sidebar.chat_list.model().index(shown.index(words), 0)


def place_of(window: MainWindow, words: str) -> QPoint:
    return window.sidebar.chat_list.visualRect(index_of(window, words)).center()


def click_row(window: MainWindow, words: str) -> None:
    QTest.mouseClick(window.sidebar.chat_list.viewport(), LEFT, NONE, place_of(window, words))


def choose(menu: QMenu, words: str) -> None:
    [action] = [action for action in menu.actions() if action.text() == words]
    QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(action).center())


def choose_in_menu(window: MainWindow, row: str, words: str) -> None:
    window.sidebar.chat_list.customContextMenuRequested.emit(place_of(window, row))
    choose(window.sidebar.chat_menu, words)


def move(window: MainWindow, row: str, folder: str) -> None:
    """Put a chat into a folder by its menu."""
    window.sidebar.chat_list.customContextMenuRequested.emit(place_of(window, row))
    menu = window.sidebar.chat_menu
    menu.setActiveAction(menu.folder_menu.menuAction())
    menu.folder_menu.popup(QPoint(0, 0))
    choose(menu.folder_menu, folder)
    menu.close()


def name_it(window: MainWindow, name: str) -> NameDialog:
    [dialog] = [one for one in window.findChildren(NameDialog) if one.isVisible()]
    dialog.field.selectAll()
    QTest.keyClicks(dialog.field, name)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    return dialog


def add_folder(window: MainWindow, name: str) -> None:
    press(window, Qt.Key.Key_N, CONTROL | SHIFT)
    name_it(window, name)


def drag(window: MainWindow, row: str, to: QPoint) -> bool:
    """Drag a row of the list and drop it; returns whether it was taken."""
    view = window.sidebar.chat_list
    data = view.model().mimeData([index_of(window, row)])
    for kind in (QDragEnterEvent, QDragMoveEvent):
        QApplication.sendEvent(
            view.viewport(), kind(to, Qt.DropAction.MoveAction, data, LEFT, NONE)
        )
    drop = QDropEvent(QPointF(to), Qt.DropAction.MoveAction, data, LEFT, NONE)
    drop.ignore()
    QApplication.sendEvent(view.viewport(), drop)
    return drop.isAccepted()


def test_a_new_folder_is_there_at_once_and_after_a_restart(
    window: MainWindow, session: FakeSession, qtbot: QtBot, tmp_path: Path
) -> None:
    talk(session, "Why?")
    add_folder(window, "Work")
    assert rows(window) == ["Work", "Today", "Why?"]
    assert window.sidebar.chat_list.hasFocus()
    assert window.sidebar.chat_list.currentIndex() == index_of(window, "Work")

    session.library.close()
    library = opened(tmp_path / "data" / "oscillama.sqlite3", qtbot)
    assert [folder.name for folder in library.folders.records] == ["Work"]
    library.close()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("  ", "Type a name first."),
        ("WORK", "There is a folder of this name already."),
        ("x" * 61, "Choose a shorter name."),
    ],
)
def test_a_name_that_cannot_be_taken_is_said(
    window: MainWindow, session: FakeSession, name: str, words: str
) -> None:
    add_folder(window, "Work")
    press(window, Qt.Key.Key_N, CONTROL | SHIFT)
    dialog = name_it(window, name)
    assert dialog.problem.text() == words
    assert dialog.isVisible()
    dialog.reject()
    assert [folder.name for folder in session.library.folders.records] == ["Work"]


def test_a_chat_moves_into_a_folder_and_out_by_its_menu(
    window: MainWindow, session: FakeSession
) -> None:
    talk(session, "First")
    talk(session, "Second")
    add_folder(window, "Tom & Ann")
    move(window, "First", "Tom && Ann")
    assert rows(window) == ["Tom & Ann", "  First", "Today", "Second"]
    move(window, "First", "No folder")
    assert rows(window) == ["Tom & Ann", "Today", "Second", "First"]


def test_a_folder_is_made_for_a_chat(window: MainWindow, session: FakeSession) -> None:
    talk(session, "First")
    move(window, "First", "New folder…")
    name_it(window, "Work")
    assert rows(window) == ["Work", "  First"]


def test_a_click_hides_the_chats_of_a_folder_but_not_the_open_one(
    window: MainWindow, session: FakeSession
) -> None:
    first, second = talk(session, "First"), talk(session, "Second")
    talk(session, "Third")
    add_folder(window, "Work")
    for chat in (first, second):
        session.library.folders.move(chat, "Work")
    click_row(window, "Work")
    assert rows(window) == ["Work", "Today", "Third"]
    spoken = index_of(window, "Work").data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Folder Work, 2 conversations, collapsed"
    session.open_chat(first.chat_id)
    assert rows(window) == ["Work", "  First", "Today", "Third"]
    click_row(window, "Work")
    assert rows(window) == ["Work", "  Second", "  First", "Today", "Third"]


def test_what_is_collapsed_stays_so_after_a_restart(
    window: MainWindow, session: FakeSession, qtbot: QtBot, tmp_path: Path
) -> None:
    add_folder(window, "Work")
    click_row(window, "Work")
    session.library.close()
    library = opened(tmp_path / "data" / "oscillama.sqlite3", qtbot)
    assert [folder.collapsed for folder in library.folders.records] == [True]
    library.close()


def test_keys_alone(window: MainWindow, session: FakeSession) -> None:
    first = talk(session, "First")
    talk(session, "Second")
    add_folder(window, "Work")
    session.library.folders.move(first, "Work")
    view = window.sidebar.chat_list
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert rows(window) == ["Work", "Today", "Second"]
    assert view.currentIndex() == index_of(window, "Work")
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert rows(window) == ["Work", "  First", "Today", "Second"]
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert session.current_chat is first
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.currentIndex() == index_of(window, "Work")
    assert view.hasFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(view, key)
    assert rows(window) == ["Work", "  First", "Today", "Second"]
    window.activateWindow()
    QTest.keyClick(view, Qt.Key.Key_F2)
    name_it(window, "Play")
    assert rows(window) == ["Play", "  First", "Today", "Second"]
    assert first.folder == "Play"
    QTest.keyClick(view, Qt.Key.Key_Up)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert rows(window) == ["Today", "Second", "First"]


def test_a_new_chat_is_typed_in_wherever_the_keys_were(
    window: MainWindow, session: FakeSession
) -> None:
    first = talk(session, "First")
    add_folder(window, "Work")
    session.library.folders.move(first, "Work")
    view = window.sidebar.chat_list
    window.activateWindow()
    view.setFocus()
    view.setCurrentIndex(index_of(window, "Work"))
    QTest.keyClick(view, Qt.Key.Key_N, CONTROL)
    assert session.current_chat is not first
    assert window.chat.composer.field.hasFocus()
    # There is an empty chat already.
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_N, CONTROL)
    assert window.chat.composer.field.hasFocus()


def test_deleting_a_folder_keeps_its_chats_and_can_be_undone(
    window: MainWindow, session: FakeSession
) -> None:
    first = talk(session, "First")
    add_folder(window, "Work")
    session.library.folders.move(first, "Work")
    choose_in_menu(window, "Work", "Delete folder, keep conversations")
    strip = window.sidebar.undo_strip
    assert strip.text() == "Deleted “Work”"
    assert rows(window) == ["Today", "First"]
    click(strip.button)
    assert not strip.isVisible()
    assert rows(window) == ["Work", "  First"]


def test_a_deleted_chat_comes_back_into_its_renamed_folder(
    window: MainWindow, session: FakeSession
) -> None:
    first = talk(session, "First")
    add_folder(window, "Work")
    session.library.folders.move(first, "Work")
    session.delete_chat(first)
    session.library.folders.rename("Work", "Play")
    click(window.sidebar.undo_strip.button)
    assert rows(window) == ["Play", "  First"]


class TestDrag:
    def test_into_a_folder_and_out_of_it(self, window: MainWindow, session: FakeSession) -> None:
        first, second = talk(session, "First"), talk(session, "Second")
        add_folder(window, "Work")
        assert drag(window, "First", place_of(window, "Work"))
        assert rows(window) == ["Work", "  First", "Today", "Second"]
        assert drag(window, "Second", place_of(window, "First"))
        assert rows(window) == ["Work", "  Second", "  First"]
        assert drag(window, "First", QPoint(60, window.sidebar.chat_list.height() - 10))
        assert rows(window) == ["Work", "  Second", "Today", "First"]
        assert (first.folder, second.folder) == ("", "Work")
        assert session.current_chat is second

    def test_to_pinned_and_archived(self, window: MainWindow, session: FakeSession) -> None:
        first, second = talk(session, "First"), talk(session, "Second")
        third = talk(session, "Third")
        session.library.set_pinned(first, True)
        session.library.set_archived(second, True)
        click(window.sidebar.archived_button)
        assert drag(window, "Third", place_of(window, "Pinned"))
        assert third.is_pinned
        assert drag(window, "First", place_of(window, "Archived"))
        assert first.is_archived
        add_folder(window, "Work")
        assert drag(window, "First", place_of(window, "Work"))
        assert rows(window) == ["Pinned", "Third", "Work", "  First", "Archived", "Second"]

    def test_other_things_are_not_taken(self, window: MainWindow, session: FakeSession) -> None:
        talk(session, "First")
        data = index_of(window, "First").model().mimeData([])
        data.setText("First")
        view = window.sidebar.chat_list
        enter = QDragEnterEvent(QPoint(60, 20), Qt.DropAction.CopyAction, data, LEFT, NONE)
        QApplication.sendEvent(view.viewport(), enter)
        assert not enter.isAccepted()

    def test_a_press_alone_opens_nothing(self, window: MainWindow, session: FakeSession) -> None:
        first, second = talk(session, "First"), talk(session, "Second")
        view = window.sidebar.chat_list.viewport()
        QTest.mousePress(view, LEFT, NONE, place_of(window, "First"))
        assert session.current_chat is second
        QTest.mouseRelease(view, LEFT, NONE, place_of(window, "First"))
        assert session.current_chat is first


def test_pinned_and_archived_stand_apart_and_come_back(
    window: MainWindow, session: FakeSession
) -> None:
    first = talk(session, "First")
    talk(session, "Second")
    add_folder(window, "Work")
    session.library.folders.move(first, "Work")
    choose_in_menu(window, "First", "Pin")
    assert rows(window) == ["Pinned", "First", "Work", "Today", "Second"]
    choose_in_menu(window, "First", "Unpin")
    choose_in_menu(window, "First", "Archive")
    assert rows(window) == ["Work", "Today", "Second"]
    click(window.sidebar.archived_button)
    choose_in_menu(window, "First", "Bring back")
    assert rows(window) == ["Work", "  First", "Today", "Second"]


def test_a_chat_begins_in_a_folder_and_the_next_one_does_not(
    window: MainWindow, session: FakeSession
) -> None:
    talk(session, "First")
    add_folder(window, "Work")
    click_row(window, "Work")
    choose_in_menu(window, "Work", "New chat here")
    assert rows(window) == ["Work", "  New chat", "Today", "First"]
    session.new_chat()
    assert rows(window) == ["Work", "Today", "New chat", "First"]
    choose_in_menu(window, "Work", "New chat here")
    session.add_turns("Second")
    assert rows(window) == ["Work", "  Second", "Today", "First"]


def test_the_button_asks_for_a_name(window: MainWindow) -> None:
    click(window.sidebar.new_folder_button)
    name_it(window, "Work")
    assert "Work" in rows(window)


def test_a_search_looks_into_folders(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    first = talk(session, "Zebra")
    talk(session, "Second")
    add_folder(window, "Work")
    session.library.folders.move(first, "Work")
    session.library.folders.set_collapsed("Work", True)
    press(window, Qt.Key.Key_K)
    QTest.keyClicks(window.sidebar.search_field, "zeb")
    qtbot.waitUntil(lambda: rows(window) == ["1 found", "Zebra"], timeout=WAIT_MS)


def test_a_list_of_an_older_version_gets_its_folders(qtbot: QtBot, tmp_path: Path) -> None:
    """The tables before there were folders, with a chat that names one."""
    import sqlite3

    from app.store.schema import MIGRATIONS

    path = tmp_path / "old.sqlite3"
    connection = sqlite3.connect(path)
    connection.executescript(MIGRATIONS[0])
    connection.execute(
        "INSERT INTO chat(id, title, created_ms, changed_ms, folder) VALUES ('a', 'A', 1, 1, 'Old')"
    )
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    library = opened(path, qtbot)
    assert [folder.name for folder in library.folders.records] == ["Old"]
    library.close()


def test_leaving_with_a_drag_shows_no_place(window: MainWindow, session: FakeSession) -> None:
    talk(session, "First")
    add_folder(window, "Work")
    view = window.sidebar.chat_list
    data = view.model().mimeData([index_of(window, "First")])
    place = place_of(window, "Work")
    enter = QDragEnterEvent(place, Qt.DropAction.MoveAction, data, LEFT, NONE)
    QApplication.sendEvent(view.viewport(), enter)
    assert view.chat_delegate.drop_heading == index_of(window, "Work")
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.DragLeave))
    assert not view.chat_delegate.drop_heading.isValid()


def ask_for_folder(window: MainWindow, row: str) -> FolderDialog:
    choose_in_menu(window, row, "Move to folder…")
    [dialog] = [one for one in window.findChildren(FolderDialog) if one.isVisible()]
    return dialog


def test_a_chat_is_put_into_one_of_very_many_folders_by_a_list_that_is_searched(
    window: MainWindow, session: FakeSession
) -> None:
    window.show()
    chat = talk(session, "Where to?")
    folders = session.library.folders
    folders.adopt([FolderRecord(name=f"Folder {number}") for number in range(1_000)])
    folders.changed.emit()
    dialog = ask_for_folder(window, "Where to?")
    assert dialog.view.currentIndex().data() == "No folder"
    QTest.keyClicks(dialog.search_field, "fOLDER 777")
    assert dialog.view.model().rowCount() == 1
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Return)
    assert chat.folder == "Folder 777"
    assert not dialog.isVisible()

    dialog = ask_for_folder(window, "Where to?")
    assert dialog.view.currentIndex().data() == "Folder 777"
    QTest.keyClicks(dialog.search_field, "nowhere")
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled()
    dialog.search_field.clear()
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Down)
    assert dialog.focusWidget() is dialog.view
    QTest.keyClick(dialog.view, Qt.Key.Key_Home)
    click(ok)
    assert chat.folder == ""
