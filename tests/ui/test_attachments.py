"""Files on a message: dropped, pasted, chosen, counted, taken away, sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.attachments import MOST_FILES
from engine.events import Counted
from tests.screen import shows
from tests.ui.driving import asked, click
from tests.ui.fakes import T0, loaded_model
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow

BLOCK = "notes.md:\n```md\n# Hi\n```"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_text("# Hi\n", encoding="utf-8")
    return path


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(widget: QWidget, data: QMimeData) -> bool:
    """Drop on a widget; whether it would take it."""
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, data, left, none)
    QApplication.sendEvent(widget, enter)
    if enter.isAccepted():
        QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), copy, data, left, none))
    return enter.isAccepted()


def paste(window: MainWindow, data: QMimeData) -> None:
    QGuiApplication.clipboard().setMimeData(data)
    field = window.chat.composer.field
    field.setFocus()
    QTest.keySequence(field, QKeySequence(QKeySequence.StandardKey.Paste))


def names(window: MainWindow) -> list[str]:
    return [chip.attachment.name for chip in window.chat.composer.attachments.chips]


def test_a_dropped_file_is_a_chip_and_goes_with_the_message(
    window: MainWindow, session: FakeSession, notes: Path
) -> None:
    session.become_ready()
    bar = window.chat.composer.attachments
    assert not bar.isVisible()
    assert drop(window.chat, files(notes))
    assert bar.isVisible()
    assert names(window) == ["notes.md"]
    QTest.keyClicks(window.chat.composer.field, "Why?")
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    assert asked(session, "send") == [f"Why?\n\n{BLOCK}"]
    assert names(window) == []
    assert not bar.isVisible()
    assert session.current_chat.title == "Why? notes.md: ```md # Hi ```"


def test_a_file_alone_can_be_sent(window: MainWindow, session: FakeSession, notes: Path) -> None:
    session.become_ready()
    drop(window.chat, files(notes))
    click(window.chat.composer.button)
    assert asked(session, "send") == [BLOCK]


def test_files_are_pasted_and_text_stays_text(window: MainWindow, notes: Path) -> None:
    paste(window, files(notes))
    assert names(window) == ["notes.md"]
    assert window.chat.composer.field.text() == ""
    text = QMimeData()
    text.setText("plain")
    paste(window, text)
    assert window.chat.composer.field.text() == "plain"
    assert not drop(window.chat, text)


def test_the_same_file_is_attached_once(window: MainWindow, notes: Path) -> None:
    drop(window.chat, files(notes, notes))
    drop(window.chat.composer.field, files(notes))
    assert names(window) == ["notes.md"]


def test_a_button_and_a_key_choose_files(
    window: MainWindow, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.dialogs.choose_text_files", lambda _parent: [str(notes)])
    click(window.chat.composer.attach_button)
    assert names(window) == ["notes.md"]
    click(window.chat.composer.attachments.chips[0].button)
    assert names(window) == []
    window.actions_.attach.trigger()
    assert names(window) == ["notes.md"]


def test_what_cannot_be_attached_is_told_and_the_rest_is_attached(
    window: MainWindow, notes: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    drop(window.chat, files(picture, notes))
    assert names(window) == ["notes.md"]
    assert shows(window, "“picture.png” was not attached")


def test_no_more_files_than_fit(window: MainWindow, tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.txt" for n in range(MOST_FILES + 2)]
    for path in paths:
        path.write_text(path.name, encoding="utf-8")
    drop(window.chat, files(*paths))
    assert names(window) == [path.name for path in paths[:MOST_FILES]]
    assert shows(window, "Not all files were attached")


def test_tokens_are_shown_before_sending_and_counted_anew_for_another_model(
    window: MainWindow, session: FakeSession, notes: Path, qtbot: QtBot
) -> None:
    session.become_ready()
    drop(window.chat, files(notes))
    chip = window.chat.composer.attachments.chips[0]
    assert chip.text() == "…"
    qtbot.waitUntil(lambda: asked(session, "count") == [BLOCK], timeout=WAIT_MS)
    assert asked(session, "count_texts") == [(BLOCK,)]
    session.counted.emit(
        Counted(request_id=session.last_count_id, t_ns=T0, n_tokens=1250, n_text_tokens=(1234,))
    )
    assert chip.text() == "1,234 tokens"
    assert chip.accessibleDescription() == "1,234 tokens"
    assert window.chat.composer.meter.text() == "1,250 / 8,192"
    session.become_ready(loaded_model(name="Other"))
    assert chip.text() == "…"
    qtbot.waitUntil(lambda: asked(session, "count_texts") == [(BLOCK,), (BLOCK,)], timeout=WAIT_MS)


def test_each_chat_keeps_its_files_while_another_is_shown(
    window: MainWindow, session: FakeSession, notes: Path
) -> None:
    session.add_turns("Hello")
    first = session.current_chat
    drop(window.chat, files(notes))
    session.new_chat()
    assert names(window) == []
    session.open_chat(first.chat_id)
    assert names(window) == ["notes.md"]


def test_a_file_that_is_refused_by_the_session_stays(
    window: MainWindow, session: FakeSession, notes: Path
) -> None:
    from app import messages

    session.refuse_send = messages.still_answering()
    drop(window.chat, files(notes))
    click(window.chat.composer.button)
    assert names(window) == ["notes.md"]
