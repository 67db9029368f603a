"""A minimised window draws no panel and hears of the engine less often; then it catches up."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from app.engine_state import UNSEEN_FRAME_S
from app.inference import FRAME_S, InferenceThread
from app.library import ChatLibrary
from app.relay import SessionRelay
from app.session import ChatSession
from tests.app.test_telemetry import MS, S, answer, finished, load
from tests.waiting import WAIT_MS
from ui.panels.column import TelemetryColumn
from ui.panels.live import LivePanels
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
        self.column = TelemetryColumn(self.store, theme)
        self.panels._column = self.column
        self.window.setCentralWidget(self.column)
        self.window.resize(430, 900)
        with qtbot.waitExposed(self.window, timeout=WAIT_MS):
            self.window.show()

    def draws(self) -> bool:
        return any(timer.isActive() for timer in self.column.findChildren(QTimer))


@pytest.fixture
def scene(theme: Theme, settings: QSettings, tmp_path: Path, qtbot: QtBot) -> Iterator[Scene]:
    scene = Scene(theme, settings, tmp_path, qtbot)
    yield scene
    scene.panels._column = None
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
