"""Measures by hand what watching costs: all panels open, minimised, and the timeline beside them.

    python tests/benchmarks/bench_watching.py [--pairs N] [--state panels|minimised|timeline ...]

Needs a display with a window manager (Xvfb with openbox will do): without one a minimised window
still counts as seen. Takes about seven minutes; leave the machine alone meanwhile.

A real window has its engine write one long answer after another. Every 0.7 s, minimised every
2 s, the window and its sampler are stopped as they stand (SIGSTOP), or go on, while the engine
writes all the time: that is the same engine, model, thread count and context with nothing beside
it. Each headless stretch is compared with the halves of the watched ones before and after it, so
that what changes slowly (the depth of the context, other load) weighs on both. A stretch counts
after its first 0.12 s, when a window that was stopped has caught up.
"""

import argparse
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

# Of the decode rate, percent.
GOALS = {"panels": 5.0, "minimised": 2.0, "timeline": None}
_NS = 1_000_000_000
_STRETCH_S, _SETTLE_S = 0.7, 0.12
# A window that is minimised looks at the engine about once a second: a stretch has two of these.
_MINIMISED_STRETCH_S = 2.0
_ANSWER_S = 9.0
_LEAST_STEPS = 4
# At the end of a headless stretch without a token: the pipe that nobody reads is full.
_STALLED_S = 0.35
# With fewer an interval says little of a goal.
_LEAST_PAIRS = 20
# Of other programs, in cores; the display server, which draws what is watched, stays below.
_MOST_OTHERS = 0.2


_Stamps = np.ndarray[tuple[int], np.dtype[np.int64]]
_Stretch = tuple[int, int]


class Window:
    """The process of the window, what belongs to it, and its engine."""

    def __init__(self) -> None:
        driver = Path(__file__).with_name("window_driver.py")
        command = [sys.executable, str(driver), "watching", str(time.perf_counter_ns()), "0"]
        self._process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        ready = self.hear()
        self.n_threads = ready["n_threads"]
        self.engine = psutil.Process(ready["engine_pid"])
        window = psutil.Process(self._process.pid)
        children = window.children(recursive=True)
        self.others = [window, *(child for child in children if child != self.engine)]

    def hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit("the window is gone")
        said: dict[str, Any] = json.loads(line)
        return said

    def say(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()

    def signal(self, number: signal.Signals) -> None:
        # The window first when it stops: it would miss the samples of one that is stopped.
        for process in self.others if number == signal.SIGSTOP else reversed(self.others):
            process.send_signal(number)

    def cpu_s(self) -> tuple[float, float]:
        """CPU time of the window and its own, and of the engine."""
        own = sum(sum(process.cpu_times()[:2]) for process in self.others)
        return own, sum(self.engine.cpu_times()[:2])

    def close(self) -> None:
        self.signal(signal.SIGCONT)
        self.say("quit")
        self._process.wait()


@dataclass
class Found:
    """What one state gave: rates in tok/s, CPU in cores."""

    watched: list[float] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)
    window_cores: list[float] = field(default_factory=list)
    other_cores: list[float] = field(default_factory=list)
    n_left_out: int = 0


def answer(window: Window, found: Found, n_pairs: int, stretch_s: float) -> None:
    """Let it answer once, and take pairs meanwhile."""
    from engine.ceilings.others import machine_cpu_s

    window.say("answer")
    if not window.hear()["begun"]:
        window.hear()
        return
    stretches: list[_Stretch] = []
    for index in range(2 * n_pairs + 1):
        is_watched = index % 2 == 0
        if index:
            window.signal(signal.SIGCONT if is_watched else signal.SIGSTOP)
        begin_ns = time.perf_counter_ns()
        (busy0, _), (own0, engine0) = machine_cpu_s(), window.cpu_s()
        time.sleep(stretch_s)
        (busy1, _), (own1, engine1) = machine_cpu_s(), window.cpu_s()
        end_ns = time.perf_counter_ns()
        stretches.append((begin_ns, end_ns))
        seconds = (end_ns - begin_ns) / _NS
        busy, own, engine = busy1 - busy0, own1 - own0, engine1 - engine0
        found.other_cores.append(max(0.0, busy - own - engine) / seconds)
        if is_watched:
            found.window_cores.append(own / seconds)
    window.say("stop")
    steps_ns = np.array(window.hear()["steps_ns"])
    for before, alone, after in zip(stretches[::2], stretches[1::2], stretches[2::2], strict=False):
        take_pair(found, steps_ns, before, alone, after)


