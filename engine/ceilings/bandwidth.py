"""How fast memory can be read on the CPU: every thread runs over its own part, again and again."""

from __future__ import annotations

import ctypes
import itertools
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.machine import available_memory_bytes, usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

# Far more than any cache level holds; less where memory is short.
_BUFFER_BYTES = 512 << 20
_LEAST_BUFFER_BYTES = 64 << 20
_SHARE_OF_FREE_MEMORY = 0.25
# What one look at the clock is worth: half a millisecond or less.
_BLOCK_BYTES = 8 << 20
# A busy system gives longer turns to another program, and so leaves some windows whole.
_WINDOW_S = 0.004
_TURNS = 2
# A number of threads so much slower than a larger one is not worth another turn.
_WORTHWHILE_RATIO = 0.8
# The very best window may owe something to the clock.
_BEST_PERCENT = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Bandwidth:
    """The best rate, and its threads; None on a GPU."""

    bytes_per_s: float
    n_threads: int | None


class ReadMeter:
    """Reads a large buffer with one thread up to one for each core, as often as it is asked to.

    The best few milliseconds count, of all threads together: whatever else runs on the machine
    can only slow one down.
    """

    def __init__(self) -> None:
        """Make the buffer.

        Raises:
            MemoryError: There is no memory for it.
        """
        n_bytes = int(available_memory_bytes() * _SHARE_OF_FREE_MEMORY)
        n_bytes = max(_LEAST_BUFFER_BYTES, min(_BUFFER_BYTES, n_bytes))
        self._buffer = np.empty(n_bytes, dtype=np.uint8)
        cores = usable_cores()
        _touch(self._buffer, cores.logical)
        counts = {1, (cores.physical + 1) // 2, cores.physical, cores.logical}
        self._rates: dict[int, list[float]] = {n: [] for n in sorted(counts)}

    def read(self, seconds: float) -> None:
        """Read for about so long.

        Numbers of threads take turns, so that what changes slowly weighs on all.
        """
        counts = self._worthwhile()
        slice_s = seconds / len(counts) / _TURNS
        for _ in range(_TURNS):
            for n_threads in counts:
                self._rates[n_threads] += _read_rates(self._buffer, n_threads, slice_s)

    def best(self) -> Bandwidth:
        """Of all that was read so far, which must be something."""
        tops = self._tops()
        best = max(tops, key=lambda n: tops[n])
        return Bandwidth(bytes_per_s=tops[best], n_threads=best)

    def _worthwhile(self) -> list[int]:
        # Other work makes many threads look slow, and never few: those are not left out for it.
        tops = self._tops()
        return [
            n
            for n in self._rates
            if not any(m > n and top * _WORTHWHILE_RATIO > tops[n] for m, top in tops.items())
        ]

    def _tops(self) -> dict[int, float]:
        return {
            n: float(np.percentile(rates, _BEST_PERCENT))
            for n, rates in self._rates.items()
            if rates
        }


def _touch(buffer: NDArray[np.uint8], n_threads: int) -> None:
    """Write it once, or every page would be the same page of zeros.

    A machine with several memories puts a page into that of the core which writes it first: from
    one thread all of it would lie in one of them, behind which the others wait.
    """
    threads = [
        threading.Thread(target=part.fill, args=(1,)) for part in np.array_split(buffer, n_threads)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _read_rates(buffer: NDArray[np.uint8], n_threads: int, seconds: float) -> list[float]:
    """Bytes per second of all threads in each window of about `seconds`, at least one."""
    together = threading.Barrier(n_threads + 1)
    is_over = threading.Event()
    # When each block was read, and its bytes.
    reads: list[list[tuple[float, int]]] = [[] for _ in range(n_threads)]
    compare = _compare()

    def read(part: NDArray[np.uint8], done: list[tuple[float, int]]) -> None:
        address = part.ctypes.data
        together.wait()
        done.append((time.perf_counter(), 0))
        for first, second, size in itertools.cycle(block_pairs(part.size, _BLOCK_BYTES)):
            # All bytes are the same, so both are read to the end.
            compare(address + first, address + second, size)
            done.append((time.perf_counter(), 2 * size))
            if is_over.is_set():
                return

    threads = [
        threading.Thread(target=read, args=(part, done))
        for part, done in zip(np.array_split(buffer, n_threads), reads, strict=True)
    ]
    for thread in threads:
        thread.start()
    together.wait()
    is_over.wait(seconds)
    is_over.set()
    for thread in threads:
        thread.join()
    return windowed(reads, _WINDOW_S)


def block_pairs(n_bytes: int, block_bytes: int) -> list[tuple[int, int, int]]:
    """Blocks of a buffer, each in two places: where they begin, and the bytes of each place.

    What is left at the end of each half is less than half a block.
    """
    half = n_bytes // 2
    size = min(block_bytes // 2, half)
    return [(begin, half + begin, size) for begin in range(0, half - size + 1, size)]


def _compare() -> Callable[[int, int, int], int]:
    """The system's `memcmp`, which gives up the interpreter lock meanwhile.

    A core that reads in two places at once has more on its way than in one, and so depends less
    on how long memory takes to answer.
    """
    compare = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None).memcmp
    compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    found: Callable[[int, int, int], int] = compare
    return found


def windowed(reads: Sequence[Sequence[tuple[float, int]]], window_s: float) -> list[float]:
    """Bytes per second of all threads in each window in which all of them read.

    `reads` has for each thread when a block was read (seconds, ascending) and its bytes; the
    first says when it began. Where they never read together, all of it is one window.
    """
    begin = max(done[0][0] for done in reads)
    end = min(done[-1][0] for done in reads)
    n_windows = max(1, int((end - begin) / window_s))
    if end <= begin:
        begin, end = min(done[0][0] for done in reads), max(done[-1][0] for done in reads)
    edges = np.linspace(begin, end, n_windows + 1)
    n_bytes = np.zeros(n_windows)
    for done in reads:
        at_s = np.array([read_s for read_s, _ in done])
        total = np.cumsum([size for _, size in done])
        n_bytes += np.diff(np.interp(edges, at_s, total))
    return [float(rate) for rate in n_bytes / np.diff(edges)]
