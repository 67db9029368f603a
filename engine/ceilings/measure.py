"""Measures both ceilings of one device, in a process of its own that nothing else slows down."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.ceilings.values import FLOAT32, Ceilings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.ceilings.bandwidth import Bandwidth

CPU = "CPU"
_SECONDS_EACH = 1.0
# Each has its turn so often: what disturbs for a moment leaves the other turns of all alone.
_ROUNDS = 5


class CannotMeasureReason(StrEnum):
    """Why a device was not measured; also the line on standard error.

    INTERRUPTED and DISTURBED are of whoever asked: something else began meanwhile, or other work
    took so much that what was measured earlier is worth more.
    """

    NO_MEMORY = "no memory"
    NO_TORCH = "no torch"
    NO_DEVICE = "no device"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    DISTURBED = "disturbed"


class CannotMeasureError(Exception):
    """A device cannot be measured."""

    def __init__(self, reason: CannotMeasureReason, technical: str) -> None:
        """Take the reason, and what the library said."""
        super().__init__(technical)
        self.reason = reason


def measure(device: str) -> Ceilings:
    """Both ceilings of a device, as `EngineInfo.device` calls it; takes about two seconds.

    GPUs are measured with torch, whose import takes a few seconds more.

    Raises:
        CannotMeasureError: With the reason.
    """
    from engine.ceilings.others import OthersWatch
    from engine.machine import cpu_name

    others = OthersWatch()
    measure_device = _measure_cpu if device == CPU else _measure_gpu
    try:
        read, matrix = measure_device(device)
    except MemoryError as error:
        raise CannotMeasureError(
            CannotMeasureReason.NO_MEMORY, "there is too little free memory for it"
        ) from error
    return Ceilings(
        machine=cpu_name(),
        device=device,
        read_bytes_per_s=read.bytes_per_s,
        read_threads=read.n_threads,
        matrix_flop_per_s=tuple(matrix),
        others_ratio=others.share() if device == CPU else None,
        measured_ms=time.time_ns() // 1_000_000,
    )


def main(arguments: Sequence[str]) -> int:
    """Measure the device that is named, and print it as JSON; returns the exit code.

    The last line on standard error is a `CannotMeasureReason`.
    """
    device = arguments[0] if arguments else CPU
    try:
        ceilings = measure(device)
    except CannotMeasureError as error:
        sys.stderr.write(f"{error}\n{error.reason}\n")
        return 1
    sys.stdout.write(json.dumps(asdict(ceilings)) + "\n")
    return 0


def _measure_cpu(_device: str) -> tuple[Bandwidth, list[tuple[str, float]]]:
    from engine.ceilings.bandwidth import ReadMeter
    from engine.ceilings.ggml_matrix import measure_ggml
    from engine.machine import usable_cores

    meter, rates = ReadMeter(), dict[str, float]()
    round_s = _SECONDS_EACH / _ROUNDS
    for _ in range(_ROUNDS):
        meter.read(round_s)
        rates[FLOAT32] = max(_blas_rate(round_s / 4), rates.get(FLOAT32, 0.0))
        # Without llama.cpp there is the rate of float32 alone.
        with suppress(OSError, AttributeError):
            for name, rate in measure_ggml(round_s * 3 / 4, usable_cores().physical):
                rates[name] = max(rate, rates.get(name, 0.0))
    return meter.best(), list(rates.items())


def _measure_gpu(device: str) -> tuple[Bandwidth, list[tuple[str, float]]]:
    from engine.ceilings.torch_device import TorchDevice, device_name

    try:
        name = device_name(device)
        if name is None:
            raise CannotMeasureError(
                CannotMeasureReason.NO_DEVICE, f"PyTorch does not see {device}"
            )
        measured = TorchDevice(name)
        return measured.measure_read(_SECONDS_EACH), measured.measure_matrix(_SECONDS_EACH)
    except ImportError as error:
        raise CannotMeasureError(
            CannotMeasureReason.NO_TORCH, "a GPU is measured with PyTorch, which does not load"
        ) from error
    except RuntimeError as error:
        raise CannotMeasureError(CannotMeasureReason.FAILED, str(error)) from error


def _blas_rate(seconds: float) -> float:
    """Operations per second of numpy's product of float32 matrices, on every core."""
    import numpy as np

    side = 1024
    left = np.full((side, side), 0.01, dtype=np.float32)
    best_s, begin = float("inf"), time.perf_counter()
    while time.perf_counter() - begin < seconds or best_s == float("inf"):
        t0 = time.perf_counter()
        left @ left
        best_s = min(best_s, time.perf_counter() - t0)
    return 2 * side**3 / best_s


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
