"""A minimised window draws no panel and hears of the engine less often; then it catches up."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from app.engine_state import UNSEEN_FRAME_S
from app.inference import FRAME_S, InferenceThread
from app.library import ChatLibrary
from app.relay import SessionRelay
from app.session import ChatSession
from tests.app.test_telemetry import MS, S, answer, finished, load
from tests.waiting import WAIT_MS
from ui.format import UNKNOWN
from ui.panels.live import LivePanels
from ui.panels.panel import LivePanel
from ui.theme import Theme


class Heard(InferenceThread):
    """Remembers how often it is to tell; it never runs."""

    def __init__(self) -> None:
        super().__init__(lambda: pytest.fail("no engine is wanted"))
        self.frames_s: list[float] = []

    def set_frame_s(self, frame_s: float) -> None:
        self.frames_s.append(frame_s)


class Scene:
    def __init__(self, theme: Theme, settings: QSettings, folder: Path, qtbot: QtBot) -> None:
        self.inference = Heard()
        self.session = ChatSession(self.inference, ChatLibrary())
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.panels = LivePanels(
            self.session, SessionRelay(self.session), settings, self.window, folder, folder
        )
        self.store = self.panels._store
        # Nothing of the machine is wanted here.
        self.panels._is_sampling = True
        self.column = self.panels.make_column(theme)
        self.window.setCentralWidget(self.column)
        self.window.resize(430, 900)
        with qtbot.waitExposed(self.window, timeout=WAIT_MS):
            self.window.show()

    def floating(self, key: str) -> LivePanel:
        panel = next(panel for panel in self.column.panels if panel.key == key)
        panel.setFloating(True)
        QApplication.processEvents()
        return panel

    def draws(self) -> bool:
        return any(timer.isActive() for timer in self.column.findChildren(QTimer))


@pytest.fixture
def scene(theme: Theme, settings: QSettings, tmp_path: Path, qtbot: QtBot) -> Iterator[Scene]:
    scene = Scene(theme, settings, tmp_path, qtbot)
    yield scene
    scene.panels.close()
    scene.inference.shutdown()


def test_a_minimised_window_rests_and_catches_up(scene: Scene, qtbot: QtBot) -> None:
    load(scene.store)
    t0_ns = scene.store.to_ns(scene.store.now_s)
    scene.store.on_submitted(2, t0_ns)
    qtbot.waitUntil(scene.draws, timeout=WAIT_MS)
    panel = scene.column.panels[0]
    qtbot.waitUntil(lambda: panel.graph.canvas is not None, timeout=WAIT_MS)
    scene.window.showMinimized()
    assert scene.inference.frames_s == [UNSEEN_FRAME_S]
    before = panel.graph.canvas
    scene.store.on_events(tuple(answer(2, t0_ns)))
    assert not scene.draws()
    assert panel.graph.canvas is before
    scene.store.on_events((finished(2, t0_ns + 230 * MS),))
    scene.window.showNormal()
    assert scene.inference.frames_s == [UNSEEN_FRAME_S, FRAME_S]
    assert panel.graph.canvas is not before
    assert panel.header.value.number == "50.0"


def test_what_goes_on_when_it_comes_back_is_drawn_on(scene: Scene, qtbot: QtBot) -> None:
    load(scene.store)
    scene.window.showMinimized()
    scene.store.on_submitted(2, S)
    assert not scene.draws()
    scene.window.showNormal()
    assert scene.draws()
    scene.store.on_events((*answer(2, S), finished(2, S + 230 * MS)))
    qtbot.waitUntil(lambda: not scene.draws(), timeout=WAIT_MS)


def test_what_floats_goes_on_while_the_column_is_out_of_view(scene: Scene, qtbot: QtBot) -> None:
    load(scene.store)
    rate, kv = scene.floating("decode_rate"), scene.floating("kv_cache")
    scene.column.hide()
    t0_ns = scene.store.to_ns(scene.store.now_s)
    scene.store.on_submitted(2, t0_ns)
    scene.store.on_events(tuple(answer(2, t0_ns)))
    qtbot.waitUntil(lambda: kv.header.context.startswith("106 of"), timeout=WAIT_MS)
    scene.store.on_events((finished(2, t0_ns + 230 * MS),))
    qtbot.waitUntil(lambda: not scene.draws(), timeout=WAIT_MS)
    assert rate.header.value.number == "50.0"
    # An engine that is gone has nothing in its cache.
    scene.store.on_engine_process(0)
    assert kv.header.value.number == UNKNOWN
    scene.window.showMinimized()
    scene.store.on_submitted(3, t0_ns + 240 * MS)
    assert not scene.draws()


def test_what_floats_catches_up_as_soon_as_it_does(scene: Scene, qtbot: QtBot) -> None:
    load(scene.store)
    rate = scene.floating("decode_rate")
    scene.column.hide()
    rate.hide()
    t0_ns = scene.store.to_ns(scene.store.now_s)
    scene.store.on_submitted(2, t0_ns)
    assert not scene.draws()
    scene.store.on_events((*answer(2, t0_ns), finished(2, t0_ns + 230 * MS)))
    rate.show()
    qtbot.waitUntil(lambda: rate.header.value.number == "50.0", timeout=WAIT_MS)


def test_what_floats_goes_back_when_it_is_closed_while_the_column_is_out_of_view(
    scene: Scene,
) -> None:
    cpu = scene.floating("cpu")
    scene.column.hide()
    cpu.close()
    QApplication.processEvents()
    scene.column.show()
    assert not cpu.isFloating()
    assert cpu.isVisible()


def test_what_fills_a_screen_goes_on_as_usual_while_the_window_is_minimised(scene: Scene) -> None:
    scene.window.showMinimized()
    assert scene.inference.frames_s == [UNSEEN_FRAME_S]
    scene.column.present()
    assert scene.inference.frames_s == [UNSEEN_FRAME_S, FRAME_S]
    assert scene.panels.reader._pause_s == 0
    assert scene.column.presentation is not None
    scene.column.presentation.close()
    assert scene.inference.frames_s == [UNSEEN_FRAME_S, FRAME_S, UNSEEN_FRAME_S]
    scene.window.showNormal()
    assert scene.inference.frames_s[-1] == FRAME_S
