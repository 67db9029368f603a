"""The conversation: streaming, following, copying, and what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.actions import Action
from app.messages import Severity, UserMessage
from app.transcript import Conversation
from engine.errors import ErrorCode, ErrorInfo
from engine.events import FinishReason
from tests.waiting import WAIT_MS
from ui.conversation.answer_widget import AnswerWidget
from ui.conversation.code_part import CodePart
from ui.conversation.text_part import TextPart
from ui.conversation.user_bubble import UserBubble
from ui.conversation.view import ConversationView
from ui.labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.transcript import Answer
    from tests.ui.fakes import FakeSession
    from ui.theme import Theme

ANSWER = "Look:\n\n```python\nprint(1)\n```\n\nThat is <b>all</b>.\n"


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, session: FakeSession) -> Iterator[ConversationView]:
    session.become_ready()
    view = ConversationView(theme)
    session.turn_added.connect(view.add_turn)
    session.answer_changed.connect(view.update_answer)
    session.chat_opened.connect(view.show_conversation)
    view.show_conversation(session.current_chat)
    view.resize(800, 500)
    view.show()
    qtbot.waitUntil(view.isVisible, timeout=WAIT_MS)
    yield view
    view.hide()
    view.deleteLater()


def settled(qtbot: QtBot, view: ConversationView) -> None:
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)


def answer_widget(view: ConversationView, answer: Answer) -> AnswerWidget:
    widget = next(slot.widget for slot in view.stack.slots if slot.turn is answer)
    assert isinstance(widget, AnswerWidget)
    return widget


def finished_answer(session: FakeSession, text: str, question: str = "Why?") -> Answer:
    answer = session.add_turns(question)
    session.prefill(answer)
    session.stream(answer, text)
    session.finish(answer)
    return answer


def shown_text(part: TextPart | CodePart) -> str:
    return part.text() if isinstance(part, CodePart) else part.toPlainText()


def test_prose_and_code_are_shown_apart(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = finished_answer(session, ANSWER)
    settled(qtbot, view)
    parts = answer_widget(view, answer).parts
    assert [type(part) for part in parts] == [TextPart, CodePart, TextPart]
    assert [shown_text(part) for part in parts] == ["Look:", "print(1)", "That is <b>all</b>."]


def test_only_the_last_segment_is_touched_however_long_the_answer(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, ("Some prose.\n\n```\ncode\n```\n\n" * 50) + "The end grows")
    settled(qtbot, view)
    widget = answer_widget(view, answer)
    n_parts = len(widget.parts)
    assert n_parts > 100
    for _ in range(20):
        answer.text += " and grows"
        assert widget.update_answer() == [n_parts - 1]
    assert len(widget.parts) == n_parts


def test_updates_within_a_frame_are_shown_once(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Go on")
    session.prefill(answer)
    settled(qtbot, view)
    session.stream(answer, "a")
    changes: list[None] = []
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, TextPart)
    part.document().contentsChanged.connect(lambda: changes.append(None))
    for _ in range(100):
        session.stream(answer, "b")
    settled(qtbot, view)
    assert part.toPlainText() == "a" + "b" * 100
    assert len(changes) < 5


def test_copy_answer_gives_the_original(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = finished_answer(session, ANSWER)
    settled(qtbot, view)
    button = answer_widget(view, answer).copy_button
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == ANSWER


def test_copy_code_gives_the_code(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = finished_answer(session, ANSWER)
    settled(qtbot, view)
    code = answer_widget(view, answer).parts[1]
    button = next(b for b in code.findChildren(QPushButton) if b.accessibleName() == "Copy code")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "print(1)"


def test_ctrl_c_copies_the_original_of_a_run_that_was_cut(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    run = "x" * 10_000
    answer = finished_answer(session, run)
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, TextPart)
    assert part.document().blockCount() > 1
    part.setFocus()
    QTest.keyClick(part, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(part, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == run


def test_a_selection_within_a_line_keeps_emoji_whole(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = finished_answer(session, "ab🌇cd")
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, TextPart)
    cursor = part.textCursor()
    cursor.setPosition(1)
    cursor.setPosition(5, QTextCursor.MoveMode.KeepAnchor)
    part.setTextCursor(cursor)
    part.copy()
    assert QGuiApplication.clipboard().text() == "b🌇c"


def test_nothing_in_an_answer_is_a_resource(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    hostile = '<img src="file:///etc/hostname"> ![x](http://localhost:1/x.png)'
    answer = finished_answer(session, hostile)
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, TextPart)
    assert part.toPlainText() == hostile
    assert part.loadResource(2, "file:///etc/hostname") is None


def test_the_first_text_on_screen_is_reported_once(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    painted: list[object] = []
    view.first_text_painted.connect(lambda which, t_ns: painted.append(which))
    with qtbot.waitSignal(view.first_text_painted, timeout=WAIT_MS) as caught:
        session.stream(answer, "Because")
    assert caught.args is not None
    assert caught.args[1] > 0
    session.stream(answer, " of the light")
    session.finish(answer)
    qtbot.waitUntil(
        lambda: shown_text(answer_widget(view, answer).parts[0]).endswith("light"), timeout=WAIT_MS
    )
    assert painted == [answer]


def test_an_answer_that_was_over_before_is_not_reported(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    with qtbot.waitSignal(view.first_text_painted, timeout=WAIT_MS):
        answer = finished_answer(session, "Because")
    settled(qtbot, view)
    painted: list[object] = []
    view.first_text_painted.connect(lambda which, t_ns: painted.append(which))
    view.show_conversation(session.current_chat)
    part = answer_widget(view, answer).parts[0]
    with qtbot.waitSignal(part.painted, timeout=WAIT_MS):
        view.viewport().update()
    settled(qtbot, view)
    assert painted == []


def test_follows_the_end_unless_scrolled_up(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    for _ in range(8):
        finished_answer(session, "A line.\n" * 10)
    settled(qtbot, view)
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, "A line.\n" * 30)
    settled(qtbot, view)
    assert bar.value() == bar.maximum()
    assert not view.jump_button.isVisible()

    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    place = bar.value()
    session.stream(answer, "A line.\n" * 30)
    qtbot.waitUntil(lambda: bar.maximum() > place + view.height(), timeout=WAIT_MS)
    settled(qtbot, view)
    assert bar.value() == place
    assert view.jump_button.isVisible()

    QTest.mouseClick(view.jump_button, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    assert not view.jump_button.isVisible()


def test_hundreds_of_turns_open_at_the_end_with_a_few_widgets(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    for number in range(60):
        finished_answer(session, f"Answer {number}. " * 20, f"Question {number}")
    settled(qtbot, view)
    view.show_conversation(Conversation())
    view.show_conversation(session.current_chat)
    made = len(view.stack.widgets)
    assert made < 60
    assert view.stack.slots[-1].widget is not None
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    settled(qtbot, view)
    assert len(view.stack.widgets) == 120
    assert bar.value() == bar.maximum()


def test_turns_stand_below_each_other_after_a_resize(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    for _ in range(10):
        finished_answer(session, "Words that need several lines when it is narrow. " * 10)
    settled(qtbot, view)
    view.resize(480, 500)
    settled(qtbot, view)
    bottom = 0
    for slot in view.stack.slots:
        assert slot.widget is not None
        assert slot.widget.y() >= bottom
        assert slot.widget.width() < 480
        bottom = slot.widget.geometry().bottom()


def test_nothing_of_a_turn_is_cut_off(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    session.new_chat()
    questions = ["e.", "Why is the sky blue? Explain it like I'm twelve.", "Many words. " * 60]
    for question in questions:
        finished_answer(session, ANSWER + "Words that need several lines. " * 20, question)
    view.show_conversation(session.current_chat)
    settled(qtbot, view)
    parts = view.findChildren(TextPart)
    assert len(parts) >= 12
    for width in (800, 480, 900):
        view.resize(width, 500)
        settled(qtbot, view)
        visible = [part for part in parts if part.isVisible()]
        assert [part for part in visible if part.verticalScrollBar().maximum() > 0] == []
    bubble = view.stack.slots[2].widget
    assert isinstance(bubble, UserBubble)
    [text] = bubble.findChildren(TextPart)
    # One line: the bubble is as wide as its text.
    assert text.height() < 30
    assert text.width() >= text.fontMetrics().horizontalAdvance(questions[1])


def test_the_place_read_stays_when_the_width_changes(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    for number in range(30):
        finished_answer(session, "Words that need several lines. " * 10, f"Question {number}")
    settled(qtbot, view)
    view.verticalScrollBar().setValue(view.stack.slots[20].top)
    view.resize(520, 500)
    settled(qtbot, view)
    assert view.verticalScrollBar().value() == view.stack.slots[20].top


def test_a_failed_answer_keeps_its_text_and_offers_what_to_do(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Tell me")
    session.prefill(answer)
    session.stream(answer, "Once upon")
    session.fail(answer, ErrorInfo(code=ErrorCode.ENGINE_DIED, technical="exit code -9"))
    settled(qtbot, view)
    widget = answer_widget(view, answer)
    assert shown_text(widget.parts[0]) == "Once upon"
    card = widget.card
    assert card is not None
    retry = next(
        b for b in card.findChildren(QPushButton) if b.isVisible() and b.text() == "Try again"
    )
    with qtbot.waitSignal(view.action_requested, timeout=WAIT_MS) as caught:
        QTest.mouseClick(retry, Qt.MouseButton.LeftButton)
    assert caught.args == [Action.RETRY, answer]


def test_an_answer_that_is_no_longer_the_last_cannot_be_retried(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Tell me")
    session.fail(answer)
    session.add_turns("Again")
    settled(qtbot, view)
    card = answer_widget(view, answer).card
    assert card is not None
    assert card.message.text
    labels = [button.text() for button in card.findChildren(QPushButton) if button.isVisible()]
    assert labels == ["Details"]


def test_details_of_a_failure_unfold(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Tell me")
    session.fail(answer, ErrorInfo(code=ErrorCode.DECODE_FAILED, technical="llama_decode gave -3"))
    settled(qtbot, view)
    widget = answer_widget(view, answer)
    assert widget.card is not None
    height = widget.height()
    fold = next(b for b in widget.card.findChildren(QPushButton) if b.text() == "Details")
    QTest.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert widget.height() > height
    assert "llama_decode gave -3" in widget.card.message.technical


def test_a_retried_answer_begins_empty(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Tell me")
    session.prefill(answer)
    session.stream(answer, "Once")
    session.fail(answer)
    session.retry(answer)
    session.prefill(answer)
    session.stream(answer, "Twice")
    widget = answer_widget(view, answer)
    qtbot.waitUntil(
        lambda: [shown_text(part) for part in widget.parts] == ["Twice"], timeout=WAIT_MS
    )
    assert widget.card is None


def test_the_line_of_figures_follows_the_phases(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Why?")
    line = answer_widget(view, answer).figures_line
    assert line.text() == "waiting for the model"
    session.prefill(answer, prompt=1024, cached=600, done=812)
    qtbot.waitUntil(
        lambda: line.text() == "reading 812 of 1,024 tokens · 600 from cache", timeout=WAIT_MS
    )
    session.stream(answer, "Be", t_ms=0)
    session.stream(answer, "cause", t_ms=20)
    qtbot.waitUntil(lambda: line.text().startswith("decoding · TTFT 182\u202fms"), timeout=WAIT_MS)
    session.finish(answer, FinishReason.LENGTH)
    settled(qtbot, view)
    assert line.text().replace("\u202f", " ") == (
        "length limit · TTFT 182 ms · 50.0 tok/s · 2 tokens · context 1,026 / 8,192"
    )
    assert "felt" in line.toolTip()


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (FinishReason.END, "end of answer"),
        (FinishReason.STOP_STRING, "end of answer"),
        (FinishReason.CONTEXT_FULL, "context full"),
        (FinishReason.CANCELLED, "stopped"),
    ],
)
def test_the_line_says_how_it_ended(
    qtbot: QtBot,
    view: ConversationView,
    session: FakeSession,
    reason: FinishReason,
    words: str,
) -> None:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, "Because")
    session.finish(answer, reason)
    line = answer_widget(view, answer).figures_line
    settled(qtbot, view)
    # One token has no rate: it is left out, not shown as 0.
    assert line.text().replace("\u202f", " ") == (
        f"{words} · TTFT 182 ms · 1 token · context 97 / 8,192"
    )


def test_a_huge_message_is_folded_and_unfolds(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    text = "word " * 20_000
    session.add_turns(text)
    settled(qtbot, view)
    bubble = view.stack.slots[0].widget
    assert isinstance(bubble, UserBubble)
    height = bubble.height()
    assert height < 2_500
    button = bubble.findChild(QPushButton)
    assert button is not None
    assert button.text() == "Show all 100,000 characters"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    part = bubble.findChild(TextPart)
    assert part is not None
    qtbot.waitUntil(lambda: part.document().characterCount() > 100_000, timeout=WAIT_MS)
    assert bubble.height() > 4 * height


def test_tab_goes_from_top_to_bottom(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    first = finished_answer(session, ANSWER)
    second = finished_answer(session, "Short")
    settled(qtbot, view)
    view.activateWindow()
    view.setFocus()
    stops = []
    widget = view.nextInFocusChain()
    wanted = [
        stop
        for slot in view.stack.slots
        if slot.widget is not None
        for stop in slot.widget.focus_stops()
    ]
    while widget is not None and widget is not view:
        if widget in wanted:
            stops.append(widget)
        widget = widget.nextInFocusChain()
    assert stops == wanted
    assert answer_widget(view, first).copy_button in wanted
    assert answer_widget(view, second).copy_button in wanted


def test_a_message_is_plain_text(view: ConversationView, session: FakeSession) -> None:
    answer = session.add_turns("Tell me")
    message = UserMessage(
        severity=Severity.ERROR, title="<img src=x>", text="<b>bold</b>", actions=()
    )
    session.fail(answer)
    answer.error = message
    widget = answer_widget(view, answer)
    widget.update_answer()
    card = widget.card
    assert card is not None
    labels = card.findChildren(PlainLabel)
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
