"""Says what ran in the longest turns of the event loop.

The main thread is interrupted every other millisecond and its Python stack is noted; what C++
did is counted for the function that called it, and for Qt itself where none did. Beside that
stand the collections of garbage, imports, and where other threads were when this one waited long.
"""

import gc
import signal
import sys
import threading
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
# A wait of the main thread for which the other threads are looked at.
_LONG_WAIT_NS = 10_000_000
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
        notes: Collections of garbage, imports, and who ran while the main thread waited.
    """

    wall_ms: float
    busy_ms: float
    others_ms: float
    queued_ms: float | None
    t_s: float
    stacks: Counter[tuple[str, ...]]
    notes: list[str]


class TurnSamples:
    """Samples the main thread turn by turn and keeps the longest. POSIX only."""

    def __init__(self) -> None:
        self._stacks: Counter[tuple[str, ...]] = Counter()
        self._notes: list[str] = []
        self._n_modules = len(sys.modules)
        self._collection_ns = 0
        self._turns: dict[str, list[Turn]] = {"CPU time": [], "wall time": []}
        self._last_ns = time.thread_time_ns()
        self._last_wall_ns = time.perf_counter_ns()
        self._begun_s = time.perf_counter()
        self._others_ns, self._queued_ns = _others_ns(), _queued_ns()

    def start(self) -> None:
        """Begin to sample."""
        gc.callbacks.append(self._on_collection)
        self._n_modules, self._last_wall_ns = len(sys.modules), time.perf_counter_ns()
        self._last_ns, self._begun_s = time.thread_time_ns(), time.perf_counter()
        self._others_ns, self._queued_ns = _others_ns(), _queued_ns()
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._note)
            signal.setitimer(signal.ITIMER_REAL, _INTERVAL_S, _INTERVAL_S)

    def stop(self) -> None:
        """Sample no more."""
        gc.callbacks.remove(self._on_collection)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)

    def end_turn(self, wall_ms: float, busy_ms: float) -> None:
        """A turn is over that took so long, and so much time of the processor."""
        others_ns, queued_ns = _others_ns(), _queued_ns()
        if (n_modules := len(sys.modules)) != self._n_modules:
            self._notes.append(f"modules imported: {n_modules - self._n_modules}")
            self._n_modules = n_modules
        turn = Turn(
            wall_ms,
            busy_ms,
            (others_ns - self._others_ns) / 1e6,
            None
            if queued_ns is None or self._queued_ns is None
            else (queued_ns - self._queued_ns) / 1e6,
            time.perf_counter() - self._begun_s,
            self._stacks,
            self._notes,
        )
        _keep(self._turns["CPU time"], turn, lambda turn: turn.busy_ms)
        _keep(self._turns["wall time"], turn, lambda turn: turn.wall_ms)
        self._stacks, self._notes = Counter(), []
        self._others_ns, self._queued_ns = others_ns, queued_ns
        self._last_ns, self._last_wall_ns = time.thread_time_ns(), time.perf_counter_ns()

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
                lines.extend(f"  {note}" for note in turn.notes)
        return lines

    def _on_collection(self, phase: str, info: dict[str, int]) -> None:
        now_ns = time.perf_counter_ns()
        if phase == "start":
            self._collection_ns = now_ns
        elif (ms := (now_ns - self._collection_ns) / 1e6) >= 1:
            self._notes.append(
                f"{ms:.1f} ms of collecting generation {info['generation']} "
                f"in {threading.current_thread().name}, {info['collected']} found"
            )

    def _note(self, number: int, frame: FrameType | None) -> None:
        # At once, as the next signal may come in the midst of this.
        now_ns = time.thread_time_ns()
        last_ns, self._last_ns = self._last_ns, now_ns
        stack = _ours(frame)
        self._stacks[tuple(stack[-_N_FRAMES:]) or ("Qt itself",)] += now_ns - last_ns
        wall_ns, last_wall_ns = time.perf_counter_ns(), self._last_wall_ns
        self._last_wall_ns = wall_ns
        waited_ns = wall_ns - last_wall_ns - (now_ns - last_ns)
        if stack and waited_ns > _LONG_WAIT_NS and len(self._notes) < _N_SHOWN:
            self._notes.append(f"waited {waited_ns / 1e6:.1f} ms; meanwhile: {_other_threads()}")


def _ours(frame: FrameType | None) -> list[str]:
    """The functions of the application on a stack, the innermost first."""
    stack = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(_ROOT) and "benchmarks" not in code.co_filename:
            stack.append(f"{Path(code.co_filename).stem}.{code.co_name}")
        frame = frame.f_back
    return stack


def _other_threads() -> str:
    own = threading.get_ident()
    others = (frame for ident, frame in sys._current_frames().items() if ident != own)
    return "; ".join(
        " < ".join([f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}", *stack[:1]])
        for frame in others
        if (stack := _ours(frame))
    )


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
