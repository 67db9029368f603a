"""Of a long conversation only what is near what is read has widgets; all else goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.transcript import Answer, AnswerPhase, UserTurn
from engine.figures import RequestTrace
from tests.ui.driving import CONTROL, SHIFT
from tests.waiting import WAIT_MS
from ui.conversation import answer_widget, turn_area, turn_stack
from ui.conversation.column import COLUMN_WIDEST, column_in
from ui.conversation.user_bubble import UserBubble

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.conversation.text_part import TextPart
    from ui.conversation.turn_stack import Slot
    from ui.conversation.view import ConversationView
    from ui.main_window import MainWindow

N_TURNS = 160


def settled(qtbot: QtBot, view: ConversationView) -> None:
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)


def made(view: ConversationView) -> list[int]:
    return [n for n, slot in enumerate(view.stack.slots) if slot.widget is not None]


def scroll(qtbot: QtBot, view: ConversationView, y: int) -> None:
    view.verticalScrollBar().setValue(y)
    settled(qtbot, view)


def part_of(slot: Slot) -> TextPart:
    assert slot.widget is not None
    return slot.widget.text_parts()[0]


@pytest.fixture
def view(qtbot: QtBot, window: MainWindow, session: FakeSession) -> ConversationView:
    """A conversation of 80 questions with answers, opened anew."""
    session.become_ready()
    chat = session.current_chat
    for number in range(N_TURNS // 2):
        text = f"Answer **{number}**. " * (20 + 40 * (number % 3))
        text += f"\n\n```py\nx = {number}\n```\n\nEnd {number}."
        chat.add(UserTurn(text=f"Question {number}"))
        chat.add(Answer(trace=RequestTrace(0, 0), phase=AnswerPhase.DONE, text=text))
    session.new_chat()
    session.open_chat(chat.chat_id)
    view = window.chat.view
    settled(qtbot, view)
    window.activateWindow()
    return view


def test_what_is_sent_from_far_above_is_shown_with_its_answer(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    scroll(qtbot, view, 0)
    answer = session.add_turns("New question")
    settled(qtbot, view)
    bar = view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0, timeout=WAIT_MS)
    assert part_of(view.stack.slots[-2]).toPlainText() == "New question"
    session.prefill(answer)
    session.stream(answer, "New answer")
    settled(qtbot, view)
    assert part_of(view.stack.slots[-1]).toPlainText() == "New answer"


def test_what_grows_at_the_end_places_nothing_above_anew(
    view: ConversationView, session: FakeSession
) -> None:
    slots = view.stack.slots
    tops = [slot.top for slot in slots]
    # Would be gone if it were placed.
    slots.tops[0] = -1
    answer = session.add_turns("And then?")
    session.prefill(answer)
    session.stream(answer, "One line.\n\n" * 20)
    session.finish(answer)
    assert [slot.top for slot in slots[:N_TURNS]] == [-1, *tops[1:]]
    assert slots[-1].top > slots[-2].top > tops[-1]


def test_opening_costs_what_is_seen_and_not_all_turns(
    qtbot: QtBot, view: ConversationView, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = session.current_chat
    session.new_chat()
    n_made, make = 0, turn_stack.Slot

    def count(turn: UserTurn | Answer, index: int, places: turn_stack.Slots) -> Slot:
        nonlocal n_made
        n_made += 1
        return make(turn, index, places)

    monkeypatch.setattr(turn_stack, "Slot", count)
    session.open_chat(chat.chat_id)
    settled(qtbot, view)
    assert len(view.stack.slots) == N_TURNS
    assert 0 < n_made < N_TURNS // 2


def test_a_column_moves_with_its_view(qtbot: QtBot, view: ConversationView) -> None:
    view.resize(COLUMN_WIDEST + 200, view.height())
    settled(qtbot, view)
    view.resize(COLUMN_WIDEST + 400, view.height())
    settled(qtbot, view)
    left, _ = column_in(view.viewport().width())
    assert {widget.x() for widget in view.stack.widgets} == {left}


def test_far_turns_have_no_widgets_and_keep_their_place(
    qtbot: QtBot, view: ConversationView
) -> None:
    assert made(view)[-1] == N_TURNS - 1
    assert len(made(view)) < 40
    scroll(qtbot, view, 0)
    assert made(view)[0] == 0
    assert len(made(view)) < 40
    for y in range(0, view.verticalScrollBar().maximum(), 900):
        scroll(qtbot, view, y)
        assert len(made(view)) < 60
    heights = [slot.height for slot in view.stack.slots]
    scroll(qtbot, view, 0)
    assert [slot.height for slot in view.stack.slots] == heights
    assert view.stack.slots[-1].widget is None


def test_what_is_read_stays_while_what_is_above_it_is_made(
    qtbot: QtBot, view: ConversationView
) -> None:
    bar = view.verticalScrollBar()
    for _ in range(30):
        seen = view.stack.slots[view.stack.index_at(bar.value())]
        y = seen.top - bar.value()
        bar.setValue(bar.value() - 250)
        assert seen.top - bar.value() == y + 250
        settled(qtbot, view)
        assert seen.top - bar.value() == y + 250


def test_everything_on_screen_is_there_wherever_one_goes(
    qtbot: QtBot, view: ConversationView
) -> None:
    bar = view.verticalScrollBar()
    for share in (0.1, 0.8, 0.33, 0.9, 0.5):
        scroll(qtbot, view, int(share * bar.maximum()))
        top = bar.value()
        bottom = top + view.viewport().height()
        shown = [s for s in view.stack.slots if s.top < bottom and s.top + s.height > top]
        assert shown
        for slot in shown:
            assert slot.widget is not None
            assert slot.widget.isVisible()
            assert (slot.widget.y(), slot.widget.height()) == (slot.top, slot.height)


def test_a_turn_that_is_asked_for_is_shown_at_the_top(qtbot: QtBot, view: ConversationView) -> None:
    slot = view.stack.slots[40]
    view.reveal_turn(slot.turn)
    settled(qtbot, view)
    assert slot.widget is not None
    assert slot.top - view.verticalScrollBar().value() == 40


def test_it_stays_there_while_what_is_above_it_is_made_little_by_little(
    qtbot: QtBot, view: ConversationView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a slow machine: one turn at a time, and answers in many pieces."""
    monkeypatch.setattr(turn_area, "_AT_ONCE_S", -1.0)
    monkeypatch.setattr(turn_area, "_SLICE_S", -1.0)
    monkeypatch.setattr(turn_area, "_PLACED_EVERY_S", 0.0)
    monkeypatch.setattr(answer_widget, "_SLICE_CHARACTERS", 100)
    monkeypatch.setattr(answer_widget, "_SLICE_S", 1e-5)
    for index in (40, 20, 60):
        slot = view.stack.slots[index]
        view.reveal_turn(slot.turn)
        settled(qtbot, view)
        assert slot.top - view.verticalScrollBar().value() == 40


