"""The conversation: streaming, following, copying, and what went wrong."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.actions import Action
from app.messages import Severity, UserMessage
from app.transcript import Conversation
from engine.errors import ErrorCode, ErrorInfo
from engine.events import FinishReason
from tests.ui.fakes import FakeSession
from tests.ui.markdown.structure import lines_of
from tests.waiting import WAIT_MS
from ui.conversation.answer_widget import AnswerWidget
from ui.conversation.code_part import CodePart
from ui.conversation.link_dialog import LinkDialog
from ui.conversation.prose_part import ProsePart
from ui.conversation.reasoning_part import ReasoningPart
from ui.conversation.text_part import TextPart
from ui.conversation.user_bubble import UserBubble
from ui.conversation.view import ConversationView
from ui.labels import PlainLabel
from ui.markdown.formulas import FormulaSetter
from ui.theme import Theme, ThemeMode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.transcript import Answer

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
    session.on_added = partial(settled, qtbot, view)
    yield view
    session.on_added = None
    view.formulas.close()
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


def shown_text(part: QWidget) -> str:
    if isinstance(part, CodePart):
        return part.text()
    assert isinstance(part, TextPart)
    return part.toPlainText()


def test_prose_and_code_are_shown_apart(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = finished_answer(session, ANSWER)
    settled(qtbot, view)
    parts = answer_widget(view, answer).parts
    assert [type(part) for part in parts] == [ProsePart, CodePart, ProsePart]
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
    documents = [part.document() for part in widget.text_parts()]
    for _ in range(20):
        before = [document.revision() for document in documents]
        answer.text += " and grows"
        widget.update_answer()
        after = [document.revision() for document in documents]
        assert after[:-1] == before[:-1]
        assert after[-1] > before[-1]
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
    button = answer_widget(view, answer).foot.button("copy")
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
    assert part.toPlainText() == ('<img src="file:///etc/hostname"> x (http://localhost:1/x.png)')
    assert part.loadResource(2, "file:///etc/hostname") is None


def test_the_first_text_on_screen_is_reported_once(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    painted: list[object] = []
    view.maker.first_text_painted.connect(lambda which, t_ns: painted.append(which))
    with qtbot.waitSignal(view.maker.first_text_painted, timeout=WAIT_MS) as caught:
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
    with qtbot.waitSignal(view.maker.first_text_painted, timeout=WAIT_MS):
        answer = finished_answer(session, "Because")
    settled(qtbot, view)
    painted: list[object] = []
    view.maker.first_text_painted.connect(lambda which, t_ns: painted.append(which))
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
    # It stands beside the text.
    widget = view.stack.slots[-1].widget
    assert widget is not None
    assert view.jump_button.geometry().left() > widget.geometry().right()
    assert view.viewport().rect().contains(view.jump_button.geometry())

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
    assert len(view.stack.widgets) < 60
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
    slots = [slot for slot in view.stack.slots if slot.widget is not None]
    assert len(slots) >= 6
    for slot in slots:
        assert slot.widget is not None
        assert slot.widget.y() == slot.top
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
    with qtbot.waitSignal(view.maker.action_requested, timeout=WAIT_MS) as caught:
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
    session.fail(answer)
    session.regenerate(answer)
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
    label = line.findChild(PlainLabel)
    assert label is not None
    assert label.text().replace("\xa0", " ").replace("\n", " · ") == line.text()


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

    def n_shown() -> int:
        return sum(part.document().characterCount() - 1 for part in bubble.text_parts())

    qtbot.waitUntil(lambda: n_shown() >= len(text.strip()), timeout=WAIT_MS)
    assert bubble.height() > 4 * height


@pytest.mark.parametrize("line", ["word " * 15 + "\n", "\n" * 7 + "a\n", "w" * 70])
def test_a_huge_message_is_several_texts_that_read_as_one(
    qtbot: QtBot, view: ConversationView, session: FakeSession, line: str
) -> None:
    text = line * (60_000 // len(line)) + "end"
    session.add_turns(text)
    settled(qtbot, view)
    bubble = view.stack.slots[0].widget
    assert isinstance(bubble, UserBubble)
    bubble.show_all()
    qtbot.waitUntil(lambda: bubble.text_parts()[-1].toPlainText().endswith("end"), timeout=WAIT_MS)
    settled(qtbot, view)
    parts = bubble.text_parts()
    assert len(parts) >= 3
    assert max(part.document().characterCount() for part in parts) <= 17_000
    for above, below in pairwise(parts):
        assert above.geometry().bottom() + 1 == below.y()
    view.activateWindow()
    parts[1].setFocus()
    QTest.keyClick(parts[1], Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(parts[1], Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == text.strip("\n")
    QTest.keyClick(parts[1], Qt.Key.Key_Tab)
    assert parts[2].hasFocus()


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
    assert answer_widget(view, first).foot.button("copy") in wanted
    assert answer_widget(view, second).foot.button("copy") in wanted


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


RICH = (
    "# Title\n\nSome **bold** [words](https://example.org/x) here.\n\n1. one\n2. two\n"
    "   - deep\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n```py\ncode\n```\n\nThe end.\n"
)

# The last four have nothing in their first block.
BEGINNINGS = ("", "---\n\n", "#\n\n", "- \n\n", "1. \n\n")


@given(
    beginning=st.sampled_from(BEGINNINGS),
    cuts=st.lists(st.integers(0, len(RICH)), max_size=12),
)
@hypothesis.example(beginning="---\n\n", cuts=[3, 5, 9])
@hypothesis.example(beginning="#\n\n", cuts=[1, 3, 9])
@hypothesis.example(beginning="- \n\n", cuts=[2, 4, 9])
@hypothesis.example(beginning="1. \n\n", cuts=[3, 5, 9])
@hypothesis.settings(max_examples=20)
def test_what_streamed_in_looks_as_if_it_had_come_at_once(
    theme: Theme, beginning: str, cuts: list[int]
) -> None:
    text = beginning + RICH
    session = FakeSession()
    host = QWidget()
    formulas = FormulaSetter(host)
    streamed = AnswerWidget(theme, session.add_turns("Go"), formulas, lambda: None, host)
    places = [0, *sorted(cuts), len(text)]
    for begin, end in pairwise(places):
        session.stream(streamed.answer, text[begin:end])
        streamed.update_answer()
        streamed.arrange(500)
    session.finish(streamed.answer)
    at_once = AnswerWidget(theme, streamed.answer, formulas, lambda: None, host)
    for widget in (streamed, at_once):
        write_all(widget)
    assert [looks(part) for part in streamed.parts] == [looks(part) for part in at_once.parts]
    assert streamed.arrange(500) == at_once.arrange(500)
    host.deleteLater()


def test_what_was_written_to_is_measured_anew_though_a_part_above_changed(theme: Theme) -> None:
    session = FakeSession()
    host = QWidget()
    answer = session.add_turns("Go")
    widget = AnswerWidget(theme, answer, FormulaSetter(host), lambda: None, host)
    session.stream(answer, "Words\n\n```\nfirst\n")
    write_all(widget)
    widget.arrange(500)
    words, _ = widget.parts
    assert isinstance(words, ProsePart)
    words.resized.emit()
    session.stream(answer, "line\n" * 9 + "```\n\nEnd")
    session.finish(answer)
    write_all(widget)
    widget.arrange(500)
    _, code, end = widget.parts
    assert isinstance(code, CodePart)
    assert code.body.height() == code.body.content_height()
    assert end.y() > code.geometry().bottom()
    host.deleteLater()


def write_all(widget: AnswerWidget) -> None:
    widget.update_answer()
    while not widget.is_written:
        widget.update_answer()


def looks(part: QWidget) -> list[str]:
    if isinstance(part, CodePart):
        return [part.text()]
    assert isinstance(part, ProsePart)
    return lines_of(part.document())


def test_a_selection_stays_while_the_answer_grows(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, "First one.\n\nThe last")
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, ProsePart)
    cursor = part.textCursor()
    cursor.setPosition(6)
    cursor.setPosition(14, QTextCursor.MoveMode.KeepAnchor)
    part.setTextCursor(cursor)
    session.stream(answer, " grows *and* grows")
    settled(qtbot, view)
    part.copy()
    assert QGuiApplication.clipboard().text() == "one.\nThe"


class _Browser(QObject):
    """What the system opens addresses with."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot("QUrl")
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def browser(qapp: QApplication) -> Iterator[_Browser]:
    browser = _Browser()
    # The stub says bytes, the binding takes a name.
    QDesktopServices.setUrlHandler("https", browser, "open")  # type: ignore[arg-type]
    yield browser
    QDesktopServices.unsetUrlHandler("https")


