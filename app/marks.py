"""Something that happened at one moment and belongs on the timeline of what was going on."""

from dataclasses import dataclass
from enum import StrEnum


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
