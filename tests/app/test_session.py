import os
import signal
from collections.abc import Callable

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.actions import Action
from app.engine_state import EngineStatus
from app.inference import FRAME_S, InferenceThread, pause_s
from app.library import ChatLibrary
from app.messages import UserMessage
from app.session import ChatSession
from app.transcript import Answer, AnswerPhase, UserTurn
from engine.backends.scripted import DEFAULT_ANSWER, Script
from engine.events import (
    Event,
    Failed,
    Finished,
    FinishReason,
    GenerateCommand,
    PrefillProgress,
    Step,
)
from engine.process import EngineProcess
from engine.values import LoadOptions
from tests.waiting import WAIT_MS

LONG = Script(tok_per_s=200, answer="word " * 4000)

Load = Callable[[Script], None]


def last_answer(session: ChatSession) -> Answer:
    turn = session.current_chat.turns[-1]
    assert isinstance(turn, Answer)
    return turn


def wait_for(qtbot: QtBot, answer: Answer, *phases: AnswerPhase) -> None:
    qtbot.waitUntil(lambda: answer.phase in phases, timeout=WAIT_MS)


def wait_for_text(qtbot: QtBot, answer: Answer) -> None:
    qtbot.waitUntil(lambda: len(answer.text) > 20, timeout=WAIT_MS)


def engine_pid(session: ChatSession) -> int:
    children = psutil.Process().children()
    engines = [child for child in children if "resource_tracker" not in " ".join(child.cmdline())]
    assert len(engines) == 1
    return engines[0].pid


def raised(session: ChatSession) -> list[UserMessage]:
    found: list[UserMessage] = []
    session.message_raised.connect(found.append)
    return found


def test_an_answer_arrives_whole(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(Script())

    assert session.send("Hello")
    answer = last_answer(session)
    wait_for(qtbot, answer, AnswerPhase.DONE)

    assert answer.text == DEFAULT_ANSWER
    assert answer.finish_reason is FinishReason.END
    assert answer.figures is not None
    assert answer.figures.n_output_tokens is not None
    assert answer.figures.n_output_tokens > 10
    assert answer.figures.ttft_ns is not None
    assert answer.n_ctx == 8192
    assert session.running_answer is None
    assert session.engine_state.status is EngineStatus.READY
    assert session.current_chat.title == "Hello"


def test_a_message_sent_while_loading_is_answered_after(session: ChatSession, qtbot: QtBot) -> None:
    session.load(LoadOptions(model_path=Script(load_s=0.5).path(), backend="scripted"))

    assert session.send("Hello")
    answer = last_answer(session)

    assert answer.phase is AnswerPhase.WAITING
    wait_for(qtbot, answer, AnswerPhase.DONE)
    assert answer.text == DEFAULT_ANSWER
    assert answer.figures is not None
    assert answer.figures.queue_ns is not None
    assert answer.figures.queue_ns > 100_000_000


def test_stopping_a_message_that_waits_leaves_the_load_alone(
    session: ChatSession, qtbot: QtBot
) -> None:
    session.load(LoadOptions(model_path=Script(load_s=0.5).path(), backend="scripted"))
    session.send("Hello")
    answer = last_answer(session)

    session.stop()

    wait_for(qtbot, answer, AnswerPhase.STOPPED)
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS)


