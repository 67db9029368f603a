"""The stretches of a request add up to its figures, whatever became of it."""

from __future__ import annotations

import itertools

from app.timeline.stretches import Stage, stretches_of
from engine.events import (
    Event,
    Finished,
    FinishReason,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
)
from engine.figures import RequestTrace
from tests.app.runs.making import MS, T0, answer


def traced(*events: Event) -> RequestTrace:
    trace = RequestTrace(2, T0)
    for event in events:
        trace.add(event)
    return trace


def ready(**stamps: int) -> PromptReady:
    return PromptReady(
        request_id=2, t_ns=T0 + 15 * MS, n_prompt_tokens=100, n_cached_tokens=60, **stamps
    )


def test_they_follow_each_other_and_add_up_to_the_figures() -> None:
    trace = traced(*answer())
    found = stretches_of(trace)
    assert [each.stage for each in found] == [
        Stage.QUEUE,
        Stage.PREPARE,
        Stage.PREFILL,
        Stage.PREFILL,
        Stage.FIRST_TOKEN,
        Stage.DECODE,
    ]
    assert all(a.t1_ns == b.t0_ns for a, b in itertools.pairwise(found))
    figures = trace.figures()
    took = dict.fromkeys(Stage, 0)
    for each in found:
        assert each.t1_ns is not None
        took[each.stage] += each.t1_ns - each.t0_ns
    assert took[Stage.QUEUE] == figures.queue_ns == 10 * MS
    assert took[Stage.PREFILL] == figures.prefill_ns == 100 * MS
    assert took[Stage.FIRST_TOKEN] == figures.first_token_ns == 2 * MS
    ttft_ns = took[Stage.PREPARE] + took[Stage.PREFILL] + took[Stage.FIRST_TOKEN]
    assert ttft_ns == figures.ttft_ns
    assert took[Stage.QUEUE] + ttft_ns + took[Stage.DECODE] == figures.latency_ns


def test_template_tokenizer_and_cache_are_told_apart_where_they_were_stamped() -> None:
    trace = traced(
        Started(request_id=2, t_ns=T0 + 10 * MS),
        ready(t_rendered_ns=T0 + 12 * MS, t_tokenized_ns=T0 + 14 * MS),
    )
    spans = {each.stage: (each.t0_ns - T0, (each.t1_ns or 0) - T0) for each in stretches_of(trace)}
    assert spans[Stage.TEMPLATE] == (10 * MS, 12 * MS)
    assert spans[Stage.TOKENIZE] == (12 * MS, 14 * MS)
    assert spans[Stage.LOOKUP] == (14 * MS, 15 * MS)


def test_chunks_begin_after_what_the_cache_had() -> None:
    chunks = [each for each in stretches_of(traced(*answer())) if each.stage is Stage.PREFILL]
    assert [(each.n_before, each.n_tokens) for each in chunks] == [(60, 20), (80, 20)]


def test_a_prefill_that_lasts_has_an_open_end() -> None:
    trace = traced(
        Started(request_id=2, t_ns=T0 + 10 * MS),
        ready(),
        PrefillProgress(request_id=2, t_ns=T0 + 65 * MS, n_done_tokens=80),
    )
    done, open_ = [each for each in stretches_of(trace) if each.stage is Stage.PREFILL]
    assert (done.t1_ns, done.n_tokens) == (T0 + 65 * MS, 20)
    assert (open_.t0_ns, open_.t1_ns, open_.n_before) == (T0 + 65 * MS, None, 80)


def test_a_prompt_of_which_everything_was_reported_ends_where_the_prefill_does() -> None:
    trace = traced(
        Started(request_id=2, t_ns=T0 + 10 * MS),
        ready(),
        PrefillProgress(request_id=2, t_ns=T0 + 65 * MS, n_done_tokens=100),
        PrefillDone(request_id=2, t_ns=T0 + 70 * MS),
    )
    (chunk,) = [each for each in stretches_of(trace) if each.stage is Stage.PREFILL]
    assert (chunk.t0_ns, chunk.t1_ns, chunk.n_tokens) == (T0 + 15 * MS, T0 + 70 * MS, 40)


def test_a_request_stopped_while_it_waits_has_nothing_but_a_queue() -> None:
    trace = traced(
        Finished(
            request_id=2,
            t_ns=T0 + 7 * MS,
            reason=FinishReason.CANCELLED,
            text="",
            n_output_tokens=0,
        )
    )
    (queue,) = stretches_of(trace)
    assert (queue.stage, queue.t1_ns) == (Stage.QUEUE, T0 + 7 * MS)
