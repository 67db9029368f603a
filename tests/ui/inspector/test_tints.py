"""What colouring answers looks at, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QPainter

from app.tint import Tint
from app.transcript import Answer
from engine.figures import RequestTrace
from tests.waiting import WAIT_MS
from ui.inspector import answer_map, control
from ui.inspector.tints import PartTint

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.conversation.text_part import TextPart
    from ui.main_window import MainWindow

ROOT = Path(__file__).parents[3]


class CountedColors(list[QColor]):
    """Counts how often a colour is asked for: once for each run of a level looked at."""

    n_looks = 0

    def __getitem__(self, number: object) -> QColor:  # type: ignore[override]  # one at a time
        self.n_looks += 1
        return super().__getitem__(cast("int", number))


class Recorder:
    """Keeps what is painted."""

    def __init__(self) -> None:
        self.rects: list[QRectF] = []
        self._moved = QPointF()

    def translate(self, x: float, y: float) -> None:
        self._moved += QPointF(x, y)

    def fillRect(self, rect: QRectF, color: QColor) -> None:
        assert color.alpha()
        self.rects.append(rect.translated(self._moved))


def painted(tint: PartTint, area: QRect) -> list[QRectF]:
    recorder = Recorder()
    tint.paint(cast("QPainter", recorder), area)
    return recorder.rects


def answered(session: FakeSession, text: str) -> Answer:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    for number, word in enumerate(text.split(" ")):
        session.stream(answer, f" {word}" if number else word, t_ms=20 * number + 1)
    session.finish(answer)
    return answer


def settled(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)


def part_of(qtbot: QtBot, window: MainWindow, session: FakeSession, text: str) -> TextPart:
    """The text part of an answer with `text`."""
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, text)
    session.finish(answer)
    settled(qtbot, window)
    (part,) = window.chat.view.stack.answer_widgets()[-1].text_parts()
    return part


def tint_of(part: TextPart) -> tuple[PartTint, CountedColors, bytes]:
    """Levels that change each four characters, of which 1 is not painted."""
    n = part.document().characterCount()
    levels = bytes(1 + number // 4 % 5 for number in range(n))
    colors = CountedColors([QColor(0, 0, 0, 0), *(QColor(9, 9, 9, 50 * k) for k in range(1, 5))])
    return PartTint(part, levels, colors), colors, levels


@pytest.fixture
def ready(window: MainWindow, session: FakeSession) -> MainWindow:
    session.become_ready()
    return window


PARAGRAPH = " ".join(f"word{number}" for number in range(700))
TABLE = "| Name | Value |\n|---|---|\n" + "".join(f"| row{n} | value{n} |\n" for n in range(12))


@pytest.mark.parametrize("text", [PARAGRAPH, f"Before it.\n\n{TABLE}\nAfter it."])
def test_every_character_has_its_colour_behind_it(
    qtbot: QtBot, ready: MainWindow, session: FakeSession, text: str
) -> None:
    part = part_of(qtbot, ready, session, text)
    tint, _, levels = tint_of(part)
    rects = painted(tint, QRect(QPoint(), part.document().size().toSize()))
    cursor = part.textCursor()
    wrong = []
    for position, level in enumerate(levels[:-1]):
        if not part.document().characterAt(position).isalnum():
            continue
        cursor.setPosition(position)
        place = QPointF(part.cursorRect(cursor).center()) + QPointF(2, 0)
        if (level > 1) is not any(rect.contains(place) for rect in rects):
            wrong.append(position)
    assert wrong == []


@pytest.mark.parametrize("text", [PARAGRAPH, f"Before it.\n\n{TABLE}\nAfter it."])
def test_a_repaint_looks_only_at_the_lines_it_is_asked_for(
    qtbot: QtBot, ready: MainWindow, session: FakeSession, text: str
) -> None:
    part = part_of(qtbot, ready, session, text)
    tint, colors, levels = tint_of(part)
    size = part.document().size().toSize()
    whole = painted(tint, QRect(QPoint(), size))
    n_looks, colors.n_looks = colors.n_looks, 0
    # A run that goes on in the next line is looked at in both.
    assert n_looks <= 2 * len(levels) / 4
    for top in range(0, size.height() - 8, 40):
        area = QRect(0, top, size.width(), 8)
        found = painted(tint, area)
        # Of two lines at most: one pixel may belong to both of them.
        assert colors.n_looks <= 2 * 40
        colors.n_looks = 0
        for rect in whole:
            is_inside = rect.intersects(QRectF(area))
            assert not is_inside or rect in found
        assert all(rect in whole and abs(rect.center().y() - top) < 40 for rect in found)


@pytest.fixture
def aligned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were aligned with what is shown of them."""
    texts: list[str] = []
    align: Callable[..., object] = answer_map.align  # type: ignore[attr-defined]  # watched here

    def watched(shown: str, text: str, begin: int, end: int) -> object:
        texts.append(text)
        return align(shown, text, begin, end)

    monkeypatch.setattr(answer_map, "align", watched)
    return texts


