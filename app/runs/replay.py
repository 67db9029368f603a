"""Plays a recorded run into a telemetry store, as if it happened now."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app.marks import Mark
from app.runs.record import RunRecord
from app.runs.retelling import Item, Items, Paint
from app.runs.telling import Telling
from app.telemetry import TelemetryStore
from engine.events import CellsFound, Finished, FinishReason, MemoryChanged, Suspended
from engine.samples import Sample

SPEEDS = (1.0, 0.1, 0.01)
_TICK_MS = 33
_PAUSE_NS = 1_000_000_000


class RunReplay(QObject):
    """A run on a clock of its own, that can be slowed, stopped and moved step by step.

    Main thread only. Nothing of the engine is involved.

    Attributes:
        store: What panels show of it.

    Signals:
        changed(): It plays, pauses, has moved, or its speed is another.
    """

    changed = Signal()

    def __init__(
        self,
        record: RunRecord,
        *,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
        parent: QObject | None = None,
    ) -> None:
        """Stand at the begin of `record`, which was read from a file, paused."""
        super().__init__(parent)
        self._record = record
        self._clock_ns = clock_ns
        self._n_given = 0
        # The end of the request at least is among them.
        self._items = Items(record)
        self._begin_ns = int(self._items.t_ns[0])
        self._end_ns = int(self._items.t_ns[-1])
        self._position_ns = self._begin_ns
        self._offset_ns = -self._begin_ns
        self._request_id = 1
        self._has_submitted = False
        self._speed_ratio = 1.0
        self._last_ns = 0
        self.store = TelemetryStore(self._now_ns, parent=self)
        self._telling = Telling(record, self._items, self.store)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_tick)
        if record.loaded is not None:
            self.store.on_events((replace(record.loaded, t_ns=0, t_start_ns=0),))

    @property
    def is_playing(self) -> bool:
        """Whether its clock runs."""
        return self._timer.isActive()

    @property
    def is_over(self) -> bool:
        """Whether all of it was played."""
        return self._n_given == len(self._items)

    @property
    def position_ns(self) -> int:
        """Where it stands, nanoseconds since the request was sent."""
        return self._position_ns

    @property
    def length_ns(self) -> int:
        """Where it ends."""
        return self._end_ns

    @property
    def speed_ratio(self) -> float:
        """How fast it plays; 1 is as it was."""
        return self._speed_ratio

    def set_speed(self, ratio: float) -> None:
        """Play this fast from now on."""
        self._speed_ratio = ratio
        self.changed.emit()

    def play(self) -> None:
        """Let its clock run; from the begin where it is over."""
        if self.is_over:
            self.restart()
        self._last_ns = self._clock_ns()
        self._timer.start()
        self.changed.emit()

    def pause(self) -> None:
        """Stop its clock."""
        self._timer.stop()
        self.changed.emit()

    def step(self) -> None:
        """Stop its clock, and go on to what the engine said next."""
        self._timer.stop()
        if self.is_over:
            self.restart()
        upcoming = (self._items[index] for index in range(self._n_given, len(self._items)))
        t_ns = next((item.t_ns for item in upcoming if _is_step(item)), self._end_ns)
        self._go_to(t_ns)

    def go_to(self, t_ns: int) -> None:
        """Stand `t_ns` after the send; what came before it is told at once.

        Backwards, it begins anew: on the time axis that comes after what was played.
        """
        if t_ns < self._position_ns:
            self.restart()
        self._last_ns = self._clock_ns()
        self._go_to(t_ns)

    def restart(self) -> None:
        """Go back to the begin; on the time axis it comes after what was played."""
        if self._has_submitted and self.store.is_running:
            self.store.on_events((self._stopped(),))
        # The engine said nothing of the gap, and panels leave one.
        self._offset_ns += self._position_ns - self._begin_ns + _PAUSE_NS
        self._request_id += 1
        self._n_given = 0
        self._has_submitted = False
        self._position_ns = self._begin_ns
        self.changed.emit()

    def _now_ns(self) -> int:
        return self._offset_ns + self._position_ns

    def _on_tick(self) -> None:
        now_ns = self._clock_ns()
        passed_ns = round((now_ns - self._last_ns) * self._speed_ratio)
        self._last_ns = now_ns
        self._go_to(self._position_ns + passed_ns)

    def _go_to(self, t_ns: int) -> None:
        self._position_ns = max(self._position_ns, min(t_ns, self._end_ns))
        if not self._has_submitted and self._position_ns >= 0:
            self._has_submitted = True
            self.store.on_submitted(self._request_id, self._offset_ns)
        first = self._n_given
        self._n_given = int(np.searchsorted(self._items.t_ns, self._position_ns, side="right"))
        self._telling.tell(
            first, self._n_given, request_id=self._request_id, offset_ns=self._offset_ns
        )
        if self.is_over:
            self._timer.stop()
        # While it runs panels ask how late it is; in between nothing else says that it moved.
        self.store.changed.emit()
        self.changed.emit()

    def _stopped(self) -> Finished:
        return Finished(
            request_id=self._request_id,
            t_ns=self._now_ns(),
            reason=FinishReason.CANCELLED,
            text="",
            n_output_tokens=0,
        )


def _is_step(item: Item) -> bool:
    return not isinstance(item, Sample | Mark | Paint | MemoryChanged | Suspended | CellsFound)
