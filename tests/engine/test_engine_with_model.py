"""The whole engine process with the starter model."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from engine.errors import ErrorCode
from engine.events import (
    CellKind,
    CellsFound,
    CellSpan,
    CountCommand,
    Counted,
    Event,
    Failed,
    Finished,
    FinishReason,
    GenerateCommand,
    LoadCommand,
    Loaded,
    PrefillProgress,
    PromptReady,
    Step,
)
from engine.figures import RequestTrace
from engine.process import EngineProcess
from engine.values import ChatMessage, GenerateRequest, LoadOptions, SamplingParams
from tests.engine.scripting import assistant, failed, finished, system, text_of, user

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.model
GREEDY = SamplingParams(temperature=0)
_PATIENCE_S = 60.0


class Engine:
    """A process with the starter model, asked one thing after the other."""

    def __init__(self, process: EngineProcess, model_path: Path) -> None:
        self.process = process
        self._id = 1
        options = LoadOptions(
            model_path=str(model_path), n_ctx=4096, n_threads=1, n_threads_prefill=1
        )
        process.send(LoadCommand(request_id=1, options=options))
        loaded = self._until_end()[-1]
        assert isinstance(loaded, Loaded), loaded
        self.loaded = loaded

    def ask(
        self,
        *chat: ChatMessage,
        cancel_at: type[Event] | None = None,
        max_tokens: int = 24,
        sampling: SamplingParams = GREEDY,
        prompt_tokens: tuple[int, ...] = (),
        stop: tuple[str, ...] = (),
        continues: bool = False,
        drop_oldest: bool = False,
    ) -> list[Event]:
        self._id += 1
        request = GenerateRequest(
            request_id=self._id,
            t_submit_ns=time.perf_counter_ns(),
            messages=chat,
            prompt_tokens=prompt_tokens,
            sampling=sampling,
            max_tokens=max_tokens,
            stop=stop,
            continues=continues,
            drop_oldest=drop_oldest,
        )
        self.process.send(GenerateCommand(request=request))
        return self._until_end(cancel_at)

    def observe(self, *chat: ChatMessage) -> tuple[RequestTrace, int]:
        """A short answer, and the nanoseconds from sending to hearing of its first token."""
        self._id += 1
        trace = RequestTrace(self._id, time.perf_counter_ns())
        request = GenerateRequest(
            request_id=self._id,
            t_submit_ns=trace.t_submit_ns,
            messages=chat,
            sampling=GREEDY,
            max_tokens=2,
        )
        t_send_ns = time.perf_counter_ns()
        self.process.send(GenerateCommand(request=request))
        heard_ns: int | None = None
        while not trace.ended:
            event = self._receive()
            if heard_ns is None and isinstance(event, Step):
                heard_ns = time.perf_counter_ns()
            trace.add(event)
        assert heard_ns is not None
        return trace, heard_ns - t_send_ns

    def count(self, *chat: ChatMessage) -> int:
        self._id += 1
        self.process.send(CountCommand(request_id=self._id, messages=chat))
        counted = self._next()
        assert isinstance(counted, Counted), counted
        return counted.n_tokens

    def cells(self) -> tuple[CellSpan, ...]:
        """What is told after an answer to a conversation."""
        event = self._receive()
        assert isinstance(event, CellsFound), event
        return event.cells

    def _next(self) -> Event:
        """But for the cells of the answer before."""
        while isinstance(event := self._receive(), CellsFound):
            pass
        return event

    def _receive(self) -> Event:
        assert self.process.poll(_PATIENCE_S), "the engine says nothing"
        event = self.process.receive()
        assert event is not None, self.process.death()
        return event

    def _until_end(self, cancel_at: type[Event] | None = None) -> list[Event]:
        events: list[Event] = []
        while True:
            event = self._next()
            events.append(event)
            if cancel_at is not None and isinstance(event, cancel_at):
                self.process.cancel(self._id)
            if isinstance(event, Loaded | Finished | Failed):
                return events


@pytest.fixture(scope="module")
def engine(starter_model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    process = EngineProcess(log_path=tmp_path_factory.mktemp("log") / "engine.log")
    process.start()
    yield Engine(process, starter_model_path)
    process.close(grace_s=10)


def ready(events: list[Event]) -> PromptReady:
    return next(event for event in events if isinstance(event, PromptReady))


def test_time_to_first_token_is_what_an_observer_of_the_pipe_sees(engine: Engine) -> None:
    """Within 5 ms; the observer sees the pipe and its own waking as well, which never is less."""
    differences_ms = []
    for word in ("Paris", "Rome", "Oslo", "Bern", "Lima", "Riga", "Cairo", "Delhi"):
        trace, observed_ns = engine.observe(user(f"Tell me about {word}."))
        ttft_ns = trace.figures().ttft_ns
        assert ttft_ns is not None
        differences_ms.append((observed_ns - ttft_ns) / 1e6)
        assert differences_ms[-1] >= 0
        if differences_ms[-1] <= 5:
            return
    pytest.fail(f"observed later, ms: {differences_ms}")


def test_the_starter_model_says_what_it_is(engine: Engine) -> None:
    assert engine.loaded.model.architecture == "llama"
    assert engine.loaded.engine.notices == ()


def test_a_question_is_answered_and_measured(engine: Engine) -> None:
    events = engine.ask(user("What is the capital of France?"))
    assert text_of(events)
    trace = RequestTrace(0, 0)
    for event in events:
        trace.add(event)
    figures = trace.figures()
    assert figures.n_output_tokens == finished(events).n_output_tokens
    assert figures.ttft_ns is not None
    assert figures.prefill_ns is not None
    assert 0 < figures.prefill_ns < figures.ttft_ns
    assert figures.decode_rate_tok_per_s is not None


@pytest.mark.parametrize(
    "sampling",
    [GREEDY, SamplingParams(temperature=1.5, top_k=0, top_p=1.0, min_p=0.0, seed=5)],
    ids=["greedy", "wild"],
)
def test_turn_ten_comes_from_the_cache(engine: Engine, sampling: SamplingParams) -> None:
    chat = [system("You are a helpful assistant. Answer at length and with examples.")]
    turns, events = [], []
    for turn in range(10):
        chat.append(user(f"Tell me more, number {turn}."))
        events = engine.ask(*chat, sampling=sampling, max_tokens=40)
        chat.append(assistant(text_of(events)))
        turns.append(ready(events))
    last = turns[-1]
    assert last.n_prompt_tokens > 300
    assert last.n_cached_tokens / last.n_prompt_tokens >= 0.95
    # The engine tells which tokens each message is, whatever the model made of its answers.
    cells = engine.cells()
    assert [cell.begin for cell in cells] == [0, *[cell.end for cell in cells[:-1]]]
    assert cells[-1].end == last.n_prompt_tokens
    numbers = {kind: [c.number for c in cells if c.kind is kind] for kind in CellKind}
    assert numbers[CellKind.SYSTEM] == [1]
    assert numbers[CellKind.USER] == list(range(1, 11))
    assert numbers[CellKind.ANSWER] == list(range(1, 10))
    assert not numbers[CellKind.UNKNOWN]


def test_an_answer_cut_by_a_stop_string_is_continued_from_the_cache(engine: Engine) -> None:
    question = user("Count from one to ten in words, separated by commas.")
    whole = text_of(engine.ask(question))
    stop = whole[len(whole) // 2 :][:3]
    events = engine.ask(question, stop=(stop,))
    assert finished(events).reason is FinishReason.STOP_STRING
    shown = text_of(events)
    assert stop not in shown
    assert whole.startswith(shown)
    p = ready(events).n_prompt_tokens
    again = ready(engine.ask(question, assistant(shown), user("Go on.")))
    assert again.n_cached_tokens >= p


def test_emoji_and_cjk_arrive_whole(engine: Engine) -> None:
    events = engine.ask(user("Repeat exactly: 🚀 漢字 🎉 かな 🌍"), max_tokens=40)
    assert "\ufffd" not in text_of(events)


def test_a_stop_in_prefill_leaves_an_engine_that_goes_on(engine: Engine) -> None:
    question = user("What is the capital of France?")
    before = text_of(engine.ask(question))
    tokens = tuple(1000 + n % 3000 for n in range(4000))
    events = engine.ask(prompt_tokens=tokens, cancel_at=PrefillProgress)
    assert finished(events).reason is FinishReason.CANCELLED
    assert finished(events).n_output_tokens == 0
    again = ready(engine.ask(prompt_tokens=tokens[:200], max_tokens=1))
    assert again.n_prompt_tokens == 200
    assert text_of(engine.ask(question)) == before


def test_a_prompt_longer_than_the_context_is_refused(engine: Engine) -> None:
    error = failed(engine.ask(user("word " * 5000))).error
    assert error.code is ErrorCode.PROMPT_TOO_LONG
    assert error.detail("n_ctx") == 4096


def test_a_count_is_that_of_the_answer_that_follows(engine: Engine) -> None:
    chat = [system("You are brief.")]
    for turn in range(3):
        chat.append(user(f"Name a river, number {turn}. 漢字 🚀"))
        counted = engine.count(*chat)
        engine.count(*chat[:-1], user("What is never sent"))
        events = engine.ask(*chat, sampling=SamplingParams(temperature=1.2, seed=turn))
        assert ready(events).n_prompt_tokens == counted
        if turn:
            assert ready(events).n_cached_tokens > len(chat) * 10
        chat.append(assistant(text_of(events)))


@pytest.mark.parametrize("was_stopped", [False, True], ids=["length", "stopped"])
def test_an_answer_that_ended_early_goes_on_as_if_it_had_not(
    engine: Engine, *, was_stopped: bool
) -> None:
    chat = [system("You are a helpful assistant."), user("Tell me a story about rain.")]
    whole = text_of(engine.ask(*chat, max_tokens=60))
    events = (
        # One less: it is not whole even where the stop comes late.
        engine.ask(*chat, max_tokens=59, cancel_at=Step)
        if was_stopped
        else engine.ask(*chat, max_tokens=20)
    )
    begun = text_of(events)
    assert begun
    assert whole.startswith(begun)
    assert begun != whole
    n_begun = finished(events).n_output_tokens

    rest = engine.ask(*chat, assistant(begun), continues=True, max_tokens=60 - n_begun)

    assert begun + text_of(rest) == whole
    assert ready(rest).n_prompt_tokens == ready(events).n_prompt_tokens + n_begun
    assert ready(rest).n_prompt_tokens - ready(rest).n_cached_tokens == 1


def test_an_answer_of_an_earlier_run_goes_on_where_it_ended(engine: Engine) -> None:
    question = user("Tell me a story about snow.")
    begun = text_of(engine.ask(question, max_tokens=24))
    engine.ask(user("Something else entirely, to take the cache."))
    rest = engine.ask(question, assistant(begun), continues=True, max_tokens=8)
    assert finished(rest).n_output_tokens == 8
    assert not text_of(rest).startswith(begun[:10])


def test_a_conversation_that_is_too_long_drops_its_oldest_turns_and_goes_on(engine: Engine) -> None:
    begun = assistant("Once upon a time there was")
    chat = [user("word " * 5000), assistant("Yes."), user("Tell me a story."), begun]
    error = failed(engine.ask(*chat, continues=True)).error
    assert error.code is ErrorCode.PROMPT_TOO_LONG
    events = engine.ask(*chat, continues=True, drop_oldest=True, max_tokens=8)
    assert ready(events).n_dropped_messages == 2
    assert ready(events).n_prompt_tokens < 200
    assert text_of(events)