def test_a_link_opens_only_after_the_person_saw_where_it_leads(
    qtbot: QtBot, view: ConversationView, session: FakeSession, browser: _Browser
) -> None:
    answer = finished_answer(session, "[https://bank.example](https://evil.example/login)")
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, ProsePart)
    place = QTextCursor(part.document())
    place.setPosition(4)
    QTest.mouseClick(
        part.viewport(), Qt.MouseButton.LeftButton, pos=part.cursorRect(place).center()
    )
    dialog = answer_widget(view, answer).findChild(LinkDialog)
    assert dialog is not None
    shown = " ".join(label.text() for label in dialog.findChildren(PlainLabel))
    assert "https://evil.example/login" in shown.replace("\u200b", "")
    assert browser.opened == []
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "https://evil.example/login"
    QTest.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert browser.opened == ["https://evil.example/login"]
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("See https://example.org/a_b_c.", ["https://example.org/a_b_c"]),
        ("(http://localhost:8080/?q=1&r=2)", ["http://localhost:8080/?q=1&r=2"]),
        ("**https://example.org**, `https://example.org/code`", ["https://example.org"]),
        ("main.py, www.example.org, a@example.org, ftp://example.org, //example.org", []),
    ],
)
def test_a_bare_address_of_the_web_is_a_link(
    qtbot: QtBot, view: ConversationView, session: FakeSession, text: str, addresses: list[str]
) -> None:
    answer = finished_answer(session, text)
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, ProsePart)
    cursor = QTextCursor(part.document())
    found: list[str] = []
    while cursor.movePosition(QTextCursor.MoveOperation.NextCharacter):
        address = cursor.charFormat().anchorHref()
        if address and address not in found:
            found.append(address)
    assert found == addresses


