"""The panel of what watching costs: measured on request, told honestly."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine_state import EngineStatus
from app.relay import SessionRelay
from app.telemetry import TelemetryStore
from app.watching import WatchingCost, WatchingMeter
from engine.machine import cpu_name
from engine.model_name import display_name
from tests.ui.fakes import FakeSession, loaded_model
from tests.waiting import WAIT_MS
from ui.format import UNKNOWN
from ui.panels.column import TelemetryColumn
from ui.panels.watching import WatchingPanel
from ui.theme import Theme

Make = Callable[[WatchingCost | None], WatchingPanel]

KNOWN = WatchingCost(
    machine=cpu_name(),
    device="CPU",
    model=display_name(loaded_model().model),
    watched_tok_per_s=(95.0, 94.0, 96.0, 95.0, 97.0, 95.0),
    unwatched_tok_per_s=(100.0,) * 6,
    measured_ms=1_700_000_000_000,
)


@pytest.fixture
def make(session: FakeSession, theme: Theme, qtbot: QtBot, tmp_path: Path) -> Make:
    """The panel in a column, with a model loaded, and what was measured earlier."""

    def make_panel(known: WatchingCost | None) -> WatchingPanel:
        if known is not None:
            (tmp_path / "watching.json").write_text(json.dumps([asdict(known)]))
        relay, store = SessionRelay(session), TelemetryStore()
        relay.attach(store)
        meter = WatchingMeter(session, relay, store, lambda _interval_ms: None, tmp_path)
        column = TelemetryColumn(store, theme, watching=meter)
        column.resize(430, 3600)
        column.show_all()
        qtbot.addWidget(column)
        with qtbot.waitExposed(column, timeout=WAIT_MS):
            column.show()
        QApplication.processEvents()
        session.become_ready()
        return next(panel for panel in column.panels if isinstance(panel, WatchingPanel))

    return make_panel


def texts(panel: WatchingPanel) -> tuple[str, str]:
    return str(panel.header.value), panel.header.context


def press(panel: WatchingPanel) -> None:
    panel.button.setFocus()
    QTest.keyClick(panel.button, Qt.Key.Key_Space)


def test_a_cost_is_said_with_its_date_and_drawn_by_pairs(make: Make) -> None:
    panel = make(KNOWN)
    assert texts(panel) == ("5.0\u202f%", "between 3.5\u202f% and 5.5\u202f%")
    assert panel.sentence_text.startswith("Watching costs 5.0\u202f% of the decode rate")
    assert "2023-11-1" in panel.sentence_text
    canvas = panel.graph.canvas
    assert canvas is not None
    assert not canvas.is_empty
    assert panel.button.text() == "Measure again"


def test_a_cost_that_may_be_nothing_is_said_by_its_upper_end_alone(make: Make) -> None:
    panel = make(replace(KNOWN, watched_tok_per_s=(90.0, 110.0, 95.0, 105.0, 99.0, 98.0)))
    assert texts(panel) == ("< 7.5\u202f%", "if anything")
    assert panel.sentence_text.startswith("Less than 7.5\u202f% of the decode rate, or nothing")


def test_a_model_that_was_no_slower_has_no_cost_that_can_be_measured(make: Make) -> None:
    panel = make(replace(KNOWN, watched_tok_per_s=(103.0, 102.0, 104.0, 103.0, 101.0, 103.0)))
    assert texts(panel) == (UNKNOWN, "not measurable")
    assert panel.sentence_text.startswith("The model was no slower with the panels")


def test_what_was_measured_with_another_model_is_not_shown(make: Make) -> None:
    panel = make(replace(KNOWN, model="Another"))
    assert texts(panel) == (UNKNOWN, "")
    assert panel.button.text() == "Measure"


def test_it_is_measured_at_a_press_and_stopped_at_the_next(
    make: Make, session: FakeSession
) -> None:
    panel = make(None)
    press(panel)
    assert panel.sentence_text == "Measuring, pair 1 of 24…"
    assert [name for name, _ in session.calls].count("try_out") == 1
    press(panel)
    assert panel.sentence_text == "Not measured: it was interrupted."
    assert panel.button.text() == "Measure"


def test_paused_panels_are_not_measured(make: Make, session: FakeSession) -> None:
    panel = make(None)
    column = panel.window()
    assert isinstance(column, TelemetryColumn)
    column.pause_button.setChecked(True)
    press(panel)
    assert panel.sentence_text == "Not measured: the panels were paused or hidden."


def test_nothing_is_measured_while_an_answer_runs(make: Make, session: FakeSession) -> None:
    panel = make(None)
    assert panel.button.isEnabled()
    answer = session.add_turns("hi")
    session.set_state(replace(session.engine_state, status=EngineStatus.ANSWERING))
    assert not panel.button.isEnabled()
    session.finish(answer)
    session.become_ready()
    assert panel.button.isEnabled()
