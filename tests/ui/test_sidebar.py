"""The list of conversations, driven with keys and clicks on a real database."""

from __future__ import annotations

import html
import sys
from threading import Event
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolTip

from app.library import ChatLibrary
from app.store.records import ChatRecord, ExchangeOutcome, StoreContent
from app.store.thread import StoreThread
from app.transcript import Conversation, now_ms
from tests.screen import shows
from tests.ui.driving import CONTROL, click, press
from tests.ui.fakes import FakeSession
from tests.waiting import WAIT_MS
from ui.chats.list_model import ChatListModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import FrameType

    from pytestqt.qtbot import QtBot

    from ui.chats.rows import Entry
    from ui.main_window import MainWindow

_DAY_MS = 24 * 3600 * 1000
NONE = Qt.KeyboardModifier.NoModifier


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


def talk(session: FakeSession, question: str, reply: str = "Because.") -> Conversation:
    session.new_chat()
    answer = session.add_turns(question)
    session.prefill(answer)
    session.stream(answer, reply)
    session.finish(answer)
    return session.current_chat


def rows(window: MainWindow) -> list[str]:
    window.sidebar.catch_up()
    model = window.sidebar.chat_list.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def index_of(window: MainWindow, words: str) -> QModelIndex:
    return window.sidebar.chat_list.model().index(rows(window).index(words), 0)


def place_of(window: MainWindow, words: str) -> QPoint:
    return window.sidebar.chat_list.visualRect(index_of(window, words)).center()


def choose_in_menu(window: MainWindow, title: str, words: str) -> None:
    window.sidebar.chat_list.customContextMenuRequested.emit(place_of(window, title))
    menu = window.sidebar.chat_menu
    [action] = [action for action in menu.actions() if action.text() == words]
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, NONE, menu.actionGeometry(action).center())


def editor_of(window: MainWindow) -> QLineEdit:
    [editor] = window.sidebar.chat_list.viewport().findChildren(QLineEdit)
    return editor


def test_chats_stand_under_headings_by_age(window: MainWindow, session: FakeSession) -> None:
    talk(session, "today")
    for title, days in (("this week", 3), ("long ago", 40), ("on top", 400)):
        chat = talk(session, title)
        chat.changed_ms = now_ms() - days * _DAY_MS
    session.library.set_pinned(session.current_chat, True)

    assert rows(window) == [
        "Pinned",
        "on top",
        "Today",
        "today",
        "This week",
        "this week",
        "Earlier",
        "long ago",
    ]


def test_a_click_opens_a_chat_and_a_heading_is_not_one(
    window: MainWindow, session: FakeSession
) -> None:
    first = talk(session, "First")
    second = talk(session, "Second")
    view = window.sidebar.chat_list
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(view.viewport(), left, NONE, place_of(window, "First"))
    assert session.current_chat is first
    QTest.mouseClick(view.viewport(), left, NONE, place_of(window, "Today"))
    assert session.current_chat is first
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert session.current_chat is second
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert session.current_chat is second


@pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_PageUp])
def test_keys_go_to_the_first_chat_below_a_heading(
    window: MainWindow, session: FakeSession, key: Qt.Key
) -> None:
    for words in ("First", "Second", "Third"):
        talk(session, words)
    newest, _, oldest = session.chats
    session.open_chat(oldest.chat_id)
    assert rows(window) == ["Today", "Third", "Second", "First"]
    view = window.sidebar.chat_list
    QTest.keyClick(view, key)
    assert view.currentIndex() == index_of(window, "Third")
    assert session.current_chat is newest


def test_home_goes_to_a_folder_that_stands_first(window: MainWindow, session: FakeSession) -> None:
    talk(session, "First")
    session.library.folders.create("A folder")
    assert rows(window)[0] == "A folder"
    view = window.sidebar.chat_list
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.currentIndex() == index_of(window, "A folder")


