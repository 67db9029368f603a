"""One conversation, two engines: what was said before is answered on by the other."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

import main
from app.engine_state import EngineStatus
from app.paths import app_paths
from app.transcript import Answer, AnswerPhase
from tests.screen import shows
from tests.waiting import WAIT_MS
from ui.engine_dialog import EngineDialog

pytestmark = [
    pytest.mark.model,
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed"),
]

# The first load with torch imports it and converts the weights.
_LOAD_MS = 4 * WAIT_MS


@pytest.fixture
def application(
    qapp: QApplication, qtbot: QtBot, starter_model_path: Path, starter_folder: Path
) -> Iterator[main.WindowApplication]:
    """The window with the starter model."""
    before = QLocale()
    # Where the weights are converted already.
    paths = replace(app_paths(), cache_dir=starter_folder.parents[1])
    application = main.WindowApplication(
        qapp,
        paths,
        main.engine_starter(paths),
        main.load_options(str(starter_model_path), paths),
        locale=QLocale("en_US"),
    )
    application.window.resize(1280, 800)
    application.show()
    yield application
    application.window.close()
    application.close()
    application.window.deleteLater()
    application.theme.deleteLater()
    # What other threads have said is heard while those who listen are there.
    qapp.processEvents()
    QLocale.setDefault(before)


def ready(application: main.WindowApplication, qtbot: QtBot) -> None:
    status = (EngineStatus.READY, EngineStatus.FAILED)
    qtbot.waitUntil(lambda: application.session.engine_state.status in status, timeout=_LOAD_MS)
    assert application.session.engine_state.error is None


def ask(application: main.WindowApplication, qtbot: QtBot, text: str) -> Answer:
    """Ask, wait for a few words, and stop."""
    # Off screen no window has the keyboard once a dialog has closed, and shortcuts need one.
    application.window.activateWindow()
    qtbot.waitUntil(application.window.isActiveWindow, timeout=WAIT_MS)
    field = application.window.chat.composer.field
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    answer = application.session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: answer.phase.is_over or len(answer.text) > 40, timeout=WAIT_MS)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    assert answer.phase is not AnswerPhase.FAILED
    assert answer.text
    return answer


def choose_engine(application: main.WindowApplication, qtbot: QtBot, letters: str) -> None:
    window = application.window
    QTest.mouseClick(window.top_bar.engine_button, Qt.MouseButton.LeftButton)
    dialog = next(d for d in window.findChildren(EngineDialog) if d.isVisible())
    dialog.engine.setFocus()
    QTest.keyClicks(dialog.engine, letters)
    [load] = [b for b in dialog.findChildren(QPushButton) if b.text() == "Load with these"]
    QTest.mouseClick(load, Qt.MouseButton.LeftButton)
    ready(application, qtbot)


def test_the_engine_changes_between_turns_and_nothing_is_lost(
    application: main.WindowApplication, qtbot: QtBot
) -> None:
    window, chat = application.window, application.session.current_chat
    engine_button = window.top_bar.engine_button
    ready(application, qtbot)
    first = ask(application, qtbot, "Name three colours.")
    said = first.text

    choose_engine(application, qtbot, "PyT")
    assert engine_button.text().startswith("PyTorch · ")
    second = ask(application, qtbot, "And three more?")

    choose_engine(application, qtbot, "lla")
    assert engine_button.text().startswith("llama.cpp · ")
    third = ask(application, qtbot, "Which one do you like?")

    assert [turn.text for turn in chat.turns] == [
        "Name three colours.",
        said,
        "And three more?",
        second.text,
        "Which one do you like?",
        third.text,
    ]
    assert second.trace.n_prompt_tokens is not None
    assert first.trace.n_prompt_tokens is not None
    # The other engine read the whole conversation, not the last message alone.
    assert second.trace.n_prompt_tokens > first.trace.n_prompt_tokens + first.trace.n_output_tokens
    assert shows(window, "Name three colours.")
