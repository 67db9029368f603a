from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from pytestqt.qtbot import QtBot

from app.engine_state import EngineStatus
from app.inference import InferenceThread
from app.library import ChatLibrary
from app.session import ChatSession
from engine.backends.scripted import Script
from engine.log import new_log_path
from engine.process import EngineProcess
from engine.values import LoadOptions
from tests.waiting import WAIT_MS


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Numbers written as in English, whatever the machine's language."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def inference(qtbot: QtBot, tmp_path: Path) -> Iterator[InferenceThread]:
    """A running inference thread with a real engine process."""

    def start_engine() -> EngineProcess:
        engine = EngineProcess(log_path=new_log_path(tmp_path / "log"))
        engine.start()
        return engine

    thread = InferenceThread(start_engine, grace_s=1.0)
    thread.start()
    yield thread
    thread.shutdown()


@pytest.fixture
def session(inference: InferenceThread) -> ChatSession:
    """A session without a model."""
    return ChatSession(inference, ChatLibrary())


@pytest.fixture
def load(session: ChatSession, qtbot: QtBot) -> Callable[[Script], None]:
    """Loads a script and waits until it is ready."""

    def load_and_wait(script: Script) -> None:
        session.load(LoadOptions(model_path=script.path(), backend="scripted"))
        qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS)

    return load_and_wait