def test_stopping_keeps_what_has_arrived(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(LONG)
    session.send("Hello")
    answer = last_answer(session)
    wait_for_text(qtbot, answer)

    session.stop()
    wait_for(qtbot, answer, AnswerPhase.STOPPED)

    assert answer.text.startswith("word word")
    assert answer.finish_reason is FinishReason.CANCELLED
    assert session.send("Again")


def test_a_second_message_is_refused_while_an_answer_runs(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(LONG)
    messages = raised(session)
    session.send("Hello")
    answer = last_answer(session)
    wait_for_text(qtbot, answer)

    assert not session.send("And this?")

    assert messages[0].title == "Still answering"
    assert session.current_chat.turns[-1] is answer
    session.stop()
    wait_for(qtbot, answer, AnswerPhase.STOPPED)


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_an_empty_message_is_not_sent(session: ChatSession, load: Load, text: str) -> None:
    load(Script())
    messages = raised(session)

    assert not session.send(text)

    assert messages[0].title == "Nothing to send yet"
    assert session.current_chat.turns == []


def test_without_a_model_the_message_is_not_taken(session: ChatSession) -> None:
    messages = raised(session)

    assert not session.send("Hello")

    assert messages[0].actions == (Action.OPEN_MODEL,)


def test_a_lone_surrogate_does_no_harm(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(Script())

    assert session.send("a\ud800b")

    first = session.current_chat.turns[0]
    assert isinstance(first, UserTurn)
    assert first.text == "a\N{REPLACEMENT CHARACTER}b"
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)


@pytest.mark.parametrize(
    ("script", "phase"),
    [
        (Script(prefill_tok_per_s=1), AnswerPhase.PREFILL),
        (LONG, AnswerPhase.DECODE),
    ],
)
def test_a_killed_engine_is_an_error_and_the_conversation_goes_on(
    session: ChatSession, load: Load, qtbot: QtBot, script: Script, phase: AnswerPhase
) -> None:
    load(script)
    session.send("Hello, how are you today?")
    answer = last_answer(session)
    wait_for(qtbot, answer, phase)
    if phase is AnswerPhase.DECODE:
        wait_for_text(qtbot, answer)

    os.kill(engine_pid(session), signal.SIGKILL)
    wait_for(qtbot, answer, AnswerPhase.FAILED)

    assert answer.error is not None
    assert "SIGKILL" in answer.error.text
    assert Action.RETRY in answer.error.actions
    assert answer.text.startswith("word") is (phase is AnswerPhase.DECODE)
    assert session.engine_state.status is EngineStatus.FAILED

    assert session.send("Are you back?")
    again = last_answer(session)
    wait_for(qtbot, again, AnswerPhase.PREFILL, AnswerPhase.DECODE)
    session.stop()
    wait_for(qtbot, again, AnswerPhase.STOPPED)


def test_an_engine_killed_while_idle_is_noticed(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())

    os.kill(engine_pid(session), signal.SIGKILL)
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.FAILED, timeout=WAIT_MS)

    assert session.engine_state.error is not None
    session.send("Hello")
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)


def test_an_engine_that_ignores_a_stop_is_replaced(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(fault="hang", at="decode", after=5, answer="word " * 100))
    session.send("Hello")
    answer = last_answer(session)
    wait_for(qtbot, answer, AnswerPhase.DECODE)

    session.stop()
    wait_for(qtbot, answer, AnswerPhase.FAILED)

    assert answer.text
    assert answer.error is not None
    assert answer.error.title == "The engine did not stop in time"
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS)


def test_a_load_can_be_stopped(session: ChatSession, qtbot: QtBot) -> None:
    session.load(LoadOptions(model_path=Script(load_s=60).path(), backend="scripted"))
    qtbot.waitUntil(lambda: session.engine_state.fraction is not None, timeout=WAIT_MS)

    session.cancel_load()
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.FAILED, timeout=WAIT_MS)

    assert session.engine_state.error is not None
    assert session.engine_state.error.title == "Loading was stopped"


def test_a_load_that_does_not_stop_is_ended_all_the_same(
    session: ChatSession, qtbot: QtBot, inference: InferenceThread
) -> None:
    hangs = Script(fault="hang", at="load")
    session.load(LoadOptions(model_path=hangs.path(), backend="scripted"))
    qtbot.waitUntil(lambda: inference._active is not None, timeout=WAIT_MS)

    session.cancel_load()
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.FAILED, timeout=WAIT_MS)

    assert session.engine_state.error is not None
    assert session.engine_state.error.title == "Loading was stopped"


def test_a_long_message_to_an_engine_that_does_not_read_can_be_stopped(
    session: ChatSession, load: Load, qtbot: QtBot, inference: InferenceThread
) -> None:
    load(Script())
    os.kill(engine_pid(session), signal.SIGSTOP)
    session.send("long " * 1_000_000)
    answer = last_answer(session)
    qtbot.waitUntil(lambda: inference._active is not None, timeout=WAIT_MS)

    session.stop()
    wait_for(qtbot, answer, AnswerPhase.FAILED)

    assert answer.error is not None
    assert answer.error.title == "The engine did not stop in time"
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS)


