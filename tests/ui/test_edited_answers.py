"""Putting an answer into other words, going on from it elsewhere, and copying a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.ui.driving import click, press
from tests.ui.test_branches import (
    CONTROL_SHIFT,
    bubble,
    ready,
    reply_to,
    running,
    settled,
    shown,
    talk,
)
from tests.ui.test_sidebar import choose_in_menu
from ui.conversation.editable_answer import EditableAnswer
from ui.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.conversation.message_editor import MessageEditor
    from ui.main_window import MainWindow

__all__ = ["ready"]

THOUGHT = "<think>\nLet me see.\n</think>\n\n"


def answer_at(window: MainWindow, index: int) -> EditableAnswer:
    widget = window.chat.view.stack.slots[index].widget
    assert isinstance(widget, EditableAnswer)
    return widget


def editor(window: MainWindow, index: int) -> MessageEditor:
    found = answer_at(window, index).editor
    assert found is not None
    return found


def answer_menu(window: MainWindow, index: int) -> dict[str, QAction]:
    """What the menu of an answer's text offers."""
    part = answer_at(window, index).text_parts()[-1]
    place = QPoint(4, 8)
    asked = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, part.viewport().mapToGlobal(place)
    )
    QApplication.sendEvent(part.viewport(), asked)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    actions = {action.text(): action for action in menu.actions()}
    menu.close()
    return actions


