"""Decode rates of one window, watched, minimised and headless in turn, with one engine."""

import json
import statistics
import sys
import time
from collections.abc import Callable
from enum import StrEnum

import psutil
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import main
from app.engine_state import EngineState, EngineStatus
from app.paths import AppPaths
from app.transcript import Answer
from engine.events import Event
from engine.figures import RequestTrace
from engine.process import EngineProcess
from engine.sampler import IDLE_INTERVAL_MS
from engine.values import ChatMessage, GenerateRequest, Role
from tests.benchmarks.window_run import PROMPT

_SIZE = (1920, 1080)
_SETTLE_MS = 500
_ARM_S = 1.0
_LEAST_STEPS, _MOST_TOKENS = 16, 400
_NO_SAMPLES_MS = 3_600_000


class Arm(StrEnum):
    """What is going on beside the engine."""

    HEADLESS = "headless"
    WATCHED = "watched"
    MINIMISED = "minimised"


class Rotation:
    """One window and one engine; every round has each arm once, in changing order.

    Headless means: nobody sees the text, no panel is drawn and no sample taken.
    """

    def __init__(
        self, n_rounds: int, paths: AppPaths, start_engine: Callable[[], EngineProcess]
    ) -> None:
        arms = list(Arm)
        self._plan = [arms[(i + turn) % 3] for turn in range(n_rounds) for i in range(3)]
        self.rates: dict[Arm, list[float]] = {arm: [] for arm in Arm}
        # CPU time that is not the engine's, in cores: steadier than rates on a busy machine.
        self.cores: dict[Arm, list[float]] = {arm: [] for arm in Arm}
        self._cpu_begin: tuple[float, float] | None = None
        self._trace: RequestTrace | None = None
        self._arm = Arm.HEADLESS
        self._is_warm = False
        self._has_begun = False
        self.application = QApplication([])
        self.window = main.WindowApplication(
            self.application,
            paths,
            start_engine,
            main.first_load(None, paths),
            locale=main.person_locale(),
        )
        self.session = self.window.session
        self.session.engine_changed.connect(self._on_engine)
        self.session.answer_changed.connect(self._on_answer)
        self.session.events_arrived.connect(self._on_events)

    def run(self) -> None:
        self.window.window.resize(*_SIZE)
        self.window.show()
        self.application.exec()
        self.window.close()
        loaded = self.session.engine_state.loaded
        threads = None if loaded is None else loaded.engine.n_threads
        result = {"rates": self.rates, "cores": self.cores, "n_threads": threads}
        sys.stdout.write(json.dumps(result) + "\n")

    def _on_engine(self, state: EngineState) -> None:
        if state.status is EngineStatus.READY and not self._has_begun:
            self._has_begun = True
            QTimer.singleShot(2_000, self._show_all)

    def _show_all(self) -> None:
        column = self.window.window.columns.telemetry
        if column is None:
            QTimer.singleShot(100, self._show_all)
            return
        column.show_all()  # type: ignore[attr-defined] # a TelemetryColumn
        QTimer.singleShot(_SETTLE_MS, self._begin)

    def _begin(self) -> None:
        if not self._plan:
            self.application.quit()
            return
        # The first warms up.
        self._arm = self._plan.pop(0) if self._is_warm else Arm.WATCHED
        if self._arm is Arm.MINIMISED:
            self.window.window.showMinimized()
        else:
            self.window.window.showNormal()
        self._panels.reader.set_interval_ms(
            _NO_SAMPLES_MS if self._arm is Arm.HEADLESS else IDLE_INTERVAL_MS
        )
        QTimer.singleShot(_SETTLE_MS, self._ask)

    @property
    def _panels(self):  # type: ignore[no-untyped-def] # noqa: ANN202 - imported after the paint
        assert self.window.live_panels is not None
        return self.window.live_panels

    def _cpu(self) -> tuple[float, float]:
        """The time, and CPU time of the window and the sampler so far; seconds."""
        processes = [psutil.Process()]
        if (pid := self._panels.reader.pid) is not None:
            processes.append(psutil.Process(pid))
        times = [process.cpu_times() for process in processes]
        return time.perf_counter(), sum(spent.user + spent.system for spent in times)

    def _ask(self) -> None:
        self._cpu_begin = None
        if self._arm is not Arm.HEADLESS:
            self.session.new_chat()
            self.session.send(PROMPT)
            return
        t_submit_ns = time.perf_counter_ns()
        request_id = self.session.try_out(
            GenerateRequest(
                request_id=0,
                t_submit_ns=t_submit_ns,
                messages=(ChatMessage(role=Role.USER, content=PROMPT),),
                max_tokens=_MOST_TOKENS,
            )
        )
        assert request_id is not None
        self.window._relay.mute(request_id)
        self._trace = RequestTrace(request_id, t_submit_ns)

    def _on_events(self, batch: tuple[Event, ...]) -> None:
        trace = self._trace
        if trace is None:
            return
        for event in batch:
            if event.request_id == trace.request_id:
                trace.add(event)
        self._watch_cpu(trace)
        if _is_enough(trace):
            self.session.stop_trial()
        if trace.ended:
            self._trace = None
            self._take(trace)

    def _on_answer(self, answer: Answer) -> None:
        self._watch_cpu(answer.trace)
        if _is_enough(answer.trace):
            self.session.stop()
        if answer.phase.is_over:
            self._take(answer.trace)

    def _watch_cpu(self, trace: RequestTrace) -> None:
        if self._cpu_begin is None and trace.t_first_ns is not None:
            self._cpu_begin = self._cpu()

    def _take(self, trace: RequestTrace) -> None:
        if self._is_warm:
            rate = trace.figures().decode_rate_tok_per_s
            if rate is not None and len(trace.step_t_ns) >= _LEAST_STEPS:
                self.rates[self._arm].append(rate)
                assert self._cpu_begin is not None
                (t0_s, cpu0_s), (t1_s, cpu1_s) = self._cpu_begin, self._cpu()
                self.cores[self._arm].append((cpu1_s - cpu0_s) / (t1_s - t0_s))
            else:
                self._plan.insert(0, self._arm)
        self._is_warm = True
        QTimer.singleShot(_SETTLE_MS, self._begin)


def costs(rates: dict[str, list[float]], arm: Arm) -> list[float]:
    """What an arm loses against headless, round by round, percent."""
    pairs = zip(rates[arm], rates[Arm.HEADLESS], strict=True)
    return [100 * (1 - rate / alone) for rate, alone in pairs]


def spread(values: list[float]) -> tuple[float, float, float]:
    """First quartile, median, third quartile."""
    first, middle, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, middle, third


def _is_enough(trace: RequestTrace) -> bool:
    first_ns, last_ns = trace.t_first_ns, trace.t_last_ns
    if first_ns is None or last_ns is None or len(trace.step_t_ns) < _LEAST_STEPS:
        return False
    return last_ns - first_ns > _ARM_S * 1e9
