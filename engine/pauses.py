"""What may hold up a step that is not the model: told of beside the steps that waited for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.events import Collected, Compiled, Event

# What does nothing but hold up steps is told of so often before one.
_MOST_PENDING = 64
# Who notes a pause does not know who waits for it.
NO_REQUEST = 0


class Pending:
    """What one watch noted and has not told of yet, in order. One thread."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._noted: list[Collected | Compiled] = []

    def clear(self) -> None:
        """Forget what an earlier answer left."""
        self._noted.clear()

    def note(self, event: Collected | Compiled) -> None:
        """Note an event of `NO_REQUEST`; nothing where too many wait."""
        if len(self._noted) < _MOST_PENDING:
            self._noted.append(event)

    def take(self, request_id: int, until_ns: int) -> Sequence[Event]:
        """What was noted since the last call and had ended by `until_ns`, as of this request."""
        if not self._noted:
            return ()
        taken = [event for event in self._noted if event.t_ns <= until_ns]
        del self._noted[: len(taken)]
        return [replace(event, request_id=request_id) for event in taken]


class PauseWatch(Protocol):
    """Notes pauses of one kind during an answer. One thread, between `start` and `stop`."""

    def start(self) -> None:
        """Begin to note."""
        ...

    def stop(self) -> None:
        """Note no more."""
        ...

    def events(self, request_id: int, until_ns: int) -> Sequence[Event]:
        """What was noted since the last call, as far as it had ended by `until_ns`, in order."""
        ...


def with_pauses(
    emit: Callable[[Event], None], watches: Sequence[PauseWatch]
) -> Callable[[Event], None]:
    """What emits events, and before each the pauses that ended before it."""

    def emit_all(event: Event) -> None:
        found = [told for watch in watches for told in watch.events(event.request_id, event.t_ns)]
        for told in sorted(found, key=lambda each: each.t_ns) if len(found) > 1 else found:
            emit(told)
        emit(event)

    return emit_all
