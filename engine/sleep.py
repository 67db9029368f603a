"""Whether the machine was suspended, or its time of day was put, between two looks."""

import ctypes
import sys
import time
from collections.abc import Callable
from functools import partial

from engine.samples import ClockFault

ClockNs = Callable[[], int]

_LEAST_ASLEEP_NS = 100_000_000
_LEAST_JUMP_NS = 2_000_000_000
_SAME_MOMENT_NS = 10_000_000
_MOST_READS = 5


def sleep_clocks() -> tuple[ClockNs, ClockNs] | None:
    """A clock that goes on while the machine sleeps, and one that stands still; nanoseconds.

    None where the system has no such pair.
    """
    if sys.platform == "win32":
        return time.perf_counter_ns, _unbiased_ns
    if sys.platform == "darwin":
        # `mach_continuous_time` and `mach_absolute_time`.
        return partial(time.clock_gettime_ns, time.CLOCK_MONOTONIC_RAW), time.perf_counter_ns
    boot_clock: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    if boot_clock is None:
        return None
    return (
        partial(time.clock_gettime_ns, boot_clock),
        partial(time.clock_gettime_ns, time.CLOCK_MONOTONIC),
    )


def offset_ns(ahead_ns: ClockNs, clock_ns: ClockNs) -> int:
    """How far one clock is ahead of another, both read at the same moment."""
    offset = 0
    for _ in range(_MOST_READS):
        before_ns = clock_ns()
        offset = ahead_ns() - before_ns
        # On a busy machine this process may have been held up in between.
        if clock_ns() - before_ns < _SAME_MOMENT_NS:
            break
    return offset


class SleepWatch:
    """Says how long the machine slept since the last look. One thread.

    A look costs about a microsecond.
    """

    def __init__(self, clocks: tuple[ClockNs, ClockNs] | None = None) -> None:
        """Look for the first time; `clocks` are as `sleep_clocks` has them, by default its."""
        self._clocks = sleep_clocks() if clocks is None else clocks
        self._last_ns = 0 if self._clocks is None else offset_ns(*self._clocks)

    def look(self) -> int:
        """Nanoseconds asleep since the last look; 0 where there was no sleep, or nobody tells."""
        if self._clocks is None:
            return 0
        counting_ns, still_ns = self._clocks
        # Being held up between these two only makes it less.
        if counting_ns() - still_ns() - self._last_ns < _LEAST_ASLEEP_NS:
            return 0
        now_ns = offset_ns(counting_ns, still_ns)
        slept_ns, self._last_ns = now_ns - self._last_ns, now_ns
        return slept_ns if slept_ns >= _LEAST_ASLEEP_NS else 0


class ClockWatch:
    """Compares the clocks of the machine with each other at each look. One thread."""

    def __init__(
        self,
        *,
        clock_ns: ClockNs = time.perf_counter_ns,
        wall_ns: ClockNs = time.time_ns,
        clocks: tuple[ClockNs, ClockNs] | None = None,
    ) -> None:
        """Look for the first time; `clocks` as for `SleepWatch`."""
        self._clock_ns, self._wall_ns = clock_ns, wall_ns
        self._sleep = SleepWatch(clocks)
        self._counts_sleep = sys.platform == "win32"
        self._last_offset_ns = offset_ns(wall_ns, clock_ns)

    def look(self) -> ClockFault | None:
        """What was odd since the last look; None where nothing was."""
        ahead_ns = offset_ns(self._wall_ns, self._clock_ns)
        slept_ns = self._sleep.look()
        moved_ns, self._last_offset_ns = ahead_ns - self._last_offset_ns, ahead_ns
        # The time of day goes on during sleep, and most clocks of a program do not.
        jump_ns = moved_ns if self._counts_sleep else moved_ns - slept_ns
        if abs(jump_ns) < _LEAST_JUMP_NS:
            jump_ns = 0
        if not slept_ns and not jump_ns:
            return None
        return ClockFault(t_ns=self._clock_ns(), asleep_ns=slept_ns, jump_ns=jump_ns)


def _unbiased_ns() -> int:
    """Windows' interrupt time without sleep, in nanoseconds; a step is 100 of them."""
    unbiased = ctypes.c_ulonglong()
    if sys.platform == "win32":
        ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(unbiased))
    return unbiased.value * 100
