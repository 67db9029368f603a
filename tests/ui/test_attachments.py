"""Files on a message: dropped, pasted, chosen, read, counted, looked at, taken away, sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app import messages
from app.attachments import MOST_BYTES, MOST_FILES, Attachment
from app.chat_settings import ChatSettings, Overflow
from app.transcript import Conversation
from engine.events import Counted
from tests.pdfs import write_pdf, write_slow
from tests.screen import shows, texts
from tests.ui.driving import asked, click
from tests.ui.fakes import T0, loaded_model
from tests.waiting import WAIT_MS
from ui.attachment_dialog import AttachmentDialog
from ui.file_button import FileButton
from ui.file_drop import FileDrop

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow

BLOCK = "notes.md:\n```md\n# Hi\n```"
NOTES = Attachment(name="notes.md", text="# Hi\n", size_bytes=5)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_bytes(b"# Hi\n")
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
    return [chip.name for chip in window.chat.composer.attachments.chips]


def wait_read(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.chat.composer.attachments.reading, timeout=WAIT_MS)


def wait_shows(window: MainWindow, qtbot: QtBot, words: str) -> None:
    qtbot.waitUntil(lambda: shows(window, words), timeout=WAIT_MS)


def drop_and_read(window: MainWindow, qtbot: QtBot, *paths: Path) -> None:
    assert drop(window, files(*paths))
    wait_read(window, qtbot)


def test_a_dropped_file_is_a_chip_and_goes_with_the_message(
    window: MainWindow, session: FakeSession, notes: Path, qtbot: QtBot
) -> None:
    session.become_ready()
    bar = window.chat.composer.attachments
    assert not bar.isVisible()
    drop_and_read(window, qtbot, notes)
    assert bar.isVisible()
    assert names(window) == ["notes.md"]
    QTest.keyClicks(window.chat.composer.field, "Why?")
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    assert asked(session, "send") == ["Why?"]
    assert asked(session, "send_attachments") == [(NOTES,)]
    assert names(window) == []
    assert not bar.isVisible()
    assert session.current_chat.draft_attachments == ()
    assert session.current_chat.title == "Why?"


def test_a_file_alone_can_be_sent(
    window: MainWindow, session: FakeSession, notes: Path, qtbot: QtBot
) -> None:
    session.become_ready()
    drop_and_read(window, qtbot, notes)
    click(window.chat.composer.button)
    assert asked(session, "send_attachments") == [(NOTES,)]
    assert session.current_chat.title == "notes.md"


def test_the_bubble_has_the_file_not_its_text_and_a_click_opens_it(
    window: MainWindow, session: FakeSession, notes: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    session.become_ready()
    pdf = write_pdf(tmp_path / "report.pdf", ["One", "", "Three"])
    drop_and_read(window, qtbot, notes, pdf)
    QTest.keyClicks(window.chat.composer.field, "Why?")
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    bubble = window.chat.view.stack.widgets[0]
    first, second = bubble.findChildren(FileButton)
    assert "Hi" not in " ".join(texts(bubble))
    assert "notes.md" in first.text()
    assert "5\u202fB" in first.text()
    assert "3 pages" in second.text()
    assert "pages without text: 1" in second.accessibleDescription()
    assert bubble.rect().contains(first.geometry().united(second.geometry()))
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    dialog = window.findChild(AttachmentDialog)
    assert dialog is not None
    assert dialog.windowTitle() == "notes.md"
    assert dialog.text.toPlainText() == "# Hi\n"
    click(dialog.copy_button)
    assert QGuiApplication.clipboard().text() == "# Hi\n"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_bubble_of_files_alone_shows_them(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    many = [Attachment(name=f"a long name of a file, number {n}.txt", text="x") for n in range(12)]
    session.add_turns("", many)
    qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)
    bubble = window.chat.view.stack.widgets[0]
    buttons = bubble.findChildren(FileButton)
    assert len(buttons) == 12
    for index, button in enumerate(buttons):
        assert button.isVisible()
        assert bubble.rect().contains(button.geometry())
        assert not any(button.geometry().intersects(b.geometry()) for b in buttons[index + 1 :])


def test_a_huge_file_opens_in_slices(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("x" * MOST_BYTES)
    drop_and_read(window, qtbot, path)
    click(window.chat.composer.attachments.chips[0].open_button)
    dialog = window.findChild(AttachmentDialog)
    assert dialog is not None
    assert not dialog.is_complete
    qtbot.waitUntil(lambda: dialog.is_complete, timeout=WAIT_MS)
    click(dialog.copy_button)
    assert QGuiApplication.clipboard().text() == "x" * MOST_BYTES
    dialog.reject()


def test_files_are_pasted_and_text_stays_text(
    window: MainWindow, notes: Path, qtbot: QtBot
) -> None:
    paste(window, files(notes))
    wait_read(window, qtbot)
    assert names(window) == ["notes.md"]
    assert window.chat.composer.field.text() == ""
    text = QMimeData()
    text.setText("plain")
    paste(window, text)
    assert window.chat.composer.field.text() == "plain"
    assert not drop(window, text)


def test_files_above_the_window_show_where_they_go(window: MainWindow, notes: Path) -> None:
    file_drop = window.findChild(FileDrop)
    assert file_drop is not None
    hint = file_drop.hint
    assert not hint.isVisible()
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    data = files(notes)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(5, 5), copy, data, left, none))
    assert hint.isVisible()
    assert hint.geometry() == window.rect()
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not hint.isVisible()
    assert names(window) == []


def test_files_are_dropped_anywhere_in_the_window(
    window: MainWindow, notes: Path, qtbot: QtBot
) -> None:
    for widget in (window.sidebar.search_field, window.chat.view, window.top_bar, window.columns):
        assert drop(widget, files(notes))
        wait_read(window, qtbot)
        assert names(window) == ["notes.md"]
        click(window.chat.composer.attachments.chips[0].button)
    assert window.sidebar.search_field.text() == ""


def test_chips_are_reached_with_tab_from_the_field(
    window: MainWindow, notes: Path, qtbot: QtBot
) -> None:
    drop_and_read(window, qtbot, notes)
    window.activateWindow()
    window.chat.composer.field.setFocus()
    (chip,) = window.chat.composer.attachments.chips
    before: QWidget = window.chat.composer.field
    for stop in (chip.open_button, chip.button, window.chat.composer.button):
        QTest.keyClick(before, Qt.Key.Key_Tab)
        assert stop.hasFocus()
        before = stop
    chip.button.setFocus()
    QTest.keyClick(chip.button, Qt.Key.Key_Space)
    assert names(window) == []


def test_the_same_file_is_attached_once_and_another_of_its_name_beside_it(
    window: MainWindow, notes: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    drop(window, files(notes, notes))
    drop(window.chat.composer.field, files(notes))
    wait_read(window, qtbot)
    assert names(window) == ["notes.md"]
    drop_and_read(window, qtbot, notes)
    assert names(window) == ["notes.md"]
    wait_shows(window, qtbot, "“notes.md” is attached already")
    other = tmp_path / "other" / "notes.md"
    other.parent.mkdir()
    other.write_text("other")
    drop_and_read(window, qtbot, other)
    assert names(window) == ["notes.md", "notes (2).md"]


def test_a_button_and_a_key_choose_files(
    window: MainWindow, notes: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr("ui.dialogs.choose_text_files", lambda _parent: [str(notes)])
    click(window.chat.composer.attach_button)
    wait_read(window, qtbot)
    assert names(window) == ["notes.md"]
    click(window.chat.composer.attachments.chips[0].button)
    assert names(window) == []
    window.actions_.attach.trigger()
    wait_read(window, qtbot)
    assert names(window) == ["notes.md"]


def test_what_cannot_be_attached_is_told_and_the_rest_is_attached(
    window: MainWindow, notes: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    picture, folder = tmp_path / "picture.png", tmp_path / "folder"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    folder.mkdir()
    drop_and_read(window, qtbot, picture, notes)
    assert names(window) == ["notes.md"]
    wait_shows(window, qtbot, "“picture.png” was not attached")
    wait_shows(window, qtbot, "It is a picture")
    drop_and_read(window, qtbot, picture, folder)
    wait_shows(window, qtbot, "2 files were not attached")
    wait_shows(window, qtbot, "“folder”: It is a folder.")
    wait_shows(window, qtbot, "“picture.png”: It is a picture")


@pytest.mark.parametrize("password", [None, "secret"])
def test_a_pdf_without_words_is_refused_with_what_to_do(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, password: str | None
) -> None:
    path = write_pdf(tmp_path / "a.pdf", [""], password=password)
    drop_and_read(window, qtbot, path)
    assert names(window) == []
    wait_shows(window, qtbot, "OCR" if password is None else "without the password")


def test_a_pdf_says_how_far_it_is_and_can_be_taken_away(
    window: MainWindow, session: FakeSession, tmp_path: Path, qtbot: QtBot
) -> None:
    session.become_ready()
    drop(window, files(write_slow(tmp_path / "slow.pdf")))
    (chip,) = window.chat.composer.attachments.chips
    assert chip.text() == "reading…"
    qtbot.waitUntil(lambda: chip.text() == "page 1 of 400", timeout=WAIT_MS)
    assert chip.button.accessibleName() == "Stop reading slow.pdf"
    QTest.keyClicks(window.chat.composer.field, "Why?")
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    assert asked(session, "send") == []
    wait_shows(window, qtbot, "“slow.pdf” is still being read")
    click(chip.button)
    assert names(window) == []
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    assert asked(session, "send") == ["Why?"]


def test_what_was_being_read_at_the_end_is_read_by_the_next_start(
    window: MainWindow, session: FakeSession, notes: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    slow = write_slow(tmp_path / "slow.pdf")
    drop(window, files(slow))
    ended = session.current_chat
    assert ended.draft_paths == (str(slow),)
    window.chat.attaching.close()
    assert ended.draft_paths == (str(slow),)
    chat = Conversation(draft_paths=(str(notes), str(tmp_path / "gone.txt")))
    session.library._chats.append(chat)
    session.open_chat(chat.chat_id)
    assert names(window) == ["notes.md", "gone.txt"]
    wait_read(window, qtbot)
    assert names(window) == ["notes.md"]
    assert (chat.draft_attachments, chat.draft_paths) == ((NOTES,), ())


def test_a_file_goes_to_the_chat_it_was_dropped_in(
    window: MainWindow, session: FakeSession, notes: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    session.add_turns("Hello")
    first = session.current_chat
    slow = write_slow(tmp_path / "slow.pdf", n_pages=1)
    drop(window, files(notes, slow))
    session.new_chat()
    assert names(window) == []
    qtbot.waitUntil(lambda: first.draft_attachments == (NOTES,), timeout=WAIT_MS)
    session.open_chat(first.chat_id)
    assert names(window)[0] == "notes.md"
    wait_read(window, qtbot)
    assert names(window) == ["notes.md"]
    assert first.draft_attachments == (NOTES,)


def test_no_more_files_than_fit(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    paths = [tmp_path / f"{n}.txt" for n in range(MOST_FILES + 2)]
    for path in paths:
        path.write_text(path.name, encoding="utf-8")
    drop_and_read(window, qtbot, *paths)
    assert sorted(names(window)) == sorted(path.name for path in paths[:MOST_FILES])
    wait_shows(window, qtbot, "Not all files were attached")


def test_files_that_are_too_much_together_are_told(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    paths = [tmp_path / f"{n}.txt" for n in range(5)]
    for path in paths:
        path.write_bytes(path.name.encode().ljust(MOST_BYTES, b"x"))
    drop_and_read(window, qtbot, *paths)
    assert len(names(window)) == 4
    wait_shows(window, qtbot, "A message takes at most 4 MiB of text")


def test_text_that_is_not_utf8_says_how_it_was_read(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "prices.csv"
    path.write_bytes("naïf;1\n".encode("latin-1"))
    drop_and_read(window, qtbot, path)
    button = window.chat.composer.attachments.chips[0].open_button
    assert "Windows-1252" in button.accessibleDescription()
    click(button)
    dialog = window.findChild(AttachmentDialog)
    assert dialog is not None
    assert dialog.text.toPlainText() == "naïf;1\n"
    assert "Windows-1252" in dialog.facts.text()
    dialog.reject()


def test_tokens_are_shown_before_sending_and_counted_anew_for_another_model(
    window: MainWindow, session: FakeSession, notes: Path, qtbot: QtBot
) -> None:
    session.become_ready()
    drop_and_read(window, qtbot, notes)
    chip = window.chat.composer.attachments.chips[0]
    assert chip.text() == "…"
    qtbot.waitUntil(lambda: asked(session, "count_texts") == [(BLOCK,)], timeout=WAIT_MS)
    assert asked(session, "count_attachments") == [(NOTES,)]
    session.counted.emit(
        Counted(
            request_id=session.last_count_id,
            t_ns=T0,
            n_tokens=1250,
            n_left_tokens=1250,
            n_text_tokens=(1234,),
        )
    )
    assert chip.text() == "1,234 tokens"
    assert chip.accessibleDescription() == "1,234 tokens"
    assert window.chat.composer.meter.text() == "1,250 / 8,192"
    session.become_ready(loaded_model(name="Other"))
    assert chip.text() == "…"
    qtbot.waitUntil(lambda: asked(session, "count_texts") == [(BLOCK,), (BLOCK,)], timeout=WAIT_MS)


def test_each_chat_keeps_its_files_while_another_is_shown(
    window: MainWindow, session: FakeSession, notes: Path, qtbot: QtBot
) -> None:
    session.add_turns("Hello")
    first = session.current_chat
    drop_and_read(window, qtbot, notes)
    session.new_chat()
    assert names(window) == []
    session.open_chat(first.chat_id)
    assert names(window) == ["notes.md"]


def test_a_file_that_is_refused_by_the_session_stays(
    window: MainWindow, session: FakeSession, notes: Path, qtbot: QtBot
) -> None:
    session.refuse_send = messages.still_answering()
    drop_and_read(window, qtbot, notes)
    click(window.chat.composer.button)
    assert names(window) == ["notes.md"]


@pytest.mark.parametrize(
    ("overflow", "n_dropped", "n_left", "words"),
    [
        (Overflow.DROP_OLDEST, 2, 900, "Sending this leaves out 2 turns at the beginning"),
        (Overflow.DROP_OLDEST, 2, 1000, "This message alone does not fit"),
        (Overflow.STOP, 0, 1000, "This no longer fits into the context: it would be refused"),
        (Overflow.STOP, 0, 999, ""),
    ],
)
def test_what_sending_would_do_is_said_before(
    window: MainWindow,
    session: FakeSession,
    qtbot: QtBot,
    overflow: Overflow,
    n_dropped: int,
    n_left: int,
    words: str,
) -> None:
    session.become_ready(loaded_model(n_ctx=1000))
    for text in ("One", "Two"):
        answer = session.add_turns(text)
        session.stream(answer, "Yes.")
        session.finish(answer)
    chat = session.current_chat
    session.set_chat_settings(chat, ChatSettings(overflow=overflow))
    field = window.chat.composer.field
    QTest.keyClicks(field, "more")
    qtbot.waitUntil(lambda: "more" in asked(session, "count"), timeout=WAIT_MS)
    session.counted.emit(
        Counted(
            request_id=session.last_count_id,
            t_ns=T0,
            n_tokens=1100 if n_dropped else n_left,
            n_left_tokens=n_left,
            n_dropped_messages=n_dropped,
        )
    )
    forecast = window.chat.composer.forecast
    assert forecast.text().startswith(words)
    assert forecast.isVisible() == bool(words)
    assert window.chat.composer.button.accessibleDescription() == forecast.text()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    assert not forecast.isVisible()