def test_answers_whose_tokens_are_not_known_are_not_aligned(
    qtbot: QtBot, ready: MainWindow, session: FakeSession, aligned: list[str]
) -> None:
    kept: list[Answer] = []
    for number in range(3):
        parent_id = kept[-1].turn_id if kept else None
        made = Answer(trace=RequestTrace(0, 0), text=f"Kept {number}.", parent_id=parent_id)
        kept.append(made)
    session.current_chat.fill(kept)
    session.chat_opened.emit(session.current_chat)
    new = answered(session, "New words")
    settled(qtbot, ready)
    ready.inspector.set_tint(Tint.LATENCY)
    *old, last = ready.chat.view.stack.answer_widgets()
    assert [widget.answer for widget in old] == kept
    assert aligned == [new.text]
    assert [part.underlay for widget in old for part in widget.text_parts()] == [None] * 3
    assert last.text_parts()[0].underlay is not None


def test_many_answers_are_coloured_in_slices(
    qtbot: QtBot, ready: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("one", "two", "three"):
        answered(session, text)
    settled(qtbot, ready)
    ready.inspector.set_tint(Tint.PROBABILITY)
    widgets = ready.chat.view.stack.answer_widgets()

    def coloured() -> int:
        return sum(widget.text_parts()[0].underlay is not None for widget in widgets)

    qtbot.waitUntil(lambda: coloured() == 3, timeout=WAIT_MS)
    # Each answer takes a second.
    seconds = count()
    monkeypatch.setattr(control, "perf_counter", lambda: float(next(seconds)))
    ready.inspector.set_tint(Tint.LATENCY)
    # No colour stays that means something else now.
    assert coloured() == 1
    qtbot.waitUntil(lambda: coloured() == 3, timeout=WAIT_MS)
    ready.inspector.set_tint(Tint.LATENCY)
    ready.inspector.set_tint(Tint.NONE)
    assert coloured() == 0


def test_a_window_without_colours_loads_nothing_of_them() -> None:
    code = (
        "import sys, ui.main_window\n"
        "from PySide6.QtWidgets import QApplication, QWidget\n"
        "from PySide6.QtCore import QSettings\n"
        "from app.tint import Tint\n"
        "from ui.inspector.actions import InspectorActions\n"
        "from ui.inspector.legend import TintLegend\n"
        "from ui.theme import Theme\n"
        "app = QApplication(['test'])\n"
        "theme, window = Theme(app, QSettings('none', 'none')), QWidget()\n"
        "InspectorActions(window).show_tint(Tint.NONE)\n"
        "TintLegend(theme, window).show_tint(Tint.NONE)\n"
        "unwanted = {'app.token_looks', 'engine.inspection', 'ui.inspector.wording',\n"
        "    'ui.inspector.tints', 'ui.inspector.answer_map', 'ui.inspector.panel'}\n"
        "print(sorted(unwanted & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
