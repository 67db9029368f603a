"""Stamps what torch compiles during an answer: a step that waited for that is explained by it."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from engine.events import Compiled
from engine.pauses import NO_REQUEST, Pending

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.events import Event

# Loaded by torch with the first thing that is compiled; never loaded from here.
_MODULE = "torch._dynamo.callback"


class CompileWatch:
    """Notes compilations by torch. One thread, between `start` and `stop`.

    With no torch in the process, or one that has nothing to compile, it notes nothing.
    """

    def __init__(self, *, clock_ns: Callable[[], int] = time.perf_counter_ns) -> None:
        """Note nothing yet."""
        self._clock_ns = clock_ns
        self._begin_ns = 0
        self._pending = Pending()
        self._handler: Any = None

    def start(self) -> None:
        """Begin to note."""
        self._pending.clear()
        self._handler = getattr(sys.modules.get(_MODULE), "callback_handler", None)
        if self._handler is not None:
            self._handler.register_start_callback(self._on_start)
            self._handler.register_end_callback(self._on_end)

    def stop(self) -> None:
        """Note no more."""
        handler, self._handler = self._handler, None
        if handler is not None:
            # Somebody may have reset torch, which removes all of them.
            with suppress(ValueError):
                handler.remove_start_callback(self._on_start)
            with suppress(ValueError):
                handler.remove_end_callback(self._on_end)

    def events(self, request_id: int, until_ns: int) -> Sequence[Event]:
        """The compilations since the last call that had ended by `until_ns`."""
        return self._pending.take(request_id, until_ns)

    def _on_start(self, _arguments: object) -> None:
        self._begin_ns = self._clock_ns()

    def _on_end(self, _arguments: object) -> None:
        t_ns = self._clock_ns()
        duration_ns = t_ns - self._begin_ns
        self._pending.note(Compiled(request_id=NO_REQUEST, t_ns=t_ns, duration_ns=duration_ns))
