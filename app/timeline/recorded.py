"""A recorded run as a telemetry store that has it all, for views of live figures."""

from dataclasses import replace

import numpy as np

from app.marks import BREAKS
from app.runs.record import RunRecord
from app.runs.retelling import end_of, events_before_steps, is_shown, sample_of
from app.sample_row import SAMPLE_COLUMNS
from app.series import FloatArray
from app.telemetry import TelemetryStore

_REQUEST_ID = 1


def store_of(record: RunRecord) -> TelemetryStore:
    """Tell a new store at once what was recorded; it was sent at 0 s of its clock.

    It has what it would have if it was told item by item (`items_of`).
    """
    store = TelemetryStore(lambda: 0)
    if record.loaded is not None:
        t_start_ns, t_ns = record.load_span_ns or (0, 0)
        store.on_events((replace(record.loaded, t_start_ns=t_start_ns, t_ns=t_ns),))
    store.on_submitted(_REQUEST_ID, 0)
    _tell_samples(store, record)
    said = sorted(events_before_steps(record, _REQUEST_ID), key=lambda event: event.t_ns)
    store.on_events(tuple(said))
    _tell_steps(store, record)
    store.on_events((end_of(record, _REQUEST_ID),))
    if record.felt_ttft_ns is not None:
        store.on_first_paint(_REQUEST_ID, record.felt_ttft_ns)
    return store


def _tell_samples(store: TelemetryStore, record: RunRecord) -> None:
    """Tell samples and marks."""
    track = record.samples
    shown = np.flatnonzero(is_shown(record))
    t_ns = np.array(track.t_ns, np.int64)[shown]
    order = np.argsort(t_ns, kind="stable")
    shown, t_ns = shown[order], t_ns[order]
    # The last as the sampler said it: it is what stands there now.
    t_s, rows = t_ns[:-1] / 1e9, np.array(track.values).reshape(-1, len(SAMPLE_COLUMNS))[shown[:-1]]
    if not isinstance(track.constants.get("gpu_name"), str):
        rows[:, [name.startswith("gpu_") for name in SAMPLE_COLUMNS]] = np.nan
    first, n_bulk = 0, len(t_s)
    is_last_told = not len(shown)
    for mark in (*sorted(record.marks, key=lambda mark: mark.t_ns), None):
        if mark is not None and mark.kind not in BREAKS:
            store.on_mark(mark)
            continue
        last = n_bulk if mark is None else int(np.searchsorted(t_ns[:-1], mark.t_ns, side="right"))
        _append(store, t_s[first:last], rows[first:last])
        first = last
        if not is_last_told and (mark is None or t_ns[-1] <= mark.t_ns):
            store.on_sample(sample_of(record, int(shown[-1])))
            is_last_told = True
        if mark is not None:
            store.on_mark(mark)


def _append(store: TelemetryStore, t_s: FloatArray, rows: FloatArray) -> None:
    columns = {name: rows[:, index] for index, name in enumerate(SAMPLE_COLUMNS)}
    store.samples.append(t_s, **columns)


def _tell_steps(store: TelemetryStore, record: RunRecord) -> None:
    """Tell all steps; the store takes them in with the next event."""
    turn, trace = store.turn, record.trace
    assert turn is not None
    n_before = turn.context_used_tokens
    turn.add_steps(trace.step_t_ns, trace.step_n_tokens)
    used: list[int | None] = [None] * len(trace.step_t_ns)
    if n_before is not None:
        used = (n_before + np.cumsum(trace.step_n_tokens)).tolist()
    layout = None if store.loaded is None else store.loaded.kv
    store.kv.append(
        np.array(trace.step_t_ns, np.int64) / 1e9,
        tokens=used,
        bytes=[None if n is None or layout is None else layout.used_bytes(n) for n in used],
    )
