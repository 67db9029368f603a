"""What the engine was doing when: intervals on the time axis of the panels."""

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

_MOST_SPANS = 512
_MOST_LOADS = 256


class Phase(StrEnum):
    """A stretch of work, or how it broke off. Between spans the engine is idle."""

    WAITING = "waiting"
    LOAD = "load"
    COMPILE = "compile"
    PREFILL = "prefill"
    DECODE = "decode"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def is_mark(self) -> bool:
        """Whether it is a moment, not a stretch."""
        return self in (Phase.STOPPED, Phase.FAILED)


@dataclass(slots=True, kw_only=True)
class PhaseSpan:
    """One phase of one request, in seconds of the store's clock.

    Attributes:
        request_id: Of the answer or the load.
        phase: What was done.
        t0_s: When it began.
        t1_s: When it ended, None while it lasts.
        cached_ratio: Of a prefill: share of the prompt's tokens that came from the cache.
    """

    request_id: int
    phase: Phase
    t0_s: float
    t1_s: float | None = None
    cached_ratio: float | None = None


class PhaseTrack:
    """The last 512 spans, and the last 256 of loads, in order of beginning."""

    def __init__(self) -> None:
        """Begin idle."""
        self._spans: deque[PhaseSpan] = deque(maxlen=_MOST_SPANS)
        self._loads: deque[PhaseSpan] = deque(maxlen=_MOST_LOADS)
        self._open: dict[int, PhaseSpan] = {}

    def begin(
        self, request_id: int, phase: Phase, t_s: float, *, cached_ratio: float | None = None
    ) -> None:
        """The request enters a phase; the one it was in ends."""
        self.end(request_id, t_s)
        span = PhaseSpan(request_id=request_id, phase=phase, t0_s=t_s, cached_ratio=cached_ratio)
        self._spans.append(span)
        self._open[request_id] = span
        if phase in (Phase.LOAD, Phase.COMPILE):
            self._loads.append(span)

    def end(self, request_id: int, t_s: float, mark: Phase | None = None) -> None:
        """The request leaves its phase; `mark` says that it broke off."""
        span = self._open.pop(request_id, None)
        if span is not None:
            span.t1_s = t_s
        if mark is not None:
            self._spans.append(PhaseSpan(request_id=request_id, phase=mark, t0_s=t_s, t1_s=t_s))

    def move_begin(self, request_id: int, t_s: float) -> None:
        """The first phase of the request began earlier than was known."""
        first = next((span for span in self._spans if span.request_id == request_id), None)
        if first is not None:
            first.t0_s = t_s

    def forget(self, request_ids: Collection[int]) -> None:
        """Let go of all spans of these requests."""
        kept = [span for span in self._spans if span.request_id not in request_ids]
        self._spans.clear()
        self._spans.extend(kept)
        for request_id in request_ids:
            self._open.pop(request_id, None)

    @property
    def loads(self) -> tuple[PhaseSpan, ...]:
        """Loads and compilations, oldest first."""
        return tuple(self._loads)

    def go_on(self, request_id: int, phase: Phase, t_s: float) -> None:
        """The request, which is in some phase, enters this one, unless it is in it."""
        current = self._open.get(request_id)
        if current is not None and current.phase is not phase:
            self.begin(request_id, phase, t_s)

    def between(self, t0_s: float, t1_s: float) -> Iterator[PhaseSpan]:
        """Spans that touch the interval."""
        for span in self._spans:
            if span.t0_s <= t1_s and (span.t1_s is None or span.t1_s >= t0_s):
                yield span

    def at(self, t_s: float) -> Phase | None:
        """The phase at a moment, the one begun last where two overlap; None is idle."""
        found = [span.phase for span in self.between(t_s, t_s) if not span.phase.is_mark]
        return found[-1] if found else None
