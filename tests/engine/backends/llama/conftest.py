"""A real backend with the starter model, and what it says in its log."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.backend import LoadedModel
from engine.backends.llama.backend import LlamaBackend
from engine.values import LoadOptions, SamplingParams
from tests.engine.scripting import ListLog

GREEDY = SamplingParams(temperature=0)
Loader = Callable[..., tuple[LlamaBackend, LoadedModel]]


@pytest.fixture
def log() -> ListLog:
    return ListLog()


@pytest.fixture
def load(starter_model_path: Path, log: ListLog) -> Iterator[Loader]:
    """Loads the starter model with small buffers unless told otherwise; closes what it opened."""
    opened: list[LlamaBackend] = []

    def open_one(**changes: Any) -> tuple[LlamaBackend, LoadedModel]:  # noqa: ANN401
        backend = LlamaBackend(log)
        opened.append(backend)
        options = LoadOptions(
            model_path=str(starter_model_path), n_ctx=512, n_threads=1, n_threads_prefill=1
        )
        options = replace(options, **changes)
        return backend, backend.load(options, lambda stage, fraction: True)

    yield open_one
    for backend in opened:
        backend.close()


def answer(
    backend: LlamaBackend,
    prompt: list[int],
    n_tokens: int,
    *,
    reuse_cache: bool = True,
    sampling: SamplingParams = GREEDY,
) -> list[int]:
    """Prefill what is not in the cache and sample `n_tokens`."""
    kept = backend.begin(prompt, sampling, reuse_cache=reuse_cache)
    rest = prompt[kept:]
    assert backend.prefill(rest, lambda done: True) == len(rest)
    tokens: list[int] = []
    for _ in range(n_tokens):
        tokens.extend(backend.step(lambda: True))
    return tokens
