"""Plays a recorded run into a telemetry store, as if it happened now."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.runs.record import RunRecord
from app.sample_row import SAMPLE_COLUMNS
from app.telemetry import TelemetryStore
from engine.events import (
    Event,
    Failed,
    Finished,
    FinishReason,
    MemoryChanged,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
)
from engine.samples import CpuEnergyAbsence, GpuAbsence, GpuSample, Sample

SPEEDS = (1.0, 0.1, 0.01)
_TICK_MS = 33
# Samples from before the request show where the machine stood.
_LONGEST_LEAD_NS = 1_000_000_000
_PAUSE_NS = 1_000_000_000
_WHOLE = ("_bytes", "_mw", "_mj", "_c")


@dataclass(frozen=True, slots=True)
class _Paint:
    t_ns: int


_Item = Event | Sample | _Paint


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
        self._items = sorted(_items(record), key=lambda item: item.t_ns)
        self._n_given = 0
        self._begin_ns = min((item.t_ns for item in self._items), default=0)
        self._end_ns = max((item.t_ns for item in self._items), default=0)
        self._position_ns = self._begin_ns
        self._offset_ns = -self._begin_ns
        self._request_id = 1
        self._has_submitted = False
        self._speed_ratio = 1.0
        self._last_ns = 0
        self.store = TelemetryStore(self._now_ns, parent=self)
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
        upcoming = self._items[self._n_given :]
        t_ns = next((item.t_ns for item in upcoming if _is_step(item)), self._end_ns)
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
        batch: list[Event] = []
        while not self.is_over and self._items[self._n_given].t_ns <= self._position_ns:
            item = self._items[self._n_given]
            self._n_given += 1
            shifted_ns = item.t_ns + self._offset_ns
            if isinstance(item, Sample):
                self.store.on_sample(replace(item, t_ns=shifted_ns))
            elif isinstance(item, _Paint):
                self.store.on_first_paint(self._request_id, shifted_ns)
            else:
                batch.append(replace(item, t_ns=shifted_ns, request_id=self._request_id))
        if batch:
            self.store.on_events(tuple(batch))
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


def _is_step(item: _Item) -> bool:
    return not isinstance(item, Sample | _Paint | MemoryChanged)


def _items(record: RunRecord) -> list[_Item]:
    return [*_events(record), *_samples(record), *_paints(record)]


def _events(record: RunRecord) -> list[Event]:
    """What the engine said, as far as it was recorded; the request id is set when it is played."""
    trace = record.trace
    found: list[Event] = []
    if trace.t_start_ns is not None:
        found.append(Started(request_id=0, t_ns=trace.t_start_ns))
    if trace.t_prompt_ready_ns is not None:
        found.append(
            PromptReady(
                request_id=0,
                t_ns=trace.t_prompt_ready_ns,
                n_prompt_tokens=trace.n_prompt_tokens or 0,
                n_cached_tokens=trace.n_cached_tokens or 0,
                n_dropped_messages=record.n_dropped_messages,
            )
        )
    found += [
        PrefillProgress(request_id=0, t_ns=t_ns, n_done_tokens=n_done)
        for t_ns, n_done in zip(trace.prefill_t_ns, trace.prefill_n_done_tokens, strict=True)
    ]
    if trace.t_prefill_end_ns is not None:
        found.append(PrefillDone(request_id=0, t_ns=trace.t_prefill_end_ns))
    found += [
        MemoryChanged(request_id=0, t_ns=mark.t_ns, memory=mark.memory) for mark in record.memory
    ]
    found += [
        Step(request_id=0, t_ns=t_ns, n_tokens=n_tokens, text="")
        for t_ns, n_tokens in zip(trace.step_t_ns, trace.step_n_tokens, strict=True)
    ]
    t_end_ns = trace.t_end_ns or 0
    if trace.error is not None:
        found.append(Failed(request_id=0, t_ns=t_end_ns, error=trace.error))
    else:
        reason, n_output = trace.finish_reason or FinishReason.END, trace.n_output_tokens
        found.append(
            Finished(request_id=0, t_ns=t_end_ns, reason=reason, text="", n_output_tokens=n_output)
        )
    return found


def _paints(record: RunRecord) -> list[_Item]:
    return [] if record.felt_ttft_ns is None else [_Paint(record.felt_ttft_ns)]


def _samples(record: RunRecord) -> list[Sample]:
    track, n_columns = record.samples, len(SAMPLE_COLUMNS)
    found = []
    for index, t_ns in enumerate(track.t_ns):
        if t_ns < -_LONGEST_LEAD_NS:
            continue
        values = track.values[index * n_columns : (index + 1) * n_columns]
        row = {
            name: None if math.isnan(value) else round(value) if name.endswith(_WHOLE) else value
            for name, value in zip(SAMPLE_COLUMNS.values(), values, strict=True)
        }
        found.append(_sample(t_ns, row, track.constants))
    return found


def _sample(
    t_ns: int, row: dict[str, float | int | None], constants: dict[str, str | int | None]
) -> Sample:
    n_cores, total = constants.get("n_cores"), constants.get("machine_total_bytes")
    own = {name: value for name, value in row.items() if not name.startswith("gpu_")}
    of_gpu = {name[4:]: value for name, value in row.items() if name.startswith("gpu_")}
    name = constants.get("gpu_name")
    absence = constants.get("gpu_absence")
    gpus: tuple[GpuSample, ...] = ()
    if isinstance(name, str) and any(value is not None for value in of_gpu.values()):
        gpu_total = constants.get("gpu_memory_total_bytes")
        limit = constants.get("gpu_power_limit_mw")
        gpus = (
            GpuSample(
                index=0,
                name=name,
                memory_total_bytes=gpu_total if isinstance(gpu_total, int) else None,
                power_limit_mw=limit if isinstance(limit, int) else None,
                **of_gpu,  # type: ignore[arg-type] # whole numbers where the field is one
            ),
        )
    cpu_absence = constants.get("cpu_energy_absence")
    is_known_cpu = cpu_absence in [member.value for member in CpuEnergyAbsence]
    is_known_absence = absence in [member.value for member in GpuAbsence]
    return Sample(
        t_ns=t_ns,
        n_cores=n_cores if isinstance(n_cores, int) else None,
        machine_total_bytes=total if isinstance(total, int) else None,
        gpus=gpus,
        cpu_energy_absence=CpuEnergyAbsence(str(cpu_absence)) if is_known_cpu else None,
        gpu_absence=GpuAbsence(str(absence)) if is_known_absence and not gpus else None,
        **own,  # type: ignore[arg-type] # whole numbers where the field is one
    )
