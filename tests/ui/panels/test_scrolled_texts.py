"""Panels that are scrolled away rest while an answer runs, and are up to date when it ends."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from tests.app.test_telemetry import MS, S, answer, finished, load
from tests.ui.panels.test_column import SAMPLE, Scene
from tests.waiting import WAIT_MS
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


def test_at_the_end_every_text_is_the_newest(scene: Scene, qtbot: QtBot) -> None:
    scene.store.on_sample(replace(SAMPLE, t_ns=S + 150 * MS, engine_cpu_cores=0.5))
    scene.store.on_events((finished(2, S + 220 * MS),))
    qtbot.waitUntil(lambda: scene.texts("cpu")[0] == "50\u202f%", timeout=WAIT_MS)


def test_a_pause_keeps_the_texts_of_one_moment(scene: Scene) -> None:
    scene.store.on_sample(replace(SAMPLE, t_ns=S + 150 * MS, engine_cpu_cores=0.5))
    scene.column.pause_button.click()
    assert scene.texts("cpu")[0] == "50\u202f%"
