"""Imports torch and transformers, with progress, and without a word to the network."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from engine.backend import LoadCallback

# Modules that the imports look for, torch 2.13 with transformers 5.24. Only the pace of a progress
# bar hangs on it.
_EXPECTED_MODULES = 2_540

# What `make run TORCH=1` installs, by the names they are imported by.
INSTALLED = frozenset(
    {
        "accelerate", "annotated_doc", "annotated_types", "anyio", "certifi", "charset_normalizer",
        "click", "filelock", "fsspec", "gguf", "h11", "hf_xet", "httpcore2", "httpx2",
        "huggingface_hub", "idna", "markdown_it", "mdurl", "mpmath", "networkx", "packaging",
        "pydantic", "pydantic_core", "pygments", "regex", "requests", "rich", "safetensors",
        "setuptools", "shellingham", "sympy", "tokenizers", "torch", "tqdm", "transformers",
        "truststore", "typer", "typing_inspection", "urllib3", "yaml",
    }
)  # fmt: skip
# What an import of libraries that are damaged or do not go together ends in.
IMPORT_ERRORS = (ImportError, OSError, RuntimeError, AttributeError, TypeError, ValueError)
# Nothing is fetched while a local model is loaded; and nothing here forks.
_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def import_libraries(on_progress: LoadCallback) -> None:
    """Import torch and transformers. Everything else in this package may import them afterwards.

    Raises:
        EngineError: BACKEND_MISSING with "backend" and "reason" where a library is not installed,
            BACKEND_BROKEN with the same where it is and does not load; LOAD_CANCELLED.
    """
    os.environ.update(_ENVIRONMENT)
    if not on_progress(LoadStage.IMPORT, 0.0):
        raise _cancelled()
    with _counted(on_progress) as counter:
        try:
            import safetensors.torch
            import tokenizers
            import torch
            from tqdm.std import tqdm
            from transformers import AutoModelForCausalLM, AutoTokenizer
            from transformers.models.llama import modeling_llama
            from transformers.utils import logging as hf_logging
        except IMPORT_ERRORS as error:
            if counter.cancelled:
                raise _cancelled() from error
            raise not_imported(error) from error
    hf_logging.disable_progress_bar()
    # The thread that looks after bars: torch makes some that nobody sees.
    tqdm.monitor_interval = 0
    del safetensors, tokenizers, torch, AutoModelForCausalLM, AutoTokenizer, modeling_llama
    if counter.cancelled or not on_progress(LoadStage.IMPORT, 1.0):
        raise _cancelled()


def import_gguf() -> Any:  # noqa: ANN401  # a module without types
    """The module that reads GGUF files, where all that a conversion needs is there.

    Raises:
        EngineError: As `import_libraries`.
    """
    try:
        import gguf

        # transformers asks for it only after it has read the tokenizer.
        if find_spec("accelerate") is None:
            raise ModuleNotFoundError("No module named 'accelerate'", name="accelerate")
    except IMPORT_ERRORS as error:
        raise not_imported(error) from error
    return gguf


def not_imported(error: BaseException) -> EngineError:
    """BACKEND_MISSING where something is not installed, else BACKEND_BROKEN."""
    missing = _missing_package(error)
    return EngineError(
        ErrorCode.BACKEND_BROKEN if missing is None else ErrorCode.BACKEND_MISSING,
        f"torch: {type(error).__name__}: {error}",
        backend="torch",
        reason=str(error) or type(error).__name__,
    )


def _missing_package(error: BaseException) -> str | None:
    """The package that an import failed for; None where all are there.

    transformers says in words of its own what it could not import, and keeps the cause.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ModuleNotFoundError):
            name = (cause.name or "").replace("-", "_")
            if name in INSTALLED:
                return name
        cause = cause.__cause__ or cause.__context__
    return None


class _ImportCounter:
    """Is asked for every module, finds none, and reports how far the imports are."""

    def __init__(self, on_progress: LoadCallback) -> None:
        self._on_progress = on_progress
        self._n_modules = 0
        self.cancelled = False

    def find_spec(
        self, _name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        self._n_modules += 1
        fraction = min(self._n_modules / _EXPECTED_MODULES, 0.99)
        if self.cancelled or not self._on_progress(LoadStage.IMPORT, fraction):
            self.cancelled = True
            raise _cancelled()
        return None


@contextmanager
def _counted(on_progress: LoadCallback) -> Iterator[_ImportCounter]:
    counter = _ImportCounter(on_progress)
    sys.meta_path.insert(0, counter)
    try:
        yield counter
    finally:
        sys.meta_path.remove(counter)


def _cancelled() -> EngineError:
    return EngineError(ErrorCode.LOAD_CANCELLED, "cancelled while importing torch")
