"""A thread for slow work in Python that gives way to the window."""

import inspect
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import CodeType, FrameType
from typing import Any

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

_POLL_MS = 20
# The thread gives way this often, so that the window never waits for it.
_CALLS_PER_TURN = 300
_PAUSE_S = 0.000_2
# Between two looks whether the window still works.
_LOOK_S = 0.001
# For what the main thread does with results at a time.
_SLICE_S = 0.004
# The longest it stands still while the window works, and what it works then all the same.
_LONGEST_PAUSE_S = 0.05
_LEAST_S = 0.004


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
    the others: so this one stands still while the main thread works. Where the system does not
    tell, it is `paused` for what must not be late.
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
            args=(
                self._waiting,
                self._results,
                Manners(clock_of_this_thread(), self._may_work),
                self._is_closing,
            ),
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


def clock_of_this_thread() -> Callable[[], float]:
    """Says, also in other threads, how long the calling one has worked; seconds.

    It stands still where the system does not tell.
    """
    if sys.platform != "linux":
        return lambda: 0.0
    return partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))


class Manners:
    """Lets one thread give way to another.

    Args:
        worked_s: How long the other has worked.
        may_work: Not set while this one must not work, however idle the other is.
    """

    def __init__(self, worked_s: Callable[[], float], may_work: threading.Event) -> None:
        self._worked_s = worked_s
        self._may_work = may_work
        self._seen_s = worked_s()
        self._works_until_s = 0.0

    def give_way(self, longest_s: float = _LONGEST_PAUSE_S) -> None:
        """Let the other go first, and stand still until it does not work, not longer than that.

        Also where it has worked since the last time: one that comes too late to have its turn in
        a short pause works a little to find that out.
        """
        time.sleep(_PAUSE_S)
        now_s = time.perf_counter()
        deadline_s = now_s + longest_s
        while now_s > self._works_until_s and not self._is_idle():
            if now_s > deadline_s:
                self._works_until_s = now_s + _LEAST_S
            time.sleep(_LOOK_S)
            now_s = time.perf_counter()

    def _is_idle(self) -> bool:
        before_s, self._seen_s = self._seen_s, self._worked_s()
        return self._may_work.is_set() and self._seen_s == before_s


def _work(
    waiting: deque[_Job],
    results: deque[tuple[_Job, Any]],
    manners: Manners,
    is_closing: threading.Event,
) -> None:
    n_calls = 0
    is_late = False
    # Of the time that this thread has worked.
    give_up_s: float | None = None

    def give_way(frame: FrameType, event: str, argument: object) -> None:
        nonlocal n_calls, is_late
        n_calls += 1
        if n_calls % _CALLS_PER_TURN == 0:
            manners.give_way()
            if give_up_s is not None:
                is_late = is_closing.is_set() or time.thread_time() > give_up_s
        # Elsewhere Python may be cleaning up, where it ignores what is raised, and calls this no
        # more: the work would never end.
        if is_late and event in ("call", "c_call") and not _may_clean_up(frame.f_code):
            raise _GivenUpError

    while waiting:
        job = waiting.popleft()
        is_late, give_up_s = False, None
        if job.limit_s is not None:
            give_up_s = time.thread_time() + job.limit_s
        sys.setprofile(give_way)
        try:
            result = job.work()
        except (Exception, _GivenUpError):  # noqa: BLE001 - what a model writes makes libraries fail in any way
            result = None
        finally:
            sys.setprofile(None)
        results.append((job, result))


def _may_clean_up(code: CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_GENERATOR) or code.co_name == "__del__"
