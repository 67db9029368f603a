"""How fast the timeline opens and pans with 100,000 steps and 24 hours of samples.

All times are of the processor, of one thread: others who use the machine do not count.

Run by hand: python -m tests.benchmarks.bench_timeline
"""

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QWidget

from app.marks import Mark, MarkKind
from app.runs.record import RunRecord, SampleTrack
from app.runs.replay import RunReplay
from app.sample_row import SAMPLE_COLUMNS
from app.telemetry import TelemetryStore
from app.timeline.moment import no_texts
from app.timeline.recorded import store_of
from engine.events import Finished, FinishReason, PrefillDone, PromptReady, Started, Step
from engine.figures import RequestTrace
from engine.samples import Sample
from ui.theme import Theme
from ui.timeline.chart import Follow
from ui.timeline.cursors import CursorName
from ui.timeline.lanes import all_lanes
from ui.timeline.window import TimelineWindow

HOURS = 24
N_ANSWERS = 200
N_STEPS = 500
N_SHORT = 1_000
MS = 1_000_000
FRAME_MS = 1000 / 60


def filled(app: QApplication) -> TelemetryStore:
    """A day in which a question is asked every seven minutes, with a sample every second."""
    store = TelemetryStore(lambda: 0)
    rng = np.random.default_rng(0)
    every_ns = HOURS * 3_600_000 * MS // N_ANSWERS
    for index in range(N_ANSWERS):
        number, t_ns = index + 1, index * every_ns
        store.on_submitted(number, t_ns)
        itl_ns = rng.integers(4 * MS, 9 * MS, N_STEPS)
        stamps = (t_ns + 300 * MS + np.cumsum(itl_ns)).tolist()
        store.on_events(
            (
                Started(request_id=number, t_ns=t_ns + MS),
                PromptReady(
                    request_id=number,
                    t_ns=t_ns + 3 * MS,
                    n_prompt_tokens=900,
                    n_cached_tokens=600,
                    t_rendered_ns=t_ns + 2 * MS,
                    t_tokenized_ns=t_ns + 2 * MS + 500_000,
                ),
                PrefillDone(request_id=number, t_ns=t_ns + 300 * MS),
                *(Step(request_id=number, t_ns=each, n_tokens=1, text="") for each in stamps),
                Finished(
                    request_id=number,
                    t_ns=stamps[-1],
                    reason=FinishReason.END,
                    text="",
                    n_output_tokens=N_STEPS,
                ),
            )
        )
        store.on_mark(Mark(kind=MarkKind.GARBAGE_COLLECTION, t_ns=stamps[9], detail=(MS, 2)))
    n_samples = HOURS * 3600
    rows = {name: rng.random(n_samples) * 1e9 for name in SAMPLE_COLUMNS}
    store.samples.append(np.arange(n_samples, dtype=np.float64), **rows)
    return store


def took_ms(work: Callable[[], object]) -> float:
    begin_ns = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - begin_ns) / 1e6


def opening(app: QApplication, theme: Theme, store: TelemetryStore, settings: QSettings) -> float:
    """From the wish to the first picture of all of it."""
    parent = QWidget()

    def work() -> None:
        shown = TimelineWindow(theme, store, settings, parent, lanes=all_lanes(no_texts))
        shown.resize(1280, 800)
        shown.chart.follow(Follow.ALL)
        shown.show()
        shown.chart.grab()

    found = took_ms(work)
    parent.deleteLater()
    app.processEvents()
    return found


def panning(
    shown: TimelineWindow, view_s: tuple[float, float], n_frames: int = 60
) -> tuple[float, float]:
    """Median and slowest of frames that move by a hundredth of the view, milliseconds.

    The line and both cursors stand in view, and what is said of them is brought up to date.
    """
    chart = shown.chart
    (t0_s, t1_s), step_s = view_s, (view_s[1] - view_s[0]) / 100
    chart.axis.look_at(t0_s, t1_s)
    chart.cursors.set(CursorName.A, t0_s + 80 * step_s)
    chart.cursors.set(CursorName.B, t0_s + 110 * step_s)
    chart.axis.set_hover(t0_s + 90 * step_s)
    chart.grab()

    def frame() -> None:
        chart.axis.pan(step_s)
        chart.grab()

    frames = [took_ms(frame) for _ in range(n_frames)]
    return median(frames), max(frames)