def test_a_click_on_the_last_chat_leaves_one_with_nothing_in_it(
    window: MainWindow, session: FakeSession
) -> None:
    older = talk(session, "Older")
    press(window, Qt.Key.Key_N, CONTROL)
    assert len(rows(window)) == 3
    view, index = window.sidebar.chat_list, index_of(window, "Older")
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, NONE, place_of(window, "Older"))
    assert session.current_chat is older
    assert rows(window) == ["Today", "Older"]
    # What stood last stands nowhere now.
    model = window.sidebar.chat_list.model()
    assert model.data(index) is None
    assert model.flags(index) == Qt.ItemFlag.NoItemFlags
    assert not model.setData(index, "Another")
    assert model.mimeData([index]).formats() == []


def test_f2_renames_in_place(window: MainWindow, session: FakeSession, qtbot: QtBot) -> None:
    talk(session, "Why?")
    press(window, Qt.Key.Key_F2, NONE)
    editor = editor_of(window)
    assert editor.text() == "Why?"
    editor.selectAll()
    QTest.keyClicks(editor, "The sky")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rows(window) == ["Today", "The sky"], timeout=WAIT_MS)
    assert session.current_chat.title == "The sky"
    assert window.chat.composer.field.hasFocus()


def test_a_rename_from_the_list_goes_on_in_the_list(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    talk(session, "Why?")
    view = window.sidebar.chat_list
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_F2)
    editor = editor_of(window)
    with qtbot.waitSignal(editor.destroyed, timeout=WAIT_MS):
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert view.hasFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert window.chat.composer.field.hasFocus()


def test_escape_leaves_the_title(window: MainWindow, session: FakeSession, qtbot: QtBot) -> None:
    talk(session, "Why?")
    choose_in_menu(window, "Why?", "Rename")
    editor = editor_of(window)
    QTest.keyClicks(editor, "other")
    with qtbot.waitSignal(editor.destroyed, timeout=WAIT_MS):
        QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert session.current_chat.title == "Why?"


def test_pinned_from_the_menu_and_back(window: MainWindow, session: FakeSession) -> None:
    talk(session, "First")
    talk(session, "Second")
    choose_in_menu(window, "First", "Pin")
    assert rows(window) == ["Pinned", "First", "Today", "Second"]
    choose_in_menu(window, "First", "Unpin")
    assert rows(window) == ["Today", "Second", "First"]


def test_archived_chats_are_shown_when_asked_for(window: MainWindow, session: FakeSession) -> None:
    talk(session, "First")
    talk(session, "Second")
    button = window.sidebar.archived_button
    assert not button.isVisible()
    choose_in_menu(window, "First", "Archive")
    assert rows(window) == ["Today", "Second"]
    click(button)
    assert rows(window) == ["Today", "Second", "Archived", "First"]
    choose_in_menu(window, "First", "Bring back")
    assert rows(window) == ["Today", "Second", "First"]
    assert not button.isVisible()


def test_delete_can_be_undone(window: MainWindow, session: FakeSession) -> None:
    talk(session, "First")
    second = talk(session, "Second")
    assert rows(window) == ["Today", "Second", "First"]
    window.sidebar.chat_list.setFocus()
    QTest.keyClick(window.sidebar.chat_list, Qt.Key.Key_Delete)
    strip = window.sidebar.undo_strip
    assert rows(window) == ["Today", "New chat", "First"]
    assert strip.isVisible()
    assert strip.text() == "Deleted “Second”"
    click(strip.button)
    assert session.current_chat is second
    assert not strip.isVisible()
    assert rows(window) == ["Today", "Second", "First"]


def test_deleting_stops_the_answer_in_it(window: MainWindow, session: FakeSession) -> None:
    session.add_turns("Why?")
    choose_in_menu(window, "Why?", "Delete")
    assert ("stop", None) in session.calls
    assert not session.current_chat.turns


def test_a_deletion_is_final_when_the_time_to_undo_is_over(
    window: MainWindow, session: FakeSession
) -> None:
    talk(session, "Why?")
    choose_in_menu(window, "Why?", "Delete")
    window.sidebar.undo_strip.expired.emit()
    assert not window.sidebar.undo_strip.isVisible()
    assert session.library.undo_delete() is None


