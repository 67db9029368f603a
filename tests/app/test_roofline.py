"""Shares of the limit have the values that their definition gives."""

from dataclasses import replace

import pytest

from app.roofline import roofline
from engine.ceilings.values import Ceilings
from engine.figures import Figures, RequestTrace
from engine.values import StepCost
from tests.app.test_telemetry import MS, answer, finished, loaded

CEILINGS = Ceilings(
    machine="a CPU",
    device="CPU",
    read_bytes_per_s=10e9,
    read_threads=2,
    matrix_flop_per_s=(("int8", 400e9),),
    others_ratio=0.02,
    measured_ms=0,
)
COST = StepCost(read_bytes=100_000_000, n_multiplied=150_000_000, n_step_multiplied=200_000_000)


def figures() -> Figures:
    """100 prompt tokens, 60 of them cached, 40 in 100 ms; 6 output tokens, one in 20 ms."""
    trace = RequestTrace(2, 0)
    for event in (*answer(2, 0), finished(2, 220 * MS)):
        trace.add(event)
    return trace.figures()


def test_decode_is_measured_against_weights_and_kv_cache_read_once_per_token() -> None:
    model = loaded(0, 0)
    model = replace(model, model=replace(model.model, step_cost=COST, quantization="Q4_1"))
    decode = roofline(model, CEILINGS, figures()).decode
    assert decode is not None
    # 50 tok/s; the cache holds 103 tokens in the middle of the answer.
    read_bytes = 100_000_000 + model.kv.used_bytes(103)
    assert decode.rate_tok_per_s == pytest.approx(50)
    assert decode.share == pytest.approx(50 * read_bytes / 10e9)
    assert decode.is_memory_limited
    assert decode.flop_per_s == pytest.approx(50 * 2 * 200_000_000)


def test_decode_has_the_limit_of_memory_where_computing_is_slower_still() -> None:
    model = loaded(0, 0)
    model = replace(model, model=replace(model.model, step_cost=COST, quantization="Q4_1"))
    slow = replace(CEILINGS, matrix_flop_per_s=(("int8", 1e9),))
    fast, roof = (roofline(model, ceilings, figures()) for ceilings in (CEILINGS, slow))
    assert roof.matrix_flop_per_s == 1e9
    assert roof.decode == fast.decode
    assert roof.prefill is not None
    assert roof.prefill.limit_flop_per_s == 1e9


def test_prefill_is_measured_against_computing() -> None:
    model = loaded(0, 0)
    model = replace(model, model=replace(model.model, step_cost=COST, quantization="Q4_1"))
    prefill = roofline(model, CEILINGS, figures()).prefill
    assert prefill is not None
    # 40 tokens at once, 400 tok/s.
    assert prefill.flop_per_byte == pytest.approx(2 * 150_000_000 * 40 / 100_000_000)
    assert prefill.limit_flop_per_s == 400e9
    assert prefill.share == pytest.approx(400 * 2 * 150_000_000 / 400e9)


def test_what_is_not_known_is_not_placed() -> None:
    model = loaded(0, 0)
    roof = roofline(model, CEILINGS, figures())
    assert (roof.prefill, roof.decode) == (None, None)
    known = replace(model, model=replace(model.model, step_cost=COST))
    before = roofline(known, CEILINGS, None)
    assert (before.prefill, before.decode) == (None, None)
    assert (before.number_format, before.matrix_flop_per_s) == ("int8", 400e9)


def test_without_a_matrix_rate_memory_is_the_only_limit() -> None:
    model = loaded(0, 0)
    model = replace(model, model=replace(model.model, step_cost=COST))
    roof = roofline(model, replace(CEILINGS, matrix_flop_per_s=()), figures())
    assert roof.matrix_flop_per_s is None
    assert roof.prefill is not None
    assert roof.prefill.limit_flop_per_s == pytest.approx(roof.prefill.flop_per_byte * 10e9)


@pytest.mark.parametrize(("others_ratio", "is_placed"), [(0.05, True), (0.06, False), (None, True)])
def test_ceilings_that_other_work_made_too_low_have_nothing_under_them(
    others_ratio: float | None, is_placed: bool
) -> None:
    model = loaded(0, 0)
    model = replace(model, model=replace(model.model, step_cost=COST, quantization="Q4_1"))
    roof = roofline(model, replace(CEILINGS, others_ratio=others_ratio), figures())
    assert roof.matrix_flop_per_s == 400e9
    assert [roof.prefill is not None, roof.decode is not None] == [is_placed, is_placed]


def test_layers_on_both_a_gpu_and_the_machine_have_no_share_of_the_limit_of_one() -> None:
    model = loaded(0, 0, n_gpu_layers=15)
    model = replace(
        model,
        model=replace(model.model, step_cost=COST, quantization="Q4_1"),
        memory=replace(model.memory, host_kv_bytes=0),
    )
    assert roofline(model, CEILINGS, figures()).decode is not None
    model = replace(model, memory=replace(model.memory, host_kv_bytes=1 << 20))
    roof = roofline(model, CEILINGS, figures())
    assert (roof.decode, roof.prefill, roof.ceilings) == (None, None, CEILINGS)
