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
from engine.events import CellsFound, MemoryChanged, Suspended
from engine.samples import Sample

SPEEDS = (1.0, 0.1, 0.01)
_TICK_MS = 33
# So many are told in a frame; of a jump over more, the rest when the window has had its turn.
_MOST_AT_ONCE = 20_000


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
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._tell)
        self._tell_loaded()

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
        upcoming = (self._items[index] for index in range(self._n_passed, len(self._items)))
        t_ns = next((item.t_ns for item in upcoming if _is_step(item)), self._end_ns)
        self._go_to(t_ns)

    def go_to(self, t_ns: int) -> None:
        """Stand `t_ns` after the send; what came before it is told, much of it bit by bit.

        Backwards, what came after it is forgotten, as if it had never been played.
        """
        if t_ns < self._position_ns:
            self._begin_anew()
        self._last_ns = self._clock_ns()
        self._go_to(t_ns)

    def restart(self) -> None:
        """Go back to the begin, as if nothing had been played."""
        self._begin_anew()
        self.changed.emit()

    def _begin_anew(self) -> None:
        # The clock of panels never goes back.
        self._offset_ns += self._position_ns - self._begin_ns
        self._request_id += 1
        self._n_given = 0
        self._has_submitted = False
        self._position_ns = self._begin_ns
        self._rest.stop()
        self.store.clear()
        self._tell_loaded()

    def _tell_loaded(self) -> None:
        """The model was there before all else."""
        if (loaded := self._record.loaded) is not None:
            now_ns = self._now_ns()
            self.store.on_events((replace(loaded, t_ns=now_ns, t_start_ns=now_ns),))

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
        self._tell()

    @property
    def _n_passed(self) -> int:
        """Items up to where it stands."""
        return int(np.searchsorted(self._items.t_ns, self._position_ns, side="right"))

    def _tell(self) -> None:
        first, n_passed = self._n_given, self._n_passed
        self._n_given = min(n_passed, first + _MOST_AT_ONCE)
        self._telling.tell(
            first, self._n_given, request_id=self._request_id, offset_ns=self._offset_ns
        )
        if self._n_given < n_passed:
            self._rest.start()
        if self.is_over:
            self._timer.stop()
        # While it runs panels ask how late it is; in between nothing else says that it moved.
        self.store.changed.emit()
        self.changed.emit()


def _is_step(item: Item) -> bool:
    return not isinstance(item, Sample | Mark | Paint | MemoryChanged | Suspended | CellsFound)
