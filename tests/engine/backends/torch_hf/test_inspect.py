"""How the torch sampler chooses, told token by token, and against llama.cpp's chain."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from engine.backends.inspecting import ChoiceWatch, softmax
from engine.backends.llama.backend import LlamaBackend
from engine.backends.llama.context import _GGML_TYPES
from engine.backends.llama.inspecting_sampler import InspectingSampler
from engine.backends.llama.native import import_llama
from engine.backends.llama.sampler import SamplerChain
from engine.backends.torch_hf.sampler import Sampler
from engine.inspection import SamplerStage, TokenInspection
from engine.values import FlashAttention, KvType, LoadOptions, SamplingParams
from tests.engine.backends.torch_hf.conftest import GREEDY
from tests.engine.scripting import ListLog

if TYPE_CHECKING:
    from pathlib import Path

    from engine.backends.torch_hf.backend import TorchBackend
    from tests.engine.backends.torch_hf.conftest import Loader

_PROMPT = list(range(3, 20))
_USUAL = SamplingParams(seed=7)
_ALL = SamplingParams(temperature=0.9, top_k=30, top_p=0.8, min_p=0.1, repeat_penalty=1.2, seed=4)


def _run(
    backend: TorchBackend, sampling: SamplingParams, *, inspect: bool
) -> tuple[list[int], list[TokenInspection], list[Any]]:
    n_done = backend.begin(_PROMPT, sampling, reuse_cache=False, inspect=inspect)
    backend.prefill(_PROMPT[n_done:], lambda _done: True)
    tokens: list[int] = []
    told: list[TokenInspection] = []
    logits: list[Any] = []
    for _ in range(12):
        tokens += backend.step(lambda: True)
        told += backend.inspections()
        logits.append(backend.logits().float().cpu().numpy())
    return tokens, told, logits


@pytest.mark.parametrize("sampling", [GREEDY, _USUAL, _ALL])
def test_watching_changes_no_token_and_agrees_with_a_softmax(
    open_tiny: Loader, tiny_folder: Path, sampling: SamplingParams
) -> None:
    backend, _ = open_tiny(tiny_folder)
    plain, told, _ = _run(backend, sampling, inspect=False)
    assert told == []
    watched, told, logits = _run(backend, sampling, inspect=True)
    assert watched == plain
    assert [inspection.chosen.token for inspection in told] == plain
    for inspection, row in zip(told, logits, strict=True):
        expected = softmax(row)
        for candidate in (inspection.chosen, *inspection.alternatives):
            assert candidate.probability == pytest.approx(
                float(expected[candidate.token]), abs=1e-6
            )
        assert inspection.is_penalized == (sampling is _ALL)


def test_the_greedy_token_is_the_most_likely_one(open_tiny: Loader, tiny_folder: Path) -> None:
    backend, _ = open_tiny(tiny_folder)
    _, told, _ = _run(backend, GREEDY, inspect=True)
    assert {inspection.rank for inspection in told} == {1}
    assert {inspection.stages for inspection in told} == {((SamplerStage.GREEDY, 1),)}


class _GivenLogits:
    """Stands for a context whose last logits are these."""

    def __init__(self, logits: np.ndarray) -> None:
        self._kept = logits

    def logits(self) -> Any:  # noqa: ANN401
        return self._kept.ctypes.data_as(ctypes.POINTER(ctypes.c_float))


class _GivenVocab:
    """Stands for a vocabulary of this size."""

    def __init__(self, n_tokens: int) -> None:
        self.n_tokens = n_tokens

    def shown_bytes(self, token: int) -> bytes:
        return str(token).encode()


@pytest.mark.parametrize(
    "sampling",
    [
        GREEDY,
        _USUAL,
        _ALL,
        SamplingParams(top_k=0, top_p=0.7, min_p=0.02, temperature=1.3, seed=1),
        SamplingParams(top_k=5, top_p=1, min_p=0, presence_penalty=0.5, seed=1),
    ],
)
@pytest.mark.parametrize("spread", [1.0, 4.0])
def test_both_backends_tell_the_same_of_the_same_logits(
    sampling: SamplingParams, spread: float
) -> None:
    llama = import_llama()
    logits = np.random.default_rng(3).normal(0, spread, 2_000).astype(np.float32)
    prompt = [int(token) for token in np.argsort(-logits)[:4]]

    chain = SamplerChain(llama, len(logits), sampling, prompt)
    vocab = _GivenVocab(len(logits))
    native = InspectingSampler(llama, vocab)  # type: ignore[arg-type]  # all of it that is asked
    native.sample(chain, _GivenLogits(logits))  # type: ignore[arg-type]  # all that is asked
    chain.close()
    (one,) = native.last

    # Of the two random numbers only one can be chosen, so the other is told of the same token.
    sampler = Sampler(sampling, prompt)
    watch = ChoiceWatch(logits, is_penalized=sampler.is_penalized)
    sampler.sample(torch.from_numpy(logits), watch.stage)
    two = watch.finish(one.chosen.token, *sampler.drawn_from, vocab.shown_bytes)

    assert two.stages == one.stages
    assert (two.rank, two.is_penalized) == (one.rank, one.is_penalized)
    assert _rounded(two) == _rounded(one)
    pairs = zip((one.chosen, *one.alternatives), (two.chosen, *two.alternatives), strict=True)
    for mine, other in pairs:
        assert mine.probability == pytest.approx(other.probability, abs=1e-4)
        assert mine.drawn_probability == pytest.approx(other.drawn_probability, abs=1e-4)


def _rounded(inspection: TokenInspection) -> TokenInspection:
    """Without the probabilities."""
    return replace(
        inspection,
        watch_ns=0,
        chosen=replace(inspection.chosen, probability=0.0, drawn_probability=0.0),
        alternatives=tuple(
            replace(other, probability=0.0, drawn_probability=0.0)
            for other in inspection.alternatives
        ),
    )


@pytest.mark.model
@pytest.mark.slow
def test_the_starter_model_tells_pieces_of_its_vocabulary(
    load: Loader,
) -> None:
    backend, _ = load()
    prompt = backend.tokenize("The capital of France is", add_special=True)
    backend.begin(prompt, GREEDY, reuse_cache=False, inspect=True)
    backend.prefill(prompt, lambda _done: True)
    backend.step(lambda: True)
    (told,) = backend.inspections()
    assert told.chosen.piece == b" Paris"
    expected = softmax(backend.logits().float().cpu().numpy())
    assert told.chosen.probability == pytest.approx(float(expected.max()), rel=1e-5)


@pytest.mark.model
@pytest.mark.slow
def test_both_backends_give_the_same_probabilities_in_float32(
    load: Loader,
    starter_model_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    llama = import_llama()
    parameters = llama.llama_model_quantize_default_params()
    parameters.ftype, parameters.allow_requantize = 0, True
    path = tmp_path / "f32.gguf"
    source = str(starter_model_path).encode()
    assert llama.llama_model_quantize(source, str(path).encode(), ctypes.byref(parameters)) == 0
    # Keys and values of 16 bits differ by more than what is compared here.
    monkeypatch.setitem(_GGML_TYPES, KvType.F16, 0)
    options = LoadOptions(
        model_path=str(path), n_ctx=256, n_threads=1, flash_attention=FlashAttention.OFF
    )
    native = LlamaBackend(ListLog())
    try:
        native.load(options, lambda _stage, _fraction: True)
        prompt = native.tokenize("Three colours of the rainbow are", add_special=True)
        one = _told(native, prompt)
    finally:
        native.close()
    backend, _ = load()
    two = _told(backend, prompt)
    for mine, other in zip(one, two, strict=True):
        assert mine.chosen.token == other.chosen.token
        known = {item.token: item.probability for item in (mine.chosen, *mine.alternatives)}
        found = {item.token: item.probability for item in (other.chosen, *other.alternatives)}
        shared = known.keys() & found.keys()
        assert len(shared) >= 10
        for token in shared:
            assert known[token] == pytest.approx(found[token], abs=1e-4)


def _told(backend: LlamaBackend | TorchBackend, prompt: list[int]) -> list[TokenInspection]:
    backend.begin(prompt, GREEDY, reuse_cache=False, inspect=True)
    backend.prefill(prompt, lambda _done: True)
    told: list[TokenInspection] = []
    for _ in range(8):
        backend.step(lambda: True)
        told += backend.inspections()
    return told
