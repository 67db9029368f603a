"""A recorded run as a telemetry store that has it all, for views of live figures."""

from dataclasses import replace
from typing import TYPE_CHECKING

from app.marks import Mark
from app.runs.record import RunRecord
from app.runs.retelling import Paint, items_of
from app.telemetry import TelemetryStore
from engine.samples import Sample

if TYPE_CHECKING:
    from engine.events import Event

_REQUEST_ID = 1


def store_of(record: RunRecord) -> TelemetryStore:
    """Tell a new store at once what was recorded; it was sent at 0 s of its clock."""
    store = TelemetryStore(lambda: 0)
    if record.loaded is not None:
        t_start_ns, t_ns = record.load_span_ns or (0, 0)
        store.on_events((replace(record.loaded, t_start_ns=t_start_ns, t_ns=t_ns),))
    store.on_submitted(_REQUEST_ID, 0)
    events: list[Event] = []
    painted_ns: int | None = None
    for item in items_of(record, _REQUEST_ID):
        if isinstance(item, Sample):
            store.on_sample(item)
        elif isinstance(item, Mark):
            store.on_mark(item)
        elif isinstance(item, Paint):
            painted_ns = item.t_ns
        else:
            events.append(item)
    store.on_events(tuple(events))
    if painted_ns is not None:
        store.on_first_paint(_REQUEST_ID, painted_ns)
    return store
