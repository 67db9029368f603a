"""What watching costs: the decode rate with panels and samples, against without, measured here."""

import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine_state import EngineState, EngineStatus
from app.files import replace_file
from app.marks import Mark, MarkKind
from app.paired import PairedCost, paired_cost
from app.relay import SessionRelay
from app.runs import decode
from app.session import ChatSession
from app.telemetry import TelemetryStore
from engine.events import Event
from engine.figures import RequestTrace
from engine.foreign_json import json_value
from engine.machine import cpu_name
from engine.model_name import display_name
from engine.sampler import IDLE_INTERVAL_MS
from engine.values import ChatMessage, GenerateRequest, Role, SamplingParams

_N_PAIRS = 24
_FILE = "watching.json"
_PROMPT = "Write a long story about a lighthouse keeper, with many details."
_WARM_UP_TOKENS = 32
_ARM_S = 0.6
_LEAST_TOKENS, _MOST_TOKENS = 8, 256
# Far beyond any model, tokens per second; so is one by it.
_MOST_RATE = 1e9
# What is painted last of one run must not reach into the next.
_PAUSE_MS = 150
# Longer than any run: no sample is taken in it.
_NO_SAMPLES_MS = 3_600_000

_log = logging.getLogger(__name__)


class WatchingProblem(StrEnum):
    """Why there is no result."""

    INTERRUPTED = "interrupted"
    NOT_SEEN = "not_seen"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchingCost:
    """What was measured, pair by pair: two short runs, one after the other.

    Attributes:
        machine: Name of its CPU.
        device: What computed, as `EngineInfo.device`.
        model: Name of the model.
        watched_tok_per_s: Decode rates with panels live, and samples four times a second.
        unwatched_tok_per_s: Without both.
        measured_ms: Unix time, milliseconds.
    """

    machine: str
    device: str
    model: str
    watched_tok_per_s: tuple[float, ...]
    unwatched_tok_per_s: tuple[float, ...]
    measured_ms: int