class TestSearch:
    def search(self, window: MainWindow, qtbot: QtBot, text: str) -> None:
        press(window, Qt.Key.Key_K)
        with qtbot.waitSignal(
            window.sidebar.search_requested,
            timeout=WAIT_MS,
            check_params_cb=lambda found: found == text,
        ):
            QTest.keyClicks(window.sidebar.search_field, text)
        qtbot.waitUntil(lambda: rows(window)[0].endswith("ound"), timeout=WAIT_MS)

    def test_finds_shows_and_opens(
        self, window: MainWindow, session: FakeSession, qtbot: QtBot
    ) -> None:
        sky = talk(session, "First", "Light scatters, said Rayleigh.")
        talk(session, "Second", "Salt.")
        self.search(window, qtbot, "rayl")
        qtbot.waitUntil(lambda: rows(window) == ["1 found", "First"], timeout=WAIT_MS)
        description = index_of(window, "First").data(Qt.ItemDataRole.AccessibleDescriptionRole)
        assert description == "Light scatters, said Rayleigh."

        QTest.keyClick(window.sidebar.search_field, Qt.Key.Key_Return)
        assert session.current_chat is sky
        assert window.chat.composer.field.hasFocus()

        window.sidebar.search_field.setFocus()
        QTest.keyClick(window.sidebar.search_field, Qt.Key.Key_Down)
        assert window.sidebar.chat_list.hasFocus()
        window.sidebar.search_field.setFocus()
        QTest.keyClick(window.sidebar.search_field, Qt.Key.Key_Escape)
        assert rows(window) == ["Today", "Second", "First"]
        assert ("stop", None) not in session.calls

    def test_says_when_there_is_nothing(
        self, window: MainWindow, session: FakeSession, qtbot: QtBot
    ) -> None:
        talk(session, "First")
        self.search(window, qtbot, "zebra")
        qtbot.waitUntil(lambda: rows(window) == ["Nothing found"], timeout=WAIT_MS)

    def test_brings_a_hidden_sidebar(self, window: MainWindow, session: FakeSession) -> None:
        press(window, Qt.Key.Key_B)
        assert not window.sidebar.isVisible()
        press(window, Qt.Key.Key_K, CONTROL)
        assert window.sidebar.isVisible()
        assert QApplication.focusWidget() is window.sidebar.search_field


def test_an_archived_chat_that_is_open_stays_in_the_list(
    window: MainWindow, session: FakeSession
) -> None:
    talk(session, "First")
    choose_in_menu(window, "First", "Archive")
    assert rows(window) == ["Archived", "First"]


