"""Which engine runs what a person opens, and with which choices."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from engine.errors import EngineError, ErrorCode, ErrorInfo
from engine.values import LoadOptions

LLAMA = "llama"
TORCH = "torch"

_NO_CHOICES: Mapping[str, LoadOptions] = {}


def options_for(
    path: str, previous: LoadOptions, kept: Mapping[str, LoadOptions] = _NO_CHOICES
) -> LoadOptions:
    """How to load what is at `path`.

    The engine of `previous` goes on where it can run it, else one that can is taken. `kept` is
    what each engine was last asked, by its name. A file of safetensors stands for its folder.
    """
    model_path = _folder_of(path)
    backend = previous.backend
    if not can_run(backend, model_path):
        backend = TORCH
    return for_engine(backend, replace(previous, model_path=model_path), kept)


def for_engine(
    backend: str, previous: LoadOptions, kept: Mapping[str, LoadOptions] = _NO_CHOICES
) -> LoadOptions:
    """The model of `previous` with an engine and the choices kept for that one.

    An engine that was not asked before gets the context size of the other, and else chooses.
    """
    model_path, cache_dir = previous.model_path, previous.cache_dir
    if backend == previous.backend:
        return previous
    if backend in kept:
        return replace(kept[backend], model_path=model_path, cache_dir=cache_dir)
    return LoadOptions(
        model_path=model_path, backend=backend, n_ctx=previous.n_ctx, cache_dir=cache_dir
    )


def problem_of(path: str) -> ErrorInfo | None:
    """Why there is no model at `path`, as far as its header tells; None where there may be one.

    Reads the header of a file, which takes about 0.1 s at most and may block on a share.
    """
    details = (("path", path),)
    try:
        if path.endswith(".gguf") or _is_other_file(path):
            from engine.gguf import read_header

            read_header(Path(path))
        elif not os.path.exists(path):
            return ErrorInfo(code=ErrorCode.FILE_NOT_FOUND, details=details)
        elif not os.path.exists(os.path.join(_folder_of(path), "config.json")):
            return ErrorInfo(code=ErrorCode.FOLDER_WITHOUT_CONFIG, details=details)
    except EngineError as error:
        return error.info
    return None


def _is_other_file(path: str) -> bool:
    return os.path.isfile(path) and not path.endswith(".safetensors")


def _folder_of(path: str) -> str:
    """A file of safetensors stands for its folder."""
    return str(Path(path).parent) if path.endswith(".safetensors") else path


def can_run(backend: str, path: str) -> bool:
    """Whether an engine takes what is at a path: all take GGUF files, PyTorch also folders.

    May block on a network share, but for a name that ends in .gguf, which is taken as a file.
    """
    return backend == TORCH or path.endswith(".gguf") or not os.path.isdir(path)
