"""A run replays where the live panels are, and says that it is a replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.runs.file import write_run
from app.runs.library import file_name
from tests.app.runs.making import MS, T0, recorded, sample
from tests.ui.driving import click
from tests.waiting import WAIT_MS
from ui.runs.replay_pane import ReplayPane
from ui.runs.window import RunsWindow

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from app.runs.library import RunLibrary
    from ui.main_window import MainWindow
    from ui.panels.panel import LivePanel


@pytest.fixture
def pane(
    window: MainWindow, runs: RunLibrary, telemetry_made: list[QWidget], qtbot: QtBot
) -> ReplayPane:
    """A run that plays, asked for in the window of runs."""
    qtbot.waitUntil(lambda: len(telemetry_made) == 1, timeout=WAIT_MS)
    runs.folder.mkdir()
    run = recorded(n_steps=100, step_ms=100, samples=(sample(T0 + 50 * MS),))
    write_run(runs.folder / file_name(run), run)
    window.actions_.runs.trigger()
    list_ = window.findChild(RunsWindow)
    assert list_ is not None
    qtbot.waitUntil(lambda: len(list_.model.rows) == 1, timeout=WAIT_MS)
    assert not list_.replay_button.isEnabled()
    list_.table.selectRow(0)
    qtbot.waitUntil(list_.replay_button.isEnabled, timeout=WAIT_MS)
    click(list_.replay_button)
    qtbot.waitUntil(lambda: window.findChild(ReplayPane) is not None, timeout=WAIT_MS)
    found = window.findChild(ReplayPane)
    assert found is not None
    return found


def panel(pane: ReplayPane, key: str) -> LivePanel:
    return next(panel for panel in pane.column.panels if panel.key == key)


def test_it_takes_the_place_of_the_live_panels_and_says_so(
    pane: ReplayPane, window: MainWindow, telemetry_made: list[QWidget]
) -> None:
    assert pane.isVisible()
    assert not telemetry_made[0].isVisible()
    assert pane.said.text().startswith("Replay of a recorded run")
    assert pane.column.accessibleName() == "Replay"
    assert pane.replay.is_playing
    list_ = window.findChild(RunsWindow)
    assert list_ is not None
    assert not list_.isVisible()
    window.actions_.runs.trigger()
    assert list_.isVisible()
    assert list_.replay_button.isEnabled()
    click(pane.close_button)
    assert telemetry_made[0].isVisible()
    assert not pane.isVisible()


def test_panels_follow_each_step(pane: ReplayPane, qtbot: QtBot) -> None:
    click(pane.play_button)
    assert pane.play_button.text() == "Play"
    click(pane.restart_button)
    click(pane.play_button)
    assert not pane.replay.is_playing
    while pane.replay.position_ns < 117 * MS:
        click(pane.step_button)
    click(pane.step_button)
    assert pane.time.text() == "217\u202fms of 10.0\u202fs"
    pane.column.refresh()
    assert str(panel(pane, "decode_rate").header.value) == "10.0\u202ftok/s"
    assert str(panel(pane, "time_per_token").header.value) == "100\u202fms"


def test_slow_motion_is_chosen_in_the_bar(pane: ReplayPane) -> None:
    pane.speed.setCurrentIndex(1)
    assert pane.replay.speed_ratio == 0.1
    assert pane.speed.currentText() == "0.1×"


def test_another_replay_takes_its_place(pane: ReplayPane, window: MainWindow, qtbot: QtBot) -> None:
    list_ = window.findChild(RunsWindow)
    assert list_ is not None
    gone: list[bool] = []
    pane.destroyed.connect(lambda: gone.append(True))
    window.actions_.runs.trigger()
    click(list_.replay_button)
    qtbot.waitUntil(lambda: bool(gone), timeout=WAIT_MS)
    (found,) = window.findChildren(ReplayPane)
    assert found.isVisible()


def test_a_file_that_is_gone_is_said(
    pane: ReplayPane, window: MainWindow, runs: RunLibrary, qtbot: QtBot
) -> None:
    list_ = window.findChild(RunsWindow)
    assert list_ is not None
    (path,) = runs.folder.glob("*.npz")
    kept = path.read_bytes()
    path.unlink()
    window.actions_.runs.trigger()
    click(list_.replay_button)
    qtbot.waitUntil(lambda: "Not replayed" in list_.status.text(), timeout=WAIT_MS)
    assert "SmolLM2-135M-Instruct" in list_.status.text()
    assert "Cannot be read: check that the file is yours." in list_.status.text()
    # The one before goes on, and the next attempt is a new one.
    assert pane.isVisible()
    gone: list[bool] = []
    pane.destroyed.connect(lambda: gone.append(True))
    path.write_bytes(kept)
    click(list_.replay_button)
    qtbot.waitUntil(lambda: bool(gone), timeout=WAIT_MS)
    assert len(window.findChildren(ReplayPane)) == 1


def test_the_position_can_be_moved_there_and_back(pane: ReplayPane) -> None:
    click(pane.play_button)
    pane.bar.setFocus()
    QTest.keyClick(pane.bar, Qt.Key.Key_End)
    assert pane.replay.is_over
    assert pane.time.text().startswith("10.0\u202fs of")
    QTest.keyClick(pane.bar, Qt.Key.Key_PageDown)
    assert pane.replay.position_ns == pytest.approx(0.95 * pane.replay.length_ns)
    assert pane.replay.store.is_running
    assert not pane.replay.is_playing
