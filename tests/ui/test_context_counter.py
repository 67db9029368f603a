"""The context meter while a person types: exact, or the last exact number with an ellipsis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from app.chat_settings import ChatSettings, Overflow
from app.engine_state import EngineState
from engine.events import Counted
from tests.ui.driving import asked
from tests.ui.fakes import T0, loaded_model
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow


def type_text(window: MainWindow, text: str) -> None:
    QTest.keyClicks(window.chat.composer.field, text)


def wait_for_count(window: MainWindow, session: FakeSession, qtbot: QtBot, typed: str) -> int:
    """The id of the count that was asked for `typed`."""
    qtbot.waitUntil(lambda: asked(session, "count")[-1:] == [typed], timeout=WAIT_MS)
    return session.last_count_id


def answer_count(session: FakeSession, request_id: int, n_tokens: int) -> None:
    session.counted.emit(
        Counted(request_id=request_id, t_ns=T0, n_tokens=n_tokens, n_left_tokens=n_tokens)
    )


def meter(window: MainWindow) -> str:
    return window.chat.composer.meter.text()


def answered(session: FakeSession) -> None:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, "Because.")
    session.finish(answer)


def test_what_is_typed_is_counted_after_a_pause(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    session.become_ready()
    answered(session)
    answer_count(session, wait_for_count(window, session, qtbot, ""), 97)
    assert meter(window) == "97 / 8,192"
    type_text(window, "Tell me more")
    assert meter(window) == "97… / 8,192"
    request_id = wait_for_count(window, session, qtbot, "Tell me more")
    # Twelve keys, one count.
    assert asked(session, "count") == ["", "Tell me more"]
    assert meter(window) == "97… / 8,192"
    answer_count(session, request_id, 112)
    assert meter(window) == "112 / 8,192"


def test_without_a_model_nothing_is_awaited(window: MainWindow, session: FakeSession) -> None:
    session.become_ready()
    answered(session)
    session.set_state(EngineState())
    assert meter(window) == "— / 8,192"


def test_a_count_that_comes_late_is_not_shown(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    session.become_ready()
    type_text(window, "a")
    late = wait_for_count(window, session, qtbot, "a")
    type_text(window, "b")
    answer_count(session, late, 33)
    assert meter(window) == "0… / 8,192"
    answer_count(session, wait_for_count(window, session, qtbot, "ab"), 34)
    assert meter(window) == "34 / 8,192"


def test_what_was_said_counts_anew_for_another_model_and_under_other_settings(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    session.become_ready()
    answered(session)
    answer_count(session, wait_for_count(window, session, qtbot, ""), 97)
    long_prompt = ChatSettings(system_prompt="Be brief. " * 2_500)
    session.set_chat_settings(session.current_chat, long_prompt)
    assert meter(window) == "97… / 8,192"
    n_asked = len(asked(session, "count"))
    session.become_ready(loaded_model(n_ctx=4096))
    assert meter(window) == "97… / 4,096"
    qtbot.waitUntil(lambda: len(asked(session, "count")) > n_asked, timeout=WAIT_MS)
    answer_count(session, session.last_count_id, 7_600)
    assert meter(window) == "7,600 / 4,096"


def test_an_empty_chat_needs_no_count(window: MainWindow, session: FakeSession) -> None:
    session.become_ready()
    type_text(window, "x")
    window.chat.composer.set_text("")
    assert meter(window) == "0 / 8,192"


def test_another_chat_does_not_show_the_number_of_the_one_before(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    session.become_ready()
    answered(session)
    type_text(window, "x")
    answer_count(session, wait_for_count(window, session, qtbot, "x"), 99)
    session.new_chat()
    assert meter(window) == "0 / 8,192"
    type_text(window, "y")
    assert meter(window) == "0… / 8,192"


def test_what_an_answer_may_take_is_kept_for_it(window: MainWindow, session: FakeSession) -> None:
    session.become_ready(loaded_model(n_ctx=1000))
    chat = session.current_chat
    session.set_chat_settings(chat, ChatSettings(max_tokens=300))
    assert meter(window) == "0 + 300 / 1,000"
    assert window.chat.composer.meter.bar.reserve == 0.3
    assert "300 more are kept for the answer" in window.chat.composer.meter.toolTip()
    session.set_chat_settings(chat, ChatSettings(overflow=Overflow.DROP_OLDEST))
    assert meter(window) == "0 + 250 / 1,000"
    # What the engine leaves out turns for is half of the context at most.
    endless = ChatSettings(overflow=Overflow.DROP_OLDEST, max_tokens=100_000)
    session.set_chat_settings(chat, endless)
    assert meter(window) == "0 + 500 / 1,000"
    session.set_chat_settings(chat, ChatSettings(max_tokens=100_000))
    assert meter(window) == "0 + 1,000 / 1,000"
    session.set_chat_settings(chat, ChatSettings())
    assert meter(window) == "0 / 1,000"


def test_a_system_prompt_counts_before_anything_is_typed(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    session.become_ready()
    session.set_chat_settings(session.current_chat, ChatSettings(system_prompt="Be brief."))
    answer_count(session, wait_for_count(window, session, qtbot, ""), 21)
    assert meter(window) == "21 / 8,192"


def test_what_does_not_fit_is_said_before_sending(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    session.become_ready()
    type_text(window, "long")
    answer_count(session, wait_for_count(window, session, qtbot, "long"), 9000)
    assert meter(window) == "9,000 / 8,192"
    assert "no longer fits" in window.chat.composer.meter.toolTip()
