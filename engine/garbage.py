"""Stamps Python's garbage collections: a step that waited for one is explained by it."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

from engine.events import Collected
from engine.pauses import NO_REQUEST, Pending

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.events import Event

# Shorter ones are lost in what a step takes anyway.
_LEAST_NS = 500_000


class GarbageWatch:
    """Notes the collections that take long. One thread, between `start` and `stop`."""

    def __init__(
        self,
        *,
        least_ns: int = _LEAST_NS,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        """Note nothing yet; later those that take `least_ns` or more."""
        self._pending = Pending()
        self._least_ns = least_ns
        self._clock_ns = clock_ns
        self._begin_ns = 0

    def start(self) -> None:
        """Begin to note."""
        self._pending.clear()
        gc.callbacks.append(self._on_collection)

    def stop(self) -> None:
        """Note no more."""
        gc.callbacks.remove(self._on_collection)

    def events(self, request_id: int, until_ns: int) -> Sequence[Event]:
        """The collections since the last call that had ended by `until_ns`."""
        return self._pending.take(request_id, until_ns)

    def _on_collection(self, phase: str, info: Mapping[str, int]) -> None:
        if phase == "start":
            self._begin_ns = self._clock_ns()
            return
        t_ns = self._clock_ns()
        duration_ns = t_ns - self._begin_ns
        if duration_ns >= self._least_ns:
            self._pending.note(
                Collected(
                    request_id=NO_REQUEST,
                    t_ns=t_ns,
                    duration_ns=duration_ns,
                    generation=info["generation"],
                )
            )
