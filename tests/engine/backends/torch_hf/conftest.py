"""Real torch backends: with the starter model's weights, and with small random models."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from engine.backends.torch_hf.backend import TorchBackend
from engine.backends.torch_hf.libraries import import_libraries
from engine.values import Dtype, LoadOptions, SamplingParams
from tests.engine.backends.torch_hf.tiny_files import options_for, save_folder
from tests.engine.scripting import ListLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from engine.backend import LoadedModel
    from engine.events import LoadStage

    Loader = Callable[..., tuple[TorchBackend, LoadedModel]]

GREEDY = SamplingParams(temperature=0)


@pytest.fixture(scope="session", autouse=True)
def _libraries() -> None:
    """Sets torch up as a load does, also for tests that load nothing."""
    import_libraries(go_on)


@pytest.fixture
def log() -> ListLog:
    return ListLog()


@pytest.fixture
def load(starter_folder: Path, log: ListLog) -> Iterator[Loader]:
    """Loads the starter model in float32 on the CPU unless told otherwise; closes it."""
    opened: list[TorchBackend] = []

    def open_one(
        *,
        long_step_ns: int = 50_000_000,
        **changes: Any,  # noqa: ANN401
    ) -> tuple[TorchBackend, LoadedModel]:
        backend = TorchBackend(log, long_step_ns=long_step_ns)
        opened.append(backend)
        options = LoadOptions(
            model_path=str(starter_folder),
            backend="torch",
            device="cpu",
            dtype=Dtype.FLOAT32,
            n_ctx=1024,
            n_threads=1,
            n_threads_prefill=2,
        )
        return backend, backend.load(replace(options, **changes), go_on)

    yield open_one
    for backend in opened:
        backend.close()


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Llama with random weights; to be copied before it is changed."""
    return save_folder(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def folder(tiny_folder: Path, tmp_path: Path) -> Path:
    """A copy of the small Llama, to be spoilt."""
    return shutil.copytree(tiny_folder, tmp_path / "model")


@pytest.fixture
def open_tiny(log: ListLog) -> Iterator[Loader]:
    """Loads a folder or file of `tiny_files`; closes it."""
    opened: list[TorchBackend] = []

    def open_one(path: Path, **changes: Any) -> tuple[TorchBackend, LoadedModel]:  # noqa: ANN401
        backend = TorchBackend(log)
        opened.append(backend)
        return backend, backend.load(options_for(path, **changes), go_on)

    yield open_one
    for backend in opened:
        backend.close()


def go_on(_stage: LoadStage, _fraction: float | None) -> bool:
    return True


def answer(
    backend: TorchBackend,
    prompt: Sequence[int],
    n_tokens: int,
    *,
    sampling: SamplingParams = GREEDY,
    reuse_cache: bool = True,
    chunk: int = 2048,
) -> list[int]:
    """Tokens after a prompt, end tokens included."""
    n_done = backend.begin(prompt, sampling, reuse_cache=reuse_cache)
    while n_done < len(prompt):
        n_done += backend.prefill(prompt[n_done : n_done + chunk], lambda _n: True)
    tokens: list[int] = []
    while len(tokens) < n_tokens:
        tokens.extend(backend.step(lambda: True))
    return tokens
