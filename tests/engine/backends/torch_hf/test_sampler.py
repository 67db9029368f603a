"""The sampler against llama.cpp's own chain, fed the same logits, and against chance."""

from __future__ import annotations

import ctypes
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engine.backends.llama.native import import_llama
from engine.backends.llama.sampler import SamplerChain
from engine.backends.torch_hf.sampler import Sampler
from engine.errors import EngineError, ErrorCode
from engine.values import SamplingParams

if TYPE_CHECKING:
    from collections.abc import Sequence

N_VOCAB = 64
# Far more than the rounding of 32 bits, by which the two may differ.
_CLEAR = 1e-4

# Distinct, so that there is one order only: as many as the vocabulary, in thousandths.
LOGITS = st.lists(
    st.integers(-20_000, 20_000), min_size=N_VOCAB, max_size=N_VOCAB, unique=True
).map(lambda found: [value / 1000 for value in found])
PROMPTS = st.lists(st.integers(0, N_VOCAB - 1), max_size=80)
SAMPLING = st.builds(
    SamplingParams,
    temperature=st.sampled_from([0.05, 0.3, 0.7, 1.0, 1.7, 5.0]),
    top_k=st.sampled_from([0, 1, 2, 7, 40, N_VOCAB, 1000]),
    top_p=st.sampled_from([0.0, 0.1, 0.5, 0.9, 0.95, 1.0]),
    min_p=st.sampled_from([0.0, 0.001, 0.05, 0.3, 1.0]),
    repeat_penalty=st.sampled_from([0.5, 1.0, 1.1, 2.0]),
    presence_penalty=st.sampled_from([-1.0, 0.0, 0.5, 2.0]),
    frequency_penalty=st.sampled_from([-0.5, 0.0, 0.25, 1.0]),
    penalty_last_n=st.sampled_from([0, 1, 5, 64]),
    seed=st.just(1),
)
PLAIN = SamplingParams(temperature=1, top_k=0, top_p=1, min_p=0, seed=1)


@pytest.fixture(scope="module")
def llama() -> Any:  # noqa: ANN401
    return import_llama()


class LlamaChain:
    """llama.cpp's chain for these options, and what it leaves of logits."""

    def __init__(self, llama: Any, sampling: SamplingParams, prompt: Sequence[int]) -> None:  # noqa: ANN401
        self._llama = llama
        self._chain = SamplerChain(llama, N_VOCAB, sampling, prompt)

    def __enter__(self) -> LlamaChain:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._chain.close()

    def apply(self, logits: Sequence[float]) -> tuple[dict[int, float], int]:
        """Probability of each token that is left, and the token that was chosen and accepted."""
        llama = self._llama
        data = (llama.llama_token_data * len(logits))()
        for token, logit in enumerate(logits):
            data[token].id, data[token].logit, data[token].p = token, logit, 0.0
        array = llama.llama_token_data_array(data, len(logits), -1, False)
        llama.llama_sampler_apply(self._chain.handle, ctypes.byref(array))
        chosen = int(array.data[array.selected].id)
        llama.llama_sampler_accept(self._chain.handle, chosen)
        left = {int(array.data[i].id): float(array.data[i].p) for i in range(array.size)}
        return left, chosen


def candidates(
    logits: Sequence[float], sampling: SamplingParams, prompt: Sequence[int]
) -> dict[int, float]:
    sampler = Sampler(sampling, prompt)
    given_logits = torch.tensor(logits)
    if sampler._recent.maxlen:
        given_logits = sampler._penalized(given_logits)
    tokens, probabilities = sampler.candidates(given_logits)
    assert list(probabilities) == sorted(probabilities, reverse=True)
    return dict(zip(tokens.tolist(), probabilities.tolist(), strict=True))


def is_clear(
    logits: Sequence[float], sampling: SamplingParams, llama: Any, prompt: Sequence[int]  # noqa: ANN401
) -> bool:  # fmt: skip
    """Whether no token lies on a border, where rounding decides whether it is in or out."""
    open_ended = replace(sampling, temperature=1, top_k=0, top_p=1, min_p=0)
    with LlamaChain(llama, open_ended, prompt) as chain:
        shares = np.array(sorted(chain.apply(logits)[0].values(), reverse=True))
    # Penalties can make two tokens equal.
    if np.min(-np.diff(np.log(shares + 1e-30))) < _CLEAR and sampling.top_k:
        return False
    if sampling.top_k:
        shares = shares[: sampling.top_k]
    shares = shares / shares.sum()
    sums = np.cumsum(shares)
    near_top_p = sampling.top_p < 1 and np.min(np.abs(sums - sampling.top_p)) < _CLEAR
    near_min_p = (
        0 < sampling.min_p < 1 and np.min(np.abs(shares / shares[0] - sampling.min_p)) < _CLEAR
    )
    return not near_top_p and not near_min_p


