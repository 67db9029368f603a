"""Imports torch and transformers, with progress, and without a word to the network."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

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
        EngineError: BACKEND_MISSING with "backend" and "reason" where a library is not installed
            or does not load; LOAD_CANCELLED.
    """
    os.environ.update(_ENVIRONMENT)
    if not on_progress(LoadStage.IMPORT, 0.0):
        raise _cancelled()
    with _counted(on_progress) as counter:
        try:
            import safetensors.torch
            import torch
            from tqdm.std import tqdm
            from transformers import AutoModelForCausalLM, AutoTokenizer
            from transformers.models.llama import modeling_llama
            from transformers.utils import logging as hf_logging
        except (ImportError, OSError, RuntimeError) as error:
            if counter.cancelled:
                raise _cancelled() from error
            raise EngineError(
                ErrorCode.BACKEND_MISSING,
                f"torch: {type(error).__name__}: {error}",
                backend="torch",
                reason=str(error),
            ) from error
    hf_logging.disable_progress_bar()
    # The thread that looks after bars: torch makes some that nobody sees.
    tqdm.monitor_interval = 0
    del safetensors, torch, AutoModelForCausalLM, AutoTokenizer, modeling_llama
    if counter.cancelled or not on_progress(LoadStage.IMPORT, 1.0):
        raise _cancelled()


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
