"""The limits panel: measured on request, then both phases under the roof."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ceilings import CeilingStore
from app.telemetry import TelemetryStore
from engine.ceilings.measure import CannotMeasureReason
from engine.events import LoadProgress, LoadStage
from engine.values import StepCost
from tests.app.test_roofline import CEILINGS
from tests.app.test_telemetry import MS, Clock, S, answer, finished, loaded
from tests.waiting import WAIT_MS
from ui.format import UNKNOWN
from ui.panels.column import TelemetryColumn
from ui.panels.limits import LimitsPanel
from ui.theme import Theme

ROOT = Path(__file__).parents[3]
COST = StepCost(read_bytes=100_000_000, n_multiplied=150_000_000, n_step_multiplied=200_000_000)


class Scene:
    """A column with a model loaded, whose token costs what is written above."""

    def __init__(self, theme: Theme, qtbot: QtBot, folder: Path) -> None:
        self.ceilings = CeilingStore(folder, ROOT)
        self.store = TelemetryStore(Clock(), ceilings=self.ceilings)
        self.column = TelemetryColumn(self.store, theme)
        self.column.resize(430, 1200)
        self.column.show_all()
        qtbot.addWidget(self.column)
        with qtbot.waitExposed(self.column, timeout=WAIT_MS):
            self.column.show()
        self.panel = next(p for p in self.column.panels if isinstance(p, LimitsPanel))

    def load(self) -> None:
        event = loaded(0, 60 * MS)
        model = replace(event.model, step_cost=COST, quantization="Q4_1")
        self.store.on_events((replace(event, model=model),))

    def know(self, others_ratio: float = 0.0) -> None:
        """As if it had been measured."""
        self.ceilings._known["CPU"] = replace(CEILINGS, others_ratio=others_ratio)
        self.ceilings.changed.emit()

    def answer(self, *, end: bool = True) -> None:
        self.store.on_submitted(2, S)
        self.store.on_events(tuple(answer(2, S)))
        if end:
            self.store.on_events((finished(2, S + 220 * MS),))
        self.column.refresh()

    @property
    def texts(self) -> tuple[str, str]:
        return str(self.panel.header.value), self.panel.header.context


@pytest.fixture
def scene(theme: Theme, qtbot: QtBot, tmp_path: Path) -> Iterator[Scene]:
    scene = Scene(theme, qtbot, tmp_path)
    yield scene
    scene.ceilings.close()
    scene.column.close()


def test_a_click_measures_this_device_and_says_when_it_was(scene: Scene, qtbot: QtBot) -> None:
    assert not scene.panel.measure_button.isEnabled()
    scene.load()
    scene.column.refresh()
    canvas = scene.panel.graph.canvas
    assert canvas is not None
    assert (canvas.is_empty, canvas.labels.empty) == (True, "Shows when this device was measured")
    assert scene.panel.measure_button.text() == "Measure this device"
    QTest.mouseClick(scene.panel.measure_button, Qt.MouseButton.LeftButton)
    assert not scene.panel.measure_button.isEnabled()
    assert scene.panel.origin_text.startswith("Measuring")
    qtbot.waitUntil(lambda: scene.ceilings.measuring is None, timeout=WAIT_MS)
    assert "GB/s read, measured " in scene.panel.origin_text
    assert scene.panel.measure_button.text() == "Measure again"
    assert scene.panel.measure_button.isEnabled()
    assert scene.texts == (UNKNOWN, "")


def test_the_focus_is_with_the_button_again_when_the_device_was_measured(
    scene: Scene, qtbot: QtBot
) -> None:
    scene.load()
    scene.column.refresh()
    scene.column.activateWindow()
    button = scene.panel.measure_button
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert not button.isEnabled()
    focus = QApplication.focusWidget()
    assert focus is not None
    assert scene.panel.isAncestorOf(focus)
    qtbot.waitUntil(lambda: scene.ceilings.measuring is None, timeout=WAIT_MS)
    assert button.hasFocus()


def test_a_measurement_among_other_work_says_so(scene: Scene) -> None:
    scene.load()
    scene.know()
    assert "other work" not in scene.panel.origin_text
    scene.know(others_ratio=0.42)
    assert "other work took 42\u202f% of the processor" in scene.panel.origin_text
    assert scene.panel.measure_button.text() == "Measure again"
    assert scene.panel.measure_button.isEnabled()
    scene.answer()
    assert scene.texts == (UNKNOWN, "")
    decode = next(panel for panel in scene.column.panels if panel.key == "decode_rate")
    assert "of what memory allows" not in decode.header.context


def test_both_phases_stand_under_the_roof_with_their_share(scene: Scene) -> None:
    scene.load()
    scene.know()
    scene.answer()
    # 50 tok/s of 100 MB and a little KV cache at 10 GB/s; 400 tok/s of 0.3 GFLOP at 400 GFLOP/s.
    assert scene.texts == (
        "50\u202f%",
        "decode, of what memory allows  ·  prefill 30\u202f% of what computing allows",
    )
    decode = next(panel for panel in scene.column.panels if panel.key == "decode_rate")
    assert decode.header.context.startswith("50\u202f% of what memory allows")


def test_the_pointer_on_a_dot_tells_its_rate_and_its_limit(scene: Scene) -> None:
    scene.load()
    scene.know()
    scene.answer()
    QApplication.processEvents()
    text_at = scene.panel.graph.point_text
    assert text_at is not None
    texts = {text_at(x) for x in range(430)} - {""}
    assert len(texts) == 2
    decode = next(text for text in texts if text.startswith("decode"))
    assert "50.0\u202ftok/s of " in decode
    assert "operations per byte" in decode


def test_nothing_is_measured_while_a_model_answers(scene: Scene, qtbot: QtBot) -> None:
    scene.load()
    scene.answer(end=False)
    assert not scene.panel.measure_button.isEnabled()
    assert "slow the other down" in scene.panel.measure_button.toolTip()
    scene.store.on_events((finished(2, S + 220 * MS),))
    assert scene.panel.measure_button.isEnabled()


@pytest.mark.parametrize("is_load", [False, True])
def test_an_answer_and_a_load_end_a_measurement(scene: Scene, is_load: bool) -> None:
    scene.load()
    scene.column.refresh()
    QTest.mouseClick(scene.panel.measure_button, Qt.MouseButton.LeftButton)
    assert scene.panel.origin_text.startswith("Measuring")
    if is_load:
        progress = LoadProgress(request_id=3, t_ns=S, stage=LoadStage.READ, fraction=0.0)
        scene.store.on_events((progress,))
    else:
        scene.store.on_submitted(2, S)
    assert scene.ceilings.measuring is None
    assert "began to answer" in scene.panel.origin_text
    assert not scene.panel.measure_button.isEnabled()
    assert scene.ceilings.of_device("CPU") is None


def test_a_measurement_that_fails_says_why(scene: Scene) -> None:
    scene.load()
    for problem, words in (
        (CannotMeasureReason.NO_MEMORY, "too little memory is free"),
        (CannotMeasureReason.NO_TORCH, "PyTorch, which is not there"),
        (CannotMeasureReason.NO_DEVICE, "does not see this device"),
        (CannotMeasureReason.FAILED, "log of the window"),
        (CannotMeasureReason.DISTURBED, "The earlier result stays"),
    ):
        scene.ceilings.problem = problem
        scene.ceilings.changed.emit()
        assert words in scene.panel.origin_text
