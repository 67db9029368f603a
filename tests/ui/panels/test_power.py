"""The panel of the CPU's power: figures, how to allow a refused counter, or no panel at all."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.samples import CpuEnergyAbsence
from tests.app.test_telemetry import MS, S, answer, finished, load
from tests.ui.panels.test_column import SAMPLE, Scene
from ui.format import UNKNOWN
from ui.panels.power import ALLOW_COMMAND, CpuPowerPanel
from ui.theme import Theme


@pytest.fixture
def scene(theme: Theme, qtbot: QtBot) -> Scene:
    return Scene(theme, qtbot)


def power_panel(scene: Scene) -> CpuPowerPanel:
    panel = scene.panel("cpu_power")
    assert isinstance(panel, CpuPowerPanel)
    return panel


def test_power_and_energy_of_the_last_answer(scene: Scene) -> None:
    load(scene.store)
    scene.column.show_all()
    scene.store.on_sample(replace(SAMPLE, t_ns=2 * S, cpu_energy_mj=10_000, cpu_power_mw=20_000))
    scene.store.on_submitted(3, 2 * S)
    scene.clock.now_ns = 3 * S
    scene.store.on_events((*answer(3, 2 * S), finished(3, 2 * S + 230 * MS)))
    scene.store.on_sample(replace(SAMPLE, t_ns=3 * S, cpu_energy_mj=30_000, cpu_power_mw=20_000))
    scene.column.refresh()
    # 207 ms of 20 W over 6 tokens.
    assert scene.texts("cpu_power") == (
        "20.0\u202fW",
        "0.690\u202fJ per token  ·  1.15\u202fmWh",
    )
    assert power_panel(scene).copy_button.isHidden()


def test_a_refused_counter_says_the_command_that_allows_it(scene: Scene) -> None:
    scene.column.show_all()
    scene.store.on_sample(replace(SAMPLE, cpu_energy_absence=CpuEnergyAbsence.NOT_ALLOWED))
    panel = power_panel(scene)
    assert panel.isVisible()
    assert scene.texts("cpu_power") == (UNKNOWN, "")
    assert "root" in panel.reason_text
    panel.copy_button.setFocus()
    QTest.keyClick(panel.copy_button, Qt.Key.Key_Space)
    assert QApplication.clipboard().text() == ALLOW_COMMAND
    scene.store.on_sample(replace(SAMPLE, t_ns=2 * S, cpu_power_mw=15_000, cpu_energy_mj=1))
    assert panel.copy_button.isHidden()
    assert scene.texts("cpu_power")[0] == "15.0\u202fW"


def test_without_a_counter_there_is_no_panel_and_the_menu_says_why(scene: Scene) -> None:
    scene.column.show_all()
    scene.store.on_sample(replace(SAMPLE, cpu_energy_absence=CpuEnergyAbsence.NO_COUNTER))
    assert not power_panel(scene).isVisible()
    action = next(a for a in scene.column.panel_actions() if a.text().startswith("CPU power"))
    assert not action.isEnabled()
    assert "RAPL" in action.text()
