"""Formulas that come, go, come again, or never come."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QWidget

from tests.waiting import WAIT_MS
from ui.conversation.prose_part import ProsePart
from ui.markdown import formulas as module
from ui.markdown.blocks import BlockStream, Prose
from ui.markdown.formats import Formats
from ui.markdown.formulas import FormulaObject, FormulaSetter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

# Takes twice as long with every level: hours.
DEEP = r"\frac{1}{" * 30 + "x" + "}" * 30


@pytest.fixture
def setter(qtbot: QtBot) -> Iterator[FormulaSetter]:
    setter = FormulaSetter()
    yield setter
    setter.close()


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    host = QWidget()
    qtbot.addWidget(host)
    return host


def shown(qtbot: QtBot, host: QWidget, theme: Theme, setter: FormulaSetter, text: str) -> ProsePart:
    part = ProsePart(theme, setter, host)
    stream = BlockStream()
    for change in stream.feed(text) + stream.finish():
        assert isinstance(change, Prose)
        part.show_blocks(change.final, change.tail)
    part.arrange(300)
    qtbot.waitUntil(lambda: setter.is_idle and not part.is_setting, timeout=WAIT_MS)
    part.arrange(300)
    return part


def has_ink(part: ProsePart) -> bool:
    image = part.grab().toImage()
    colors = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    return len(colors) > 2


def test_a_formula_that_was_dropped_is_drawn_again_when_it_is_seen(
    qtbot: QtBot,
    host: QWidget,
    theme: Theme,
    setter: FormulaSetter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Some, but not all: they take 2,000, 900, 850 and 1,300.
    monkeypatch.setattr(module, "_MOST_DRAWN_BYTES", 3_500)
    part = shown(qtbot, host, theme, setter, "$$\\frac{a}{b}$$\n")
    height = part.height()
    assert has_ink(part)
    shown(qtbot, host, theme, setter, "$b$ and $c$ and $d$\n")
    assert not has_ink(part)
    assert part.arrange(250) == height
    qtbot.waitUntil(lambda: setter.is_idle, timeout=WAIT_MS)
    assert has_ink(part)


def test_the_formula_that_was_seen_last_is_kept(
    qtbot: QtBot,
    host: QWidget,
    theme: Theme,
    setter: FormulaSetter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Two of them: they take 1,100, 900 and 850.
    monkeypatch.setattr(module, "_MOST_DRAWN_BYTES", 2_000)
    first = shown(qtbot, host, theme, setter, "$$a$$\n")
    second = shown(qtbot, host, theme, setter, "$$b$$\n")
    assert has_ink(first)
    shown(qtbot, host, theme, setter, "$$c$$\n")
    assert has_ink(first)
    assert not has_ink(second)


def test_what_draws_formulas_is_kept_up_to_a_size(
    setter: FormulaSetter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_SVG_BYTES", 300)
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    small, large, huge = (svg.ljust(size) for size in (100, 200, 400))
    kept = setter.renderer(small, "#000000")
    setter.renderer(large, "#000000")
    assert setter.renderer(small, "#000000") is kept
    # The larger one goes, which was needed before.
    setter.renderer(small, "#ffffff")
    setter.renderer(small, "#ff0000")
    assert setter.renderer(small, "#000000") is kept
    last = setter.renderer(huge, "#000000")
    assert setter.renderer(huge, "#000000") is last
    assert setter.renderer(small, "#000000") is not kept


def test_room_is_guessed_once_until_the_formula_is_set(
    qtbot: QtBot, theme: Theme, setter: FormulaSetter, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_guessed = 0

    def count(source: str) -> str:
        nonlocal n_guessed
        n_guessed += 1
        return source

    key = ("x^2", False)
    drawer, document = FormulaObject(setter, setter), QTextDocument()
    document.setTextWidth(300)
    made = drawer.format_of(key, Formats(theme).text(), "$x^2$")
    monkeypatch.setattr(module, "source_of", lambda made: count("$x^2$"))
    guesses = [drawer.intrinsicSize(document, 0, made).width() for _ in range(3)]
    assert guesses == [40.0] * 3
    assert n_guessed == 1
    setter.want(key)
    qtbot.waitUntil(lambda: setter.is_idle, timeout=WAIT_MS)
    formula = setter.get(key)
    assert formula is not None
    size = drawer.intrinsicSize(document, 0, made)
    scale = made.font().pixelSize() * 1.05 / 20
    assert size.width() == pytest.approx(formula.width * scale)


def test_a_formula_that_takes_too_long_is_shown_as_its_source_and_the_next_is_set(
    qtbot: QtBot,
    host: QWidget,
    theme: Theme,
    setter: FormulaSetter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_LIMIT_S", 0.3)
    part = shown(qtbot, host, theme, setter, f"${DEEP}$ and $y$\n")
    assert part.toPlainText() == f"${DEEP}$ and \ufffc"


def test_closing_does_not_wait_for_a_formula(qtbot: QtBot, setter: FormulaSetter) -> None:
    setter.want(("x", False))
    qtbot.waitUntil(lambda: setter.is_idle, timeout=WAIT_MS)
    setter.want((DEEP, False))
    setter.close()
    assert not any(thread.name == "quiet work" for thread in threading.enumerate())
