"""Editing, answering once more, continuing and going between variants, by mouse and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.attachments import Attachment
from app.chat_settings import ChatSettings
from app.store.records import SearchHit
from app.transcript import Answer
from engine.events import FinishReason
from tests.ui.driving import asked, click, press
from tests.waiting import WAIT_MS
from ui import shortcuts
from ui.conversation.answer_widget import AnswerWidget
from ui.conversation.user_bubble import UserBubble
from ui.dialogs import ShortcutsDialog
from ui.file_button import FileButton

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.conversation.message_editor import MessageEditor
    from ui.main_window import MainWindow

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | SHIFT


@pytest.fixture
def ready(session: FakeSession) -> FakeSession:
    session.become_ready()
    return session


def talk(
    session: FakeSession, question: str, reply: str, reason: FinishReason = FinishReason.END
) -> Answer:
    answer = session.add_turns(question)
    reply_to(session, answer, reply, reason)
    return answer


def reply_to(
    session: FakeSession, answer: Answer, reply: str, reason: FinishReason = FinishReason.END
) -> None:
    session.prefill(answer)
    session.stream(answer, reply)
    session.finish(answer, reason)


def settled(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)


def bubble(window: MainWindow, index: int) -> UserBubble:
    widget = window.chat.view.stack.slots[index].widget
    assert isinstance(widget, UserBubble)
    return widget


def answer_at(window: MainWindow, index: int) -> AnswerWidget:
    widget = window.chat.view.stack.slots[index].widget
    assert isinstance(widget, AnswerWidget)
    return widget


def shown(window: MainWindow) -> list[str]:
    return [slot.turn.text for slot in window.chat.view.stack.slots]


def running(session: FakeSession) -> Answer:
    answer = session.running_answer
    assert answer is not None
    return answer


def editor(window: MainWindow, index: int) -> MessageEditor:
    found = bubble(window, index).editor
    assert found is not None
    return found


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def is_painted(window: MainWindow, index: int) -> bool:
    """Whether the pencil can be seen: it is darker or lighter than what is behind it."""
    button = bubble(window, index).foot.button("edit")
    image = window.grab().toImage()
    corner = button.mapTo(window, QPoint(0, 0)) * image.devicePixelRatio()
    size = button.size() * image.devicePixelRatio()
    colors = {
        image.pixel(corner.x() + x, corner.y() + y)
        for x in range(size.width())
        for y in range(size.height())
    }
    return len(colors) > 1


def test_the_buttons_of_a_message_are_seen_under_the_pointer_and_with_the_focus(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    talk(ready, "And?", "So.")
    settled(qtbot, window)
    assert not is_painted(window, 0)

    QTest.mouseMove(bubble(window, 0), QPoint(5, 5))
    qtbot.waitUntil(lambda: is_painted(window, 0), timeout=WAIT_MS)
    assert not is_painted(window, 2)

    # Tab comes to them from the message.
    bubble(window, 2).text_parts()[0].setFocus()
    assert is_painted(window, 2)
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert focused() is bubble(window, 2).foot.button("copy")
    assert is_painted(window, 2)
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == "And?"
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert focused() is bubble(window, 2).foot.button("edit")
    assert is_painted(window, 2)
    window.chat.composer.field.setFocus()
    assert not is_painted(window, 2)


def test_the_files_of_a_message_stay_while_it_is_edited(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    answer = ready.add_turns("Why?", [Attachment(name="notes.md", text="# Hi")])
    reply_to(ready, answer, "Because.")
    settled(qtbot, window)
    (file,) = bubble(window, 0).findChildren(FileButton)
    file.setFocus()
    assert is_painted(window, 0)
    click(bubble(window, 0).foot.button("edit"))
    settled(qtbot, window)
    assert file.isVisible()
    assert not file.geometry().intersects(editor(window, 0).geometry())
    assert bubble(window, 0).rect().contains(editor(window, 0).geometry())
    QTest.keyClick(editor(window, 0).field, Qt.Key.Key_Escape)
    settled(qtbot, window)
    text = bubble(window, 0).text_parts()[0]
    assert text.isVisible()
    assert not file.geometry().intersects(text.geometry())


def test_a_message_of_files_alone_can_be_given_words(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    answer = ready.add_turns("", [Attachment(name="notes.md", text="# Hi")])
    reply_to(ready, answer, "Because.")
    settled(qtbot, window)
    assert bubble(window, 0).text_parts() == []
    click(bubble(window, 0).foot.button("edit"))
    QTest.keyClick(editor(window, 0).field, Qt.Key.Key_Escape)
    settled(qtbot, window)
    assert bubble(window, 0).text_parts() == []


def test_a_message_is_edited_in_its_place_and_sent_with_enter(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    talk(ready, "And?", "So.")
    settled(qtbot, window)

    click(bubble(window, 0).foot.button("edit"))
    field = editor(window, 0).field
    assert field.hasFocus()
    assert field.text() == "Why?"
    QTest.keyClick(field, Qt.Key.Key_Return, SHIFT)
    QTest.keyClicks(field, "Really?")
    height = bubble(window, 0).height()
    QTest.keyClick(field, Qt.Key.Key_Return, SHIFT)
    qtbot.waitUntil(lambda: bubble(window, 0).height() > height, timeout=WAIT_MS)
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    QTest.keyClick(field, Qt.Key.Key_Return)

    answer = running(ready)
    assert shown(window) == ["Why?\nReally?", ""]
    assert focused() is window.chat.composer.field
    reply_to(ready, answer, "Yes, really.")
    settled(qtbot, window)
    assert shown(window) == ["Why?\nReally?", "Yes, really."]
    assert bubble(window, 0).foot.count_text == "2/2"
    assert bubble(window, 0).editor is None


@pytest.mark.parametrize("way", ["escape", "button"])
def test_an_edit_is_given_up_without_a_trace(
    qtbot: QtBot, window: MainWindow, ready: FakeSession, way: str
) -> None:
    talk(ready, "Why?", "Because.")
    settled(qtbot, window)
    click(bubble(window, 0).foot.button("edit"))
    QTest.keyClicks(editor(window, 0).field, " Never")
    if way == "escape":
        QTest.keyClick(editor(window, 0).field, Qt.Key.Key_Escape)
    else:
        click(editor(window, 0).cancel_button)
    assert bubble(window, 0).editor is None
    assert window.chat.composer.field.hasFocus()
    assert bubble(window, 0).text_parts()[0].toPlainText() == "Why?"
    assert len(ready.current_chat.tree) == 2
    assert not asked(ready, "stop")


def test_a_blank_edit_stays_open_and_is_told(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    settled(qtbot, window)
    click(bubble(window, 0).foot.button("edit"))
    editor(window, 0).field.set_text("")
    click(editor(window, 0).send_button)
    assert bubble(window, 0).editor is not None
    assert not window.chat.composer.field.hasFocus()
    assert len(ready.current_chat.tree) == 2


def test_an_edit_is_there_again_after_another_chat_and_another_branch(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    talk(ready, "And?", "So.")
    settled(qtbot, window)
    first = ready.current_chat
    click(bubble(window, 2).foot.button("edit"))
    QTest.keyClicks(editor(window, 2).field, " Really?")
    press(window, Qt.Key.Key_N)
    assert ready.current_chat is not first
    ready.open_chat(first.chat_id)
    settled(qtbot, window)
    assert editor(window, 2).field.text() == "And? Really?"
    QTest.keyClick(editor(window, 2).field, Qt.Key.Key_Return)
    assert shown(window)[2] == "And? Really?"
    assert bubble(window, 2).editor is None
    reply_to(ready, running(ready), "Yes.")
    settled(qtbot, window)
    # What was sent is no edit any more, wherever one goes.
    click(bubble(window, 2).foot.button("previous"))
    settled(qtbot, window)
    assert shown(window)[2] == "And?"
    assert bubble(window, 2).editor is None


def test_an_edit_survives_another_text_size(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    settled(qtbot, window)
    click(bubble(window, 0).foot.button("edit"))
    QTest.keyClicks(editor(window, 0).field, " Still here")
    window.actions_.zoom_in.trigger()
    settled(qtbot, window)
    assert editor(window, 0).field.text() == "Why? Still here"
    window.actions_.zoom_reset.trigger()


def test_an_answer_is_given_once_more_and_arrows_go_between_both(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    settled(qtbot, window)
    assert answer_at(window, 1).foot.count_text == ""
    assert answer_at(window, 1).foot.offered == [
        "regenerate",
        "copy",
        "edit",
        "timeline",
    ]

    click(answer_at(window, 1).foot.button("regenerate"))
    reply_to(ready, running(ready), "For another reason.")
    settled(qtbot, window)
    assert shown(window) == ["Why?", "For another reason."]
    foot = answer_at(window, 1).foot
    assert foot.count_text == "2/2"
    assert foot.button("previous").accessibleName() == "Previous variant"
    assert foot.button("previous").accessibleDescription() == "Variant 2 of 2"
    assert not foot.button("next").isEnabled()

    foot.button("previous").setFocus()
    QTest.keyClick(foot.button("previous"), Qt.Key.Key_Space)
    assert shown(window) == ["Why?", "Because."]
    # The way on is next: the other arrow leads nowhere.
    foot = answer_at(window, 1).foot
    assert foot.button("next").hasFocus()
    QTest.keyClick(foot.button("next"), Qt.Key.Key_Space)
    assert shown(window) == ["Why?", "For another reason."]


def test_a_variant_is_deleted_and_brought_back(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    first = talk(ready, "Why?", "Because.")
    settled(qtbot, window)
    assert "delete" not in answer_at(window, 1).foot.offered
    click(answer_at(window, 1).foot.button("regenerate"))
    reply_to(ready, running(ready), "For another reason.")
    settled(qtbot, window)

    click(answer_at(window, 1).foot.button("delete"))
    assert shown(window) == ["Why?", "Because."]
    assert answer_at(window, 1).foot.count_text == ""
    [card] = window.chat.messages.cards
    assert card.message.title == "The variant was deleted"
    undo = next(b for b in card.findChildren(QPushButton) if b.text() == "Undo")
    click(undo)
    assert shown(window) == ["Why?", "For another reason."]
    assert answer_at(window, 1).foot.count_text == "2/2"
    assert window.chat.messages.cards == []
    assert ready.current_chat.tree[1] is first


def test_arrows_stay_under_the_pointer_in_a_long_conversation(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    for n in range(4):
        talk(ready, f"Question {n}", "A line.\n\n" * 10)
    first = ready.current_chat.turns[3]
    assert isinstance(first, Answer)
    ready.regenerate(first)
    reply_to(ready, running(ready), "A line.\n\n" * 30)
    for n in range(4):
        talk(ready, f"More {n}", "A line.\n\n" * 10)
    settled(qtbot, window)
    view = window.chat.view
    slot = view.stack.slots[3]
    view.verticalScrollBar().setValue(slot.top + slot.height - 300)
    settled(qtbot, window)
    arrow = answer_at(window, 3).foot.button("previous")
    place = arrow.mapTo(window, QPoint(0, 0))

    click(arrow)
    settled(qtbot, window)

    assert len(view.stack.slots) == 8
    assert answer_at(window, 3).foot.button("next").mapTo(window, QPoint(0, 0)).y() == place.y()
    click(answer_at(window, 3).foot.button("next"))
    settled(qtbot, window)
    assert len(view.stack.slots) == 12
    assert answer_at(window, 3).foot.button("previous").mapTo(window, QPoint(0, 0)) == place


def test_an_answer_cut_by_its_length_is_continued_with_a_click(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    answer = talk(ready, "Why?", "Because the", FinishReason.LENGTH)
    settled(qtbot, window)
    click(answer_at(window, 1).foot.button("continue"))
    assert running(ready) is answer
    ready.prefill(answer, prompt=100, cached=99)
    ready.stream(answer, " **sky**")
    ready.stream(answer, " is blue.")
    ready.finish(answer)
    settled(qtbot, window)

    widget = answer_at(window, 1)
    assert answer.text == "Because the **sky** is blue."
    assert [part.toPlainText() for part in widget.text_parts()] == ["Because the sky is blue."]
    assert "since continuing: TTFT" in widget.figures_line.text()
    assert "2 tokens" in widget.figures_line.text()
    assert "This answer was continued." in widget.figures_line.toolTip()
    assert not widget.foot.button("continue").isVisible()


def test_the_felt_ttft_of_a_continuation_is_of_its_own_text(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    answer = talk(ready, "Why?", "Because the", FinishReason.LENGTH)
    settled(qtbot, window)
    qtbot.waitUntil(lambda: answer.felt_ttft_ns is not None, timeout=WAIT_MS)
    painted: list[int] = []
    ready.first_painted.connect(lambda request_id, t_ns: painted.append(request_id))
    click(answer_at(window, 1).foot.button("continue"))
    ready.prefill(answer)
    settled(qtbot, window)
    window.grab()
    assert painted == []
    ready.stream(answer, " sky")
    qtbot.waitUntil(lambda: painted == [answer.trace.request_id], timeout=WAIT_MS)


def test_a_long_answer_stays_where_it_is_while_it_is_continued(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    answer = talk(ready, "Why?", "A line of many words.\n\n" * 1_500, FinishReason.LENGTH)
    settled(qtbot, window)
    bar = window.chat.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place, most = bar.value(), bar.maximum()
    places: set[int] = set()
    bar.valueChanged.connect(places.add)
    bar.rangeChanged.connect(lambda _least, most: places.add(most))

    ready.continue_answer(answer)
    ready.prefill(answer)
    ready.stream(answer, "And more.")
    ready.finish(answer)
    settled(qtbot, window)

    assert bar.value() == place
    assert min(places, default=most) >= most - 40
    assert answer_at(window, 1).text_parts()[-1].toPlainText().endswith("And more.")


def test_only_the_last_answer_is_continued(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because the", FinishReason.LENGTH)
    settled(qtbot, window)
    assert answer_at(window, 1).foot.button("continue").isVisible()
    talk(ready, "And?", "So.")
    settled(qtbot, window)
    assert not answer_at(window, 1).foot.button("continue").isVisible()
    assert answer_at(window, 1).foot.button("regenerate").isVisible()


def test_while_an_answer_runs_nothing_else_can_begin_and_the_reason_is_told(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    talk(ready, "Why?", "Because.")
    settled(qtbot, window)
    click(bubble(window, 0).foot.button("edit"))
    answer = ready.add_turns("And?")
    ready.prefill(answer)
    settled(qtbot, window)

    reason = "An answer is running."
    again = answer_at(window, 1).foot.button("regenerate")
    for button in (again, bubble(window, 2).foot.button("edit"), editor(window, 0).send_button):
        assert not button.isEnabled()
        assert reason in button.toolTip()
    for action in (window.actions_.edit_message, window.actions_.regenerate):
        assert not action.isEnabled()

    ready.stream(answer, "So.")
    ready.finish(answer)
    settled(qtbot, window)
    assert again.isEnabled()
    assert reason not in again.toolTip()
    assert editor(window, 0).send_button.isEnabled()


def test_everything_has_a_key_that_is_told(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    answer = talk(ready, "Why?", "Because the", FinishReason.LENGTH)
    settled(qtbot, window)
    assert "Ctrl+E" in bubble(window, 0).foot.button("edit").toolTip()
    assert "Ctrl+Shift+R" in answer_at(window, 1).foot.button("regenerate").toolTip()
    assert "Enter" in answer_at(window, 1).foot.button("continue").toolTip()

    press(window, Qt.Key.Key_Return, CONTROL_SHIFT)
    assert running(ready) is answer
    reply_to(ready, answer, " sky.")
    press(window, Qt.Key.Key_R, CONTROL_SHIFT)
    reply_to(ready, running(ready), "Once more.")
    settled(qtbot, window)
    assert shown(window)[-1] == "Once more."
    press(window, Qt.Key.Key_PageUp)
    assert shown(window)[-1] == "Because the sky."
    press(window, Qt.Key.Key_PageDown)
    assert shown(window)[-1] == "Once more."
    press(window, Qt.Key.Key_E)
    assert editor(window, 0).field.hasFocus()

    window.actions_.shortcuts.trigger()
    dialog = window.findChild(ShortcutsDialog)
    assert dialog is not None
    for words in ("Edit the last message: Ctrl+E", "Continue the answer: Ctrl+Shift+Enter"):
        assert words in dialog.accessibleDescription()
    assert "Return" not in dialog.accessibleDescription()
    dialog.close()


def test_what_is_found_in_another_branch_is_shown(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    first = talk(ready, "Why?", "Because of Rayleigh.")
    for n in range(6):
        talk(ready, f"More {n}", "A line.\n\n" * 10)
    ready.regenerate(first)
    reply_to(ready, running(ready), "It scatters.")
    chat = ready.current_chat
    hit = SearchHit(chat_id=chat.chat_id, excerpt="Because of Rayleigh.", message_id=first.turn_id)
    field = window.sidebar.search_field
    QTest.keyClicks(field, "rayleigh")
    window.sidebar.show_found("rayleigh", (hit,))
    chats = window.sidebar.chat_list
    row = chats.visualRect(chats.model().index(1, 0)).center()
    QTest.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, pos=row)
    settled(qtbot, window)

    assert len(shown(window)) == 14
    top = window.chat.view.verticalScrollBar().value()
    assert top < window.chat.view.stack.slots[1].top < top + window.chat.view.height()


def test_words_are_found_in_the_branch_that_is_shown(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    first = talk(ready, "Why?", "An apple, an apple.")
    ready.regenerate(first)
    reply_to(ready, running(ready), "One apple.")
    settled(qtbot, window)
    bar = window.chat.find_bar
    bar.open_find()
    bar.field.setText("apple")
    qtbot.waitUntil(lambda: bar.n_matches == 1, timeout=WAIT_MS)
    click(answer_at(window, 1).foot.button("previous"))
    qtbot.waitUntil(lambda: bar.n_matches == 2, timeout=WAIT_MS)
    bar.close_find()


def test_the_meter_does_not_count_what_was_thought(
    qtbot: QtBot, window: MainWindow, ready: FakeSession
) -> None:
    ready.set_chat_settings(ready.current_chat, ChatSettings())
    talk(ready, "Why?", "<think>Hm.</think>\n\nBecause.")
    qtbot.waitUntil(lambda: bool(asked(ready, "count")), timeout=WAIT_MS)
    assert asked(ready, "count")[-1] == ""


def test_keys_are_written_as_the_system_writes_them() -> None:
    assert shortcuts.with_keys("Edit", shortcuts.EDIT) == "Edit (Ctrl+E)"