def test_an_answer_is_edited_in_its_place_and_kept_with_enter(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", f"{THOUGHT}Because of *this*.")
    talk(ready, "And?", "So.")
    settled(qtbot, window)
    click(answer_at(window, 1).foot.button("edit"))
    field = editor(window, 1).field
    assert field.hasFocus()
    assert field.text() == "Because of *this*."
    assert editor(window, 1).keys_label.isVisible()
    assert editor(window, 1).keys_label.text() == (
        "Enter saves · Shift+Enter breaks the line · Esc cancels"
    )
    # What was thought stays where it is, folded, and is not edited.
    visible = [part for part in answer_at(window, 1).parts if part.isVisible()]
    assert len(visible) == 1
    assert not answer_at(window, 1).foot.isVisible()
    QTest.keyClicks(field, " No")
    QTest.keyClick(field, Qt.Key.Key_Return)

    assert shown(window) == ["Why?", f"{THOUGHT}Because of *this*. No"]
    settled(qtbot, window)
    edited = answer_at(window, 1)
    assert edited.foot.count_text == "2/2"
    assert edited.figures_line.text() == "edited"
    assert "nothing was measured" in edited.figures_line.toolTip()
    assert edited.editor is None
    assert edited.text_parts()[-1].toPlainText() == "Because of this. No"
    # It has not ended, so the model can go on; nobody knows where its time went.
    assert edited.foot.offered[3:] == ["continue", "regenerate", "copy", "edit"]
    assert window.chat.composer.field.hasFocus()

    click(edited.foot.button("continue"))
    reply_to(ready, running(ready), " more.")
    settled(qtbot, window)
    assert shown(window)[-1].endswith("No more.")
    assert edited.figures_line.text().startswith("edited · end of answer · since continuing: TTFT")
    click(edited.foot.button("previous"))
    assert shown(window) == ["Why?", f"{THOUGHT}Because of *this*.", "And?", "So."]
    settled(qtbot, window)
    assert answer_at(window, 1).figures_line.text().startswith("end of answer · TTFT")


@pytest.mark.parametrize("way", ["escape", "button", "unchanged"])
def test_an_edit_of_an_answer_is_given_up_without_a_trace(
    qtbot: QtBot, window: MainWindow, ready: FakeSession, way: str
) -> None:
    talk(ready, "Why?", "Because.\n\n```\ncode\n```\n\nSo it is.")
    settled(qtbot, window)
    height = answer_at(window, 1).height()
    click(answer_at(window, 1).foot.button("edit"))
    field = editor(window, 1).field
    if way == "unchanged":
        QTest.keyClick(field, Qt.Key.Key_Return)
    else:
        QTest.keyClicks(field, " Never")
        if way == "escape":
            QTest.keyClick(field, Qt.Key.Key_Escape)
        else:
            click(editor(window, 1).cancel_button)
    settled(qtbot, window)
    widget = answer_at(window, 1)
    assert widget.editor is None
    assert window.chat.composer.field.hasFocus()
    assert len(ready.current_chat.tree) == 2
    assert all(part.isVisible() for part in (*widget.parts, widget.foot, widget.figures_line))
    assert widget.height() == height


def test_the_last_answer_is_edited_with_a_key_and_nothing_of_it_is_refused(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    assert not window.actions_.edit_answer.isEnabled()
    talk(ready, "Why?", "Because.")
    settled(qtbot, window)
    assert "E" in answer_at(window, 1).foot.button("edit").toolTip()
    press(window, Qt.Key.Key_E, CONTROL_SHIFT)
    field = editor(window, 1).field
    assert field.hasFocus()
    field.set_text(" ")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert answer_at(window, 1).editor is not None
    [card] = window.chat.messages.cards
    assert card.message.title == "Nothing is left of the answer"

    # Another chat, and back: it is still being edited.
    field.set_text("Half")
    QApplication.processEvents()
    chat = ready.current_chat
    ready.new_chat()
    ready.open_chat(chat.chat_id)
    settled(qtbot, window)
    assert editor(window, 1).field.text() == "Half"
    click(editor(window, 1).send_button)
    settled(qtbot, window)
    assert shown(window) == ["Why?", "Half"]
    groups = dict(window.actions_.shortcut_groups())
    assert window.actions_.edit_answer in groups["Write and answer"]


def test_an_answer_that_streams_is_not_edited_and_others_say_why(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    settled(qtbot, window)
    click(answer_at(window, 1).foot.button("edit"))
    answer = ready.add_turns("And?")
    ready.prefill(answer)
    ready.stream(answer, "So it")
    settled(qtbot, window)
    assert not editor(window, 1).send_button.isEnabled()
    assert "An answer is running." in editor(window, 1).send_button.toolTip()
    QTest.keyClick(editor(window, 1).field, Qt.Key.Key_Escape)
    pencil = answer_at(window, 1).foot.button("edit")
    assert not pencil.isEnabled()
    assert "An answer is running." in pencil.toolTip()
    assert not window.actions_.edit_answer.isEnabled()
    assert not answer_menu(window, 3)["Edit the answer"].isEnabled()

    ready.finish(answer)
    settled(qtbot, window)
    assert pencil.isEnabled()
    answer_menu(window, 3)["Edit the answer"].trigger()
    assert editor(window, 3).field.text() == "So it"


def test_a_chat_of_its_own_begins_at_an_answer(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    talk(ready, "And?", "So.")
    settled(qtbot, window)
    before = ready.current_chat
    answer_menu(window, 1)["New chat from here"].trigger()
    settled(qtbot, window)
    assert ready.current_chat is not before
    assert shown(window) == ["Why?", "Because."]
    assert ready.current_chat.title == "Branch: Why?"
    assert len(before.turns) == 4


def test_a_chat_is_duplicated_from_its_menu(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    before = ready.current_chat
    ready.new_chat()
    window.sidebar.catch_up()
    choose_in_menu(window, "Why?", "Duplicate")
    settled(qtbot, window)
    assert ready.current_chat is not before
    assert ready.current_chat.title == "Copy: Why?"
    assert shown(window) == ["Why?", "Because."]
    menu = window.sidebar.chat_menu
    menu.fill_for_chat(ready.library.new_chat(), ())
    [none] = [action for action in menu.actions() if action.text() == "Duplicate"]
    assert not none.isEnabled()


def test_the_field_of_a_long_answer_is_where_it_can_be_seen(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "A line.\n\n" * 100)
    for n in range(10):
        talk(ready, f"And {n}?", "A line.\n\n" * 4)
    view = window.chat.view
    view.reveal_turn(ready.current_chat.turns[1])
    settled(qtbot, window)
    foot = answer_at(window, 1).foot
    view.reveal(foot, foot.rect())
    settled(qtbot, window)
    click(foot.button("edit"))
    settled(qtbot, window)
    field = editor(window, 1).field
    top = field.mapTo(view.viewport(), QPoint(0, 0)).y()
    assert 0 <= top < view.viewport().height()
    assert field.height() <= 16 * field.fontMetrics().lineSpacing() + 6


def test_another_text_size_leaves_the_focus_and_the_end_where_they_are(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "A line.\n\n" * 10)
    for n in range(10):
        talk(ready, f"And {n}?", "A line.\n\n" * 4)
    view, typed = window.chat.view, window.chat.composer.field
    view.reveal_turn(ready.current_chat.turns[1])
    settled(qtbot, window)
    click(answer_at(window, 1).foot.button("edit"))
    QTest.keyClicks(editor(window, 1).field, "Mine. ")
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    typed.setFocus()
    window.actions_.zoom_in.trigger()
    settled(qtbot, window)
    assert window.focusWidget() is typed
    assert bar.value() == bar.maximum()
    # Who types in it goes on typing.
    view.reveal_turn(ready.current_chat.turns[1])
    settled(qtbot, window)
    assert "Mine. " in editor(window, 1).field.text()
    editor(window, 1).field.setFocus()
    window.actions_.zoom_reset.trigger()
    settled(qtbot, window)
    assert window.focusWidget() is editor(window, 1).field


def test_all_lines_can_be_seen_that_the_width_makes(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "A question that is longer than a line, " * 6, "An answer, too, " * 12)
    settled(qtbot, window)
    press(window, Qt.Key.Key_E, CONTROL_SHIFT)
    bubble(window, 0).begin_edit()
    message = bubble(window, 0).editor
    assert message is not None
    settled(qtbot, window)
    for field in (editor(window, 1).field, message.field):
        assert field.verticalScrollBar().maximum() == 0
        assert field.document().blockCount() == 1
        assert field.document().size().height() > 2


def test_figures_have_room_in_a_narrow_window_too(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    window.columns.set_sidebar_shown(True)
    window.resize(640, 480)
    answer = talk(ready, "Why?", "Because.")
    ready.edit_answer(answer, "Since")
    settled(qtbot, window)
    widget = answer_at(window, 1)
    # One word stands beside the buttons; figures of a continuation would be cut there.
    click(widget.foot.button("continue"))
    reply_to(ready, running(ready), " then.")
    settled(qtbot, window)
    line, foot = widget.figures_line.geometry(), widget.foot.geometry()
    assert not line.intersects(foot)
    assert widget.rect().contains(foot)
    [label] = widget.figures_line.findChildren(PlainLabel)
    metrics = label.fontMetrics()
    assert all(
        metrics.horizontalAdvance(each) <= label.width() for each in label.text().split("\n")
    )
