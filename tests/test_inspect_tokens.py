"""The real window with the starter model: tokens of words, and what watching does not change."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import main
from app.engine_state import EngineStatus
from app.tint import Tint
from app.token_looks import watch_share
from app.transcript import Answer
from engine.inspection import unpack
from tests.starter_window import starter_window
from tests.waiting import WAIT_MS

pytestmark = pytest.mark.model


@pytest.fixture
def application(
    qapp: QApplication, qtbot: QtBot, starter_model_path: Path
) -> Iterator[main.WindowApplication]:
    """The window with the starter model, loaded."""
    with starter_window(qapp, starter_model_path, max_tokens=24) as made:
        qtbot.waitUntil(
            lambda: made.session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS
        )
        yield made


def ask(application: main.WindowApplication, qtbot: QtBot, text: str) -> Answer:
    assert application.session.send(text)
    answer = application.session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: application.window.chat.view.is_settled, timeout=WAIT_MS)
    return answer


def ask_anew(application: main.WindowApplication, qtbot: QtBot, text: str) -> Answer:
    settings = application.session.current_chat.settings
    application.session.new_chat()
    application.session.set_chat_settings(application.session.current_chat, settings)
    return ask(application, qtbot, text)


def test_a_word_of_a_real_answer_is_looked_into(
    application: main.WindowApplication, qtbot: QtBot
) -> None:
    window, session = application.window, application.session
    # What is computed anew and not taken from the cache has other roundings.
    ask(application, qtbot, "Name a river.")
    plain = ask_anew(application, qtbot, "Name a river.")
    assert not any(plain.inspected)
    window.inspector.actions_.inspect.trigger()
    watched = ask_anew(application, qtbot, "Name a river.")
    # The same seed: watching has changed nothing.
    assert watched.text == plain.text
    assert len(watched.inspected) == len(watched.step_ends) == watched.trace.n_output_tokens
    told = [unpack(packed) for (packed,) in watched.inspected]
    pieces = b"".join(inspection.chosen.piece for inspection in told)
    assert pieces.decode("utf-8", "replace").startswith(watched.text)
    share = watch_share(watched)
    assert share is not None
    assert 0 < share < 1

    window.inspector.set_tint(Tint.PROBABILITY)
    (part, *_) = window.chat.view.stack.answer_widgets()[-1].text_parts()
    assert part.underlay is not None
    cursor = part.textCursor()
    cursor.setPosition(1)
    place = part.cursorRect(cursor).center() + QPoint(2, 0)
    QTest.mouseClick(
        part.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )
    panel = window.inspector.panel
    assert panel is not None
    assert panel.isVisible()
    (look, *_) = panel.looks
    assert look.step == 0
    assert look.inspection == told[0]
    prompt = watched.trace.n_prompt_tokens
    assert look.n_context_tokens == prompt
    loaded = session.engine_state.loaded
    assert loaded is not None
    assert prompt is not None
    assert look.kv_bytes == loaded.kv.used_bytes(prompt)
