"""One measurement of the real window."""

import json
import os
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median

import psutil
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

import main
from app.engine_state import EngineState, EngineStatus
from app.paths import AppPaths
from app.transcript import Answer
from engine.backends.scripted import Script
from engine.process import EngineProcess
from engine.values import LoadOptions
from tests.benchmarks.turn_samples import TurnSamples

PROMPT = "Write a long story about a lighthouse keeper, with many details."
N_TOKENS = 300
# Tokens whose cost is taken together, and how many of such at the start and at the end.
N_AT_A_TIME = 500
N_COMPARED = 8


class GapMeter(QObject):
    """How long the main thread did not come back to its event loop, milliseconds."""

    def __init__(self, interval_ms: int = 4) -> None:
        super().__init__()
        self.gaps_ms: list[float] = []
        # CPU time of the thread says what is its own when others use the machine too.
        self.busy_ms: list[float] = []
        self.samples = TurnSamples()
        self._interval_ms = interval_ms
        self._last_ns, self._last_busy_ns = time.perf_counter_ns(), time.thread_time_ns()
        self._timer = QTimer(self, interval=interval_ms)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._last_ns, self._last_busy_ns = time.perf_counter_ns(), time.thread_time_ns()
        self._timer.start()
        self.samples.start()

    def stop(self) -> None:
        """Measure no more."""
        self._timer.stop()
        self.samples.stop()

    def _tick(self) -> None:
        now_ns, busy_ns = time.perf_counter_ns(), time.thread_time_ns()
        self.gaps_ms.append((now_ns - self._last_ns) / 1e6 - self._interval_ms)
        self.busy_ms.append((busy_ns - self._last_busy_ns) / 1e6)
        self.samples.end_turn(self.gaps_ms[-1], self.busy_ms[-1])
        self._last_ns, self._last_busy_ns = time.perf_counter_ns(), time.thread_time_ns()