def test_a_bare_address_stands_as_it_was_written(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    address = "http://xn--pple-43d.com/a%20b%E2%80%AEgro.live"
    answer = finished_answer(session, f"See {address} there.")
    settled(qtbot, view)
    [part] = answer_widget(view, answer).text_parts()
    assert part.toPlainText().replace("\u200b", "") == f"See {address} there."


def test_a_link_is_reached_and_asked_about_with_keys(
    qtbot: QtBot, view: ConversationView, session: FakeSession, browser: _Browser
) -> None:
    answer = finished_answer(session, "See [this](https://example.org/a).")
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    view.activateWindow()
    part.setFocus()
    QTest.keyClick(part, Qt.Key.Key_Tab)
    QTest.keyClick(part, Qt.Key.Key_Return)
    dialog = answer_widget(view, answer).findChild(LinkDialog)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert browser.opened == []
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        "> " * 10_000 + "x",
        "```\n" + "y" * 50_000,
        "a\x00b\u202ec\ud800d",
        "[" * 20_000,
        "*a " * 5_000,
        "| a " * 5_000,
        "$" * 5_000,
        pytest.param("x" * 1_000_000, marks=pytest.mark.slow),
        "- " * 10_000 + "x",
        "1. " * 10_000 + "x",
        "".join("  " * depth + "- a\n" for depth in range(400)),
        "~~~\n" * 401 + "z\n~~~",
        "<a href='" * 5_000,
        "[a](" * 10_000,
        "\\[" * 5_000,
        "a\u202e\u2067\u200f" * 3_000,
        "\ud800\udc00" * 3_000 + "\x00" * 3_000,
    ],
)
def test_hostile_text_is_shown_to_its_end(
    qtbot: QtBot, view: ConversationView, session: FakeSession, text: str
) -> None:
    answer = finished_answer(session, text + "\n\nThe end.")
    settled(qtbot, view)
    qtbot.waitUntil(lambda: not answer_widget(view, answer).is_behind, timeout=WAIT_MS)
    shown = shown_text(answer_widget(view, answer).parts[-1])
    assert shown.endswith("The end.")
    assert "\u202e" not in shown


def test_colours_follow_the_theme(
    qtbot: QtBot, view: ConversationView, session: FakeSession, theme: Theme
) -> None:
    theme.set_mode(ThemeMode.LIGHT)
    answer = finished_answer(session, "Words\n\n- and `more`\n")
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, ProsePart)
    before = lines_of(part.document())
    theme.set_mode(ThemeMode.DARK)

    def color() -> str:
        iterator = part.document().begin().begin()
        return iterator.fragment().charFormat().foreground().color().name()

    qtbot.waitUntil(lambda: color() == theme.color("text").name(), timeout=WAIT_MS)
    assert lines_of(part.document()) == before


