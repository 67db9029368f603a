"""Tells a telemetry store what was recorded of a run, as much of it at once as is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.marks import Mark
from app.runs.retelling import Paint, SampleBlock, StepBlock, sample_of
from app.sample_row import SAMPLE_COLUMNS
from engine.events import PromptReady, Step

if TYPE_CHECKING:
    from app.runs.record import RunRecord
    from app.runs.retelling import Items
    from app.telemetry import TelemetryStore
    from app.token_rows import IntArray
    from engine.events import Event


class Telling:
    """Tells of one run; rows of steps and samples go to the store in blocks.

    The store has then what it would have, had it been told item by item.
    """

    def __init__(self, record: RunRecord, items: Items, store: TelemetryStore) -> None:
        """Tell `store` of `record`, of which `items` are."""
        self._record = record
        self._items = items
        self._store = store
        track = record.samples
        self._sample_t_ns = np.array(track.t_ns, np.int64)
        self._sample_rows = np.array(track.values).reshape(-1, len(SAMPLE_COLUMNS))
        if not isinstance(track.constants.get("gpu_name"), str):
            is_of_gpu = [name.startswith("gpu_") for name in SAMPLE_COLUMNS]
            self._sample_rows[:, is_of_gpu] = np.nan

    def tell(self, first: int, last: int, *, request_id: int, offset_ns: int) -> None:
        """Tell the items from `first` to before `last`.

        Args:
            first: The first of the items to be told.
            last: The first that is not.
            request_id: What the request is called in the store.
            offset_ns: The moment of its send on the store's clock.
        """
        batch: list[Event] = []
        for part in self._items.parts(first, last):
            match part:
                case StepBlock():
                    self._tell_events(batch)
                    self._tell_steps(part, request_id, offset_ns)
                case SampleBlock():
                    self._tell_samples(part, offset_ns)
                case Paint():
                    self._store.on_first_paint(request_id, part.t_ns + offset_ns)
                case Mark():
                    self._store.on_mark(replace(part, t_ns=part.t_ns + offset_ns))
                case _:
                    batch.append(_moved(part, request_id, offset_ns))
        self._tell_events(batch)

    def _tell_events(self, batch: list[Event]) -> None:
        if batch:
            self._store.on_events(tuple(batch))
            batch.clear()

    def _tell_steps(self, block: StepBlock, request_id: int, offset_ns: int) -> None:
        store = self._store
        turn = store.turn
        if turn is None or turn.request_id != request_id or turn.is_over:
            return
        t_ns, n_tokens = block.t_ns + offset_ns, block.n_tokens
        n_before = turn.context_used_tokens
        turn.add_steps(t_ns[:-1].tolist(), n_tokens[:-1].tolist())
        used: list[None] | IntArray = [None] * (len(t_ns) - 1)
        if n_before is not None:
            used = n_before + np.cumsum(n_tokens[:-1])
        t_s = (t_ns[:-1] - store.to_ns(0.0)) / 1e9
        store.rows.append_kv(t_s, used, None if store.loaded is None else store.loaded.kv)
        # With the last the store takes in all that the turn has.
        last = Step(request_id=request_id, t_ns=int(t_ns[-1]), n_tokens=int(n_tokens[-1]), text="")
        store.on_events((last,))

    def _tell_samples(self, block: SampleBlock, offset_ns: int) -> None:
        store, bulk = self._store, block.indexes[:-1]
        rows = self._sample_rows[bulk]
        store.samples.append(
            (self._sample_t_ns[bulk] + (offset_ns - store.to_ns(0.0))) / 1e9,
            **{name: rows[:, index] for index, name in enumerate(SAMPLE_COLUMNS)},
        )
        # The last as the sampler said it: it is what stands there now.
        last = sample_of(self._record, int(block.indexes[-1]))
        store.on_sample(replace(last, t_ns=last.t_ns + offset_ns))


def _moved(event: Event, request_id: int, offset_ns: int) -> Event:
    if isinstance(event, PromptReady):
        rendered_ns, tokenized_ns = event.t_rendered_ns, event.t_tokenized_ns
        event = replace(
            event,
            t_rendered_ns=None if rendered_ns is None else rendered_ns + offset_ns,
            t_tokenized_ns=None if tokenized_ns is None else tokenized_ns + offset_ns,
        )
    return replace(event, t_ns=event.t_ns + offset_ns, request_id=request_id)
