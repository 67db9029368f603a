"""Settings of a chat reach the engine; counts and what is left out, with a real engine process."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.actions import Action
from app.chat_settings import ChatSettings, Overflow
from app.engine_state import EngineStatus
from app.history import History
from app.requests import prompt_if_sent, request_of
from app.session import ChatSession
from app.transcript import Answer, AnswerPhase, UserTurn
from engine.backends.scripted import Script
from engine.events import Counted, FinishReason
from engine.figures import RequestTrace
from engine.values import Role, SamplingParams
from tests.waiting import WAIT_MS

Load = Callable[[Script], None]


def ask(session: ChatSession, qtbot: QtBot, text: str) -> Answer:
    assert session.send(text)
    answer = session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    return answer


def count(session: ChatSession, qtbot: QtBot, typed: str) -> Counted:
    found: list[Counted] = []
    session.counted.connect(found.append)
    request_id = session.count(typed)
    assert request_id is not None
    qtbot.waitUntil(lambda: any(c.request_id == request_id for c in found), timeout=WAIT_MS)
    session.counted.disconnect(found.append)
    return found[-1]


def test_the_length_and_the_stop_strings_of_a_chat_hold(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(answer="one two three four five six seven"))
    chat = session.current_chat
    session.set_chat_settings(chat, ChatSettings(stop=("four",)))
    answer = ask(session, qtbot, "Count")
    assert (answer.text, answer.finish_reason) == ("one two three ", FinishReason.STOP_STRING)
    session.set_chat_settings(chat, ChatSettings(max_tokens=2))
    answer = ask(session, qtbot, "Again")
    assert answer.finish_reason is FinishReason.LENGTH
    assert answer.trace.n_output_tokens == 2


def test_the_system_prompt_comes_first_and_only_where_there_is_one(session: ChatSession) -> None:
    chat = session.current_chat
    assert [m.role for m in prompt_if_sent(chat, "Hi")] == [Role.USER]
    session.set_chat_settings(chat, ChatSettings(system_prompt="Be brief."))
    prompt = prompt_if_sent(chat, "Hi")
    assert [(m.role, m.content) for m in prompt] == [
        (Role.SYSTEM, "Be brief."),
        (Role.USER, "Hi"),
    ]
    session.set_chat_settings(chat, ChatSettings(system_prompt=" \n"))
    assert [m.role for m in prompt_if_sent(chat, "Hi")] == [Role.USER]


def test_a_value_that_no_sampler_takes_is_named_in_words(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    session.set_chat_settings(session.current_chat, ChatSettings(max_tokens=0))
    answer = ask(session, qtbot, "Hi")
    assert answer.phase is AnswerPhase.FAILED
    assert answer.error is not None
    assert answer.error.text.startswith("“Maximum length” is 0: it must be at least 1.")
    assert "chat settings" in answer.error.text
    assert answer.error.actions[0] is Action.CHAT_SETTINGS


def test_a_count_is_that_of_the_answer_that_follows(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    session.set_chat_settings(session.current_chat, ChatSettings(system_prompt="Be brief."))
    for text in ("Hello", "And then? 🚀", "half \ud83d of a character"):
        counted = count(session, qtbot, text)
        answer = ask(session, qtbot, text)
        assert answer.trace.n_prompt_tokens == counted.n_tokens


def test_only_the_last_of_many_counts_matters_and_none_delays_an_answer(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    found: list[Counted] = []
    session.counted.connect(found.append)
    ids = [session.count("x" * n) for n in range(200)]
    qtbot.waitUntil(lambda: bool(found) and found[-1].request_id == ids[-1], timeout=WAIT_MS)
    assert len(found) < len(ids)
    assert [c.request_id for c in found] == sorted(c.request_id for c in found)
    session.count("never")
    answer = ask(session, qtbot, "Hello")
    assert answer.phase is AnswerPhase.DONE


def test_nothing_is_counted_without_a_model_or_while_it_answers(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    assert session.count("Hi") is None
    load(Script(tok_per_s=200, answer="word " * 4000))
    session.send("Hello")
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.ANSWERING, timeout=WAIT_MS)
    assert session.count("Hi") is None
    session.stop()
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS)
    assert session.count("Hi") is not None


def test_a_conversation_that_no_longer_fits_stops_and_offers_to_leave_turns_out(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(n_ctx=512, answer="a" * 60))
    chat = session.current_chat
    changed: list[object] = []
    session.settings_changed.connect(changed.append)
    answer = ask(session, qtbot, "x" * 100)
    while answer.phase is AnswerPhase.DONE:
        answer = ask(session, qtbot, "x" * 100)
    assert answer.error is not None
    assert answer.error.actions[0] is Action.DROP_OLDEST
    assert chat.n_left_out == 0

    session.drop_oldest(answer)
    qtbot.waitUntil(lambda: answer.phase is AnswerPhase.DONE, timeout=WAIT_MS)

    assert chat.settings.overflow is Overflow.DROP_OLDEST
    assert chat.n_left_out > 0
    assert isinstance(chat.turns[chat.n_left_out], UserTurn)
    assert changed
    # Remembered: the next turns go on without being asked, and the cache serves them.
    n_left_out = chat.n_left_out
    again = ask(session, qtbot, "short")
    assert again.phase is AnswerPhase.DONE
    assert chat.n_left_out == n_left_out
    assert again.trace.n_cached_tokens
    # What was left out is counted, so that messages are called as in the conversation.
    n_each = n_left_out // 2
    request = request_of(chat, again)
    assert request.n_earlier == ((Role.USER, n_each), (Role.ASSISTANT, n_each))
    counted = count(session, qtbot, "x")
    assert counted.n_tokens < 512

    session.set_chat_settings(chat, replace(chat.settings, overflow=Overflow.STOP))
    assert chat.n_left_out == 0
    assert ask(session, qtbot, "more").phase is AnswerPhase.FAILED


def test_a_message_that_is_too_long_by_itself_is_not_helped_by_leaving_out(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(n_ctx=512))
    session.set_chat_settings(session.current_chat, ChatSettings(overflow=Overflow.DROP_OLDEST))
    assert ask(session, qtbot, "Hello").phase is AnswerPhase.DONE
    answer = ask(session, qtbot, "x" * 600)
    assert answer.error is not None
    assert Action.DROP_OLDEST not in answer.error.actions
    assert "The last message" in answer.error.text
    assert session.current_chat.n_left_out == 0


def test_another_model_sees_all_again(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(Script(n_ctx=512, answer="a" * 60))
    chat = session.current_chat
    session.set_chat_settings(chat, ChatSettings(overflow=Overflow.DROP_OLDEST))
    while not chat.n_left_out:
        assert len(chat.turns) < 40
        assert ask(session, qtbot, "x" * 100).phase is AnswerPhase.DONE
    load(Script(n_ctx=8192))
    assert chat.n_left_out == 0


def test_new_chats_begin_with_the_new_settings_and_old_ones_keep_theirs(
    session: ChatSession,
) -> None:
    first, warm = session.current_chat, ChatSettings(sampling=SamplingParams(temperature=1.5))
    session.set_new_settings(warm)
    assert first.settings == warm
    first.add(UserTurn(text="Hi"))
    session.set_new_settings(ChatSettings(max_tokens=5))
    assert first.settings == warm
    session.new_chat()
    assert session.current_chat.settings == ChatSettings(max_tokens=5)
    session.set_chat_settings(session.current_chat, warm)
    session.set_new_settings(ChatSettings())
    assert session.current_chat.settings == warm


@pytest.mark.parametrize(("n_messages", "n_turns"), [(0, 0), (1, 1), (2, 2), (3, 5), (4, 6)])
def test_messages_are_made_of_turns(n_messages: int, n_turns: int) -> None:
    def answered(text: str) -> Answer:
        return Answer(trace=RequestTrace(1, 0), text=text)

    turns: list[UserTurn | Answer] = [
        UserTurn(text="a"),
        answered("b"),
        UserTurn(text="c"),
        answered(""),
        UserTurn(text="d"),
        answered("e"),
        UserTurn(text="f"),
    ]
    assert History().n_turns(turns, n_messages) == n_turns


def test_nothing_is_counted_after_the_end(session: ChatSession, load: Load) -> None:
    load(Script())
    session.shutdown()
    assert session.count("Hi") is None