class Driver:
    """One window, one measurement."""

    def __init__(
        self,
        mode: str,
        t_launch_ns: int,
        seconds: float,
        paths: AppPaths,
        start_engine: Callable[[], EngineProcess],
    ) -> None:
        self.mode, self.t_launch_ns, self.seconds = mode, t_launch_ns, seconds
        self.result: dict[str, float | int | list[float] | list[str] | None] = {}
        # CPU time of the main thread by the number of tokens that had come.
        self.costs: list[tuple[int, float]] = []
        self.application = QApplication([])
        self.window = main.WindowApplication(
            self.application,
            paths,
            start_engine,
            self._options(paths),
            locale=main.person_locale(),
            on_first_paint=lambda: self._note_start("painted"),
        )
        self.window.session.engine_changed.connect(self._on_engine)
        self.window.session.answer_changed.connect(self._on_answer)
        self.gaps = GapMeter()
        self._begun = False

    def run(self) -> None:
        self.window.show()
        self._when_panels_are_there(self._note_panels)
        self.application.exec()
        self.window.close()
        sys.stdout.write(json.dumps(self.result) + "\n")

    def _options(self, paths: AppPaths) -> LoadOptions | None:
        if self.mode == "rich":
            from tests.benchmarks.bench_conversation_view import EVERYTHING

            script = Script(tok_per_s=1000, answer=EVERYTHING[: 20_000 * 4], n_ctx=1 << 24)
            return LoadOptions(model_path=script.path(), backend="scripted")
        if self.mode in ("stream", "soak"):
            n_tokens = 8000
            words = "Words that stream, in lines of some length.\n\n" * (n_tokens // 44 * 3 + 1)
            script = Script(tok_per_s=1000, answer=words[: n_tokens * 3], n_ctx=1 << 24)
            return LoadOptions(model_path=script.path(), backend="scripted")
        return main.first_load(os.environ.get("OSCILLAMA_BENCH_MODEL"), paths)

    def _note(self, name: str) -> None:
        self.result[name] = (time.perf_counter_ns() - self.t_launch_ns) / 1e9

    def _note_start(self, name: str) -> None:
        self._note(f"{name}_s")
        self.result[f"{name}_cpu_s"] = time.thread_time_ns() / 1e9

    def _note_panels(self) -> None:
        self._note_start("panels")
        self.result["panels_process_cpu_s"] = time.process_time_ns() / 1e9

    def _when_panels_are_there(self, then: Callable[[], None]) -> None:
        def look() -> None:
            if self.window.window.columns.telemetry is None:
                QTimer.singleShot(10, look)
            else:
                QTimer.singleShot(0, then)

        def first_idle() -> None:
            self._note_start("first_idle")
            look()

        QTimer.singleShot(0, first_idle)

    def _on_engine(self, state: EngineState) -> None:
        if state.status is EngineStatus.FAILED:
            sys.stderr.write(f"{state.error}\n")
            self.application.exit(1)
        if state.status is EngineStatus.READY and not self._begun:
            self._begun = True
            self._note("loaded_s")
            QTimer.singleShot(1500, self._begin)

    def _begin(self) -> None:
        if "panels_s" not in self.result:
            QTimer.singleShot(100, self._begin)
        elif self.mode == "startup":
            self.application.quit()
        elif self.mode == "idle":
            QTimer.singleShot(5000, self._measure_idle)
        else:
            self.gaps.start()
            if self.mode == "soak":
                QTimer.singleShot(10_000, self._note_memory)
                QTimer.singleShot(int(self.seconds * 1000), self._end_soak)
            self.window.session.send(PROMPT)

    def _note_memory(self) -> None:
        self.result["rss_after_10_s_bytes"] = psutil.Process().memory_info().rss

    def _end_soak(self) -> None:
        self.result["rss_at_end_bytes"] = psutil.Process().memory_info().rss
        self.mode = "soaked"
        self.window.session.stop()

    def _measure_idle(self) -> None:
        process = psutil.Process()
        before = process.cpu_times()
        t_before_ns = time.perf_counter_ns()
        children = {child: child.cpu_times() for child in process.children(recursive=True)}

        def end() -> None:
            seconds = (time.perf_counter_ns() - t_before_ns) / 1e9
            after = process.cpu_times()
            own = after.user + after.system - before.user - before.system
            self.result["window_cpu_percent"] = 100 * own / seconds
            others = [
                child.cpu_times().user + child.cpu_times().system - past.user - past.system
                for child, past in children.items()
            ]
            self.result["children_cpu_percent"] = 100 * sum(others) / seconds
            self.application.quit()

        QTimer.singleShot(int(self.seconds * 1000), end)

    def _on_answer(self, answer: Answer) -> None:
        steps = answer.trace.step_t_ns
        if not self.costs or len(steps) >= self.costs[-1][0] + N_AT_A_TIME:
            self.costs.append((len(steps), time.thread_time()))
        if self.mode == "decode" and len(steps) > N_TOKENS:
            self.window.session.stop()
        if not answer.phase.is_over:
            return
        if self.mode == "soak":
            QTimer.singleShot(0, lambda: self.window.session.send(PROMPT))
            return
        if self.mode == "decode":
            n = min(len(steps), N_TOKENS)
            self.result["decode_rate_tok_per_s"] = (n - 1) / (steps[n - 1] - steps[0]) * 1e9
            loaded = self.window.session.engine_state.loaded
            self.result["n_threads"] = loaded.engine.n_threads if loaded else None
            felt = answer.felt_ttft_ns
            self.result["felt_ttft_ms"] = felt / 1e6 if felt is not None else None
        elif answer.figures is not None:
            self.result["decode_rate_tok_per_s"] = answer.figures.decode_rate_tok_per_s
        self.gaps.stop()
        self.result["longest_turns"] = self.gaps.samples.report()
        self._note_costs()
        gaps = sorted(self.gaps.gaps_ms)
        self.result["longest_block_ms"] = gaps[-1]
        self.result["longest_busy_ms"] = max(self.gaps.busy_ms)
        self.result["p99_block_ms"] = gaps[len(gaps) * 99 // 100]
        self.result["window_cpu_s"] = sum(psutil.Process().cpu_times()[:2])
        self.application.quit()

    def _note_costs(self) -> None:
        """Milliseconds of the main thread for a token, at the start and at the end."""
        each_ms = [
            (after_s - before_s) / (n_after - n_before) * 1e3
            for (n_before, before_s), (n_after, after_s) in pairwise(self.costs)
        ]
        if len(each_ms) >= 2 * N_COMPARED:
            self.result["token_at_start_ms"] = median(each_ms[:N_COMPARED])
            self.result["token_at_end_ms"] = median(each_ms[-N_COMPARED:])
