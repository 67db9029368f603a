"""Selecting with the mouse across what an answer is made of, and across turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.ui.driving import CONTROL
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.conversation.text_part import TextPart
    from ui.main_window import MainWindow

ANSWER = (
    "First some prose.\n\n```py\nx = 1\ny = 2\n```\n\nThen *more*, with $a^2$.\n\n"
    "- one\n- two\n\n```\nend\n```\n\nThe last words."
)


class Mouse:
    """A mouse whose left button is down."""

    def __init__(self, part: TextPart, position: int) -> None:
        self.held = part.viewport()
        self._send(QEvent.Type.MouseButtonPress, place_of(part, position))

    def move(self, part: TextPart, position: int) -> None:
        self._send(QEvent.Type.MouseMove, place_of(part, position))

    def move_to(self, point: QPoint) -> None:
        self._send(QEvent.Type.MouseMove, point)

    def release(self) -> None:
        self._send(QEvent.Type.MouseButtonRelease, self.point)

    def _send(self, kind: QEvent.Type, point: QPoint) -> None:
        self.point = point
        button = Qt.MouseButton.LeftButton
        is_move = kind is QEvent.Type.MouseMove
        event = QMouseEvent(
            kind,
            QPointF(self.held.mapFromGlobal(point)),
            QPointF(point),
            Qt.MouseButton.NoButton if is_move else button,
            Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else button,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(self.held, event)


def place_of(part: TextPart, position: int) -> QPoint:
    """The left edge of a character, on the screen."""
    cursor = QTextCursor(part.document())
    cursor.setPosition(position)
    place = part.cursorRect(cursor)
    return part.viewport().mapToGlobal(QPoint(place.left() + 1, place.center().y()))


@pytest.fixture
def parts(qtbot: QtBot, window: MainWindow, session: FakeSession) -> list[TextPart]:
    """The question, and the answer's parts: prose, code, prose, code, prose."""
    session.become_ready()
    answer = session.add_turns("Why is it so?")
    session.prefill(answer)
    session.stream(answer, ANSWER)
    session.finish(answer)
    view = window.chat.view
    qtbot.waitUntil(lambda: view.is_settled and view.formulas.is_idle, timeout=WAIT_MS)
    window.activateWindow()
    return view.text_parts()


def copied(part: TextPart) -> str:
    QGuiApplication.clipboard().setText("nothing")
    QTest.keyClick(part, Qt.Key.Key_C, CONTROL)
    return QGuiApplication.clipboard().text()


def test_from_prose_through_code_into_prose(parts: list[TextPart]) -> None:
    mouse = Mouse(parts[1], 6)
    mouse.move(parts[2], 3)
    mouse.move(parts[3], 9)
    mouse.release()
    assert copied(parts[1]) == "some prose.\n\nx = 1\ny = 2\n\nThen more"
    assert [part.textCursor().selectedText() for part in parts[1:4]] == [
        "some prose.",
        "x = 1\N{PARAGRAPH SEPARATOR}y = 2",
        "Then more",
    ]


def test_upwards_and_back_again(parts: list[TextPart]) -> None:
    mouse = Mouse(parts[3], 4)
    mouse.move(parts[1], 12)
    assert copied(parts[3]) == "rose.\n\nx = 1\ny = 2\n\nThen"
    mouse.move(parts[2], 6)
    assert copied(parts[3]) == "y = 2\n\nThen"
    mouse.move(parts[3], 9)
    mouse.release()
    assert copied(parts[3]) == " more"
    assert not any(part.textCursor().hasSelection() for part in (*parts[:3], *parts[4:]))


def test_across_turns_with_formulas_and_lists(parts: list[TextPart]) -> None:
    mouse = Mouse(parts[0], 4)
    mouse.move(parts[5], 8)
    mouse.release()
    assert copied(parts[0]) == (
        "is it so?\n\nFirst some prose.\n\nx = 1\ny = 2\n\n"
        "Then more, with $a^2$.\none\ntwo\n\nend\n\nThe last"
    )


