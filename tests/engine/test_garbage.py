"""Garbage collections of the engine process, told of beside the steps that waited for them."""

from __future__ import annotations

import gc
import itertools
from typing import TYPE_CHECKING

from engine.backends.scripted import Script
from engine.events import Collected, PrefillDone, PromptReady, Started, Step
from engine.garbage import GarbageWatch
from engine.loop import DecodeLoop
from tests.engine.scripting import LoopDriver, user

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.backend import KeepGoing, PrefillCallback

_LATER_NS = 1_000_000_000


def watch(*, step_ns: int, least_ns: int = 0) -> GarbageWatch:
    """One whose clock goes on by `step_ns` with every look."""
    clock = itertools.count(0, step_ns)
    return GarbageWatch(least_ns=least_ns, clock_ns=lambda: next(clock))


def told(noted: GarbageWatch, until_ns: int = _LATER_NS) -> list[Collected]:
    events = noted.events(7, until_ns)
    collected = [event for event in events if isinstance(event, Collected)]
    assert len(collected) == len(events)
    assert all(event.request_id == 7 for event in collected)
    return collected


def test_a_long_collection_is_told_with_how_long_it_took() -> None:
    noted = watch(step_ns=700_000, least_ns=500_000)
    noted.start()
    try:
        gc.collect()
    finally:
        noted.stop()
    assert (700_000, 2) in [(each.duration_ns, each.generation) for each in told(noted)]
    assert told(noted) == []


def test_a_short_collection_is_not_worth_a_word() -> None:
    noted = watch(step_ns=400_000, least_ns=500_000)
    noted.start()
    try:
        gc.collect()
    finally:
        noted.stop()
    assert told(noted) == []


def test_nothing_is_noted_once_it_was_stopped() -> None:
    noted = watch(step_ns=1)
    noted.start()
    noted.stop()
    gc.collect()
    assert told(noted) == []


def test_a_collection_is_told_of_before_what_waited_for_it() -> None:
    driver = LoopDriver(Script(answer="one two three"))
    garbage = GarbageWatch(least_ns=0)
    driver.loop = DecodeLoop(driver.backend, driver.loaded, driver.chat_format, pauses=(garbage,))
    step, prefill = driver.backend.step, driver.backend.prefill

    def collect_and_step(keep_going: KeepGoing) -> tuple[int, ...]:
        gc.collect()
        return step(keep_going)

    def collect_and_prefill(chunk: Sequence[int], on_progress: PrefillCallback) -> int:
        gc.collect()
        return prefill(chunk, on_progress)

    driver.backend.step = collect_and_step  # type: ignore[method-assign] # a step that collects
    driver.backend.prefill = collect_and_prefill  # type: ignore[method-assign] # collects, too
    events = driver.run(user("Hi"))
    waited = [
        event
        for event in events
        if isinstance(event, Step | PrefillDone)
        or (isinstance(event, Collected) and event.generation == 2)
    ]
    assert sum(isinstance(event, Step) for event in waited) > 3
    assert isinstance(waited[0], Collected)
    for before, event in itertools.pairwise(waited):
        assert isinstance(before, Collected) or isinstance(event, Collected)
    stamps = [event.t_ns for event in events]
    assert stamps == sorted(stamps)


def test_the_stamps_of_template_and_tokenizer_lie_between_start_and_prefill() -> None:
    events = LoopDriver(Script(answer="Hello")).run(user("Hi"))
    started = next(event for event in events if isinstance(event, Started))
    ready = next(event for event in events if isinstance(event, PromptReady))
    assert ready.t_rendered_ns is not None
    assert ready.t_tokenized_ns is not None
    assert started.t_ns <= ready.t_rendered_ns <= ready.t_tokenized_ns <= ready.t_ns


def test_a_prompt_of_tokens_has_no_template_to_time() -> None:
    events = LoopDriver(Script(answer="Hello")).run(prompt_tokens=(1, 2, 3))
    ready = next(event for event in events if isinstance(event, PromptReady))
    assert (ready.t_rendered_ns, ready.t_tokenized_ns) == (None, None)
