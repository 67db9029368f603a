"""Says what ran in the longest turns of the event loop.

The main thread is interrupted every other millisecond and its Python stack is noted; what C++
did is counted for the function that called it, and for Qt itself where none did.
"""

import signal
import time
from collections import Counter
from pathlib import Path
from types import FrameType

_ROOT = str(Path(__file__).parents[2])
_INTERVAL_S = 0.002
_N_FRAMES = 2
_N_KEPT = 5


class TurnSamples:
    """Samples the main thread turn by turn and keeps the longest. POSIX only."""

    def __init__(self) -> None:
        self._turn: Counter[tuple[str, ...]] = Counter()
        # CPU time, time since the start in seconds, and what ran.
        self._longest: list[tuple[float, float, Counter[tuple[str, ...]]]] = []
        self._last_ns = time.thread_time_ns()
        self._begun_s = time.perf_counter()

    def start(self) -> None:
        """Begin to sample."""
        self._last_ns, self._begun_s = time.thread_time_ns(), time.perf_counter()
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._note)
            signal.setitimer(signal.ITIMER_REAL, _INTERVAL_S, _INTERVAL_S)

    def stop(self) -> None:
        """Sample no more."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)

    def end_turn(self, busy_ms: float) -> None:
        """A turn is over that took so much time of the processor."""
        if len(self._longest) < _N_KEPT or busy_ms > self._longest[-1][0]:
            self._longest.append((busy_ms, time.perf_counter() - self._begun_s, self._turn))
            self._longest.sort(key=lambda turn: -turn[0])
            del self._longest[_N_KEPT:]
        self._turn = Counter()
        self._last_ns = time.thread_time_ns()

    def report(self) -> list[str]:
        """A line for each of the longest turns, with what took most of it."""
        lines = []
        for busy_ms, t_s, turn in self._longest:
            lines.append(f"{busy_ms:.1f} ms of CPU time, {t_s:.2f} s after the start")
            for stack, ns in turn.most_common(6):
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
        self._turn[tuple(stack[-_N_FRAMES:]) or ("Qt itself",)] += now_ns - self._last_ns
        self._last_ns = now_ns