def colors_of(part: CodePart) -> list[dict[str, str]]:
    """Of each line, the colour of what is coloured."""
    found: list[dict[str, str]] = []
    block = part.document.begin()
    while block.isValid():
        units = block.text().encode("utf-16-le")
        found.append(
            {
                units[made.start * 2 : (made.start + made.length) * 2].decode(
                    "utf-16-le"
                ): made.format.foreground().color().name()
                for made in block.layout().formats()
            }
        )
        block = block.next()
    return found


def code_part(view: ConversationView, answer: Answer) -> CodePart:
    return next(part for part in answer_widget(view, answer).parts if isinstance(part, CodePart))


def test_code_has_colours_and_keeps_them_right_after_long_strings(
    qtbot: QtBot, view: ConversationView, session: FakeSession, theme: Theme
) -> None:
    answer = session.add_turns("Go on")
    session.prefill(answer)
    lines = "\n".join(f"def line {n}" for n in range(60))
    text = f'```python\nx = """🌇 {lines}\n"""\nreturn 5  # words\n```\n'
    for begin in range(0, len(text), 50):
        session.stream(answer, text[begin : begin + 50])
        settled(qtbot, view)
    session.finish(answer)
    part = code_part(view, answer)
    qtbot.waitUntil(lambda: part.is_settled, timeout=WAIT_MS)
    block = part.document.begin()
    while block.isValid():
        assert block.layout().lineCount() == 1
        block = block.next()
    colors = colors_of(part)
    string = theme.color("code_string").name()
    assert colors[0]['"""'] == string
    assert colors[0]["🌇 def line 0"] == string
    assert colors[40] == {"def line 40": string}
    assert colors[-1] == {
        "return": theme.color("code_keyword").name(),
        "5": theme.color("code_number").name(),
        "# words": theme.color("code_comment").name(),
    }
    assert part.text().endswith("return 5  # words")


def test_code_is_coloured_while_it_streams(
    qtbot: QtBot, view: ConversationView, session: FakeSession, theme: Theme
) -> None:
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, "```js\nconst a = 1\n")
    settled(qtbot, view)
    part = code_part(view, answer)
    qtbot.waitUntil(lambda: "const" in colors_of(part)[0], timeout=WAIT_MS)
    assert colors_of(part)[0]["const"] == theme.color("code_keyword").name()
    session.stream(answer, "let b = 2\n")
    settled(qtbot, view)
    assert colors_of(part)[1]["let"] == theme.color("code_keyword").name()


@pytest.mark.parametrize("language", ["", "nobody-knows-this", "\u202ehtml"])
def test_code_in_no_known_language_stays_plain(
    qtbot: QtBot, view: ConversationView, session: FakeSession, language: str
) -> None:
    answer = finished_answer(session, f"```{language}\nreturn 5\n```")
    settled(qtbot, view)
    part = code_part(view, answer)
    qtbot.waitUntil(lambda: part.is_settled, timeout=WAIT_MS)
    assert colors_of(part) == [{}]
    assert all("\u202e" not in label.text() for label in part.findChildren(PlainLabel))


def test_colours_of_code_follow_the_theme(
    qtbot: QtBot, view: ConversationView, session: FakeSession, theme: Theme
) -> None:
    answer = finished_answer(session, "```py\nreturn\n```")
    settled(qtbot, view)
    part = code_part(view, answer)

    def is_in_its_color() -> bool:
        return colors_of(part)[0].get("return") == theme.color("code_keyword").name()

    for mode in (ThemeMode.DARK, ThemeMode.LIGHT):
        theme.set_mode(mode)
        qtbot.waitUntil(is_in_its_color, timeout=WAIT_MS)


def reasoning_of(view: ConversationView, answer: Answer) -> ReasoningPart:
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, ReasoningPart)
    return part


