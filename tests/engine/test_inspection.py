"""What is told of the choice of a token, and how it crosses the pipe."""

from __future__ import annotations

import numpy as np
import pytest

from engine.backends.inspecting import ChoiceWatch, softmax
from engine.events import Step
from engine.inspection import (
    N_ALTERNATIVES,
    Candidate,
    SamplerStage,
    TokenInspection,
    pack,
    probability_of,
    unpack,
    watch_ns_of,
)
from engine.wire import decode, encode


def _piece(token: int) -> bytes:
    return f"<{token}>".encode()


def _logits(n: int = 5_000) -> np.ndarray:
    return np.random.default_rng(5).normal(0, 3, n).astype(np.float32)


def _inspection(n_alternatives: int = 2) -> TokenInspection:
    def candidate(token: int, removed_by: SamplerStage | None) -> Candidate:
        return Candidate(
            token=token,
            piece=b"\xe6\xbc" * (token % 3),
            probability=0.25,
            drawn_probability=0.0 if removed_by else 0.5,
            removed_by=removed_by,
        )

    return TokenInspection(
        chosen=candidate(7, None),
        rank=3,
        alternatives=tuple(candidate(8 + n, SamplerStage.MIN_P) for n in range(n_alternatives)),
        stages=((SamplerStage.TOP_K, 40), (SamplerStage.MIN_P, 5)),
        is_penalized=True,
        watch_ns=412_000,
    )


@pytest.mark.parametrize("n_alternatives", [0, 2, 10])
def test_an_inspection_comes_back_as_it_was(n_alternatives: int) -> None:
    inspection = _inspection(n_alternatives)
    packed = pack(inspection)
    assert unpack(packed) == inspection
    assert probability_of(packed) == 0.25
    assert watch_ns_of(packed) == 412_000


def test_a_step_crosses_the_pipe_with_its_inspections() -> None:
    packed = (pack(_inspection()), pack(_inspection(0)))
    step = Step(request_id=3, t_ns=5, n_tokens=2, text="ab", inspected=packed)
    assert decode(encode(step)) == step


def test_a_step_without_inspections_costs_no_bytes_for_them() -> None:
    plain = Step(request_id=3, t_ns=5, n_tokens=1, text="ab")
    inspected = Step(request_id=3, t_ns=5, n_tokens=1, text="ab", inspected=(pack(_inspection()),))
    assert decode(encode(plain)) == plain
    assert len(encode(plain)) < len(encode(inspected)) - len(pack(_inspection()))


def test_probabilities_are_the_softmax_of_all_logits() -> None:
    logits = _logits()
    expected = softmax(logits)
    order = np.argsort(-logits)
    token = int(order[3])
    watch = ChoiceWatch(logits, is_penalized=False)
    found = watch.finish(token, np.arange(len(logits)), expected, _piece)
    assert found.chosen.token == token
    assert found.rank == 4
    assert [other.token for other in found.alternatives] == [
        place for place in order[: N_ALTERNATIVES + 1].tolist() if place != token
    ]
    for candidate in (found.chosen, *found.alternatives):
        assert candidate.probability == pytest.approx(float(expected[candidate.token]), rel=1e-5)
        assert candidate.drawn_probability == pytest.approx(candidate.probability, rel=1e-6)
        assert candidate.piece == _piece(candidate.token)
        assert candidate.removed_by is None


def test_each_alternative_knows_what_removed_it_first() -> None:
    logits = _logits()
    order = np.argsort(-logits)
    watch = ChoiceWatch(logits, is_penalized=False)
    watch.stage(SamplerStage.TOP_K, order[:6][::-1])
    watch.stage(SamplerStage.TOP_P, order[:6])
    watch.stage(SamplerStage.MIN_P, order[:2])
    found = watch.finish(int(order[1]), order[:2], np.array([0.75, 0.25]), _piece)
    assert found.stages == (
        (SamplerStage.TOP_K, 6),
        (SamplerStage.TOP_P, 6),
        (SamplerStage.MIN_P, 2),
    )
    assert found.chosen.drawn_probability == 0.25
    assert [other.removed_by for other in found.alternatives] == [
        None,
        *[SamplerStage.MIN_P] * 4,
        *[SamplerStage.TOP_K] * 5,
    ]
    assert [other.drawn_probability for other in found.alternatives] == [0.75, *[0.0] * 9]


def test_a_token_far_down_is_told_with_its_rank() -> None:
    logits = _logits()
    token = int(np.argsort(-logits)[999])
    watch = ChoiceWatch(logits, is_penalized=False)
    found = watch.finish(token, np.array([token]), np.array([1.0]), _piece)
    assert found.rank == 1000
    assert len(found.alternatives) == N_ALTERNATIVES
    assert token not in [other.token for other in found.alternatives]


@pytest.mark.parametrize("spread", [0.0, 0.001, 100.0])
def test_flat_and_steep_distributions_have_ten_alternatives(spread: float) -> None:
    logits = _logits() * np.float32(spread)
    watch = ChoiceWatch(logits, is_penalized=False)
    token = int(np.argmax(logits))
    found = watch.finish(token, np.arange(len(logits)), softmax(logits), _piece)
    assert len({other.token for other in found.alternatives}) == N_ALTERNATIVES
    assert found.rank == 1


def test_a_small_vocabulary_has_fewer_alternatives() -> None:
    logits = np.array([1.0, 2.0, 3.0], np.float32)
    watch = ChoiceWatch(logits, is_penalized=False)
    found = watch.finish(2, np.arange(3), softmax(logits), _piece)
    assert [other.token for other in found.alternatives] == [1, 0]