class WatchingMeter(QObject):
    """Measures with the model that is loaded, and keeps what came out. Main thread only.

    The runs belong to no chat and are not recorded. An answer to the person comes first: it ends
    the measurement.

    Attributes:
        n_pairs: How many pairs of runs it takes.
        problem: Why the last measurement gave nothing; None where it did not fail.
        is_seen: Whether somebody can see the panels.

    Signals:
        changed(): A measurement began, went on or ended.
    """

    changed = Signal()

    def __init__(
        self,
        session: ChatSession,
        relay: SessionRelay,
        store: TelemetryStore,
        set_interval_ms: Callable[[int], None],
        cache_dir: Path,
        *,
        n_pairs: int = _N_PAIRS,
        pause_ms: int = _PAUSE_MS,
        parent: QObject | None = None,
    ) -> None:
        """Read what is kept; measure nothing.

        Args:
            session: Runs the model.
            relay: Tells `store` of runs that are watched, and of no other.
            store: What the panels show.
            set_interval_ms: Sets how often samples are taken.
            cache_dir: Folder of the file.
            n_pairs: Of runs.
            pause_ms: Between two runs.
            parent: Owner.
        """
        super().__init__(parent)
        self._session, self._relay, self._store = session, relay, store
        self._set_interval_ms = set_interval_ms
        self.n_pairs = n_pairs
        self._file = cache_dir / _FILE
        self._known = _read(self._file, cpu_name())
        self._cost: tuple[WatchingCost, PairedCost] | None = None
        self.problem: WatchingProblem | None = None
        self.is_seen: Callable[[], bool] = lambda: True
        self._order: list[bool] = []
        self._rates: dict[bool, list[float]] = {True: [], False: []}
        self._n_tokens = self._begun_ns = 0
        self._is_watched = False
        self._trace: RequestTrace | None = None
        self._ending: RequestTrace | None = None
        self._n_begun = 0
        self._is_measuring = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(pause_ms)
        self._pause.timeout.connect(self._begin_run)
        session.events_arrived.connect(self._on_events)
        session.engine_changed.connect(self._on_engine_changed)
        self._ceilings = store.ceilings
        if self._ceilings is not None:
            self._ceilings.changed.connect(self._on_ceilings_changed)

    @property
    def is_measuring(self) -> bool:
        """Whether a measurement is under way."""
        return self._is_measuring

    @property
    def n_done_pairs(self) -> int:
        """Of `n_pairs`, while it measures."""
        return min(map(len, self._rates.values()))

    @property
    def can_measure(self) -> bool:
        """Whether a model is ready, and nobody waits for an answer."""
        ready = self._session.engine_state.status is EngineStatus.READY
        ready = ready and not self._measures_ceilings()
        return ready and not self._is_measuring and self._session.running_answer is None

    def known(self) -> WatchingCost | None:
        """What was measured last, with the model that is loaded and what it runs on."""
        key = self._key()
        return None if key is None else self._known.get(key)

    def cost(self) -> PairedCost | None:
        """The share of the decode rate that was lost, by what is `known`."""
        known = self.known()
        if known is None:
            return None
        if self._cost is None or self._cost[0] is not known:
            self._cost = known, paired_cost(known.watched_tok_per_s, known.unwatched_tok_per_s)
        return self._cost[1]

    def measure(self) -> None:
        """Begin; nothing where it cannot."""
        if not self.can_measure:
            return
        self._is_measuring, self.problem = True, None
        self._rates = {True: [], False: []}
        self._n_tokens = self._n_begun = 0
        # Each comes first in half of the pairs: what changes slowly then weighs on both.
        self._order = [watched for pair in range(self.n_pairs) for watched in _pair(pair)]
        self._begun_ns = time.perf_counter_ns()
        self._store.on_mark(Mark(kind=MarkKind.MEASURING, t_ns=self._begun_ns))
        self._begin_run()

    def stop(self) -> None:
        """End a measurement that runs. May be called at any time."""
        if self._is_measuring:
            self._end(WatchingProblem.INTERRUPTED)

    def _begin_run(self) -> None:
        """The next run, or the end. The first only warms up, and says how many tokens will do."""
        if not self._is_measuring:
            return
        if self._ending is not None:
            # Of the measurement before, which was stopped a moment ago.
            self.changed.emit()
            return
        is_warm_up = not self._n_tokens
        if not is_warm_up and self.n_done_pairs == self.n_pairs:
            self._finish()
            return
        if not self.is_seen():
            self._end(WatchingProblem.NOT_SEEN)
            return
        self._is_watched = not is_warm_up and self._order[self._n_begun]
        self._n_begun += not is_warm_up
        if not self._is_watched:
            self._set_interval_ms(_NO_SAMPLES_MS)
        t_submit_ns = time.perf_counter_ns()
        request_id = self._session.try_out(
            GenerateRequest(
                request_id=0,
                t_submit_ns=t_submit_ns,
                messages=(ChatMessage(role=Role.USER, content=_PROMPT),),
                sampling=SamplingParams(temperature=0.0, seed=1),
                max_tokens=self._n_tokens or _WARM_UP_TOKENS,
                ignore_end=True,
            )
        )
        if request_id is None:
            self._end(WatchingProblem.INTERRUPTED)
            return
        self._trace = RequestTrace(request_id, t_submit_ns)
        if self._is_watched:
            self._store.on_submitted(request_id, t_submit_ns, is_trial=True)
        else:
            self._relay.mute(request_id)
            self._store.lose_cells()
        self.changed.emit()

    def _on_events(self, batch: tuple[Event, ...]) -> None:
        trace = self._trace or self._ending
        if trace is None:
            return
        for event in batch:
            if event.request_id == trace.request_id:
                trace.add(event)
        if not trace.ended:
            return
        if trace is self._ending:
            self._ending = None
            self._begin_run()
        else:
            self._trace = None
            self._take(trace)

    def _take(self, trace: RequestTrace) -> None:
        rate = trace.figures().decode_rate_tok_per_s
        if self._session.running_answer is not None:
            self._end(WatchingProblem.INTERRUPTED)
        elif rate is None or trace.n_output_tokens < (self._n_tokens or _LEAST_TOKENS):
            _log.warning("a run gave %d tokens: %s", trace.n_output_tokens, trace.error)
            self._end(WatchingProblem.FAILED)
        else:
            if self._n_tokens:
                self._rates[self._is_watched].append(rate)
            else:
                most = min(_MOST_TOKENS, self._room(trace))
                self._n_tokens = max(_LEAST_TOKENS, min(most, round(rate * _ARM_S)))
            self.changed.emit()
            self._pause.start()

    def _room(self, trace: RequestTrace) -> int:
        """Tokens that the context has left after the prompt of a run."""
        loaded = self._session.engine_state.loaded
        return 0 if loaded is None else loaded.engine.n_ctx - (trace.n_prompt_tokens or 0)

    def _finish(self) -> None:
        key = self._key()
        if key is None:
            self._end(WatchingProblem.INTERRUPTED)
            return
        device, model = key
        self._known[key] = WatchingCost(
            machine=cpu_name(),
            device=device,
            model=model,
            watched_tok_per_s=tuple(self._rates[True]),
            unwatched_tok_per_s=tuple(self._rates[False]),
            measured_ms=time.time_ns() // 1_000_000,
        )
        kept = [asdict(known) for known in self._known.values()]
        # What cannot be kept is measured again another day.
        with suppress(OSError):
            replace_file(self._file, json.dumps(kept, indent=1).encode())
        self._end(None)

    def _end(self, problem: WatchingProblem | None) -> None:
        self._is_measuring, self.problem = False, problem
        self._pause.stop()
        now_ns = time.perf_counter_ns()
        took_ns = now_ns - self._begun_ns
        self._store.on_mark(Mark(kind=MarkKind.MEASURING, t_ns=now_ns, detail=(took_ns,)))
        if self._trace is not None:
            self._relay.mute(self._trace.request_id)
            self._ending, self._trace = self._trace, None
        self._store.forget_trials()
        self._session.stop_trial()
        if not self._store.is_running:
            self._set_interval_ms(IDLE_INTERVAL_MS)
        self.changed.emit()

    def _on_engine_changed(self, state: EngineState) -> None:
        if self._is_measuring and state.status is not EngineStatus.READY:
            self._end(WatchingProblem.INTERRUPTED)
        else:
            self.changed.emit()

    def _on_ceilings_changed(self) -> None:
        """The limits of a device are measured with all cores."""
        if self._measures_ceilings():
            self.stop()
        self.changed.emit()

    def _measures_ceilings(self) -> bool:
        return self._ceilings is not None and self._ceilings.measuring is not None

    def _key(self) -> tuple[str, str] | None:
        loaded = self._session.engine_state.loaded
        return None if loaded is None else (loaded.engine.device, display_name(loaded.model))