def test_leaving_ends_an_engine_that_does_not_read(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    pid = engine_pid(session)
    os.kill(pid, signal.SIGSTOP)
    session.send("long " * 1_000_000)

    session.shutdown()

    assert not psutil.pid_exists(pid)


def test_a_message_that_waits_for_a_load_that_fails_says_so_and_can_be_retried(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    bad = Script(load_s=0.3, fault="error", at="load", error="not_a_gguf")
    session.load(LoadOptions(model_path=bad.path(), backend="scripted"))
    session.send("Hello")
    answer = last_answer(session)
    wait_for(qtbot, answer, AnswerPhase.FAILED)

    load(Script())
    session.regenerate(answer)
    wait_for(qtbot, answer, AnswerPhase.DONE)

    assert answer.text == DEFAULT_ANSWER
    assert answer.error is None


def test_after_a_load_that_died_sending_starts_it_anew(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    session.load(LoadOptions(model_path=Script(load_s=60).path(), backend="scripted"))
    qtbot.waitUntil(lambda: session.engine_state.stage is not None, timeout=WAIT_MS)
    killed: list[int] = []

    def kill(pid: int) -> None:
        if pid and not killed:
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    session.engine_process_changed.connect(kill)
    # The load in a process of its own is the next one.
    session.load(LoadOptions(model_path=Script(load_s=0.2).path(), backend="scripted"))
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.FAILED, timeout=WAIT_MS)
    assert session.send("Are you there?")
    answer = session.running_answer
    assert answer is not None
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    assert answer.text


def test_another_model_stops_the_answer_and_takes_over(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(LONG)
    session.send("Hello")
    answer = last_answer(session)
    wait_for_text(qtbot, answer)

    load(Script(answer="New here."))

    assert answer.phase is AnswerPhase.STOPPED
    session.send("Who is there?")
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)
    assert last_answer(session).text == "New here."


def test_the_next_turn_takes_the_conversation_from_the_cache(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    session.send("Hello")
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)
    first = last_answer(session).figures

    session.send("And then?")
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)
    second = last_answer(session).figures

    assert first is not None
    assert second is not None
    assert first.n_prompt_tokens is not None
    assert second.n_cached_tokens is not None
    assert second.n_cached_tokens > first.n_prompt_tokens


def test_prefill_progress_reaches_the_answer(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(prefill_tok_per_s=500))
    seen: list[int | None] = []
    session.answer_changed.connect(lambda answer: seen.append(answer.n_prefilled_tokens))

    session.send("word " * 200)
    answer = last_answer(session)
    wait_for(qtbot, answer, AnswerPhase.DONE)

    counts = [count for count in seen if count is not None]
    assert len(set(counts)) >= 3
    assert counts == sorted(counts)
    assert answer.figures is not None
    assert counts[-1] == answer.figures.n_prompt_tokens


def test_every_request_ends_once(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(LONG)
    events: list[Event] = []
    session.events_arrived.connect(events.extend)

    for _ in range(3):
        session.send("Hello")
        answer = last_answer(session)
        wait_for(qtbot, answer, AnswerPhase.DECODE)
        session.stop()
        session.stop()
        wait_for(qtbot, answer, AnswerPhase.STOPPED)

    ends = [event.request_id for event in events if isinstance(event, Finished | Failed)]
    assert len(ends) == len(set(ends)) == 3


def test_felt_ttft_counts_from_send_to_paint(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script())
    session.send("Hello")
    answer = last_answer(session)

    session.report_first_paint(answer, answer.trace.t_submit_ns + 5_000_000)
    session.report_first_paint(answer, answer.trace.t_submit_ns + 9_000_000)

    assert answer.felt_ttft_ns == 5_000_000
    wait_for(qtbot, answer, AnswerPhase.DONE)


def test_chats_are_kept_apart(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(Script())
    session.send("First chat")
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)
    first = session.current_chat

    session.new_chat()
    assert session.current_chat.turns == []
    session.new_chat()
    assert len(session.chats) == 2
    session.open_chat(first.chat_id)

    assert session.current_chat is first
    assert [chat.title for chat in session.chats] == ["", "First chat"]


def test_leaving_while_decoding_leaves_nothing_behind(
    session: ChatSession, load: Load, qtbot: QtBot, inference: InferenceThread
) -> None:
    load(LONG)
    session.send("Hello")
    wait_for_text(qtbot, last_answer(session))
    pid = engine_pid(session)

    session.shutdown()

    assert not psutil.pid_exists(pid)
    assert not inference.isRunning()


def test_events_are_gathered_into_frames(session: ChatSession, load: Load, qtbot: QtBot) -> None:
    load(Script(tok_per_s=1000, answer="word " * 300))
    batches: list[tuple[Event, ...]] = []
    session.events_arrived.connect(batches.append)

    session.send("Hello")
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)

    assert sum(len(batch) for batch in batches) > 500
    assert max(len(batch) for batch in batches) > 10


def test_a_pipe_is_looked_at_before_it_is_full() -> None:
    pauses_s, frame_s, tok_per_s = [0.0], 0.9, 1000
    for _ in range(20):
        pauses_s.append(pause_s(pauses_s[-1], round(pauses_s[-1] * tok_per_s) or 1, frame_s))

    assert max(pauses_s) * tok_per_s < 160
    assert pauses_s[-1] == pytest.approx(0.064, rel=0.05)
    assert pause_s(0.6, 12, frame_s) == frame_s
    assert pause_s(0.9, 0, frame_s) == FRAME_S
    assert pause_s(0.033, 4000, frame_s) == FRAME_S


def test_an_answer_that_nobody_sees_is_shown_when_somebody_does_and_when_it_is_over(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(LONG)
    session.send("Hello")
    answer = last_answer(session)
    wait_for_text(qtbot, answer)
    shown: list[AnswerPhase] = []
    session.answer_changed.connect(lambda each: shown.append(each.phase))
    n_steps = len(answer.step_ends)
    session.set_seen(False)
    qtbot.waitUntil(lambda: len(answer.step_ends) > n_steps + 100, timeout=WAIT_MS)
    assert shown == []

    session.set_seen(True)
    assert shown == [AnswerPhase.DECODE]

    session.set_seen(False)
    session.stop()
    wait_for(qtbot, answer, AnswerPhase.STOPPED)
    assert shown == [AnswerPhase.DECODE, AnswerPhase.STOPPED]


def test_what_nobody_sees_is_written_with_steps_and_not_with_each_piece_of_a_prompt(
    session: ChatSession, load: Load, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(LONG)
    session.send("Hello")
    answer = last_answer(session)
    wait_for_text(qtbot, answer)
    written: list[bool] = []
    monkeypatch.setattr(
        session.library, "note_change", lambda _answer, *, at_once: written.append(at_once)
    )
    piece = PrefillProgress(request_id=answer.trace.request_id, t_ns=1, n_done_tokens=1)
    step = Step(request_id=answer.trace.request_id, t_ns=2, n_tokens=1, text="word ")
    for seen in (False, True):
        session.set_seen(seen)
        session._on_events((piece,))
        session._on_events((piece, step))
    monkeypatch.undo()
    assert written == [False, True, False, False]


def test_an_engine_that_hangs_does_not_disturb_the_load_of_another_model(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(fault="hang", at="decode", after=5, answer="word " * 100))
    session.send("Hello")
    answer = last_answer(session)
    wait_for(qtbot, answer, AnswerPhase.DECODE)
    states: list[EngineStatus] = []
    session.engine_changed.connect(lambda state: states.append(state.status))

    load(Script(answer="New here."))

    assert answer.phase is AnswerPhase.FAILED
    assert set(states) == {EngineStatus.LOADING, EngineStatus.READY}
    assert states[-1] is EngineStatus.READY


def test_what_an_engine_said_comes_before_the_news_of_its_end(
    session: ChatSession, load: Load, qtbot: QtBot
) -> None:
    load(Script(fault="die", at="decode", after=20, answer="word " * 100))
    heard: list[str] = []
    session.events_arrived.connect(lambda batch: heard.extend(type(e).__name__ for e in batch))
    session.engine_process_changed.connect(lambda pid: heard.append(f"gone {pid == 0}"))

    session.send("Hello")
    wait_for(qtbot, last_answer(session), AnswerPhase.FAILED)

    assert "Step" not in heard[heard.index("gone True") :]
    assert heard[-1] == "Failed"


def test_a_system_that_starts_no_process_is_an_error_in_words(qtbot: QtBot) -> None:
    def refuse() -> EngineProcess:
        raise OSError("out of processes")

    thread = InferenceThread(refuse)
    session = ChatSession(thread, ChatLibrary())
    thread.start()
    session.load(LoadOptions(model_path=Script().path(), backend="scripted"))

    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.FAILED, timeout=WAIT_MS)
    session.shutdown()

    assert session.engine_state.error is not None
    assert session.engine_state.error.title == "The engine could not be started"
    assert "out of processes" in session.engine_state.error.technical


def test_answers_are_asked_for_with_inspections_only_when_wanted(
    session: ChatSession, load: Load, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(Script())
    asked: list[GenerateCommand] = []
    generate = session._inference.generate

    def note_and_generate(command: GenerateCommand) -> None:
        asked.append(command)
        generate(command)

    monkeypatch.setattr(session._inference, "generate", note_and_generate)
    session.send("Hello")
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)
    session.inspects = True
    session.send("Hello")
    wait_for(qtbot, last_answer(session), AnswerPhase.DONE)
    assert [command.request.inspect for command in asked] == [False, True]
    loaded = session.engine_state.loaded
    assert loaded is not None
    assert last_answer(session).kv == loaded.kv
    # A script chooses nothing, so nothing is told of it.
    assert not any(last_answer(session).inspected)