def test_a_click_takes_the_selection_away(parts: list[TextPart]) -> None:
    mouse = Mouse(parts[1], 0)
    mouse.move(parts[5], 3)
    mouse.release()
    Mouse(parts[3], 2).release()
    assert not any(part.textCursor().hasSelection() for part in parts)
    mouse = Mouse(parts[3], 0)
    mouse.move(parts[3], 4)
    mouse.release()
    assert copied(parts[3]) == "Then"


def test_shift_and_a_click_select_up_to_there(parts: list[TextPart]) -> None:
    Mouse(parts[1], 6).release()
    part = parts[2]
    place = part.viewport().mapFromGlobal(place_of(part, 3))
    QTest.mouseClick(
        part.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, place
    )
    assert copied(part) == "some prose.\n\nx ="


def test_all_of_an_answer_is_selected_with_ctrl_a(parts: list[TextPart]) -> None:
    parts[2].setFocus()
    QTest.keyClick(parts[2], Qt.Key.Key_A, CONTROL)
    assert copied(parts[2]) == (
        "First some prose.\n\nx = 1\ny = 2\n\n"
        "Then more, with $a^2$.\none\ntwo\n\nend\n\nThe last words."
    )
    assert not parts[0].textCursor().hasSelection()


def test_the_menu_copies_and_selects_all(qtbot: QtBot, parts: list[TextPart]) -> None:
    part = parts[1]

    def menu_at(position: int) -> QMenu:
        point = place_of(part, position)
        place = part.viewport().mapFromGlobal(point)
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, point)
        QApplication.sendEvent(part.viewport(), asked)
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None, timeout=WAIT_MS)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu

    def choose(name: str) -> None:
        menu = menu_at(3)
        action = next(a for a in menu.actions() if a.objectName() == name)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None, timeout=WAIT_MS)

    choose("select-all")
    assert parts[5].textCursor().selectedText() == "The last words."
    choose("edit-copy")
    assert QGuiApplication.clipboard().text().startswith("First some prose.\n\nx = 1")
    assert QGuiApplication.clipboard().text().endswith("The last words.")


def test_the_conversation_goes_along_with_the_mouse(
    qtbot: QtBot, window: MainWindow, session: FakeSession, parts: list[TextPart]
) -> None:
    for number in range(6):
        answer = session.add_turns(f"Question {number}")
        session.prefill(answer)
        session.stream(answer, ANSWER)
        session.finish(answer)
    view = window.chat.view
    qtbot.waitUntil(lambda: view.is_settled and view.formulas.is_idle, timeout=WAIT_MS)
    parts = view.text_parts()
    bar = view.verticalScrollBar()
    mouse = Mouse(parts[-1], 8)
    above = view.viewport().mapToGlobal(QPoint(100, -150))
    mouse.move_to(above)
    qtbot.waitUntil(lambda: bar.value() == 0, timeout=WAIT_MS)
    mouse.move(view.text_parts()[0], 4)
    mouse.release()
    text = copied(parts[-1])
    assert text.startswith("is it so?\n\nFirst some prose.")
    assert text.endswith("The last")
    assert text.count("Then more, with $a^2$.") == 7


def test_a_selection_survives_that_the_answer_grows(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    session.become_ready()
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, "First.\n\n```\na\n```\n\nThen")
    view = window.chat.view
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    window.activateWindow()
    parts = view.text_parts()
    mouse = Mouse(parts[1], 2)
    mouse.move(parts[3], 2)
    mouse.release()
    session.stream(answer, " it *goes* on.\n\nAnd on.")
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    assert copied(parts[1]) == "rst.\n\na\n\nTh"


def test_another_conversation_forgets_it(
    qtbot: QtBot, window: MainWindow, session: FakeSession, parts: list[TextPart]
) -> None:
    mouse = Mouse(parts[1], 6)
    mouse.move(parts[3], 3)
    session.new_chat()
    qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)
    answer = session.add_turns("Other")
    session.prefill(answer)
    session.stream(answer, "New words")
    qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)
    new = window.chat.view.text_parts()
    mouse = Mouse(new[1], 0)
    mouse.move(new[1], 3)
    mouse.release()
    assert copied(new[1]) == "New"
