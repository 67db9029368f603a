"""Stamps Python's garbage collections: a step that waited for one is explained by it."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, NamedTuple

from engine.events import Collected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.events import Event

# Shorter ones are lost in what a step takes anyway.
_LEAST_NS = 500_000
# A loop that does nothing but collect is told of once.
_MOST_PENDING = 64


class Collection(NamedTuple):
    """One collection: when it ended, how long it took, and of which generation it was."""

    t_ns: int
    duration_ns: int
    generation: int


class GarbageWatch:
    """Notes the collections that take long. One thread, between `start` and `stop`.

    Attributes:
        pending: What was noted and not taken yet, in order.
    """

    def __init__(
        self,
        *,
        least_ns: int = _LEAST_NS,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        """Note nothing yet; later those that take `least_ns` or more."""
        self.pending: list[Collection] = []
        self._least_ns = least_ns
        self._clock_ns = clock_ns
        self._begin_ns = 0

    def start(self) -> None:
        """Begin to note."""
        self.pending.clear()
        gc.callbacks.append(self._on_collection)

    def stop(self) -> None:
        """Note no more."""
        gc.callbacks.remove(self._on_collection)

    def take(self, until_ns: int) -> list[Collection]:
        """What was noted since the last call, as far as it had ended by `until_ns`."""
        taken = [collection for collection in self.pending if collection.t_ns <= until_ns]
        del self.pending[: len(taken)]
        return taken

    def events(self, request_id: int, until_ns: int) -> Sequence[Event]:
        """The same as events."""
        if not self.pending:
            return ()
        return [
            Collected(
                request_id=request_id, t_ns=t_ns, duration_ns=duration_ns, generation=generation
            )
            for t_ns, duration_ns, generation in self.take(until_ns)
        ]

    def _on_collection(self, phase: str, info: Mapping[str, int]) -> None:
        if phase == "start":
            self._begin_ns = self._clock_ns()
            return
        t_ns = self._clock_ns()
        duration_ns = t_ns - self._begin_ns
        if duration_ns >= self._least_ns and len(self.pending) < _MOST_PENDING:
            self.pending.append(Collection(t_ns, duration_ns, info["generation"]))