@settings(max_examples=300)
@given(logits=LOGITS, sampling=SAMPLING, prompt=PROMPTS)
@example(logits=[float(i) for i in range(N_VOCAB)], sampling=PLAIN, prompt=[])
def test_what_may_be_drawn_is_what_llama_cpp_leaves(
    llama: Any,  # noqa: ANN401
    logits: list[float],
    sampling: SamplingParams,
    prompt: list[int],
) -> None:
    assume(is_clear(logits, sampling, llama, prompt))
    with LlamaChain(llama, sampling, prompt) as chain:
        right, _ = chain.apply(logits)
    found = candidates(logits, sampling, prompt)
    assert found.keys() == right.keys()
    for token, probability in right.items():
        assert found[token] == pytest.approx(probability, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize(
    ("changes", "n_left"),
    [
        ({}, N_VOCAB),
        ({"top_k": 1}, 1),
        ({"top_k": 5}, 5),
        ({"top_k": 10 * N_VOCAB}, N_VOCAB),
        ({"top_p": 0.0}, 1),
        # Halves: 1/2 + 1/4 + 1/8 is the first sum that reaches 0.8.
        ({"top_p": 0.8}, 3),
        ({"min_p": 0.2}, 3),
        ({"min_p": 1.0}, 1),
        ({"top_k": 4, "top_p": 0.99, "min_p": 0.2}, 3),
    ],
    ids=str,
)
def test_each_limit_cuts_where_it_says(llama: Any, changes: dict[str, Any], n_left: int) -> None:  # noqa: ANN401
    logits = [-token * math.log(2) for token in range(N_VOCAB)]
    sampling = replace(PLAIN, **changes)
    found = candidates(logits, sampling, [])
    assert list(found) == list(range(n_left))
    with LlamaChain(llama, sampling, []) as chain:
        assert chain.apply(logits)[0].keys() == found.keys()


@settings(max_examples=100)
@given(logits=LOGITS, sampling=SAMPLING, prompt=PROMPTS)
def test_greedy_answers_are_those_of_llama_cpp(
    llama: Any,  # noqa: ANN401
    logits: list[float],
    sampling: SamplingParams,
    prompt: list[int],
) -> None:
    greedy = replace(sampling, temperature=0)
    sampler = Sampler(greedy, prompt)
    with LlamaChain(llama, greedy, prompt) as chain:
        # Penalties make the answer wander; what was said long ago is forgotten.
        for _ in range(20):
            before = sampler._penalized(torch.tensor(logits)) if sampler._recent.maxlen else None
            token, right = sampler.sample(torch.tensor(logits)), chain.apply(logits)[1]
            if before is not None and token != right:
                # Two that the penalties made equal.
                assert float(before[token]) == pytest.approx(float(before[right]), abs=1e-5)
                return
            assert token == right


@pytest.mark.parametrize("temperature", [0.7, 1.5])
def test_draws_are_as_frequent_as_they_are_likely(temperature: float) -> None:
    logits = torch.linspace(0, -6, N_VOCAB)[torch.randperm(N_VOCAB, generator=generator(3))]
    sampling = replace(PLAIN, temperature=temperature, top_k=20, min_p=0.01, seed=12)
    sampler = Sampler(sampling, [])
    tokens, probabilities = sampler.candidates(logits)
    n_draws = 20_000
    counts = np.bincount([sampler.sample(logits) for _ in range(n_draws)], minlength=N_VOCAB)
    expected = np.zeros(N_VOCAB)
    expected[tokens] = probabilities * n_draws
    assert counts[expected == 0].sum() == 0
    likely = expected >= 5
    chi_square = float(((counts - expected)[likely] ** 2 / expected[likely]).sum())
    freedom = int(likely.sum()) - 1
    assert freedom >= 10
    # Five standard deviations: a draw that is off by some percent is far beyond.
    assert chi_square < freedom + 5 * math.sqrt(2 * freedom)


def test_the_last_candidate_can_be_drawn() -> None:
    logits = torch.zeros(3)
    sampler = Sampler(PLAIN, [])
    assert {sampler.sample(logits) for _ in range(100)} == {0, 1, 2}


def test_a_seed_decides_and_none_does_not() -> None:
    logits = torch.randn(1000, generator=generator(1))

    def drawn(seed: int | None) -> list[int]:
        sampler = Sampler(replace(PLAIN, seed=seed), [])
        return [sampler.sample(logits) for _ in range(20)]

    assert drawn(5) == drawn(5)
    assert drawn(5) != drawn(6)
    assert drawn(None) != drawn(None)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_logits_of_any_format_are_read_and_left_as_they_are(dtype: torch.dtype) -> None:
    logits = torch.tensor([1.0, 2.0, 3.0], dtype=dtype)
    before = logits.clone()
    sampling = replace(PLAIN, temperature=0, repeat_penalty=4.0)
    assert Sampler(sampling, [2]).sample(logits) == 1
    assert torch.equal(logits, before)


@pytest.mark.parametrize("temperature", [0, 1])
@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_logits_that_are_no_numbers_are_refused(temperature: float, bad: float) -> None:
    sampler = Sampler(replace(PLAIN, temperature=temperature), [])
    with pytest.raises(EngineError) as raised:
        sampler.sample(torch.tensor([1.0, bad, 2.0]))
    assert raised.value.info.code is ErrorCode.DECODE_FAILED
    assert str(bad) in raised.value.info.technical
    # A token that is ruled out is no fault.
    assert sampler.sample(torch.tensor([-math.inf, 1.0, -math.inf])) == 1


@pytest.mark.parametrize(
    ("option", "value"), [("top_p", 1.5), ("temperature", -1), ("seed", -1), ("min_p", math.nan)]
)
def test_values_out_of_bounds_are_refused(option: str, value: Any) -> None:  # noqa: ANN401
    with pytest.raises(EngineError) as raised:
        Sampler(replace(PLAIN, **{option: value}), [])
    assert raised.value.info.code is ErrorCode.INVALID_OPTION
    assert raised.value.info.detail("option") == option


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