def take_pair(
    found: Found, steps_ns: _Stamps, before: _Stretch, alone: _Stretch, after: _Stretch
) -> None:
    """The rate of a headless stretch, and of the watched halves around it, equally weighed."""
    settle_ns = round(_SETTLE_S * _NS)
    stretch_ns = alone[1] - alone[0]
    half_ns = (stretch_ns - settle_ns) // 2
    headless = itl_ns(steps_ns, alone[0] + settle_ns, alone[1])
    first = itl_ns(steps_ns, before[1] - half_ns, before[1])
    second = itl_ns(steps_ns, after[0] + settle_ns, after[0] + settle_ns + half_ns)
    last_ns = steps_ns[steps_ns <= alone[1]].max(initial=0)
    is_stalled = alone[1] - last_ns > _STALLED_S * _NS
    if is_stalled or headless is None or first is None or second is None:
        found.n_left_out += 1
        return
    found.alone.append(_NS / headless)
    found.watched.append(_NS / ((first + second) / 2))


def itl_ns(steps_ns: _Stamps, begin_ns: int, end_ns: int) -> float | None:
    """Mean time per step, parts of steps counted; None where there are too few."""
    inside = steps_ns[(steps_ns >= begin_ns) & (steps_ns <= end_ns)]
    if len(inside) < _LEAST_STEPS:
        return None
    first, last = np.interp([begin_ns, end_ns], steps_ns, np.arange(len(steps_ns)))
    return float((end_ns - begin_ns) / (last - first))


def report(state: str, found: Found, took: dict[str, Any]) -> bool:
    """Print what a state costs; whether the goal is shown to be reached."""
    from app.paired import LEVEL_PERCENT, paired_cost
    from tests.benchmarks.verdict import Verdict, verdict_of

    if not found.alone:
        print(f"{state:10} too few tokens came to say anything")
        return False
    cost = paired_cost(found.watched, found.alone)
    goal = GOALS[state]
    verdict = None if goal is None else verdict_of(cost, goal / 100)
    if verdict is not None and len(found.alone) < _LEAST_PAIRS:
        verdict = Verdict.NOT_SHOWN
    others = float(np.mean(found.other_cores))
    is_busy = others > _MOST_OTHERS
    line = (
        f"{state:10} costs {100 * cost.middle:5.1f} % of the decode rate "
        f"({LEVEL_PERCENT} % sure: {100 * cost.low:.1f} to {100 * cost.high:.1f} %, "
        f"{len(found.alone)} pairs)"
    )
    said = "no verdict, the machine was busy" if is_busy else verdict
    print(line if verdict is None else f"{line}  goal <= {goal:g} %: {said}")
    print(
        f"{'':10} headless {np.median(found.alone):.1f} tok/s; window and sampler keep "
        f"{100 * np.mean(found.window_cores):.1f} % of a core busy, everything else "
        f"{100 * others:.1f} %; {took['n_in_view']} of {took['n_panels']} "
        "panels in view"
    )
    if found.n_left_out:
        print(f"{'':10} {found.n_left_out} pairs left out: too few tokens came")
    if not took["took"]:
        print(f"{'':10} BUT the window was not in this state: is there a window manager?")
    return took["took"] and not is_busy and verdict in (None, Verdict.SHOWN)


def main(n_pairs: int, states: list[str]) -> int:
    window = Window()
    print(f"{window.n_threads} threads on {psutil.cpu_count()} cores", flush=True)
    all_shown = True
    try:
        # The first answer warms up.
        answer(window, Found(), 1, _STRETCH_S)
        for state in states:
            window.say(state)
            took = window.hear()
            found = Found()
            stretch_s = _MINIMISED_STRETCH_S if state == "minimised" else _STRETCH_S
            n_at_once = max(1, round(_ANSWER_S / (2 * stretch_s)))
            for _ in itertools.repeat(None, -(-n_pairs // n_at_once)):
                answer(window, found, n_at_once, stretch_s)
            all_shown = report(state, found, took) and all_shown
            sys.stdout.flush()
    finally:
        window.close()
    return 0 if all_shown else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--state", nargs="*", choices=list(GOALS), default=list(GOALS))
    arguments = parser.parse_args()
    sys.exit(main(arguments.pairs, arguments.state))