def test_export_and_import_from_the_menu(
    window: MainWindow,
    session: FakeSession,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ui import dialogs

    assert not window.actions_.export_chat.isEnabled()
    talk(session, "Why?")
    path = tmp_path / "kept.json"
    monkeypatch.setattr(dialogs, "choose_export_file", lambda parent, title: str(path))
    monkeypatch.setattr(dialogs, "choose_import_file", lambda parent: str(path))
    window.actions_.export_chat.trigger()
    qtbot.waitUntil(lambda: shows(window, "Conversations were exported"), timeout=WAIT_MS)
    choose_in_menu(window, "Why?", "Delete")
    session.library.finish_delete()
    window.actions_.import_chats.trigger()
    qtbot.waitUntil(lambda: shows(window, "New: 1. There already: 0."), timeout=WAIT_MS)
    assert "Why?" in rows(window)
    window.actions_.export_all.trigger()
    qtbot.waitUntil(lambda: shows(window, "Conversations were exported"), timeout=WAIT_MS)


def test_an_import_that_takes_time_is_shown_and_can_be_cancelled(
    window: MainWindow,
    session: FakeSession,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from app.store.import_reader import ImportReader
    from ui import dialogs

    go_on = Event()

    def read_slowly(_: ImportReader, path: Path, report: Callable[[float], None]) -> None:
        report(0.5)
        assert go_on.wait(WAIT_MS / 1000)
        report(1.0)

    path = tmp_path / "chats.json"
    path.write_text('[{"conversations": [{"from": "human", "value": "Hello"}]}]')
    monkeypatch.setattr(ImportReader, "read", read_slowly)
    monkeypatch.setattr(dialogs, "choose_import_file", lambda parent: str(path))
    window.actions_.import_chats.trigger()
    strip = window.import_strip
    qtbot.waitUntil(strip.isVisible, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: shows(window, "Importing chats.json  25"), timeout=WAIT_MS)
    assert not window.actions_.import_chats.isEnabled()
    click(strip.cancel_button)
    go_on.set()
    qtbot.waitUntil(lambda: shows(window, "The import was cancelled"), timeout=WAIT_MS)
    assert not strip.isVisible()
    assert window.actions_.import_chats.isEnabled()
    assert rows(window) == ["Today", "New chat"]


def test_many_changes_at_once_are_shown_once_and_whole(
    window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    QApplication.processEvents()
    # All in one turn of the event loop.
    session.on_added = None
    shown: list[int] = []
    set_rows = ChatListModel.set_rows

    def note(model: ChatListModel, new: list[Entry]) -> bool:
        shown.append(len(new))
        return set_rows(model, new)

    monkeypatch.setattr(ChatListModel, "set_rows", note)
    for number in range(20):
        talk(session, f"Question {number}")
    assert len(shown) == 1
    assert [f"Question {number}" in rows(window) for number in range(20)] == [True] * 20
    assert len(shown) == 2


def test_a_rename_that_comes_with_other_changes_finds_its_row(
    window: MainWindow, session: FakeSession
) -> None:
    talk(session, "First")
    chat = talk(session, "Second")
    window.sidebar.begin_rename(chat)
    assert editor_of(window).text() == "Second"


def test_only_rows_that_changed_are_told(window: MainWindow, session: FakeSession) -> None:
    chats = [talk(session, words) for words in ("First", "Second", "Third")]
    assert rows(window)
    told: list[tuple[int, int]] = []
    model = window.sidebar.chat_list.model()
    model.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    session.library.rename(chats[1], "Another")
    place = rows(window).index("Another")
    assert told == [(place, place)]


def test_of_many_chats_only_those_on_screen_are_asked_for(
    window: MainWindow, session: FakeSession
) -> None:
    chat = talk(session, "First")
    session.library.exchange.done.emit(
        ExchangeOutcome(
            path="many.json",
            is_import=True,
            content=StoreContent(
                chats=tuple(
                    ChatRecord(chat_id=f"{n}", title=f"Chat {n}", created_ms=n, changed_ms=n)
                    for n in range(3_000)
                ),
                open_chat_id=None,
            ),
        )
    )
    assert len(rows(window)) > 3_000
    session.library.set_pinned(chat, True)
    window.sidebar.catch_up()
    list_view, n_calls = window.sidebar.chat_list, 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal n_calls
        n_calls += event == "call"

    sys.setprofile(count)
    try:
        list_view.doItemsLayout()
        list_view.repaint()
    finally:
        sys.setprofile(None)
    assert 0 < n_calls < 2_000


def test_a_title_that_is_cut_is_told_whole(window: MainWindow, session: FakeSession) -> None:
    long = "What <b>is</b> said of all the colours that light is made of in a prism?"
    talk(session, "Why?")
    talk(session, long)
    view = window.sidebar.chat_list

    def tip_of(title: str) -> str:
        place = place_of(window, title)
        asked = QHelpEvent(QEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place))
        QApplication.sendEvent(view.viewport(), asked)
        return QToolTip.text() if QToolTip.isVisible() else ""

    title = session.current_chat.title
    assert tip_of("Why?") == ""
    assert tip_of(title) == f"<p>{html.escape(title)}</p>"
