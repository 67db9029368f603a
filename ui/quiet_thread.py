"""A thread for slow work in Python that gives way to the window."""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

_POLL_MS = 20
# The thread gives way this often, so that the window never waits for it.
_CALLS_PER_TURN = 300
_PAUSE_S = 0.000_2
# For what the main thread does with results at a time.
_SLICE_S = 0.004
# The longest it stands still while the window works.
_LONGEST_PAUSE_S = 0.1


@dataclass(frozen=True, slots=True)
class _Job:
    owner: QObject
    work: Callable[[], Any]
    then: Callable[[Any], None]
    limit_s: float | None


class _GivenUpError(BaseException):
    """Ends work that takes too long. No `except Exception` on the way keeps it from that."""


class QuietThread(QObject):
    """Does work in a thread that lives while there is any. Used from the main thread.

    Python lets one thread run at a time, and whoever takes part in turns is slowed down by all
    the others: so what the main thread must not be late with is done while this one is `paused`.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[_Job] = deque()
        self._results: deque[tuple[_Job, Any]] = deque()
        self._n_left = 0
        self._may_work = threading.Event()
        self._may_work.set()
        self._is_closing = threading.Event()
        self._n_pauses = 0
        self._thread: threading.Thread | None = None
        self._poll = QTimer(self)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._take_results)

    @property
    def is_idle(self) -> bool:
        """Whether everything that was asked for is done."""
        return not self._n_left and self._thread is None

    def submit(
        self,
        owner: QObject,
        work: Callable[[], Any],
        then: Callable[[Any], None],
        *,
        limit_s: float | None = None,
    ) -> None:
        """Call `work` in the thread and `then`, in the main thread, with what it returns.

        Where `work` raises it is None, and so it is where it takes more than `limit_s` seconds of
        the processor; work with a limit is also given up by `close`. Only work that may end
        between any two calls of functions has one. `then` is not called once `owner` is deleted.
        """
        self._waiting.append(_Job(owner, work, then, limit_s))
        self._n_left += 1
        if self._thread is None:
            self._start()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let the thread stand still, a short time."""
        self._n_pauses += 1
        self._may_work.clear()
        try:
            yield
        finally:
            self._n_pauses -= 1
            if not self._n_pauses:
                self._may_work.set()

    def close(self) -> None:
        """Drop what has not begun, and wait for what is being done unless it may be given up."""
        self._waiting.clear()
        self._poll.stop()
        if self._thread is not None:
            self._is_closing.set()
            self._thread.join()
            self._thread = None
            self._is_closing.clear()

    def _start(self) -> None:
        self._thread = threading.Thread(
            target=_work,
            args=(self._waiting, self._results, self._may_work, self._is_closing),
            name="quiet work",
        )
        self._thread.daemon = True
        self._thread.start()
        self._poll.start()

    def _take_results(self) -> None:
        is_over = self._thread is None or not self._thread.is_alive()
        deadline = time.perf_counter() + _SLICE_S
        while self._results and time.perf_counter() < deadline:
            job, result = self._results.popleft()
            self._n_left -= 1
            if isValid(job.owner):
                job.then(result)
        if is_over and not self._results:
            if self._thread is not None:
                self._thread.join()
            self._thread = None
            self._poll.stop()
            if self._waiting:
                self._start()


def _work(
    waiting: deque[_Job],
    results: deque[tuple[_Job, Any]],
    may_work: threading.Event,
    is_closing: threading.Event,
) -> None:
    n_calls = 0
    # Of the time that this thread has worked.
    give_up_s: float | None = None

    def give_way(frame: FrameType, event: str, argument: object) -> None:
        nonlocal n_calls
        n_calls += 1
        if n_calls % _CALLS_PER_TURN == 0:
            if may_work.is_set():
                time.sleep(_PAUSE_S)
            else:
                may_work.wait(_LONGEST_PAUSE_S)
            if give_up_s is not None and (is_closing.is_set() or time.thread_time() > give_up_s):
                raise _GivenUpError

    while waiting:
        job = waiting.popleft()
        give_up_s = None if job.limit_s is None else time.thread_time() + job.limit_s
        sys.setprofile(give_way)
        try:
            result = job.work()
        except (Exception, _GivenUpError):  # noqa: BLE001 - what a model writes makes libraries fail in any way
            result = None
        finally:
            sys.setprofile(None)
        results.append((job, result))
