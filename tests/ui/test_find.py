"""Finding words in the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.driving import SHIFT, press
from tests.waiting import WAIT_MS
from ui.conversation.answer_widget import AnswerWidget
from ui.conversation.found_words import Words
from ui.conversation.reasoning_part import ReasoningPart
from ui.theme import ThemeMode

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.transcript import Answer, UserTurn
    from tests.ui.fakes import FakeSession
    from ui.conversation.find_bar import FindBar
    from ui.main_window import MainWindow
    from ui.theme import Theme


def shows(qtbot: QtBot, window: MainWindow, theme: Theme, marks: list[str]) -> None:
    """Wait until these are marked: the window goes to a match when it finds the time."""
    qtbot.waitUntil(lambda: marked(window, theme) == marks, timeout=WAIT_MS)


@pytest.fixture
def find(window: MainWindow, session: FakeSession) -> FindBar:
    session.become_ready()
    window.activateWindow()
    return window.chat.find_bar


def told(session: FakeSession, text: str, question: str = "Why?") -> Answer:
    answer = session.add_turns(question)
    session.prefill(answer)
    session.stream(answer, text)
    session.finish(answer)
    return answer


def settled(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)


def look_for(find: FindBar, window: MainWindow, words: str) -> None:
    press(window, Qt.Key.Key_F)
    QTest.keyClicks(find.field, words)
    QTest.keyClick(find.field, Qt.Key.Key_Return)


def counted(qtbot: QtBot, find: FindBar, words: str) -> None:
    qtbot.waitUntil(lambda: find.is_complete and find.count.text() == words, timeout=WAIT_MS)


def counted_in(turn: Answer | UserTurn, words: str) -> int:
    """What is found in a turn as it was written."""
    work = Words(words).count_in(turn)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return int(end.value)


def marked(window: MainWindow, theme: Theme) -> list[str]:
    """What is marked, the match shown in brackets."""
    found: list[str] = []
    for part in window.chat.view.text_parts():
        for mark in part.extraSelections():
            is_now = mark.format.background().color() == theme.color("match_now")
            words = mark.cursor.selectedText()
            found.append(f"[{words}]" if is_now else words)
    return found


def test_what_a_model_thought_is_found_and_unfolded(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar, theme: Theme
) -> None:
    answer = told(session, "<think>A plum,\n\nor a Plum.</think>It is a plum.", "Plum?")
    settled(qtbot, window)
    widget = window.chat.view.stack.slots[1].widget
    assert isinstance(widget, AnswerWidget)
    assert widget.answer is answer
    [reasoning] = widget.findChildren(ReasoningPart)
    head = reasoning.head
    look_for(find, window, "plum")
    counted(qtbot, find, "1 of 4")
    assert not head.isChecked()
    shows(qtbot, window, theme, ["[Plum]", "plum"])
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    assert find.count.text() == "2 of 4"
    shows(qtbot, window, theme, ["Plum", "[plum]", "Plum", "plum"])
    assert head.isChecked()
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    assert find.count.text() == "3 of 4"
    shows(qtbot, window, theme, ["Plum", "plum", "[Plum]", "plum"])
    QTest.keyClick(find.field, Qt.Key.Key_Return, SHIFT)
    assert find.count.text() == "2 of 4"


def test_it_follows_what_streams_in(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar, theme: Theme
) -> None:
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, "One *fish* and")
    settled(qtbot, window)
    look_for(find, window, "fish")
    counted(qtbot, find, "1 of 1")
    session.stream(answer, " another fi")
    settled(qtbot, window)
    session.stream(answer, "sh.\n\n```\nfish()\n```\n")
    counted(qtbot, find, "1 of 3")
    shows(qtbot, window, theme, ["[fish]", "fish", "fish"])
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    assert find.count.text() == "2 of 3"


def test_the_keys_of_the_window_go_from_match_to_match(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar, theme: Theme
) -> None:
    told(session, "a bee, a bee\n\na bee")
    settled(qtbot, window)
    press(window, Qt.Key.Key_F3, Qt.KeyboardModifier.NoModifier)
    assert find.isVisible()
    QTest.keyClicks(find.field, "bee")
    press(window, Qt.Key.Key_F3, Qt.KeyboardModifier.NoModifier)
    counted(qtbot, find, "1 of 3")
    press(window, Qt.Key.Key_F3, Qt.KeyboardModifier.NoModifier)
    assert find.count.text() == "2 of 3"
    press(window, Qt.Key.Key_F3, SHIFT)
    press(window, Qt.Key.Key_F3, SHIFT)
    assert find.count.text() == "3 of 3"


def test_what_is_not_shown_yet_is_found_without_being_made(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar, theme: Theme
) -> None:
    chat = session.current_chat
    for number in range(150):
        told(session, f"Word **bold {number}** here. " * 30)
    told(session, "x" * 50 + " The END", "y" * 9_000 + " the end")
    session.new_chat()
    session.open_chat(chat.chat_id)
    settled(qtbot, window)
    slots = window.chat.view.stack.slots
    n_made = sum(slot.widget is not None for slot in slots)
    look_for(find, window, "bold")
    # Nothing follows what is seen, so that it goes on from the start.
    counted(qtbot, find, "1 of 4,500")
    settled(qtbot, window)
    made = [number for number, slot in enumerate(slots) if slot.widget is not None]
    assert len(made) < n_made + 40
    assert not [number for number in made if 60 < number < 240]
    find.field.setText("the end")
    counted(qtbot, find, "1 of 2")
    shows(qtbot, window, theme, ["[the end]", "The END"])
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    shows(qtbot, window, theme, ["the end", "[The END]"])


def test_it_begins_with_what_is_seen(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar
) -> None:
    for number in range(30):
        told(session, f"Number {number} is a pear. " * 20, f"Pear {number}?")
    settled(qtbot, window)
    view = window.chat.view
    view.reveal_turn(view.stack.slots[20].turn)
    settled(qtbot, window)
    top = view.verticalScrollBar().value()
    look_for(find, window, "pear")
    counted(qtbot, find, "211 of 630")
    assert view.verticalScrollBar().value() == top
    # A longer word stays where the shorter one was found.
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    counted(qtbot, find, "212 of 630")
    find.field.setText("pear.")
    counted(qtbot, find, "201 of 600")
    # Beyond the middle of a turn it begins in the middle of it.
    part = view.stack.slots[21].widget
    assert part is not None
    view.verticalScrollBar().setValue(view.stack.slots[21].top + part.height() // 2)
    settled(qtbot, window)
    find.close_find()
    find.open_find()
    qtbot.waitUntil(lambda: find.count.text().endswith(" of 600"), timeout=WAIT_MS)
    number = int(find.count.text().split()[0])
    assert 205 < number < 218


def test_what_is_written_and_what_is_shown_is_counted_alike(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar
) -> None:
    text = (
        "# The light!\n\nOf *the* li**gh**t, the\nlight, and a_b [more](https://light.org/more) or"
        " [more](file:///light).\n\n1. The light\n   - 450 `light` nm\n\n   ```python\n   the light"
        "\n   python\n   ```\n2. $x$ the light\n\n| light | b |\n|---|---|\n| the **light** | x |\n"
        "\n![light](more.png) <b>see it</b> &amp; ~~light~~ [see it][1]\n\n$$\nlight\n$$\n\n"
        "[1]: https://python.org/light\n\n- [x] the light\n\n" + "Light, light. " * 300
    )
    told(session, f"<think>The light</think>{text}", "Where is the light?\n\nlight")
    settled(qtbot, window)
    turns = [slot.turn for slot in window.chat.view.stack.slots]
    find.open_find()
    for word in ("light", "the light", "450", "python", "more", "x", "b", "see it", "a_b", "!"):
        find.field.setText(word)
        qtbot.waitUntil(lambda: find.is_complete, timeout=WAIT_MS)
        assert find.n_matches
        assert sum(counted_in(turn, word) for turn in turns) == find.n_matches


def test_places_are_right_beside_emoji_tables_and_formulas(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar, theme: Theme
) -> None:
    table = "| owl | \U0001f600 |\n|---|---|\n| b | an OWL |"
    told(session, f"\U0001f600 $a^2$ owl\u00a0\U0001f680 owl\n\n{table}")
    settled(qtbot, window)
    look_for(find, window, "owl")
    counted(qtbot, find, "1 of 4")
    shows(qtbot, window, theme, ["[owl]", "owl", "owl", "OWL"])


def test_marks_follow_the_theme(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar, theme: Theme
) -> None:
    theme.set_mode(ThemeMode.LIGHT)
    told(session, "A cat and *a cat*.")
    settled(qtbot, window)
    look_for(find, window, "cat")
    counted(qtbot, find, "1 of 2")
    [_, part] = window.chat.view.text_parts()
    n_before = part.document().revision()
    theme.set_mode(ThemeMode.DARK)
    qtbot.waitUntil(lambda: part.document().revision() > n_before, timeout=WAIT_MS)
    shows(qtbot, window, theme, ["[cat]", "cat"])


def test_a_million_characters_are_searched(
    qtbot: QtBot, window: MainWindow, session: FakeSession, find: FindBar, theme: Theme
) -> None:
    told(session, "```\n" + "needle in hay\n" * 70_000 + "```\n\nA needle.")
    qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)
    look_for(find, window, "needle")
    qtbot.waitUntil(
        lambda: find.is_complete and find.count.text().endswith(" of 70,001"), timeout=WAIT_MS
    )
    number = int(find.count.text().split()[0].replace(",", ""))
    assert 69_900 < number <= 70_001
    qtbot.waitUntil(lambda: marked(window, theme).count("[needle]") == 1, timeout=WAIT_MS)
    for _ in range(70_001 - number + 1):
        QTest.keyClick(find.field, Qt.Key.Key_Return)
    assert find.count.text() == "1 of 70,001"
    # The mark at the end goes when there is time for it.
    qtbot.waitUntil(lambda: marked(window, theme)[0] == "[needle]", timeout=WAIT_MS)
    qtbot.waitUntil(lambda: marked(window, theme).count("[needle]") == 1, timeout=WAIT_MS)
