"""Prepares the decode of a CUDA device: compile, record, and say where that does not work."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from engine.backends.torch_hf.fixed_step import (
    CannotFixError,
    FixedStep,
    RecordedSteps,
    buckets,
    check_steps,
)
from engine.backends.torch_hf.refusals import LOAD_ERRORS, first_line
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage
from engine.values import Dtype, Notice, NoticeCode

if TYPE_CHECKING:
    from engine.backend import LoadCallback
    from engine.backends.torch_hf.devices import Device
    from engine.backends.torch_hf.kv_cache import KvCache
    from engine.backends.torch_hf.model import Model
    from engine.backends.torch_hf.runner import Runner
    from engine.log import EngineLog

_FAILURES = (*LOAD_ERRORS, CannotFixError, NotImplementedError)
# Tokens before the first position that is checked.
_LOW = 40
# How far logits of the same token may lie apart, of the largest: roundings of each format add up.
_MOST_DIFFERENCE = {Dtype.FLOAT32: 1e-3, Dtype.FLOAT16: 2e-2, Dtype.BFLOAT16: 1e-1}


def record_steps(
    model: Model,
    kv: KvCache,
    runner: Runner,
    device: Device,
    dtype: Dtype,
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

    def recorded(*, compiles: bool) -> RecordedSteps:
        nonlocal n_done
        n_done = 0
        kv.clear()
        step = FixedStep(model, kv, device.name)
        if compiles:
            step.compile()
        steps = RecordedSteps(step, sizes, on_size)
        check_steps(
            steps,
            runner,
            kv,
            n_vocab=model.n_tokens,
            positions=_checked_positions(kv),
            most=_MOST_DIFFERENCE[dtype],
        )
        return steps

    steps, reason = None, ""
    for compiles in (True, False):
        try:
            steps = recorded(compiles=compiles)
            break
        except _FAILURES as error:
            kind = "compiled" if compiles else "recorded"
            log.write(f"oscillama: decode is not {kind}: {type(error).__name__}: {error}\n")
            reason = reason or first_line(error)
            torch.compiler.reset()
    kv.clear()
    return steps, _notice(reason)


def _checked_positions(kv: KvCache) -> list[int]:
    """In the first bucket, in the second, and beyond the window, as far as there is room."""
    windows = [layer.window for layer in kv.filled_layers() if layer.window]
    wanted = [_LOW, buckets(kv.n_ctx)[0] + _LOW, *(window + _LOW for window in windows[:1])]
    return sorted({position for position in wanted if position < kv.n_ctx}) or [kv.n_ctx - 1]


def _notice(reason: str) -> Notice | None:
    if not reason:
        return None
    return Notice(code=NoticeCode.COMPILE_FAILED, details=(("reason", reason),))
