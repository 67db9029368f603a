"""Records every request: gathers in the main thread, and lets the library write."""

import os
import time
from collections import deque
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from app.mark_finder import MarkFinder
from app.marks import BREAKS, Mark, MarkKind
from app.runs.record import MOST_DATE_MS, MemoryMark, RunRecord, SampleTrack
from app.transcript import now_ms
from app.version import VERSION
from engine.events import (
    CellsFound,
    CellSpan,
    Event,
    Finished,
    FinishReason,
    Loaded,
    MemoryChanged,
    PromptReady,
    Started,
)
from engine.figures import RequestTrace
from engine.model_name import display_name
from engine.samples import Sample
from engine.values import GenerateRequest, LoadOptions

# The sample after the end closes the energy of the last tokens; it comes within a second.
_LATE_S = 3.0
# Samples from before the request: idle ones come once a second.
_MOST_EARLY = 2
# A request with more is a machine in trouble, which the first of them tell.
_MOST_MARKS = 256
# What is read from the stamps of a run when it is shown.
_IN_STAMPS = frozenset(
    {
        MarkKind.CACHE_REUSE,
        MarkKind.CONTEXT_DROPPED,
        MarkKind.CPU_FALLBACK,
        MarkKind.STOP,
        MarkKind.FAILED,
    }
)


@dataclass(slots=True, kw_only=True)
class _Run:
    run_id: str
    created_ms: int
    request: GenerateRequest
    trace: RequestTrace
    samples: SampleTrack
    loaded: Loaded | None = None
    options: LoadOptions | None = None
    n_dropped_messages: int = 0
    felt_ttft_ns: int | None = None
    memory: list[MemoryMark] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    load_span_ns: tuple[int, int] | None = None
    answer_number: int = 0
    prompt_cells: tuple[CellSpan, ...] = ()


class RunRecorder(QObject):
    """Collects what is said and sampled during each request. Main thread only.

    A run is complete when its request ends, and is handed on then; it is handed on once more
    when what comes a moment later is there: the first sample after the end, the first paint, or
    what the cells of its prompt hold.

    Signals:
        recorded(RunRecord): A request has ended. Again with the same id when more is known.
    """

    recorded = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        """Begin with nothing to record."""
        super().__init__(parent)
        self._running: dict[int, _Run] = {}
        # Waits for the first sample after its end.
        self._ended: _Run | None = None
        # May be painted for the first time, or learn what its cells hold, after that.
        self._last: _Run | None = None
        self._loaded: Loaded | None = None
        self._options: LoadOptions | None = None
        self._finder = MarkFinder()
        self._last_samples: deque[Sample] = deque(maxlen=_MOST_EARLY)

    def on_requested(self, request: GenerateRequest) -> None:
        """An answer was asked for."""
        samples = SampleTrack()
        for sample in self._last_samples:
            samples.add(sample)
        self._running[request.request_id] = _Run(
            run_id=os.urandom(8).hex(),
            # A clock may stand anywhere; the file has a date of the years 1970 to 9999.
            created_ms=min(max(0, now_ms()), MOST_DATE_MS),
            request=request,
            trace=RequestTrace(request.request_id, request.t_submit_ns),
            samples=samples,
        )

    def on_options(self, options: LoadOptions | None) -> None:
        """This is what the last load was asked for with."""
        self._options = options

    def on_events(self, batch: tuple[Event, ...]) -> None:
        """The engine said this since the last frame."""
        for event in batch:
            for mark in self._finder.marks_of(event):
                if mark.kind not in _IN_STAMPS:
                    self.on_mark(mark)
            run = self._running.get(event.request_id)
            if run is not None:
                self._take(run, event)
            elif isinstance(event, Loaded):
                self._loaded = event
            elif isinstance(event, CellsFound):
                self._take_cells(event)

    def on_mark(self, mark: Mark) -> None:
        """Something happened that the engine does not tell of."""
        for run in self._running.values():
            if len(run.marks) < _MOST_MARKS:
                run.marks.append(mark)
        if mark.kind in BREAKS:
            self._last_samples.clear()
            ended = () if self._ended is None else (self._ended,)
            for run in (*self._running.values(), *ended):
                run.samples.add_blank(mark.t_ns)

    def on_sample(self, sample: Sample) -> None:
        """The sampler took a sample."""
        for mark in self._finder.marks_of_sample(sample):
            self.on_mark(mark)
        self._last_samples.append(sample)
        for run in self._running.values():
            run.samples.add(sample)
        ended = self._ended
        if ended is None or ended.trace.t_end_ns is None:
            return
        late_ns = sample.t_ns - ended.trace.t_end_ns
        if late_ns < _LATE_S * 1e9:
            # Samples may be told after the end that were taken before it.
            ended.samples.add(sample)
        if late_ns >= 0:
            self._ended = None
            if late_ns < _LATE_S * 1e9:
                self._hand_on(ended)

    def on_first_paint(self, request_id: int, t_paint_ns: int) -> None:
        """The window painted the first text of an answer."""
        run = self._running.get(request_id)
        if run is None and self._last is not None:
            run = self._last if self._last.trace.request_id == request_id else None
        if run is not None:
            run.felt_ttft_ns = run.trace.span_ns(t_paint_ns, run.trace.t_submit_ns)
            if run is self._last:
                self._hand_on(run)

    def close(self) -> None:
        """End what runs, as a stop would: the application is closing."""
        for run in list(self._running.values()):
            if run.trace.t_start_ns is not None:
                self._take(
                    run,
                    Finished(
                        request_id=run.trace.request_id,
                        t_ns=time.perf_counter_ns(),
                        reason=FinishReason.CANCELLED,
                        text="",
                        n_output_tokens=run.trace.n_output_tokens,
                    ),
                )

    def _take(self, run: _Run, event: Event) -> None:
        run.trace.add(event)
        match event:
            case Started():
                run.loaded, run.options = self._loaded, self._options
                loaded = self._loaded
                if loaded is not None and loaded.t_ns > run.trace.t_submit_ns:
                    run.load_span_ns = (loaded.t_start_ns, loaded.t_ns)
            case PromptReady(n_dropped_messages=n_dropped, answer_number=number):
                run.n_dropped_messages, run.answer_number = n_dropped, number
            case MemoryChanged(t_ns=t_ns, memory=memory):
                run.memory.append(MemoryMark(t_ns=t_ns, memory=memory))
            case _:
                pass
        if run.trace.ended:
            del self._running[run.trace.request_id]
            self._ended = self._last = run
            self._hand_on(run)

    def _take_cells(self, event: CellsFound) -> None:
        """It was found after the end, while nothing else waited."""
        run = self._last
        if run is not None and run.trace.request_id == event.request_id:
            run.prompt_cells = event.cells
            self._hand_on(run)

    def _hand_on(self, run: _Run) -> None:
        # It loads psutil, which the start of the window does not wait for.
        from engine.record import request_record

        loaded = run.loaded
        self.recorded.emit(
            RunRecord(
                run_id=run.run_id,
                created_ms=run.created_ms,
                app_version=VERSION,
                model_name="" if loaded is None else display_name(loaded.model),
                options=run.options,
                loaded=loaded,
                request=request_record(run.request),
                n_dropped_messages=run.n_dropped_messages,
                felt_ttft_ns=run.felt_ttft_ns,
                trace=run.trace,
                memory=tuple(run.memory),
                samples=run.samples.copy(),
                marks=tuple(run.marks),
                load_span_ns=run.load_span_ns,
                answer_number=run.answer_number,
                prompt_cells=run.prompt_cells,
            )
        )