def _pair(index: int) -> tuple[bool, bool]:
    return (True, False) if index % 2 == 0 else (False, True)


def _read(file: Path, machine: str) -> dict[tuple[str, str], WatchingCost]:
    """What the file says of this machine; nothing where it cannot be read."""
    try:
        entries = json_value(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = (_parse(entry) for entry in (entries if isinstance(entries, list) else []))
    return {
        (known.device, known.model): known
        for known in found
        if known is not None and known.machine == machine
    }


def _parse(entry: object) -> WatchingCost | None:
    """One measurement; None where something is missing, or cannot be."""
    if not isinstance(entry, dict) or {field.name for field in fields(WatchingCost)} - entry.keys():
        return None
    try:
        cost = WatchingCost(
            machine=decode.text(entry["machine"]),
            device=decode.text(entry["device"]),
            model=decode.text(entry["model"]),
            watched_tok_per_s=tuple(map(float, entry["watched_tok_per_s"])),
            unwatched_tok_per_s=tuple(map(float, entry["unwatched_tok_per_s"])),
            measured_ms=decode.date_ms(entry["measured_ms"]),
        )
    except (TypeError, ValueError, OverflowError):
        return None
    watched, unwatched = cost.watched_tok_per_s, cost.unwatched_tok_per_s
    is_whole = len(watched) == len(unwatched) > 1
    are_rates = all(1 / _MOST_RATE <= rate <= _MOST_RATE for rate in (*watched, *unwatched))
    return cost if is_whole and are_rates else None
