"""The window goes down to 640 by 480, and nothing in it is clipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton

from app import messages
from app.attachments import Attachment
from engine.errors import ErrorCode, ErrorInfo
from tests.ui.driving import click
from ui.attachment_bar import AttachmentChip
from ui.flow_row import FlowRow
from ui.message_card import MessageCard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow

TORCH_MISSING = ErrorInfo(code=ErrorCode.BACKEND_MISSING, details=(("backend", "torch"),))


def resize(window: MainWindow, width: int, height: int) -> None:
    window.resize(width, height)
    for _ in range(3):
        QApplication.processEvents()
    assert (window.width(), window.height()) == (width, height)


def is_whole(widget: QWidget, outer: QWidget) -> bool:
    """Whether all of a widget, and all of its text, lies within `outer`."""
    place = QRect(widget.mapTo(outer, widget.rect().topLeft()), widget.size())
    return outer.rect().contains(place) and widget.width() >= widget.sizeHint().width()


def test_sides_fold_where_there_is_no_room_and_come_back(window: MainWindow) -> None:
    resize(window, 1280, 800)
    columns = window.columns
    assert (columns.shows_sidebar, columns.shows_telemetry) == (True, True)
    resize(window, 860, 600)
    assert (columns.shows_sidebar, columns.shows_telemetry) == (False, True)
    assert window.actions_.show_telemetry.isChecked()
    assert not window.actions_.show_sidebar.isChecked()
    window.actions_.show_sidebar.trigger()
    assert (columns.shows_sidebar, columns.shows_telemetry) == (True, False)
    resize(window, 640, 480)
    assert (columns.shows_sidebar, columns.shows_telemetry) == (True, False)
    resize(window, 1280, 800)
    assert (columns.shows_sidebar, columns.shows_telemetry) == (True, True)


def test_telemetry_takes_the_place_of_the_conversation_where_both_have_no_room(
    window: MainWindow,
) -> None:
    resize(window, 640, 480)
    window.actions_.show_telemetry.trigger()
    assert not window.chat.isVisible()
    back = next(
        button
        for button in window.columns.findChildren(QPushButton)
        if button.accessibleName() == "Back to the conversation"
    )
    assert back.isVisible()
    click(back)
    assert window.columns.shows_sidebar
    assert not back.isVisible()
    window.actions_.show_telemetry.trigger()
    window.actions_.focus_composer.trigger()
    assert window.chat.composer.field.hasFocus()
    resize(window, 1280, 800)
    assert window.columns.shows_telemetry
    assert window.columns.shows_sidebar


def test_what_the_menu_has_too_leaves_the_bar_first(window: MainWindow) -> None:
    resize(window, 1280, 800)
    assert window.top_bar.panels_button.isVisible()
    resize(window, 640, 480)
    assert not window.top_bar.panels_button.isVisible()
    for button in (window.top_bar.model_button, window.top_bar.more_button):
        place = QRect(button.pos(), button.size())
        assert window.top_bar.rect().contains(place)


@pytest.mark.parametrize("with_files", [False, True])
def test_messages_and_files_are_whole_in_a_small_window(
    window: MainWindow, session: FakeSession, with_files: bool
) -> None:
    session.become_ready()
    resize(window, 640, 480)
    session.message_raised.emit(messages.of_error(TORCH_MISSING))
    if with_files:
        files = [
            Attachment(name=f"a rather long name {n}.txt", text="x", size_bytes=1)
            for n in range(12)
        ]
        window.chat.composer.attachments.set_attachments(files)
    resize(window, 640, 480)
    (card,) = window.chat.messages.findChildren(MessageCard)
    buttons = [b for b in card.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled()]
    assert len(buttons) == 4
    assert all(is_whole(button, card) for button in buttons)
    assert is_whole(window.chat.composer.button, window)
    for chip in window.chat.findChildren(AttachmentChip):
        assert all(is_whole(label, chip) for label in chip.findChildren(QLabel))


def test_buttons_go_on_below_and_close_gaps(qtbot: QtBot) -> None:
    row = FlowRow(8)
    buttons = [QPushButton(text) for text in ("one word", "two words", "three words")]
    for button in buttons:
        row.add(button)
    qtbot.addWidget(row)
    row.resize(2000, 100)
    row.show()
    assert len({button.y() for button in buttons}) == 1
    narrow = max(button.sizeHint().width() for button in buttons)
    row.resize(narrow, 400)
    assert len({button.y() for button in buttons}) == 3
    assert row.heightForWidth(narrow) == buttons[-1].geometry().bottom() + 1
    buttons[0].hide()
    assert buttons[1].y() == 0
