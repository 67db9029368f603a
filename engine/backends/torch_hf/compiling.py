"""Prepares the decode of a CUDA device: compile, record, and say where that does not work."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from engine.backends.torch_hf.fixed_step import CannotFixError, FixedStep, RecordedSteps, buckets
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage
from engine.values import Notice, NoticeCode

if TYPE_CHECKING:
    from engine.backend import LoadCallback
    from engine.backends.torch_hf.devices import Device
    from engine.backends.torch_hf.kv_cache import KvCache
    from engine.backends.torch_hf.model import Model
    from engine.log import EngineLog

_FAILURES = (RuntimeError, CannotFixError, NotImplementedError, TypeError, ValueError, OSError)


def record_steps(
    model: Model,
    kv: KvCache,
    device: Device,
    cache_dir: str | None,
    on_progress: LoadCallback,
    log: EngineLog,
) -> tuple[RecordedSteps | None, Notice | None]:
    """The recorded decode steps; None, and a notice that says why, where there can be none.

    Where only the compiler fails, the steps are recorded as they are: slower, and said too.

    Raises:
        EngineError: LOAD_CANCELLED.
    """
    if cache_dir is not None:
        # The next load finds the compiled kernels there.
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(Path(cache_dir) / "torch-compile"))
    sizes = buckets(kv.n_ctx)
    n_done = 0

    def on_size(_size: int) -> None:
        nonlocal n_done
        if not on_progress(LoadStage.COMPILE, n_done / len(sizes)):
            raise EngineError(ErrorCode.LOAD_CANCELLED, "cancelled while compiling")
        n_done += 1

    reason = ""
    for compiles in (True, False):
        n_done = 0
        try:
            step = FixedStep(model, kv, device.name)
            if compiles:
                step.compile()
            with torch.cuda.device(device.name):
                recorded = RecordedSteps(step, sizes, on_size)
        except _FAILURES as error:
            kind = "compiled" if compiles else "recorded"
            log.write(f"oscillama: decode is not {kind}: {type(error).__name__}: {error}\n")
            reason = reason or str(error).partition("\n")[0] or type(error).__name__
            torch.compiler.reset()
            device.synchronize()
        else:
            kv.clear()
            return recorded, _notice(reason)
    kv.clear()
    return None, _notice(reason)


def _notice(reason: str) -> Notice | None:
    if not reason:
        return None
    return Notice(code=NoticeCode.COMPILE_FAILED, details=(("reason", reason),))
