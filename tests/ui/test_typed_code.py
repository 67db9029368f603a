"""Code in a message of a person: shown as in an answer, all else as it was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app.transcript import UserTurn
from tests.waiting import WAIT_MS
from ui.conversation.code_part import CodePart
from ui.conversation.found_words import Words
from ui.conversation.typed import Piece, pieces_of
from ui.conversation.user_bubble import UserBubble
from ui.conversation.view import ConversationView
from ui.copy_button import CopyButton
from ui.labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.theme import Theme


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, session: FakeSession) -> Iterator[ConversationView]:
    session.become_ready()
    view = ConversationView(theme)
    session.turn_added.connect(view.add_turn)
    session.answer_changed.connect(view.update_answer)
    view.show_conversation(session.current_chat)
    view.resize(800, 500)
    view.show()
    qtbot.waitUntil(view.isVisible, timeout=WAIT_MS)
    yield view
    view.formulas.close()
    view.hide()
    view.deleteLater()


def bubble_of(qtbot: QtBot, view: ConversationView, session: FakeSession, text: str) -> UserBubble:
    session.add_turns(text)
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    bubble = view.stack.slots[0].widget
    assert isinstance(bubble, UserBubble)
    return bubble


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", [Piece("")]),
        ("\n  **two**\n\n * lines \n", [Piece("  **two**\n\n * lines ")]),
        (
            "See\n\n```py x\na\n\n b\n```\nWell",
            [Piece("See"), Piece("a\n\n b", "py"), Piece("Well")],
        ),
        ("~~~\na\n```\n~~~~ ", [Piece("a\n```", "")]),
        ("````\n```\n````", [Piece("```", "")]),
        ("  ```\n  a\n   b\n ```", [Piece("a\n b", "")]),
        ("```\n```", [Piece("", "")]),
        # Nothing that is not closed, nor in a line, is code.
        ("a\n```py\nb", [Piece("a\n```py\nb")]),
        ("error\n    x\n~~~^~~\nhere", [Piece("error\n    x\n~~~^~~\nhere")]),
        ("say ```a``` or\n```a``` or", [Piece("say ```a``` or\n```a``` or")]),
        ("    ```\na\n    ```", [Piece("    ```\na\n    ```")]),
        ("````x\n```\na\n```", [Piece("````x"), Piece("a", "")]),
    ],
)
def test_code_is_what_stands_between_two_fences(text: str, pieces: list[Piece]) -> None:
    assert pieces_of(text) == pieces


def test_many_fences_that_nothing_closes_are_words() -> None:
    text = "```x\n" * 100_000
    assert pieces_of(text) == [Piece(text.strip("\n"))]


def test_code_beyond_many_pieces_of_it_stays_as_typed() -> None:
    pieces = pieces_of("a\n```\nb\n```\n" * 200)
    assert sum(piece.language is not None for piece in pieces) == 40
    assert pieces[-1].text.count("```\nb\n```") == 160


def test_code_is_shown_with_its_language_and_copied(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    text = "Why does *this* fail?\n```python\nprint(1)\n\nx = 2\n```\n\n**Thanks**"
    bubble = bubble_of(qtbot, view, session, text)
    texts = [part.toPlainText() for part in bubble.text_parts()]
    assert texts == ["Why does *this* fail?", "print(1)\n\nx = 2", "**Thanks**"]
    [code] = bubble.findChildren(CodePart)
    assert code.text() == "print(1)\n\nx = 2"
    assert "python" in [label.text() for label in code.findChildren(PlainLabel)]
    [copy] = code.findChildren(CopyButton)
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "print(1)\n\nx = 2"
    # The button below copies what was typed.
    QTest.mouseClick(bubble.foot.button("copy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == text
    qtbot.waitUntil(lambda: code.is_settled, timeout=WAIT_MS)
    assert code.document.firstBlock().layout().formats()


def test_a_long_line_is_read_from_its_beginning(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    bubble = bubble_of(qtbot, view, session, f"```\n{'word ' * 60}\n```")
    [body] = bubble.text_parts()
    assert body.horizontalScrollBar().maximum() > 0
    assert body.horizontalScrollBar().value() == 0


def test_a_selection_goes_through_words_and_code(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    bubble = bubble_of(qtbot, view, session, "One\n```\ntwo\n```\nthree")
    view.activateWindow()
    body = bubble.text_parts()[1]
    body.setFocus()
    QTest.keyClick(body, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(body, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "One\n\ntwo\n\nthree"


def test_an_edit_has_what_was_typed_and_leaves_it_as_it_was(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    text = "One\n```py\ntwo\n```"
    bubble = bubble_of(qtbot, view, session, text)
    [code] = bubble.findChildren(CodePart)
    bubble.begin_edit()
    assert bubble.editor is not None
    assert bubble.editor.field.text() == text
    assert not code.isVisible()
    QTest.keyClick(bubble.editor.field, Qt.Key.Key_Escape)
    assert code.isVisible()


def test_long_code_is_folded_and_unfolds_whole(
    qtbot: QtBot, view: ConversationView, session: FakeSession
) -> None:
    lines = "".join(f"line {number}\n" for number in range(3_000))
    bubble = bubble_of(qtbot, view, session, f"Read\n```\n{lines}```\nand say")
    assert not bubble.is_whole
    assert bubble.height() < 15_000
    bubble.show_all()
    qtbot.waitUntil(lambda: bubble.is_whole, timeout=WAIT_MS)
    assert [part.toPlainText() for part in bubble.text_parts()] == ["Read", lines[:-1], "and say"]


def test_words_are_counted_as_they_are_shown() -> None:
    turn = UserTurn(text="Python\n```python\npython\n```")
    with pytest.raises(StopIteration) as counted:
        next(Words("python").count_in(turn))
    assert counted.value.value == 2