def test_another_size_and_width_stay_at_the_same_turn(
    qtbot: QtBot, view: ConversationView, window: MainWindow
) -> None:
    slot = view.stack.slots[40]
    scroll(qtbot, view, slot.top)
    scroll(qtbot, view, slot.top)
    window.resize(900, 700)
    settled(qtbot, view)
    assert view.stack.index_at(view.verticalScrollBar().value()) == 40
    window.actions_.zoom_in.trigger()
    settled(qtbot, view)
    window.actions_.zoom_reset.trigger()
    settled(qtbot, view)
    assert view.stack.index_at(view.verticalScrollBar().value()) == 40
    assert len(made(view)) < 60


def test_what_is_in_use_keeps_its_widget(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    slots = view.stack.slots
    running = session.add_turns("Go on")
    session.prefill(running)
    session.stream(running, "So")
    settled(qtbot, view)
    chosen = part_of(slots[-3])
    chosen.setFocus()
    chosen.selectAll()
    bubble = slots[-4].widget
    assert isinstance(bubble, UserBubble)
    bubble.begin_edit("In other words")
    scroll(qtbot, view, 0)
    n_all = len(slots)
    assert [n for n in made(view) if n > 80] == [n_all - 4, n_all - 3, n_all - 1]
    assert bubble.editor is not None
    assert bubble.editor.field.text() == "In other words"
    assert bubble.editor.field.hasFocus()
    session.stream(running, " it goes on.")
    session.finish(running)
    bubble.editor.cancelled.emit()
    view.setFocus()
    scroll(qtbot, view, 10)
    scroll(qtbot, view, 0)
    assert [n for n in made(view) if n > 80] == [n_all - 3]
    view.jump_to_end()
    settled(qtbot, view)
    assert part_of(slots[-1]).toPlainText() == "So it goes on."


def test_tab_goes_from_top_to_bottom_after_turns_came_and_went(
    qtbot: QtBot, view: ConversationView
) -> None:
    part_of(view.stack.slots[-1]).setFocus()
    maximum = view.verticalScrollBar().maximum()
    for share in (0.5, 0.2, 0.9, 0.0, 0.4):
        scroll(qtbot, view, int(share * maximum))
    first = part_of(view.stack.slots[view.stack.index_at(view.verticalScrollBar().value())])
    first.setFocus()
    found: list[QWidget] = [first]
    for _ in range(24):
        QTest.keyClick(found[-1], Qt.Key.Key_Tab)
        settled(qtbot, view)
        focus = QApplication.focusWidget()
        assert focus is not None
        found.append(focus)
    widgets = [view.stack.slots[n].widget for n in made(view)]
    stops = [stop for widget in widgets if widget is not None for stop in widget.focus_stops()]
    usable = [stop for stop in stops if stop.isEnabled() and stop.isVisible()]
    begin = usable.index(first)
    assert found == usable[begin : begin + 25]


def test_words_are_found_in_turns_far_off_and_let_go_afterwards(
    qtbot: QtBot, view: ConversationView, window: MainWindow
) -> None:
    find = window.chat.find_bar
    find.open_find()
    find.field.setText("End 1")
    qtbot.waitUntil(lambda: find.is_complete, timeout=WAIT_MS)
    settled(qtbot, view)
    # Nothing follows what was seen, the end.
    assert find.count.text() == "1 of 11"
    assert view.stack.slots[3].widget is not None
    last = view.stack.slots[3].widget.text_parts()[-1]
    assert len(last.extraSelections()) == 1
    y = last.mapTo(view.viewport(), QPoint(0, 0)).y()
    assert 0 < y < view.viewport().height()
    for _ in range(9):
        QTest.keyClick(find.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: find.is_complete, timeout=WAIT_MS)
    settled(qtbot, view)
    assert find.count.text() == "10 of 11"
    find.close_find()
    settled(qtbot, view)
    assert len(made(view)) < 60


def test_a_selection_goes_through_turns_that_are_not_there(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    scroll(qtbot, view, 0)
    first = part_of(view.stack.slots[1])
    QTest.mouseClick(first.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 10))
    scroll(qtbot, view, view.verticalScrollBar().maximum())
    slot = view.stack.slots[-1]
    last = part_of(slot)
    assert view.stack.slots[80].widget is None
    point = last.mapTo(view.viewport(), QPoint(0, 0))
    assert point.y() < view.viewport().height()
    QTest.mouseClick(last.viewport(), Qt.MouseButton.LeftButton, SHIFT, QPoint(200, 10))
    QTest.keyClick(last, Qt.Key.Key_C, CONTROL)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Answer 0. Answer 0.")
    for number in range(N_TURNS // 2 - 1):
        assert text.count(f"Question {number}\n") == (number > 0)
        assert f"x = {number}\n\nEnd {number}." in text
    scroll(qtbot, view, view.stack.slots[80].top)
    assert part_of(view.stack.slots[81]).textCursor().hasSelection()
    scroll(qtbot, view, view.verticalScrollBar().maximum())
    QTest.keyClick(last, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == text
