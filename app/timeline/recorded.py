"""A recorded run as a telemetry store that has it all, for views of live figures."""

from dataclasses import replace

from app.runs.record import RunRecord
from app.runs.retelling import Items
from app.runs.telling import Telling
from app.telemetry import TelemetryStore

_REQUEST_ID = 1


def store_of(record: RunRecord) -> TelemetryStore:
    """Tell a new store at once what was recorded; it was sent at 0 s of its clock."""
    store = TelemetryStore(lambda: 0)
    if record.loaded is not None:
        t_start_ns, t_ns = record.load_span_ns or (0, 0)
        store.on_events((replace(record.loaded, t_start_ns=t_start_ns, t_ns=t_ns),))
    store.on_submitted(_REQUEST_ID, 0)
    items = Items(record)
    Telling(record, items, store).tell(0, len(items), request_id=_REQUEST_ID, offset_ns=0)
    return store
