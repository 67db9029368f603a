"""Says what ran in the longest turns of the event loop.

The main thread is interrupted every other millisecond and its Python stack is noted; what C++
did is counted for the function that called it, and for Qt itself where none did.
"""

import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NamedTuple

_ROOT = str(Path(__file__).parents[2])
_INTERVAL_S = 0.002
_N_FRAMES = 2
_N_KEPT = 4
_N_SHOWN = 6
_SCHEDULED = Path("/proc/thread-self/schedstat")


class Turn(NamedTuple):
    """What a turn of the event loop took; milliseconds.

    Attributes:
        wall_ms: From its begin to its end.
        busy_ms: CPU time of the main thread.
        others_ms: CPU time of the other threads of the process.
        queued_ms: How long the main thread could go on and had no processor; None where the system
            does not tell. What is left of `wall_ms` it waited, as a rule for Python's lock.
        t_s: When it ended, since the start; seconds.
        stacks: What ran, nanoseconds.
    """

    wall_ms: float
    busy_ms: float
    others_ms: float
    queued_ms: float | None
    t_s: float
    stacks: Counter[tuple[str, ...]]


class TurnSamples:
    """Samples the main thread turn by turn and keeps the longest. POSIX only."""

    def __init__(self) -> None:
        self._stacks: Counter[tuple[str, ...]] = Counter()
        self._turns: dict[str, list[Turn]] = {"CPU time": [], "wall time": []}
        self._last_ns = time.thread_time_ns()
        self._begun_s = time.perf_counter()
        self._others_ns, self._queued_ns = _others_ns(), _queued_ns()

    def start(self) -> None:
        """Begin to sample."""
        self._last_ns, self._begun_s = time.thread_time_ns(), time.perf_counter()
        self._others_ns, self._queued_ns = _others_ns(), _queued_ns()
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._note)
            signal.setitimer(signal.ITIMER_REAL, _INTERVAL_S, _INTERVAL_S)

    def stop(self) -> None:
        """Sample no more."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)

    def end_turn(self, wall_ms: float, busy_ms: float) -> None:
        """A turn is over that took so long, and so much time of the processor."""
        others_ns, queued_ns = _others_ns(), _queued_ns()
        turn = Turn(
            wall_ms,
            busy_ms,
            (others_ns - self._others_ns) / 1e6,
            None
            if queued_ns is None or self._queued_ns is None
            else (queued_ns - self._queued_ns) / 1e6,
            time.perf_counter() - self._begun_s,
            self._stacks,
        )
        _keep(self._turns["CPU time"], turn, lambda turn: turn.busy_ms)
        _keep(self._turns["wall time"], turn, lambda turn: turn.wall_ms)
        self._stacks = Counter()
        self._others_ns, self._queued_ns = others_ns, queued_ns
        self._last_ns = time.thread_time_ns()

    def report(self) -> list[str]:
        """A line for each of the longest turns, with what took most of it."""
        lines = []
        for name, turns in self._turns.items():
            lines.append(f"The longest by {name}:")
            for turn in turns:
                queued = "" if turn.queued_ms is None else f", {turn.queued_ms:.1f} without one"
                lines.append(
                    f"{turn.busy_ms:.1f} ms of CPU time, {turn.t_s:.2f} s after the start, "
                    f"in {turn.wall_ms:.1f} ms; other threads {turn.others_ms:.1f}{queued}"
                )
                for stack, ns in turn.stacks.most_common(_N_SHOWN):
                    lines.append(f"  {ns / 1e6:5.1f} ms  {' < '.join(stack)}")
        return lines

    def _note(self, number: int, frame: FrameType | None) -> None:
        now_ns = time.thread_time_ns()
        stack = []
        while frame is not None:
            code = frame.f_code
            if code.co_filename.startswith(_ROOT) and "benchmarks" not in code.co_filename:
                place = Path(code.co_filename).stem
                stack.append(f"{place}.{code.co_name}")
            frame = frame.f_back
        self._stacks[tuple(stack[-_N_FRAMES:]) or ("Qt itself",)] += now_ns - self._last_ns
        self._last_ns = now_ns


def _keep(turns: list[Turn], turn: Turn, length: Callable[[Turn], float]) -> None:
    turns.append(turn)
    turns.sort(key=length, reverse=True)
    del turns[_N_KEPT:]


def _others_ns() -> int:
    return time.process_time_ns() - time.thread_time_ns()


def _queued_ns() -> int | None:
    try:
        return int(_SCHEDULED.read_text().split()[1])
    except OSError:
        return None
