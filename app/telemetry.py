"""What the live panels show: figures of answers and of the machine, over time, bounded.

Everything is in seconds since the store was made, on the clock of `time.perf_counter_ns()`.
Kept in full: the last 131,072 engine steps (32 answers of 4,000 tokens) and as many samples (nine
hours of answers, a day and a half of idling). Older steps are one row a second for more than an
hour of decoding; of 24 hours there is one row of samples every two seconds. The figures of the
last 1,024 turns, 512 phases and 1,024 marks are kept. `most_bytes` is what all rows may take.
"""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from app.ceilings import CeilingStore
from app.energy import Energy, answer_energies
from app.engine_state import wants_all_cores
from app.machine import Machine
from app.mark_finder import MarkFinder
from app.marks import BREAKS, Mark, MarkKind, MarkTrack
from app.phases import Phase, PhaseTrack
from app.sample_history import sample_history
from app.sample_row import counted_gpus, engine_gpu, sample_rows
from app.token_rows import TokenRows
from app.turn_track import TurnTrack
from app.turns import Turn
from engine.events import (
    CellsFound,
    Event,
    Failed,
    Finished,
    FinishReason,
    Loaded,
    LoadProgress,
    LoadStage,
    MemoryChanged,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
)
from engine.samples import GpuSample, Sample
from engine.values import MemoryUse

# Idle samples come once a second, old ones every two: further away is another moment.
_SAMPLE_WITHIN_S = 2.5
_KvRows = list[tuple[float, int | None]]


