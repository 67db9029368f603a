"""Answers with thousands of the same: in few widgets, whole, and in moments."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication, QTextCursor

from tests.waiting import WAIT_MS
from ui.conversation import arrival, prose_part
from ui.conversation.answer_widget import AnswerWidget
from ui.conversation.code_part import CodePart
from ui.conversation.prose_part import ProsePart
from ui.markdown.formats import CODE_FOOT_PX, CODE_HEAD_PX
from ui.markdown.lines import piece_end

if TYPE_CHECKING:
    import pytest
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow


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

    def buttons() -> int:
        parts = [part for part in widget.parts if isinstance(part, ProsePart)]
        return sum(len(part.copy_buttons) for part in parts)

    qtbot.waitUntil(lambda: buttons() > 0, timeout=WAIT_MS)
    assert buttons() < 40
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)

    def is_placed() -> bool:
        parts = [part for part in widget.parts if isinstance(part, ProsePart)]
        found = [button for part in parts for button in part.copy_buttons]
        seen = [button for button in found if not button.visibleRegion().isEmpty()]
        # More than one, and as many as there is room for.
        return len(seen) > 2

    qtbot.waitUntil(is_placed, timeout=WAIT_MS)
    assert buttons() < 40


def test_code_looks_the_same_as_a_part_of_its_own_and_in_prose(
    qtbot: QtBot, window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "_MOST_CODE_PARTS", 1)
    window.show()
    widget = shown(qtbot, window, session, "```py\na = 1\n```\n\nText\n\n```py\na = 1\n```\n")
    code, prose = widget.parts
    assert isinstance(code, CodePart)
    assert isinstance(prose, ProsePart)
    qtbot.waitUntil(lambda: bool(prose.copy_buttons), timeout=WAIT_MS)
    found = prose.document().find("a = 1")
    found.setPosition(found.selectionStart())
    in_prose, in_code = prose.cursorRect(found), code.body.cursorRect(QTextCursor(code.document))
    of_code = code.grab().toImage()
    of_prose = prose.grab().toImage()
    top = prose._beside.head_of(found.block()).top()
    heads = QRect(0, 0, 200, CODE_HEAD_PX), QRect(0, top, 200, CODE_HEAD_PX)
    assert of_code.copy(heads[0]) == of_prose.copy(heads[1])
    line = prose.document().documentLayout().blockBoundingRect(found.block())
    bottoms = of_code.height(), round(line.bottom()) + CODE_FOOT_PX
    assert bottoms[1] <= of_prose.height()
    feet = [QRect(0, bottom - CODE_FOOT_PX, 200, CODE_FOOT_PX) for bottom in bottoms]
    assert of_code.copy(feet[0]) == of_prose.copy(feet[1])
    assert in_prose.left() == code.body.x() + in_code.left()


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
