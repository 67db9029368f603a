"""How fast memory can be read on the CPU: every thread runs over its own part, again and again."""

from __future__ import annotations

import statistics
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.machine import available_memory_bytes, usable_cores

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Far more than any cache level holds; less where memory is short.
_BUFFER_BYTES = 512 << 20
_LEAST_BUFFER_BYTES = 64 << 20
_SHARE_OF_FREE_MEMORY = 0.25
# A pass must take long beside what starting threads costs.
_SHORTEST_PASS_S = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Bandwidth:
    """The best pass, its threads (None on a GPU), and how far the median lies below it."""

    bytes_per_s: float
    n_threads: int | None
    spread_ratio: float


def measure_read(seconds: float) -> Bandwidth:
    """Read a large buffer for about `seconds`, with one thread up to one for each core.

    The best pass counts: whatever else runs on the machine can only slow one down.

    Raises:
        MemoryError: There is no memory for the buffer.
    """
    n_bytes = int(available_memory_bytes() * _SHARE_OF_FREE_MEMORY)
    n_bytes = max(_LEAST_BUFFER_BYTES, min(_BUFFER_BYTES, n_bytes))
    # Written once, or every page would be the same page of zeros.
    buffer = np.ones(n_bytes, dtype=np.uint8)
    cores = usable_cores()
    counts = sorted({1, (cores.physical + 1) // 2, cores.physical, cores.logical})
    rates = {n: _rates(buffer, n, seconds / len(counts)) for n in counts}
    best = max(rates, key=lambda n: max(rates[n]))
    top = max(rates[best])
    return Bandwidth(
        bytes_per_s=top,
        n_threads=best,
        spread_ratio=1 - statistics.median(rates[best]) / top,
    )


def _rates(buffer: NDArray[np.uint8], n_threads: int, seconds: float) -> list[float]:
    """Bytes per second of each pass, at least three."""
    parts = np.array_split(buffer, n_threads)
    n_rounds = 1
    rates: list[float] = []
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds or len(rates) < 3:
        took_s = _pass(parts, n_rounds)
        if took_s < _SHORTEST_PASS_S:
            n_rounds *= 2
            continue
        rates.append(len(buffer) * n_rounds / took_s)
    return rates


def _pass(parts: list[NDArray[np.uint8]], n_rounds: int) -> float:
    """Seconds until every thread has read its part `n_rounds` times."""
    together = threading.Barrier(len(parts) + 1)

    def read(part: NDArray[np.uint8]) -> None:
        together.wait()
        for _ in range(n_rounds):
            # The cheapest look at every byte; numpy gives up the interpreter lock meanwhile.
            part.max()

    threads = [threading.Thread(target=read, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    together.wait()
    begin = time.perf_counter()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begin
