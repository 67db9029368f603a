"""The real window with the starter model and a database: variants, continuing, a restart."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import main
from app.chat_settings import ChatSettings
from app.engine_state import EngineStatus
from app.paths import AppPaths, app_paths
from app.transcript import Answer, AnswerPhase
from engine.events import FinishReason
from engine.values import LoadOptions, SamplingParams
from tests.ui.driving import click
from tests.waiting import WAIT_MS
from ui.conversation.editable_answer import EditableAnswer
from ui.conversation.user_bubble import UserBubble

pytestmark = pytest.mark.model

Open = Callable[[], main.WindowApplication]


@pytest.fixture
def open_window(
    qapp: QApplication, qtbot: QtBot, starter_model_path: Path, tmp_path: Path
) -> Iterator[Open]:
    """Opens the window with the starter model; what was said is there the next time."""
    before = QLocale()
    opened: list[main.WindowApplication] = []
    paths = AppPaths(
        settings_file=tmp_path / "settings.ini",
        log_dir=tmp_path / "log",
        data_dir=tmp_path / "data",
        cache_dir=app_paths().cache_dir,
    )

    def close() -> None:
        for application in opened:
            application.window.hide()
            application.close()
            application.window.deleteLater()
        opened.clear()

    def open_it() -> main.WindowApplication:
        close()
        options = LoadOptions(model_path=str(starter_model_path), n_ctx=2048)
        application = main.WindowApplication(
            qapp, paths, main.engine_starter(paths), options, locale=QLocale("en_US")
        )
        opened.append(application)
        application.window.resize(1280, 800)
        application.show()
        qtbot.waitUntil(
            lambda: application.session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS
        )
        return application

    yield open_it
    close()
    QLocale.setDefault(before)


def over(application: main.WindowApplication, qtbot: QtBot) -> Answer:
    answer = application.session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: application.window.chat.view.is_settled, timeout=WAIT_MS)
    return answer


def last_widget(application: main.WindowApplication) -> EditableAnswer:
    widget = application.window.chat.view.stack.slots[-1].widget
    assert isinstance(widget, EditableAnswer)
    return widget


def test_variants_and_a_continued_answer_are_there_after_a_restart(
    open_window: Open, qtbot: QtBot
) -> None:
    application = open_window()
    session, field = application.session, application.window.chat.composer.field
    settings = ChatSettings(sampling=SamplingParams(temperature=0), max_tokens=12)
    session.set_chat_settings(session.current_chat, settings)
    QTest.keyClicks(field, "Tell me a story about rain.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    answer = over(application, qtbot)
    assert answer.phase is AnswerPhase.DONE
    assert answer.finish_reason is FinishReason.LENGTH
    begun, n_prompt = answer.text, answer.trace.n_prompt_tokens
    assert n_prompt is not None

    click(last_widget(application).foot.button("continue"))
    over(application, qtbot)
    assert answer.text.startswith(begun)
    assert len(answer.text) > len(begun)
    assert answer.trace.n_prompt_tokens == n_prompt + 12
    assert answer.trace.n_cached_tokens == n_prompt + 11
    session.set_chat_settings(session.current_chat, replace(settings, max_tokens=6))
    click(last_widget(application).foot.button("regenerate"))
    variant = over(application, qtbot)
    assert variant is not answer

    bubble = application.window.chat.view.stack.slots[0].widget
    assert isinstance(bubble, UserBubble)
    click(bubble.foot.button("edit"))
    assert bubble.editor is not None
    QTest.keyClicks(bubble.editor.field, " Make it short.")
    QTest.keyClick(bubble.editor.field, Qt.Key.Key_Return)
    third = over(application, qtbot)
    assert [turn.text for turn in session.current_chat.turns] == [
        "Tell me a story about rain. Make it short.",
        third.text,
    ]
    bubble = application.window.chat.view.stack.slots[0].widget
    assert isinstance(bubble, UserBubble)
    click(bubble.foot.button("previous"))
    click(last_widget(application).foot.button("previous"))
    assert session.current_chat.turns[-1] is answer
    text = answer.text

    again = open_window()
    qtbot.waitUntil(lambda: bool(again.session.current_chat.turns), timeout=WAIT_MS)
    chat = again.session.current_chat
    kept = chat.turns[-1]
    assert isinstance(kept, Answer)
    assert (kept.turn_id, kept.text, kept.n_continuations) == (answer.turn_id, text, 1)
    assert len(chat.tree) == 5
    # It goes on from text alone now, in an engine that knows nothing of it.
    qtbot.waitUntil(lambda: again.window.chat.view.is_settled, timeout=WAIT_MS)
    click(last_widget(again).foot.button("continue"))
    over(again, qtbot)
    assert kept.text.startswith(text)
    assert len(kept.text) > len(text)


def test_the_model_goes_on_right_after_an_edited_answer_also_after_a_restart(
    open_window: Open, qtbot: QtBot
) -> None:
    application = open_window()
    session, field = application.session, application.window.chat.composer.field
    settings = ChatSettings(sampling=SamplingParams(temperature=0), max_tokens=8)
    session.set_chat_settings(session.current_chat, settings)
    QTest.keyClicks(field, "What is the capital of France?")
    QTest.keyClick(field, Qt.Key.Key_Return)
    answer = over(application, qtbot)
    said, n_prompt = answer.text, answer.trace.n_prompt_tokens
    assert n_prompt is not None

    click(last_widget(application).foot.button("edit"))
    editor = last_widget(application).editor
    assert editor is not None
    editor.field.selectAll()
    QTest.keyClicks(editor.field, "Everybody knows that it is")
    QTest.keyClick(editor.field, Qt.Key.Key_Return)
    edited = over(application, qtbot)
    assert edited is not answer

    again = open_window()
    qtbot.waitUntil(lambda: bool(again.session.current_chat.turns), timeout=WAIT_MS)
    kept = over(again, qtbot)
    assert (kept.turn_id, kept.is_edited) == (edited.turn_id, True)
    click(last_widget(again).foot.button("continue"))
    over(again, qtbot)
    assert kept.text.startswith("Everybody knows that it is Paris")
    # The question, then the words that were put into its mouth, and no others.
    assert n_prompt < (kept.trace.n_prompt_tokens or 0) < n_prompt + 20
    first, _ = again.session.current_chat.variants(kept)
    assert first.text == said
