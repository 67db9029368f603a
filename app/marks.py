"""Something that happened at one moment and belongs on the timeline of what was going on."""

from bisect import bisect_left, bisect_right
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

_MOST_MARKS = 1024
_T_NS = attrgetter("t_ns")


class MarkKind(StrEnum):
    """What happened. The values are written to files: they never change their meaning."""

    CACHE_REUSE = "cache_reuse"
    CONTEXT_DROPPED = "context_dropped"
    CPU_FALLBACK = "cpu_fallback"
    COMPILE = "compile"
    GARBAGE_COLLECTION = "garbage_collection"
    THROTTLING = "throttling"
    STOP = "stop"
    FAILED = "failed"
    SUSPENDED = "suspended"
    CLOCK_JUMPED = "clock_jumped"
    SAMPLER_RESTARTED = "sampler_restarted"
    SAMPLES_MISSING = "samples_missing"
    MEASURING = "measuring"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What happened at `t_ns` of `time.perf_counter_ns()`.

    `detail` holds the values that the sentence about it needs, in the order that the sentence
    names them: numbers and names, never words of a language.
    """

    kind: MarkKind
    t_ns: int
    detail: tuple[str | int | float, ...] = ()


BREAKS = frozenset({MarkKind.SUSPENDED, MarkKind.SAMPLER_RESTARTED, MarkKind.SAMPLES_MISSING})
"""Nothing is known of the machine around these: curves break, and no energy spans them."""


class MarkTrack:
    """The last 1,024 marks, in the order in which they were told. One thread only."""

    def __init__(self) -> None:
        """Begin with none."""
        self._marks: deque[Mark] = deque(maxlen=_MOST_MARKS)
        self._by_time: list[Mark] | None = None

    def add(self, mark: Mark) -> None:
        """Keep a mark, and let the oldest go where there are too many."""
        self._marks.append(mark)
        self._by_time = None

    def between(self, t0_ns: int, t1_ns: int) -> list[Mark]:
        """Marks from `t0_ns` to `t1_ns`, both included, by time."""
        if self._by_time is None:
            self._by_time = sorted(self._marks, key=_T_NS)
        first = bisect_left(self._by_time, t0_ns, key=_T_NS)
        return self._by_time[first : bisect_right(self._by_time, t1_ns, key=_T_NS)]

    def is_broken(self, t0_ns: int, t1_ns: int) -> bool:
        """Whether samples are missing between two stamps, or the machine slept: see `BREAKS`.

        It tells that also of samples so old that they are not kept one by one.
        """
        return any(mark.kind in BREAKS for mark in self.between(t0_ns, t1_ns))
