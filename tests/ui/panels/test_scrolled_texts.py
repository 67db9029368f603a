"""Panels that are scrolled away rest while an answer runs, and are up to date when it ends."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from engine.events import Step
from tests.app.test_telemetry import MS, S, answer, finished, load
from tests.ui.panels.test_column import SAMPLE, Scene
from tests.waiting import WAIT_MS
from ui.panels.explain.map_view import MapView
from ui.panels.memory_map import MemoryMapPanel
from ui.theme import Theme


@pytest.fixture
def scene(theme: Theme, qtbot: QtBot) -> Scene:
    scene = Scene(theme, qtbot)
    scene.column.resize(430, 260)
    scene.column.show_all()
    qtbot.waitUntil(lambda: scene.panel("cpu").visibleRegion().isEmpty(), timeout=WAIT_MS)
    load(scene.store)
    scene.store.on_sample(SAMPLE)
    scene.store.on_submitted(2, S)
    scene.clock.now_ns = S + 100 * MS
    scene.store.on_events(tuple(answer(2, S)))
    rate = "50.0\u202ftok/s"
    qtbot.waitUntil(lambda: scene.texts("decode_rate")[0] == rate, timeout=WAIT_MS)
    return scene


def see_a_frame(scene: Scene, qtbot: QtBot) -> None:
    """Let the first panel show something newer: a frame has come."""
    steps = [
        Step(request_id=2, t_ns=S + (220 + 10 * n) * MS, n_tokens=1, text="x") for n in range(1, 9)
    ]
    scene.clock.now_ns = S + 300 * MS
    scene.store.on_events(tuple(steps))
    before = scene.texts("decode_rate")
    qtbot.waitUntil(lambda: scene.texts("decode_rate") != before, timeout=WAIT_MS)


def test_what_is_scrolled_away_rests_and_is_up_to_date_as_soon_as_it_is_in_view(
    scene: Scene, qtbot: QtBot
) -> None:
    before = scene.texts("cpu")
    scene.store.on_sample(replace(SAMPLE, t_ns=S + 150 * MS, engine_cpu_cores=0.5))
    see_a_frame(scene, qtbot)
    assert before[0] != "50\u202f%"
    assert scene.texts("cpu") == before
    bar = scene.column._scroll.verticalScrollBar()
    bar.setValue(scene.panel("cpu").y())
    assert scene.texts("cpu")[0] == "50\u202f%"


def test_what_explains_is_up_to_date_as_soon_as_it_is_in_view(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.panel("memory_map")
    assert isinstance(panel, MemoryMapPanel)
    before = panel.header.value
    sample = replace(SAMPLE, t_ns=S + 150 * MS, engine_rss_bytes=600 << 20)
    scene.store.on_sample(sample)
    see_a_frame(scene, qtbot)
    assert panel.header.value == before
    scene.column._scroll.verticalScrollBar().setValue(panel.y())
    assert panel.header.value != before
    assert isinstance(panel.view, MapView)
    rows = {row.name: row.values for row in panel.view.blocks[0].table.rows}
    assert rows["Oscillama in all"][2] == str(panel.header.value)


def test_at_the_end_every_text_is_the_newest(scene: Scene, qtbot: QtBot) -> None:
    scene.store.on_sample(replace(SAMPLE, t_ns=S + 150 * MS, engine_cpu_cores=0.5))
    before = scene.texts("cpu")
    see_a_frame(scene, qtbot)
    assert scene.texts("cpu") == before
    scene.store.on_events((finished(2, S + 320 * MS),))
    qtbot.waitUntil(lambda: scene.texts("cpu")[0] == "50\u202f%", timeout=WAIT_MS)


def test_a_pause_keeps_the_texts_of_one_moment(scene: Scene, qtbot: QtBot) -> None:
    scene.store.on_sample(replace(SAMPLE, t_ns=S + 150 * MS, engine_cpu_cores=0.5))
    before = scene.texts("cpu")
    see_a_frame(scene, qtbot)
    assert scene.texts("cpu") == before
    scene.column.header.pause_button.click()
    assert scene.texts("cpu")[0] == "50\u202f%"
    scene.store.on_sample(replace(SAMPLE, t_ns=S + 250 * MS, engine_cpu_cores=0.7))
    scene.column._scroll.verticalScrollBar().setValue(scene.panel("cpu").y())
    assert scene.texts("cpu")[0] == "50\u202f%"