def recorded_run() -> RunRecord:
    """One request of 100,000 steps, with as many samples as a file may have."""
    trace = RequestTrace(1, 0)
    trace.add(Started(request_id=1, t_ns=MS))
    trace.add(PromptReady(request_id=1, t_ns=2 * MS, n_prompt_tokens=10, n_cached_tokens=0))
    trace.add(PrefillDone(request_id=1, t_ns=9 * MS))
    n_steps = N_ANSWERS * N_STEPS
    for index in range(n_steps):
        trace.add(Step(request_id=1, t_ns=(10 + 6 * index) * MS, n_tokens=1, text=""))
    t_end_ns = (10 + 6 * n_steps) * MS
    end = FinishReason.LENGTH
    trace.add(Finished(request_id=1, t_ns=t_end_ns, reason=end, text="", n_output_tokens=n_steps))
    samples = SampleTrack()
    every_ns = 2 * t_end_ns // n_steps
    for index in range(n_steps // 2):
        taken = Sample(t_ns=index * every_ns, engine_rss_bytes=index, cpu_energy_mj=index)
        samples.add(taken)
    return RunRecord(run_id="0" * 16, created_ms=0, trace=trace, samples=samples)


def run() -> None:
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory(prefix="oscillama-bench-") as folder:
        settings = QSettings(str(Path(folder) / "s.ini"), QSettings.Format.IniFormat)
        theme = Theme(app, settings)
        store = filled(app)
        n_rows = N_ANSWERS * N_STEPS
        print(f"{n_rows:,} steps and {HOURS} h of samples, at most {store.most_bytes >> 20} MiB")
        first_ms = opening(app, theme, store, settings)
        again = [opening(app, theme, store, settings) for _ in range(7)]
        print(f"opening: {first_ms:.0f} ms at first, then {median(again):.0f} ms (goal < 500)")
        parent = QWidget()
        shown = TimelineWindow(theme, store, settings, parent, lanes=all_lanes(no_texts))
        shown.resize(1280, 800)
        shown.show()
        middle_s = HOURS * 1800.0
        for name, length_s in (
            ("half a day", HOURS * 1800.0),
            ("three hours", 3 * 3600.0),
            ("an hour", 3600.0),
            ("a minute", 60.0),
            ("an answer", 4.0),
            ("ten steps", 0.06),
        ):
            half, slowest = panning(shown, (middle_s - length_s / 2, middle_s + length_s / 2))
            share = half / FRAME_MS
            shown.chart.cursors.clear()
            print(
                f"panning {name:>11}: {half:5.1f} ms a frame, slowest {slowest:5.1f} ms, "
                f"{share:.2f} of a frame at 60 Hz"
            )
        shown.chart.axis.look_at(middle_s - 2, middle_s + 2)
        shown.chart.grab()
        hovers = []
        for index in range(60):
            shown.chart.axis.set_hover(middle_s + index / 50)
            hovers.append(took_ms(shown.chart.grab))
        print(f"moving the line: {median(hovers):.1f} ms")
        record = recorded_run()
        told: list[TelemetryStore] = []
        opened = [
            took_ms(lambda: told.append(store_of(record)))
            + opening(app, theme, told.pop(), settings)
            for _ in range(3)
        ]
        text = f"a recorded request of {n_rows:,} steps and {len(record.samples.t_ns):,} samples"
        print(f"opening {text}: {median(opened):.0f} ms (goal < 500)")
        replayed = [took_ms(lambda: RunReplay(record)) for _ in range(3)]
        print(f"replaying it, until it stands at its begin: {median(replayed):.0f} ms")
        replays = [RunReplay(record) for _ in range(3)]
        jumps = [took_ms(partial(each.go_to, each.length_ns // 2)) for each in replays]
        print(f"a jump in it over {n_rows // 2:,} steps: {median(jumps):.0f} ms")
        shown.hide()
        parent.deleteLater()


if __name__ == "__main__":
    run()