def test_reasoning_is_folded_with_its_tokens_and_time(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    for number, piece in enumerate(["<think>", "Let me", " think"]):
        session.stream(answer, piece, t_ms=100 * number + 1)
    settled(qtbot, view)
    part = reasoning_of(view, answer)
    assert part.head.text().replace("\u202f", " ") == "Reasoning… · 3 tokens · 200 ms"
    assert not part.body.isVisible()
    session.stream(answer, "</think>\n\nBecause.", t_ms=301)
    session.finish(answer)
    settled(qtbot, view)
    assert part.head.text().replace("\u202f", " ") == "Reasoning · 4 tokens · 300 ms"
    widget = answer_widget(view, answer)
    assert [shown_text(p) for p in widget.parts[1:] if not isinstance(p, ReasoningPart)] == [
        "Because."
    ]
    QTest.mouseClick(widget.foot.button("copy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Because."
    height = widget.height()
    part.head.setFocus()
    QTest.keyClick(part.head, Qt.Key.Key_Space)
    assert part.body.isVisible()
    assert part.body.toPlainText() == "Let me think"
    assert widget.height() > height
    assert widget.parts[1].y() >= part.y() + part.height()
    QTest.keyClick(part.head, Qt.Key.Key_Space)
    assert widget.height() == height


def test_reasoning_that_began_in_the_prompt_is_folded_once_it_ends(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, "Let me think.\n")
    settled(qtbot, view)
    session.stream(answer, "</think>\nBecause.")
    session.finish(answer)
    settled(qtbot, view)
    part = reasoning_of(view, answer)
    part.head.click()
    assert part.body.toPlainText() == "Let me think."
    assert len(answer_widget(view, answer).parts) == 2


def test_formulas_are_drawn_in_the_colour_of_the_text(
    qtbot: QtBot, view: ConversationView, session: FakeSession, theme: Theme
) -> None:
    theme.set_mode(ThemeMode.LIGHT)
    answer = finished_answer(session, "$$\\frac{a}{b}$$\n\nIt is \\(x^2\\), for $5 and $6.")
    settled(qtbot, view)
    part = answer_widget(view, answer).parts[0]
    assert isinstance(part, ProsePart)
    height = part.height()
    qtbot.waitUntil(lambda: view.formulas.is_idle and view.is_settled, timeout=WAIT_MS)
    assert part.toPlainText() == "\ufffc\nIt is \ufffc, for $5 and $6."
    assert part.height() > height
    image = part.grab().toImage()
    row = [image.pixelColor(image.width() // 2, y) for y in range(image.height() // 2)]
    assert any(color.lightness() < 60 for color in row)
    part.selectAll()
    part.copy()
    copied = QGuiApplication.clipboard().text()
    assert copied == "$$\\frac{a}{b}$$\nIt is \\(x^2\\), for $5 and $6."


def test_a_formula_that_cannot_be_drawn_is_shown_as_it_was_written(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    deep = "$" + "{" * 300 + "x" + "}" * 300 + "$"
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, f"One \\(\\frac{{a\\) two.\n\n{deep}\n\nThree")
    settled(qtbot, view)
    qtbot.waitUntil(lambda: view.formulas.is_idle and view.is_settled, timeout=WAIT_MS)
    session.stream(answer, " grows.")
    session.finish(answer)
    settled(qtbot, view)
    assert shown_text(answer_widget(view, answer).parts[0]) == (
        f"One \\(\\frac{{a\\) two.\n{deep}\nThree grows."
    )


def test_an_answer_is_copied_in_the_way_chosen(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    answer = finished_answer(session, "<think>Hm</think>\n\n**Yes** and `no`")
    settled(qtbot, view)
    button = answer_widget(view, answer).foot.button("copy")
    copied: dict[str, str] = {}
    for action in button.actions():
        action.trigger()
        copied[action.text()] = QGuiApplication.clipboard().text()
    assert copied == {
        "Copy as Markdown": "**Yes** and `no`",
        "Copy as plain text": "Yes and no",
        "Copy with reasoning": "<think>Hm</think>\n\n**Yes** and `no`",
    }


def test_text_grows_and_shrinks(
    qtbot: QtBot, view: ConversationView, session: FakeSession, theme: Theme
) -> None:
    answer = finished_answer(session, "# Title\n\nWords. " * 20)
    settled(qtbot, view)
    height = answer_widget(view, answer).height()
    theme.zoom(1)
    settled(qtbot, view)
    larger = answer_widget(view, answer).height()
    assert larger > height
    theme.zoom(0)
    settled(qtbot, view)
    assert answer_widget(view, answer).height() == height
    for _ in range(20):
        theme.zoom(-1)
    assert theme.zoom_ratio == 0.8