class TelemetryStore(QObject):
    """History of what was measured. Lives in the main thread.

    Attributes:
        steps: "rate" (tok/s over the last second), "itl" (ns), "tokens" of each engine step.
        kv: "tokens" and "bytes" that the KV cache holds.
        samples: "engine_rss", "machine_used" (bytes), "engine_cpu", "window_cpu", "machine_cpu"
            (cores), "cpu_energy" (mJ), "cpu_power" (mW), and of the engine's GPU "gpu_use"
            (ratio), "gpu_power" (mW), "gpu_temperature" (°C), "gpu_memory", "gpu_process_memory"
            (bytes), "gpu_energy" (mJ).
        rows: Holds `steps` and `kv`.
        phases: What the engine was doing.
        marks: What happened at single moments.
        machine: What this machine has, as it was last found.
        predicted: What the model, or the one that loads, is expected to allocate; else None.

    Signals:
        changed(): Something is new; at most once for a batch of events and once for a sample.
        running_changed(bool): An answer or a load began, or none is left.
    """

    changed = Signal()
    running_changed = Signal(bool)

    def __init__(
        self,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
        ceilings: CeilingStore | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Begin empty; `ceilings` knows what the devices reach at most, where somebody does."""
        super().__init__(parent)
        self.ceilings = ceilings
        if ceilings is not None:
            ceilings.changed.connect(self.changed)
        self._clock_ns = clock_ns
        self._origin_ns = clock_ns()
        self.rows = TokenRows(self._origin_ns)
        self.steps, self.kv = self.rows.steps, self.rows.kv
        self.samples = sample_history()
        self.phases = PhaseTrack()
        self.marks = MarkTrack()
        self._finder = MarkFinder()
        self._turns = TurnTrack()
        self._loading: set[int] = set()
        self._loaded: Loaded | None = None
        self._memory: MemoryUse | None = None
        self.predicted: MemoryUse | None = None
        self._sample: Sample | None = None
        self._gpu: GpuSample | None = None
        self._span_s: tuple[float, float | None] | None = None
        self._span_before_s: tuple[float, float | None] | None = None
        self._was_running = False
        self.machine = Machine()

    @property
    def now_s(self) -> float:
        """The time now."""
        return self.to_s(self._clock_ns())

    def to_s(self, t_ns: int) -> float:
        """A stamp on the store's clock."""
        return (t_ns - self._origin_ns) / 1e9

    def to_ns(self, t_s: float) -> int:
        """The stamp of a moment on the store's clock."""
        return self._origin_ns + round(t_s * 1e9)

    @property
    def most_bytes(self) -> int:
        """What the rows of steps and samples take at most."""
        return self.steps.most_bytes + self.kv.most_bytes + self.samples.most_bytes

    @property
    def is_running(self) -> bool:
        """Whether an answer or a load is under way."""
        return bool(self._turns.running or self._loading)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The last turns, oldest first, without trials."""
        return tuple(self._turns.kept)

    @property
    def turn(self) -> Turn | None:
        """The last turn, which may be a trial."""
        return self._turns.last

    @property
    def loaded(self) -> Loaded | None:
        """The model and its KV layout; None when there is none."""
        return self._loaded

    @property
    def wants_all_cores(self) -> bool:
        """Whether the engine computes with as many threads as the machine has cores."""
        return wants_all_cores(self._loaded, self.machine.n_cores)

    @property
    def memory(self) -> MemoryUse | None:
        """What the engine has allocated, as it last said; None when there is no model."""
        return self._memory

    @property
    def sample(self) -> Sample | None:
        """The newest sample; None where it is not known how the machine stands now."""
        return self._sample

    @property
    def gpu(self) -> GpuSample | None:
        """The GPU shown: the one with most of the engine's memory, else the first."""
        return self._gpu

    @property
    def span_s(self) -> tuple[float, float | None] | None:
        """Begin and end of the last answer, or of the load before the first.

        The end is None while it runs.
        """
        return self._span_s

    def sample_at(self, t_s: float, column: str) -> float | None:
        """The column of `samples` at a moment; None where no sample is near."""
        return self.samples.nearest(t_s, column, within_s=_SAMPLE_WITHIN_S)

    def energies(self, turn: Turn) -> tuple[Energy, ...]:
        """Energy from start to last token of an answer, by device, the one that computed first.

        Nothing where samples are missing in between, or the machine slept.
        """
        t0_ns, t1_ns = turn.t_start_ns, turn.t_last_ns
        if t0_ns is None or t1_ns is None or self.marks.is_broken(t0_ns, t1_ns):
            return ()
        return answer_energies(
            self.samples,
            self.to_s(t0_ns),
            self.to_s(t1_ns),
            turn.figures.n_output_tokens,
            used_gpu=turn.used_gpu,
        )

    @Slot(int, object)
    def on_submitted(self, request_id: int, t_submit_ns: int, *, is_trial: bool = False) -> None:
        """An answer was asked for; a trial moves the panels until `forget_trials`."""
        if is_trial and not (self.turn and self.turn.is_trial):
            self._span_before_s = self._span_s
        turn = Turn(request_id=request_id, t_submit_ns=t_submit_ns, is_trial=is_trial)
        self._turns.begin(turn)
        t_s = self.to_s(t_submit_ns)
        self.phases.begin(request_id, Phase.WAITING, t_s)
        self._span_s = (t_s, None)
        self._announce()

    def forget_trials(self) -> None:
        """Nothing was asked for in trials: no step, phase or figure of one is left.

        The last answer is the last turn again. Of a trial that runs nothing may be told any more.
        """
        last = self.turn
        trials = self._turns.forget_trials()
        if not trials:
            return
        if last in trials:
            self._span_s = self._span_before_s
        self.phases.forget({turn.request_id for turn in trials})
        self.rows.forget(trials)
        self._turns.lose_cells()
        self._announce()

    def clear(self) -> None:
        """Forget all that was told."""
        for history in (self.steps, self.kv, self.samples):
            history.drop()
        self.phases, self.marks = PhaseTrack(), MarkTrack()
        self._finder, self._turns = MarkFinder(), TurnTrack()
        self._loading.clear()
        self._loaded = self._memory = self.predicted = None
        self._sample = self._gpu = self._span_s = self._span_before_s = None
        self.machine = Machine()
        self._announce()

    def lose_cells(self) -> None:
        """The KV cache holds something else now than what was told, until the next prompt."""
        self._turns.lose_cells()
        self._append_kv([(self.now_s, None)])

    @Slot(int, object)
    def on_first_paint(self, request_id: int, t_paint_ns: int) -> None:
        """The window painted the first text of an answer."""
        if (turn := self._turns.find(request_id)) is not None:
            turn.felt_ttft_ns = turn.felt_ns(t_paint_ns)
            self.changed.emit()

    @Slot(object)
    def on_events(self, batch: tuple[Event, ...]) -> None:
        """The engine said this since the last frame."""
        kv_rows: _KvRows = []
        touched: set[int] = set()
        for event in batch:
            # What happens in a trial happens to nobody.
            if not isinstance(event, Step) and not self._turns.is_trial(event.request_id):
                for mark in self._finder.marks_of(event):
                    self.marks.add(mark)
            # What an engine that is gone says late counts no more.
            if isinstance(event, MemoryChanged) and self._loaded is not None:
                self._memory = event.memory
            turn = self._turns.running.get(event.request_id)
            if turn is None:
                self._take_load_event(event, kv_rows)
                continue
            turn.add(event)
            touched.add(event.request_id)
            self._follow(turn, event, kv_rows)
        for request_id in touched:
            turn = self._turns.running[request_id]
            self.rows.append_steps(turn)
            if turn.is_over:
                self._turns.close(request_id)
        self._append_kv(kv_rows)
        if batch:
            self._announce()

    @Slot(object)
    def on_mark(self, mark: Mark) -> None:
        """Something happened that the engine does not tell of."""
        self.marks.add(mark)
        if mark.kind in BREAKS:
            self.samples.append_blank(self.to_s(mark.t_ns))
        if mark.kind is MarkKind.SAMPLER_RESTARTED:
            # How the machine stands now is not known until the next sample.
            self._sample = self._gpu = None
        self.changed.emit()

    @Slot(int)
    def on_engine_process(self, pid: int) -> None:
        """The engine process changed; with 0 there is none, and nothing is in its cache."""
        if pid == 0:
            self._loaded = self._memory = self.predicted = None
            self._append_kv([(self.now_s, None)])
            self._announce()

    @Slot(object)
    def on_sample(self, sample: Sample) -> None:
        """The sampler took a sample."""
        for mark in self._finder.marks_of_sample(sample):
            self.marks.add(mark)
        before = () if self._sample is None else counted_gpus(self._sample.gpus)
        for row in sample_rows(sample, before):
            columns = {name: [value] for name, value in row.items()}
            self.samples.append([self.to_s(sample.t_ns)], **columns)
        self._sample, self._gpu = sample, engine_gpu(sample.gpus)
        self.machine = self.machine.after(sample)
        self.changed.emit()

    @Slot()
    def on_samples_missed(self) -> None:
        """Several samples are overdue: what was sampled last stands no more for now."""
        if self._sample is not None:
            # Or curves would go on to now.
            self.samples.append_blank(self.to_s(self._sample.t_ns))
            self._sample = self._gpu = None
            self.changed.emit()

    def _follow(self, turn: Turn, event: Event, kv_rows: _KvRows) -> None:
        """Keep phases and KV use in step with an event of an answer."""
        t_s, request_id = self.to_s(event.t_ns), turn.request_id
        match event:
            case Step():
                kv_rows.append((t_s, turn.context_used_tokens))
            case Started():
                turn.loaded = self._loaded
            case PromptReady(n_prompt_tokens=p, n_cached_tokens=c):
                self.phases.begin(request_id, Phase.PREFILL, t_s, cached_ratio=c / p if p else None)
                kv_rows.append((t_s, c))
            case PrefillProgress(n_done_tokens=n_done):
                kv_rows.append((t_s, n_done))
            case PrefillDone():
                self.phases.begin(request_id, Phase.DECODE, t_s)
                kv_rows.append((t_s, turn.n_prompt_tokens))
            case Finished(reason=reason):
                stopped = reason is FinishReason.CANCELLED
                self.phases.end(request_id, t_s, Phase.STOPPED if stopped else None)
                self._end_span(turn, t_s)
            case Failed():
                self.phases.end(request_id, t_s, Phase.FAILED)
                self._end_span(turn, t_s)

    def _take_load_event(self, event: Event, kv_rows: _KvRows) -> None:
        t_s, request_id = self.to_s(event.t_ns), event.request_id
        match event:
            case LoadProgress(stage=stage, predicted=predicted):
                if request_id not in self._loading:
                    self._begin_load(request_id, t_s)
                    kv_rows.append((t_s, None))
                self.predicted = predicted
                phase = Phase.COMPILE if stage is LoadStage.COMPILE else Phase.LOAD
                self.phases.go_on(request_id, phase, t_s)
            case Loaded():
                t_start_s = self.to_s(event.t_start_ns)
                if request_id in self._loading:
                    self.phases.move_begin(request_id, t_start_s)
                    if self._span_s and self._span_s[1] is None and not self._turns.running:
                        self._span_s = (t_start_s, None)
                else:
                    self.phases.begin(request_id, Phase.LOAD, t_start_s)
                self._end_load(request_id, t_s, None)
                self._loaded, self._memory, self.predicted = event, event.memory, event.predicted
                kv_rows.append((t_s, 0))
            case CellsFound():
                if (turn := self._turns.find(request_id)) is not None:
                    turn.add(event)
            case Failed() if request_id in self._loading:
                self._end_load(request_id, t_s, Phase.FAILED)

    def _begin_load(self, request_id: int, t_s: float) -> None:
        self._loading.add(request_id)
        self._loaded = self._memory = self.predicted = None
        self.phases.begin(request_id, Phase.LOAD, t_s)
        if not self._turns.running:
            self._span_s = (t_s, None)

    def _end_load(self, request_id: int, t_s: float, mark: Phase | None) -> None:
        self._loading.discard(request_id)
        self.predicted = None
        self.phases.end(request_id, t_s, mark)
        if self._span_s is not None and self._span_s[1] is None and not self._turns.running:
            self._span_s = (self._span_s[0], t_s)

    def _end_span(self, turn: Turn, t_s: float) -> None:
        if turn is self.turn and self._span_s is not None:
            self._span_s = (self._span_s[0], t_s)

    def _append_kv(self, rows: _KvRows) -> None:
        if rows:
            layout = None if self._loaded is None else self._loaded.kv
            t_s, n_tokens = zip(*rows, strict=True)
            self.rows.append_kv(t_s, n_tokens, layout)

    def _announce(self) -> None:
        if self.is_running != self._was_running:
            self._was_running = self.is_running
            self.running_changed.emit(self._was_running)
        self.changed.emit()
