"""How the real sampler chain chooses, told token by token."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.backends.inspecting import softmax
from engine.inspection import SamplerStage, TokenInspection, pack
from engine.values import SamplingParams
from tests.engine.backends.llama.conftest import GREEDY, Loader

if TYPE_CHECKING:
    from engine.backends.llama.backend import LlamaBackend

pytestmark = pytest.mark.model

_TURN = "<|im_start|>user\nName three colours of the rainbow.<|im_end|>\n<|im_start|>assistant\n"
_WIDE = SamplingParams(temperature=1.2, top_k=0, top_p=1, min_p=0, seed=11)
_USUAL = SamplingParams(seed=11)
_ALL = SamplingParams(temperature=0.9, top_k=30, top_p=0.8, min_p=0.1, seed=4)
_PENALIZED = SamplingParams(repeat_penalty=1.3, presence_penalty=0.4, seed=11)


def _run(
    backend: LlamaBackend, sampling: SamplingParams, n_tokens: int, *, inspect: bool
) -> tuple[list[int], list[TokenInspection], list[np.ndarray]]:
    prompt = backend.tokenize(_TURN, add_special=True)
    kept = backend.begin(prompt, sampling, reuse_cache=False, inspect=inspect)
    backend.prefill(prompt[kept:], lambda _done: True)
    tokens: list[int] = []
    inspections: list[TokenInspection] = []
    logits: list[np.ndarray] = []
    for _ in range(n_tokens):
        tokens += backend.step(lambda: True)
        inspections += backend.inspections()
        context, vocab = backend._ready().context, backend._ready().vocab
        # Those that the token was chosen from: it is computed with the next step.
        logits.append(np.ctypeslib.as_array(context.logits(), (vocab.n_tokens,)).copy())
    return tokens, inspections, logits


@pytest.mark.parametrize("sampling", [GREEDY, _WIDE, _USUAL, _ALL, _PENALIZED])
def test_watching_changes_no_token(load: Loader, sampling: SamplingParams) -> None:
    backend, _ = load()
    plain, told, _ = _run(backend, sampling, 24, inspect=False)
    assert told == []
    watched, told, _ = _run(backend, sampling, 24, inspect=True)
    assert watched == plain
    assert [inspection.chosen.token for inspection in told] == plain


@pytest.mark.parametrize("sampling", [GREEDY, _USUAL, _ALL])
def test_probabilities_agree_with_a_softmax_of_the_logits(
    load: Loader, sampling: SamplingParams
) -> None:
    backend, _ = load()
    _, told, logits = _run(backend, sampling, 12, inspect=True)
    for inspection, row in zip(told, logits, strict=True):
        expected = softmax(row)
        candidates = (inspection.chosen, *inspection.alternatives)
        for candidate in candidates:
            assert candidate.probability == pytest.approx(
                float(expected[candidate.token]), abs=1e-6
            )
        assert sum(candidate.probability for candidate in candidates) <= 1 + 1e-6
        best = np.argsort(-row)[:10].tolist()
        assert set(best) <= {candidate.token for candidate in candidates}
        others = [candidate.probability for candidate in inspection.alternatives]
        assert others == sorted(others, reverse=True)


def test_the_greedy_token_is_the_most_likely_one(load: Loader) -> None:
    backend, _ = load()
    _, told, _ = _run(backend, GREEDY, 12, inspect=True)
    for inspection in told:
        assert inspection.rank == 1
        assert inspection.chosen.probability >= inspection.alternatives[0].probability
        assert inspection.chosen.drawn_probability == 1
        assert inspection.stages == ((SamplerStage.GREEDY, 1),)
        assert {other.removed_by for other in inspection.alternatives} == {SamplerStage.GREEDY}


def test_what_can_be_drawn_sums_to_one(load: Loader) -> None:
    backend, _ = load()
    _, told, _ = _run(backend, SamplingParams(top_k=8, temperature=1.1, seed=2), 24, inspect=True)
    for inspection in told:
        candidates = (inspection.chosen, *inspection.alternatives)
        assert sum(item.drawn_probability for item in candidates) == pytest.approx(1, abs=1e-6)
        for item in candidates:
            assert (item.removed_by is None) == (item.drawn_probability > 0)


def test_each_sampler_tells_what_it_left(load: Loader) -> None:
    backend, _ = load()
    _, told, logits = _run(backend, _ALL, 24, inspect=True)
    for inspection, row in zip(told, logits, strict=True):
        left = dict(inspection.stages)
        assert list(left) == [SamplerStage.TOP_K, SamplerStage.TOP_P, SamplerStage.MIN_P]
        shares = softmax(np.sort(row)[::-1][:30])
        n_top_p = int(np.searchsorted(np.cumsum(shares), 0.8)) + 1
        assert left[SamplerStage.TOP_K] == 30
        assert left[SamplerStage.TOP_P] == n_top_p
        assert left[SamplerStage.MIN_P] == np.count_nonzero(shares[:n_top_p] >= 0.1 * shares[0])
    assert any(
        other.removed_by is SamplerStage.TOP_P for item in told for other in item.alternatives
    )


def test_penalties_are_told_and_change_what_is_drawn(load: Loader) -> None:
    backend, _ = load()
    _, told, _ = _run(backend, _PENALIZED, 24, inspect=True)
    assert all(inspection.is_penalized for inspection in told)
    assert any(inspection.rank > 1 for inspection in told)


def test_pieces_join_to_the_answer(load: Loader) -> None:
    backend, _ = load()
    tokens, told, _ = _run(backend, GREEDY, 24, inspect=True)
    whole = b"".join(backend.token_bytes(token) for token in tokens)
    pieces = [item.chosen.piece for item in told if backend.token_bytes(item.chosen.token)]
    assert b"".join(pieces) == whole


def test_a_control_token_is_told_by_its_name(load: Loader) -> None:
    backend, _ = load()
    (end,) = backend.tokenize("<|im_end|>", add_special=False)
    assert backend._ready().vocab.shown_bytes(end) == b"<|im_end|>"
    assert backend.token_bytes(end) == b""


def test_a_token_takes_few_bytes(load: Loader) -> None:
    backend, _ = load()
    _, told, _ = _run(backend, _USUAL, 24, inspect=True)
    assert max(len(pack(inspection)) for inspection in told) < 400


def test_what_watching_took_is_told(load: Loader) -> None:
    backend, _ = load()
    begun_ns = time.perf_counter_ns()
    _, told, _ = _run(backend, _USUAL, 8, inspect=True)
    took_ns = [inspection.watch_ns for inspection in told]
    assert min(took_ns) > 0
    assert sum(took_ns) < time.perf_counter_ns() - begun_ns
