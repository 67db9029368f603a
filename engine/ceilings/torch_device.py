"""Bandwidth and matrix rate of whatever device torch computes on."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from engine.ceilings.bandwidth import Bandwidth
from engine.ceilings.values import BFLOAT16, FLOAT16, FLOAT32

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

_BUFFER_BYTES = 1 << 30
_SIDE = 4096


def device_name(title: str) -> str | None:
    """Torch's name of the GPU that people call `title`; None where torch has none like it.

    Raises:
        ImportError: torch is not there.
    """
    import torch

    for kind in ("cuda", "xpu"):
        module = getattr(torch, kind)
        if module.is_available():
            for index in range(module.device_count()):
                if module.get_device_name(index) == title:
                    return f"{kind}:{index}"
    return "mps" if torch.backends.mps.is_available() else None


class TorchDevice:
    """Measures one device of torch, by its name ("cuda:0", "mps")."""

    def __init__(self, name: str) -> None:
        """Import torch.

        Raises:
            ImportError: torch is not there.
            RuntimeError: torch knows no such device.
        """
        import torch

        self._torch = torch
        self._device = torch.device(name)
        torch.empty(1, device=self._device)

    def measure_read(self, seconds: float) -> Bandwidth:
        """Sum a large buffer for about `seconds`; the best pass counts."""
        torch = self._torch
        buffer = torch.ones(_BUFFER_BYTES // 4, dtype=torch.float32, device=self._device)
        best_s = min(self._times(lambda: buffer.sum(), seconds))
        return Bandwidth(bytes_per_s=_BUFFER_BYTES / best_s, n_threads=None)

    def measure_matrix(self, seconds: float) -> list[tuple[str, float]]:
        """Format and operations per second of square matrices; formats it lacks are left out."""
        torch, rates = self._torch, []
        formats = ((FLOAT32, torch.float32), (FLOAT16, torch.float16), (BFLOAT16, torch.bfloat16))
        for name, dtype in formats:
            try:
                left = torch.full((_SIDE, _SIDE), 0.01, dtype=dtype, device=self._device)
                took_s = min(self._times(partial(torch.matmul, left, left), seconds / 3))
            except (RuntimeError, TypeError):
                continue
            rates.append((name, 2 * _SIDE**3 / took_s))
        return rates

    def _times(self, run: Callable[[], torch.Tensor], seconds: float) -> list[float]:
        """Seconds of each run, at least five; the first warms up and does not count."""
        run()
        self._wait()
        times: list[float] = []
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds or len(times) < 5:
            t0 = time.perf_counter()
            run()
            self._wait()
            times.append(time.perf_counter() - t0)
        return times

    def _wait(self) -> None:
        """Until the device has done what it was given."""
        if self._device.type != "cpu":
            getattr(self._torch, self._device.type).synchronize(self._device)
