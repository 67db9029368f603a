"""Whether the machine was suspended, or its time of day was put, between two looks."""

import ctypes
import sys
import time
from collections.abc import Callable

from engine.samples import ClockFault

_LEAST_ASLEEP_NS = 100_000_000
_LEAST_JUMP_NS = 2_000_000_000
_SAME_MOMENT_NS = 10_000_000
_MOST_READS = 5


def asleep_ns() -> int | None:
    """How long the machine has been suspended since it started, but for a constant.

    None where the system does not tell.
    """
    if sys.platform == "win32":
        # `perf_counter` goes on while the machine sleeps there; this clock stands still.
        awake = ctypes.c_ulonglong()
        if not ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(awake)):
            return None
        return time.perf_counter_ns() - awake.value * 100
    if sys.platform == "darwin":
        # `mach_continuous_time`, which counts what `mach_absolute_time` leaves out.
        return offset_ns(
            lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW), time.perf_counter_ns
        )
    boot_clock: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    if boot_clock is None:
        return None
    return offset_ns(
        lambda: time.clock_gettime_ns(boot_clock),
        lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC),
    )


def offset_ns(ahead_ns: Callable[[], int], clock_ns: Callable[[], int]) -> int:
    """How far one clock is ahead of another, read at the same moment."""
    offset = 0
    for _ in range(_MOST_READS):
        before_ns = clock_ns()
        offset = ahead_ns() - before_ns
        # On a busy machine this process may have been held up in between.
        if clock_ns() - before_ns < _SAME_MOMENT_NS:
            break
    return offset


class SleepWatch:
    """Says how long the machine slept since the last look. One thread."""

    def __init__(self, asleep_ns: Callable[[], int | None] = asleep_ns) -> None:
        """Look for the first time."""
        self._asleep_ns = asleep_ns
        self._last_ns = asleep_ns()

    def look(self) -> int:
        """Nanoseconds asleep since the last look; 0 where there was no sleep, or nobody tells."""
        now_ns = self._asleep_ns()
        if now_ns is None or self._last_ns is None:
            return 0
        slept_ns = now_ns - self._last_ns
        if slept_ns < _LEAST_ASLEEP_NS:
            return 0
        self._last_ns = now_ns
        return slept_ns


class ClockWatch:
    """Compares the clocks of the machine with each other at each look. One thread."""

    def __init__(
        self,
        *,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
        wall_ns: Callable[[], int] = time.time_ns,
        asleep_ns: Callable[[], int | None] = asleep_ns,
    ) -> None:
        """Look for the first time."""
        self._clock_ns, self._wall_ns = clock_ns, wall_ns
        self._sleep = SleepWatch(asleep_ns)
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
