"""What may hold up a step that is not the model: told of beside the steps that waited for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.events import Event


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
