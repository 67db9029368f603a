"""What one request says from its start to its one end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backends.scripted import DEFAULT_ANSWER, Script, ScriptedBackend
from engine.errors import ErrorCode
from engine.events import (
    Event,
    Failed,
    Finished,
    FinishReason,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
)
from engine.figures import RequestTrace
from engine.inspection import Candidate, TokenInspection, pack
from tests.engine.scripting import LoopDriver, failed, finished, text_of, user

if TYPE_CHECKING:
    from engine.backend import PrefillCallback

HELLO = Script(answer="Hello, world!")


def n_steps(events: list[Event]) -> int:
    return sum(isinstance(event, Step) for event in events)


def ready(events: list[Event]) -> PromptReady:
    return next(event for event in events if isinstance(event, PromptReady))


def test_an_answer_tells_each_phase_in_order() -> None:
    events = LoopDriver(HELLO).run(user("Hi"))
    kinds = [type(event) for event in events if not isinstance(event, Step)]
    assert kinds == [Started, PromptReady, PrefillProgress, PrefillDone, Finished]
    stamps = [event.t_ns for event in events]
    assert stamps == sorted(stamps)
    assert {event.request_id for event in events} == {1}


def test_the_end_token_ends_the_answer_and_is_counted() -> None:
    events = LoopDriver(HELLO).run(user("Hi"))
    assert text_of(events) == "Hello, world!"
    # 13 bytes in tokens of 3, and the end token.
    assert finished(events).n_output_tokens == 6
    assert finished(events).reason is FinishReason.END
    assert n_steps(events) == 6


@pytest.mark.parametrize("bytes_per_token", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("tokens_per_step", [1, 4])
def test_characters_split_across_tokens_arrive_whole(
    bytes_per_token: int, tokens_per_step: int
) -> None:
    script = Script(bytes_per_token=bytes_per_token, tokens_per_step=tokens_per_step)
    events = LoopDriver(script).run(user("Hi"))
    assert text_of(events) == DEFAULT_ANSWER
    assert not any("\ufffd" in event.text for event in events if isinstance(event, Step))


def test_tokens_after_an_end_inside_a_step_are_not_part_of_the_answer() -> None:
    events = LoopDriver(Script(answer="abc", bytes_per_token=1, tokens_per_step=3)).run(user("Hi"))
    assert [e.n_tokens for e in events if isinstance(e, Step)] == [3, 1]
    assert finished(events).n_output_tokens == 4
    assert text_of(events) == "abc"


def test_an_end_token_can_be_ignored_for_measuring() -> None:
    events = LoopDriver(HELLO).run(user("Hi"), ignore_end=True, max_tokens=20)
    assert finished(events).reason is FinishReason.LENGTH
    assert finished(events).n_output_tokens == 20
    assert text_of(events).startswith("Hello, world!Hello, world!")


def test_max_tokens_ends_the_answer() -> None:
    events = LoopDriver(HELLO).run(user("Hi"), max_tokens=2)
    assert finished(events).reason is FinishReason.LENGTH
    assert text_of(events) == "Hello,"
    assert finished(events).n_output_tokens == 2


def test_a_character_that_max_tokens_cut_is_left_out() -> None:
    events = LoopDriver(Script(answer="ab🚀", bytes_per_token=3)).run(user("Hi"), max_tokens=1)
    assert text_of(events) == "ab"


def test_a_stop_string_ends_the_answer_and_is_not_shown() -> None:
    events = LoopDriver(HELLO).run(user("Hi"), stop=(", wor", "zzz"))
    assert finished(events).reason is FinishReason.STOP_STRING
    assert text_of(events) == "Hello"


def test_what_may_become_a_stop_string_is_shown_once_it_cannot() -> None:
    events = LoopDriver(HELLO).run(user("Hi"), stop=("world?", "!!"))
    assert finished(events).reason is FinishReason.END
    assert text_of(events) == "Hello, world!"
    assert finished(events).text == "!"
    assert "".join(e.text for e in events if isinstance(e, Step)) == "Hello, world"


def test_a_full_context_ends_the_answer() -> None:
    driver = LoopDriver(HELLO, n_ctx=60)
    events = driver.run(user("Hi"), ignore_end=True)
    assert finished(events).reason is FinishReason.CONTEXT_FULL
    assert ready(events).n_prompt_tokens + finished(events).n_output_tokens == 60


def test_length_is_the_reason_where_both_limits_are_met() -> None:
    driver = LoopDriver(HELLO, n_ctx=60)
    p = ready(driver.run(user("Hi"))).n_prompt_tokens
    events = driver.run(user("Hi"), ignore_end=True, max_tokens=60 - p)
    assert finished(events).reason is FinishReason.LENGTH


@pytest.mark.parametrize(("n_prompt", "fits"), [(62, True), (63, True), (64, False), (900, False)])
def test_a_prompt_must_leave_room_for_one_token(n_prompt: int, fits: bool) -> None:
    events = LoopDriver(HELLO, n_ctx=64).run(prompt_tokens=(65,) * n_prompt)
    if fits:
        assert finished(events).n_output_tokens == 64 - n_prompt
        return
    error = failed(events).error
    assert error.code is ErrorCode.PROMPT_TOO_LONG
    assert error.detail("n_prompt") == n_prompt
    assert error.detail("n_ctx") == 64


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_prompt_is_refused(text: str) -> None:
    driver = LoopDriver(HELLO)
    assert failed(driver.run(user(text))).error.code is ErrorCode.EMPTY_PROMPT
    assert failed(driver.run()).error.code is ErrorCode.EMPTY_PROMPT


def test_a_length_that_allows_nothing_is_refused() -> None:
    error = failed(LoopDriver(HELLO).run(user("Hi"), max_tokens=0)).error
    assert error.code is ErrorCode.INVALID_OPTION
    assert error.detail("option") == "max_tokens"
    assert error.detail("minimum") == 1


def test_a_template_that_refuses_the_conversation_fails_the_request() -> None:
    template = (
        "{% if messages | length > 1 %}{{ raise_exception('one only') }}{% endif %}"
        "{{ messages[0].content }}"
    )
    driver = LoopDriver(Script(template=template))
    error = failed(driver.run(user("a"), user("b"))).error
    assert error.code is ErrorCode.TEMPLATE_FAILED
    assert error.detail("reason") == "one only"
    assert finished(driver.run(user("a"))).reason is FinishReason.END


@pytest.mark.parametrize("at", ["prefill", "decode"])
def test_an_exception_of_the_library_ends_the_request_with_its_traceback(at: str) -> None:
    events = LoopDriver(Script(fault="raise", at=at)).run(user("Hi"))
    error = failed(events).error
    assert error.code is ErrorCode.INTERNAL
    assert "RuntimeError: the script raises" in error.technical
    assert "Traceback" in error.technical


@pytest.mark.parametrize("at", ["prefill", "decode"])
def test_an_error_of_the_engine_is_passed_on(at: str) -> None:
    script = Script(fault="error", at=at, error=ErrorCode.NOT_ENOUGH_MEMORY.value)
    error = failed(LoopDriver(script).run(user("Hi"))).error
    assert error.code is ErrorCode.NOT_ENOUGH_MEMORY


def test_a_request_cancelled_before_it_began_does_nothing() -> None:
    events = LoopDriver(HELLO).run(user("Hi"), cancel_when=lambda _events: True)
    assert [type(event) for event in events] == [Started, Finished]
    assert finished(events).reason is FinishReason.CANCELLED


def test_a_cancel_in_prefill_keeps_what_was_computed() -> None:
    driver = LoopDriver(HELLO)
    events = driver.run(
        prompt_tokens=tuple(range(200)) * 10,
        cancel_when=lambda events: driver.backend.kv_tokens() > 0 or len(events) > 2,
    )
    assert finished(events).reason is FinishReason.CANCELLED
    assert finished(events).n_output_tokens == 0
    assert not any(isinstance(event, PrefillDone) for event in events)


def test_a_cancel_while_decoding_keeps_the_text_so_far() -> None:
    events = LoopDriver(HELLO).run(
        user("Hi"), cancel_when=lambda events: text_of(events) == "Hello,"
    )
    assert finished(events).reason is FinishReason.CANCELLED
    assert text_of(events) == "Hello,"
    assert finished(events).n_output_tokens == 2


def test_a_cancel_reaches_into_a_step_that_waits() -> None:
    calls = 0

    def cancel(events: list[Event]) -> bool:
        nonlocal calls
        calls += isinstance(events[-1], PrefillDone)
        return calls > 3

    events = LoopDriver(Script(tok_per_s=0.001)).run(user("Hi"), cancel_when=cancel)
    assert finished(events).reason is FinishReason.CANCELLED
    assert finished(events).n_output_tokens == 0


def test_prefill_progress_rises_to_the_prompt_at_a_steady_pace() -> None:
    driver = LoopDriver(Script(prefill_tok_per_s=4000))
    events = driver.run(prompt_tokens=tuple(range(200)) * 10, max_tokens=1)
    done = [e.n_done_tokens for e in events if isinstance(e, PrefillProgress)]
    assert done[0] == 0
    assert len(done) >= 4
    assert done == sorted(done)
    assert done[-1] <= 2000


def test_every_chunk_of_a_fast_prefill_is_told_of() -> None:
    driver = LoopDriver(Script(prefill_tok_per_s=1_000_000), n_batch=256)
    events = driver.run(prompt_tokens=tuple(range(100)) * 10, max_tokens=1)
    done = [e.n_done_tokens for e in events if isinstance(e, PrefillProgress)]
    assert set(done) >= {0, 256, 512, 768}


def test_prefill_that_cannot_be_interrupted_comes_in_chunks() -> None:
    driver = LoopDriver(Script(prefill_tok_per_s=4000, interruptible=0))
    sizes: list[int] = []
    plain = driver.backend.prefill

    def prefill(chunk: list[int], on_progress: PrefillCallback) -> int:
        sizes.append(len(chunk))
        return plain(chunk, on_progress)

    driver.backend.prefill = prefill  # type: ignore[method-assign,assignment]  # a spy
    driver.run(prompt_tokens=tuple(range(200)) * 10, max_tokens=1)
    assert sum(sizes) == 2000
    assert sizes[0] == 32
    # 150 ms are 600 tokens here; the machine may make a chunk look slower.
    assert 100 < max(sizes) <= 700
    begin = len(sizes)
    driver.run(prompt_tokens=(7,) * 2000, max_tokens=1)
    assert sizes[begin] > 100


def test_a_whole_batch_at_once_where_prefill_can_be_interrupted() -> None:
    driver = LoopDriver(HELLO, n_batch=512)
    sizes: list[int] = []
    plain = driver.backend.prefill

    def prefill(chunk: list[int], on_progress: PrefillCallback) -> int:
        sizes.append(len(chunk))
        return plain(chunk, on_progress)

    driver.backend.prefill = prefill  # type: ignore[method-assign,assignment]  # a spy
    driver.run(prompt_tokens=(7,) * 1300, max_tokens=1)
    assert sizes == [512, 512, 276]


def test_the_figures_of_a_request_come_from_its_events() -> None:
    driver = LoopDriver(Script(tok_per_s=500, prefill_tok_per_s=5000, answer="x" * 300))
    events = driver.run(prompt_tokens=(7,) * 1000, max_tokens=100)
    trace = RequestTrace(1, events[0].t_ns)
    for event in events:
        trace.add(event)
    figures = trace.figures()
    assert figures.context_used_tokens == 1100
    assert figures.prefill_rate_tok_per_s is not None
    assert figures.prefill_rate_tok_per_s <= 5100
    assert figures.decode_rate_tok_per_s is not None
    assert figures.decode_rate_tok_per_s <= 515


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    fault = draw(st.sampled_from(["", "", "raise", "error"]))
    return Script(
        answer=draw(st.text(max_size=30)),
        bytes_per_token=draw(st.integers(1, 4)),
        tokens_per_step=draw(st.integers(1, 3)),
        interruptible=draw(st.integers(0, 1)),
        fault=fault,
        at=draw(st.sampled_from(["prefill", "decode"])) if fault else "",
        after=draw(st.integers(0, 40)),
    )


@given(
    script=scripts(),
    n_ctx=st.integers(1, 200),
    n_prompt=st.integers(0, 210),
    max_tokens=st.none() | st.integers(-1, 40),
    stop=st.lists(st.text(max_size=3), max_size=2),
    ignore_end=st.booleans(),
    cancel_after=st.none() | st.integers(0, 30),
)
def test_every_request_ends_exactly_once(
    script: Script,
    n_ctx: int,
    n_prompt: int,
    max_tokens: int | None,
    stop: list[str],
    ignore_end: bool,
    cancel_after: int | None,
) -> None:
    driver = LoopDriver(script, n_ctx=n_ctx)
    asked = 0

    def cancel(_events: list[Event]) -> bool:
        nonlocal asked
        asked += 1
        return cancel_after is not None and asked > cancel_after

    events = driver.run(
        prompt_tokens=(7,) * n_prompt,
        max_tokens=max_tokens,
        stop=tuple(stop),
        ignore_end=ignore_end,
        cancel_when=cancel,
    )
    assert isinstance(events[0], Started)
    assert [isinstance(event, Finished | Failed) for event in events].count(True) == 1
    last = events[-1]
    assert isinstance(last, Finished | Failed)
    n_tokens = sum(event.n_tokens for event in events if isinstance(event, Step))
    assert n_prompt + n_tokens <= max(n_ctx, n_prompt)
    if isinstance(last, Finished):
        assert last.n_output_tokens == n_tokens
        cut = [stop_text for stop_text in stop if stop_text and stop_text in text_of(events)]
        assert not cut


def test_inspections_come_with_their_steps_where_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver = LoopDriver(Script(answer="Hello, world!", tokens_per_step=4))
    candidate = Candidate(
        token=5, piece=b"x", probability=0.5, drawn_probability=1.0, removed_by=None
    )
    told = TokenInspection(chosen=candidate, rank=1, alternatives=(), stages=(), is_penalized=False)
    monkeypatch.setattr(ScriptedBackend, "inspections", lambda _backend: (told,) * 4)
    asked = [e for e in driver.run(user("Hi"), inspect=True) if isinstance(e, Step)]
    # What comes after the end token was never part of the answer.
    assert [step.n_tokens for step in asked] == [4, 2]
    assert [step.inspected for step in asked] == [(pack(told),) * 4, (pack(told),) * 2]
    plain = [e for e in driver.run(user("Hi")) if isinstance(e, Step)]
    assert {step.inspected for step in plain} == {()}
