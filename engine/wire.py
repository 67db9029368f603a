"""How events cross the pipe: pickled, and the one that comes with every token as a bare tuple."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from engine.events import Step

if TYPE_CHECKING:
    from engine.events import Event

    _StepValues = tuple[int, int, int, str] | tuple[int, int, int, str, tuple[bytes, ...]]


def encode(event: Event) -> bytes:
    """The bytes of an event.

    A pickled dataclass looks its class up by name on both sides, which costs several times what
    its values cost; a `Step` leaves that out.
    """
    if type(event) is Step:
        values: tuple[object, ...] = (event.request_id, event.t_ns, event.n_tokens, event.text)
        if event.inspected:
            values = (*values, event.inspected)
        return pickle.dumps(values, pickle.HIGHEST_PROTOCOL)
    return pickle.dumps(event, pickle.HIGHEST_PROTOCOL)


def decode(data: bytes) -> Event:
    """The event of bytes that `encode` made in a process of ours."""
    value: Event | _StepValues = pickle.loads(data)
    if isinstance(value, tuple):
        request_id, t_ns, n_tokens, text = value[:4]
        inspected = value[4] if len(value) == 5 else ()
        return Step(
            request_id=request_id, t_ns=t_ns, n_tokens=n_tokens, text=text, inspected=inspected
        )
    return value
