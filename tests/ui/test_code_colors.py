"""Colours of code that is part of prose: those of code in a part of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.test_much_of_everything import shown
from tests.waiting import WAIT_MS
from ui.conversation.answer_widget import AnswerWidget
from ui.conversation.code_part import CodePart
from ui.conversation.prose_part import ProsePart
from ui.theme import ThemeMode

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow
    from ui.theme import Theme

_CODE = ["def one(a):", '    """Says', '    so."""', "    return 1 if a else 'b'", "", "# End"]
_FENCED = "\n".join(["```python", *_CODE, "```"])

# First character, how many, and the colour, of each line.
_Colors = list[list[tuple[int, int, str]]]


def colors_of(document: QTextDocument) -> _Colors:
    """Of the lines of the last code in a document."""
    found: _Colors = []
    block = document.begin()
    while block.isValid():
        if block.text() == _CODE[0]:
            found.clear()
        found.append(
            [
                (made.start, made.length, made.format.foreground().color().name())
                for made in block.layout().formats()
            ]
        )
        block = block.next()
    return found[: len(_CODE)]


@pytest.fixture
def few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.conversation.arrival._MOST_CODE_PARTS", 1)


def own_and_prose(widget: AnswerWidget) -> tuple[CodePart, ProsePart]:
    own = next(part for part in widget.parts if isinstance(part, CodePart))
    prose = widget.parts[-1]
    assert isinstance(prose, ProsePart)
    return own, prose


def wait_for_same_colors(qtbot: QtBot, widget: AnswerWidget) -> _Colors:
    own, prose = own_and_prose(widget)
    qtbot.waitUntil(lambda: own.is_settled, timeout=WAIT_MS)
    wanted = colors_of(own.document)
    assert sum(map(bool, wanted)) == len(_CODE) - 1
    qtbot.waitUntil(lambda: colors_of(prose.document()) == wanted, timeout=WAIT_MS)
    return wanted


def test_the_code_after_many_has_the_colours_of_the_first(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    window.show()
    widget = shown(qtbot, window, session, f"{_FENCED}\n\n" * 151)
    assert sum(isinstance(part, CodePart) for part in widget.parts) == 150
    wait_for_same_colors(qtbot, widget)


@pytest.mark.usefixtures("few_parts")
def test_code_in_a_quote_has_colours(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    window.show()
    quoted = "".join(f"> {line}\n" for line in _FENCED.split("\n"))
    wait_for_same_colors(qtbot, shown(qtbot, window, session, f"{_FENCED}\n\n{quoted}> And\n"))


@pytest.mark.usefixtures("few_parts")
def test_code_has_colours_as_it_streams(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    window.show()
    widget = shown(qtbot, window, session, f"{_FENCED}\n\n{_FENCED}")
    wanted = wait_for_same_colors(qtbot, widget)
    view = window.chat.view
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, f"{_FENCED}\n\n```python\n{_CODE[0]}")
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    made = view.stack.slots[-1].widget
    assert isinstance(made, AnswerWidget)
    _, prose = own_and_prose(made)
    # It is known what knows the language.
    qtbot.waitUntil(lambda: view.formulas.is_idle, timeout=WAIT_MS)
    for line in _CODE[1:4]:
        session.stream(answer, f"\n{line}")
        qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    assert colors_of(prose.document())[:4] == wanted[:4]
    session.stream(answer, "\n" + "\n".join(_CODE[4:]) + "\n```\nEnd")
    session.finish(answer)
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    wait_for_same_colors(qtbot, made)


@pytest.mark.usefixtures("few_parts")
def test_code_has_the_colours_of_another_theme(
    qtbot: QtBot, window: MainWindow, session: FakeSession, theme: Theme
) -> None:
    window.show()
    theme.set_mode(ThemeMode.DARK)
    widget = shown(qtbot, window, session, f"{_FENCED}\n\nAnd\n\n{_FENCED}")
    before = wait_for_same_colors(qtbot, widget)
    theme.set_mode(ThemeMode.LIGHT)
    assert wait_for_same_colors(qtbot, widget) != before
