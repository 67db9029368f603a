"""Each row of the table of figures, from stamps with known values."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ErrorCode, ErrorInfo
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
    Suspended,
)
from engine.figures import RequestTrace, percentile

MS = 1_000_000


def step(t_ms: int, n_tokens: int = 1) -> Step:
    return Step(request_id=7, t_ns=t_ms * MS, n_tokens=n_tokens, text="x")


def trace_of(*steps: Step, n_prompt: int = 500, n_cached: int = 100) -> RequestTrace:
    """Submitted at 10 ms, taken at 12, ready at 15, prefilled at 215."""
    trace = RequestTrace(7, 10 * MS)
    events: list[Event] = [
        Started(request_id=7, t_ns=12 * MS),
        PromptReady(request_id=7, t_ns=15 * MS, n_prompt_tokens=n_prompt, n_cached_tokens=n_cached),
        PrefillDone(request_id=7, t_ns=215 * MS),
        *steps,
    ]
    for event in events:
        trace.add(event)
    return trace


FOUR_STEPS = (step(217), step(227), step(247), step(257))


def test_time_to_first_token_is_from_start_to_the_first_sample() -> None:
    assert trace_of(*FOUR_STEPS).figures().ttft_ns == (217 - 12) * MS


def test_parts_of_the_first_token_add_up_to_it() -> None:
    figures = trace_of(*FOUR_STEPS).figures()
    assert figures.queue_ns == 2 * MS
    assert figures.prepare_ns == 3 * MS
    assert figures.prefill_ns == 200 * MS
    assert figures.first_token_ns == 2 * MS
    parts_ns = figures.prepare_ns + figures.prefill_ns + figures.first_token_ns
    assert parts_ns == figures.ttft_ns


def test_prefill_rate_leaves_out_tokens_from_the_cache() -> None:
    assert trace_of(n_prompt=500, n_cached=100).figures().prefill_rate_tok_per_s == 2000.0


def test_time_per_output_token_and_decode_rate_count_intervals_not_tokens() -> None:
    figures = trace_of(*FOUR_STEPS).figures()
    assert figures.tpot_ns == pytest.approx(40 * MS / 3)
    assert figures.decode_rate_tok_per_s == pytest.approx(75.0)


def test_latency_is_from_submit_to_the_last_token() -> None:
    assert trace_of(*FOUR_STEPS).figures().latency_ns == 247 * MS


def test_context_used_is_prompt_and_output() -> None:
    figures = trace_of(*FOUR_STEPS).figures()
    assert figures.context_used_tokens == 504
    assert figures.n_output_tokens == 4


def test_inter_token_latencies_are_of_steps() -> None:
    trace = trace_of(*FOUR_STEPS)
    series = trace.itl()
    assert list(series.interval_ns) == [10 * MS, 20 * MS, 10 * MS]
    assert list(series.t_ns) == [227 * MS, 247 * MS, 257 * MS]
    assert list(series.n_tokens) == [1, 1, 1]
    figures = trace.figures()
    assert figures.itl_p50_ns == 10 * MS
    assert figures.itl_p95_ns == 20 * MS
    assert figures.itl_p99_ns == 20 * MS


def test_a_step_of_several_tokens_has_one_latency_and_all_its_tokens() -> None:
    trace = trace_of(step(217, 1), step(257, 4), step(297, 3))
    assert list(trace.itl().interval_ns) == [40 * MS, 40 * MS]
    assert list(trace.itl().n_tokens) == [4, 3]
    figures = trace.figures()
    assert figures.n_output_tokens == 8
    assert figures.itl_p50_ns == 40 * MS
    assert figures.tpot_ns == pytest.approx(80 * MS / 7)
    assert figures.decode_rate_tok_per_s == pytest.approx(7 / 0.080)


def test_later_part_of_the_series_begins_where_it_is_asked_to() -> None:
    trace = trace_of(*FOUR_STEPS)
    assert list(trace.itl(3).interval_ns) == [10 * MS]
    assert list(trace.itl(4).interval_ns) == []


@pytest.mark.parametrize("steps", [(), (step(217),), (step(217, 3),)])
def test_rates_of_less_than_two_moments_are_blank(steps: tuple[Step, ...]) -> None:
    figures = trace_of(*steps).figures()
    assert figures.tpot_ns is None
    assert figures.decode_rate_tok_per_s is None
    assert figures.itl_p50_ns is None
    assert figures.itl_p99_ns is None


def test_nothing_is_known_before_the_engine_took_it() -> None:
    figures = dataclasses.asdict(RequestTrace(7, 10 * MS).figures())
    assert figures.pop("n_output_tokens") == 0
    assert set(figures.values()) == {None}


def test_prompt_tokens_in_the_cache_grow_while_it_prefills() -> None:
    trace = RequestTrace(7, 0)
    trace.add(PromptReady(request_id=7, t_ns=1, n_prompt_tokens=500, n_cached_tokens=100))
    assert trace.figures().n_prefilled_tokens == 100
    trace.add(PrefillProgress(request_id=7, t_ns=2, n_done_tokens=300))
    assert trace.figures().n_prefilled_tokens == 300
    trace.add(PrefillDone(request_id=7, t_ns=3))
    assert trace.figures().n_prefilled_tokens == 500


def test_a_trace_that_forgets_its_steps_keeps_everything_but_their_series() -> None:
    trace = trace_of(*FOUR_STEPS)
    before = trace.figures()
    trace.forget_steps()
    assert (len(trace.step_t_ns), len(trace.step_n_tokens)) == (0, 0)
    assert trace.figures() == dataclasses.replace(
        before, itl_p50_ns=None, itl_p95_ns=None, itl_p99_ns=None
    )


def test_the_first_token_stays_the_first_when_steps_are_forgotten() -> None:
    trace = trace_of(step(217))
    trace.forget_steps()
    trace.add(step(257))
    figures = trace.figures()
    assert figures.ttft_ns == (217 - 12) * MS
    assert figures.tpot_ns == 40 * MS


def test_end_and_error_are_kept() -> None:
    assert not trace_of(*FOUR_STEPS).ended
    trace = trace_of(*FOUR_STEPS)
    trace.add(
        Finished(
            request_id=7, t_ns=260 * MS, reason=FinishReason.LENGTH, text="", n_output_tokens=4
        )
    )
    assert trace.ended
    assert trace.finish_reason is FinishReason.LENGTH
    assert trace.t_end_ns == 260 * MS

    broken = trace_of()
    error = ErrorInfo(code=ErrorCode.DECODE_FAILED)
    broken.add(Failed(request_id=7, t_ns=1, error=error))
    assert broken.ended
    assert broken.error == error


def test_percentiles_are_by_nearest_rank() -> None:
    assert percentile([], 50) is None
    assert percentile([15, 20, 35, 40, 50], 30) == 20
    assert percentile([15, 20, 35, 40, 50], 40) == 20
    assert percentile([15, 20, 35, 40, 50], 50) == 35
    assert percentile([15, 20, 35, 40, 50], 100) == 50
    assert percentile([1], 99) == 1


@given(st.lists(st.integers(1, 10**9), min_size=1), st.sampled_from([50, 95, 99]))
def test_percentile_is_the_least_value_that_enough_do_not_exceed(
    values: list[int], percent: int
) -> None:
    ordered = sorted(values)
    found = percentile(ordered, percent)
    needed = math.ceil(percent * len(values) / 100)
    assert found in values
    assert sum(value <= found for value in values) >= needed
    assert sum(value < found for value in values) < needed


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=60), st.data())
def test_percentiles_do_not_depend_on_when_they_were_asked_for(
    gaps_ns: list[int], data: st.DataObject
) -> None:
    often, once = RequestTrace(1, 0), RequestTrace(1, 0)
    t_ns = 0
    for gap_ns in gaps_ns:
        t_ns += gap_ns
        event = Step(request_id=1, t_ns=t_ns, n_tokens=1, text="")
        often.add(event)
        once.add(event)
        if data.draw(st.booleans()):
            often.figures()
    assert often.figures() == once.figures()


def slept_before(t_ms: int) -> Suspended:
    return Suspended(request_id=7, t_ns=t_ms * MS, asleep_ns=3_600_000 * MS)


def with_sleep(before_ms: int, *steps: Step) -> RequestTrace:
    trace = trace_of(*steps)
    trace.add(slept_before(before_ms))
    return trace


def test_what_spans_a_sleep_in_decode_is_blank_and_the_rest_known() -> None:
    # The step at 900247 ms came after a quarter of an hour asleep, on a clock that goes on.
    steps = (step(217), step(227), step(900_247), step(900_257))
    figures = with_sleep(900_247, *steps).figures()
    assert figures.decode_rate_tok_per_s is None
    assert figures.tpot_ns is None
    assert figures.latency_ns is None
    assert (figures.itl_p50_ns, figures.itl_p99_ns) == (10 * MS, 10 * MS)
    assert figures.ttft_ns == 205 * MS
    assert figures.prefill_rate_tok_per_s == 2000
    assert list(with_sleep(900_247, *steps).itl().interval_ns) == [10 * MS, None, 10 * MS]


def test_what_spans_a_sleep_in_prefill_is_blank_and_the_decode_known() -> None:
    figures = with_sleep(215, *FOUR_STEPS).figures()
    assert figures.prefill_rate_tok_per_s is None
    assert figures.prefill_ns is None
    assert figures.ttft_ns is None
    assert figures.latency_ns is None
    assert figures.prepare_ns == 3 * MS
    assert figures.decode_rate_tok_per_s == pytest.approx(75)
    assert figures.itl_p50_ns == 10 * MS


def test_percentiles_go_on_after_a_sleep_that_is_told_between_two_looks() -> None:
    trace = trace_of(step(217), step(227))
    assert trace.figures().itl_p50_ns == 10 * MS
    for event in (slept_before(99_000), step(99_000), step(99_030), step(99_060)):
        trace.add(event)
    assert trace.figures().itl_p50_ns == 30 * MS
    trace.add(step(99_070))
    assert trace.figures().itl_p99_ns == 30 * MS
