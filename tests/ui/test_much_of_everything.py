"""Answers with thousands of the same: in few widgets, whole, and in moments."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tests.waiting import WAIT_MS
from ui.conversation import arrival, prose_part
from ui.conversation.answer_widget import AnswerWidget
from ui.conversation.code_part import CodePart
from ui.conversation.prose_part import ProsePart
from ui.copy_button import CopyButton
from ui.markdown.formats import CODE_FOOT_PX, CODE_HEAD_PX
from ui.markdown.lines import piece_end

if TYPE_CHECKING:
    import pytest
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.conversation.view import ConversationView
    from ui.main_window import MainWindow
    from ui.theme import Theme


def shown(qtbot: QtBot, window: MainWindow, session: FakeSession, text: str) -> AnswerWidget:
    session.become_ready()
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, text)
    session.finish(answer)
    view = window.chat.view
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    widget = view.stack.slots[-1].widget
    assert isinstance(widget, AnswerWidget)
    return widget


def test_code_beyond_many_blocks_is_part_of_the_prose_unless_it_is_long(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "_MOST_CODE_PARTS", 3)
    long = "".join(f"line {number}\n" for number in range(400))
    text = "".join(f"```\ncode {n}\n```\n\nWord {n}\n\n" for n in range(6))
    text += f"```py\n{long}```\nEnd"
    widget = shown(qtbot, window, session, text)
    assert sum(isinstance(part, CodePart) for part in widget.parts) == 4
    prose, code, end = widget.parts[-3:]
    assert isinstance(prose, ProsePart)
    assert isinstance(code, CodePart)
    assert isinstance(end, ProsePart)
    lines = prose.toPlainText().split("\n")
    assert lines == ["Word 2", "code 3", "Word 3", "code 4", "Word 4", "code 5", "Word 5"]
    assert code.text() == long.removesuffix("\n")
    assert end.toPlainText() == "End"


def test_code_in_prose_has_a_button_that_copies_it(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "_MOST_CODE_PARTS", 0)
    window.show()
    text = "Two:\n\n```py\na = 1\n\nb = 2\n```\n\nand\n\n> ```\n> quoted\n> ```\n"
    widget = shown(qtbot, window, session, text)
    [part] = widget.parts
    assert isinstance(part, ProsePart)
    qtbot.waitUntil(lambda: len(part.copy_buttons) == 2, timeout=WAIT_MS)
    copied = []
    for button in part.copy_buttons:
        button.click()
        copied.append(QGuiApplication.clipboard().text())
    assert copied == ["a = 1\n\nb = 2", "quoted"]
    assert [button.accessibleDescription() for button in part.copy_buttons] == ["py", "code"]
    # Each stands above its code, and below the text before it.
    tops = [part.cursorRect(part.document().find(text)).top() for text in ("a = 1", "quoted")]
    assert all(b.geometry().bottom() <= t for b, t in zip(part.copy_buttons, tops, strict=True))


def test_only_code_on_screen_has_buttons(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "_MOST_CODE_PARTS", 0)
    window.show()
    widget = shown(qtbot, window, session, "```\ncode\n```\n\nText\n\n" * 120)
    view = window.chat.view

    qtbot.waitUntil(lambda: bool(on_screen(view, widget)), timeout=WAIT_MS)
    assert len(buttons_of(widget)) < 40
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    qtbot.waitUntil(lambda: bool(on_screen(view, widget)), timeout=WAIT_MS)
    assert len(buttons_of(widget)) < 40


def buttons_of(widget: AnswerWidget) -> list[CopyButton]:
    parts = [part for part in widget.parts if isinstance(part, ProsePart)]
    return [button for part in parts for button in part.copy_buttons]


def on_screen(view: ConversationView, widget: AnswerWidget) -> list[CopyButton]:
    """The buttons of which something can be seen."""
    return [button for button in buttons_of(widget) if not button.visibleRegion().isEmpty()]


def test_a_button_stays_with_its_code(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "_MOST_CODE_PARTS", 0)
    window.show()
    text = "".join(f"```\ncode {n}\n```\n\nText\n\n" for n in range(60))
    widget = shown(qtbot, window, session, text)
    view = window.chat.view
    bar = view.verticalScrollBar()
    qtbot.waitUntil(lambda: len(on_screen(view, widget)) > 2, timeout=WAIT_MS)
    seen = on_screen(view, widget)
    highest, lowest = seen[0], seen[-1]
    lowest.setFocus()
    codes: list[str] = []
    for button in (highest, lowest, highest, lowest):
        if len(codes) == 2:
            # So far that the highest has others above it, and the lowest goes.
            bar.setValue(bar.value() - view.viewport().height() // 2)
            qtbot.waitUntil(lambda: highest in on_screen(view, widget)[1:], timeout=WAIT_MS)
        button.click()
        codes.append(QGuiApplication.clipboard().text())
    assert codes[:2] == codes[2:]
    assert lowest.hasFocus()
    assert lowest not in on_screen(view, widget)
    others = [button for button in buttons_of(widget) if button not in (highest, lowest)]
    assert {button.text() for button in others} == {"Copy"}


def test_a_button_for_other_code_has_not_copied_that(qtbot: QtBot, theme: Theme) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    button = CopyButton(theme, lambda: "one", "Copy code", host)
    button.click()
    assert button.text() == "Copied"
    button.become(lambda: "two")
    assert button.text() == "Copy"
    button.click()
    assert QGuiApplication.clipboard().text() == "two"


def test_code_in_prose_is_copied_as_it_arrived(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "_MOST_CODE_PARTS", 0)
    window.show()
    lines = "".join(f"    line {number}\n" for number in range(150))
    text = f"```\na\u202eb\n\n```\n\nand\n\n> ```\n> c\x01\n> ```\n\nthen\n\n{lines}\nEnd"
    widget = shown(qtbot, window, session, text)
    [part] = widget.parts
    assert isinstance(part, ProsePart)
    assert "a\u2039U+202E\u203ab" in part.toPlainText()
    window.chat.view.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: len(part.copy_buttons) == 3, timeout=WAIT_MS)
    copied = []
    for button in part.copy_buttons:
        button.click()
        copied.append(QGuiApplication.clipboard().text())
    assert copied == ["a\u202eb\n", "c\x01", lines.replace("    ", "").removesuffix("\n")]


def test_code_has_the_same_frame_in_prose_and_in_a_part_of_its_own(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show()
    own = shown(qtbot, window, session, "```py\na = 1\nb = 2\n```").parts[0]
    monkeypatch.setattr(arrival, "_MOST_CODE_PARTS", 0)
    prose = shown(qtbot, window, session, "```py\na = 1\nb = 2\n```").parts[0]
    assert isinstance(own, CodePart)
    assert isinstance(prose, ProsePart)
    qtbot.waitUntil(lambda: len(prose.copy_buttons) == 1, timeout=WAIT_MS)
    assert prose.copy_buttons[0].geometry() == own.focus_stops()[0].geometry()
    of_own, of_prose = own.grab().toImage(), prose.grab().toImage()
    assert of_own.size() == of_prose.size()
    assert of_own.height() == CODE_HEAD_PX + 2 * 21 + CODE_FOOT_PX
    right, bottom = of_own.width() - 1, of_own.height() - 1
    corner = [(x, y) for x in range(12) for y in range(12)]
    edges = corner + [(right - x, y) for x, y in corner]
    edges += [(x, bottom - y) for x, y in edges] + [(0, y) for y in range(bottom)]
    assert [of_own.pixel(*place) for place in edges] == [of_prose.pixel(*place) for place in edges]
    assert of_own.pixel(0, 0) != of_own.pixel(0, 12)


def test_code_beyond_many_blocks_streams(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "_MOST_CODE_PARTS", 0)
    session.become_ready()
    answer = session.add_turns("Go on")
    session.prefill(answer)
    view = window.chat.view
    for piece in ("So:\n\n``", "`\na", " = 1\n", "\nb = 2\n", "```", "\n\nEnd"):
        session.stream(answer, piece)
        qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    session.finish(answer)
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    widget = view.stack.slots[-1].widget
    assert isinstance(widget, AnswerWidget)
    [part] = widget.parts
    assert isinstance(part, ProsePart)
    assert part.toPlainText() == "So:\na = 1\n\nb = 2\nEnd"


def test_a_paragraph_of_formulas_goes_on_in_several_parts(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prose_part, "_FULL_FORMULAS", 100)
    widget = shown(qtbot, window, session, " ".join(f"$x_{n % 3}$" for n in range(700)))
    counts = [
        part.toPlainText().count("\N{OBJECT REPLACEMENT CHARACTER}")
        for part in widget.parts
        if isinstance(part, ProsePart)
    ]
    assert len(counts) > 1
    assert sum(counts) == 700
    assert max(counts) < 400


def test_a_piece_ends_after_some_fences(qapp: QApplication) -> None:
    text = "```\n~~~\n" * 500 + "word " * 500
    ends = [0]
    while ends[-1] < len(text):
        ends.append(piece_end(text, ends[-1], 800))
    pieces = [text[begin:end] for begin, end in pairwise(ends)]
    assert "".join(pieces) == text
    assert max(piece.count("```") + piece.count("~~~") for piece in pieces) == 9
    assert [len(piece) for piece in pieces[-3:-1]] == [800, 800]
