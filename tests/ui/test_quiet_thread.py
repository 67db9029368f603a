"""Slow work beside the window."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject
from shiboken6 import isValid

from tests.waiting import WAIT_MS
from ui.quiet_thread import Manners, QuietThread, clock_of_this_thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


@pytest.fixture
def quiet(qtbot: QtBot) -> Iterator[QuietThread]:
    quiet = QuietThread()
    yield quiet
    quiet.close()


def test_work_is_done_elsewhere_and_its_result_comes_here(qtbot: QtBot, quiet: QuietThread) -> None:
    results: list[object] = []
    here = threading.current_thread()

    def where() -> bool:
        return threading.current_thread() is here

    quiet.submit(quiet, where, lambda result: results.append((result, where())))
    quiet.submit(quiet, lambda: 2, results.append)
    qtbot.waitUntil(lambda: quiet.is_idle, timeout=WAIT_MS)
    assert results == [(False, True), 2]


def test_what_fails_gives_nothing_and_the_next_is_done(qtbot: QtBot, quiet: QuietThread) -> None:
    results: list[object] = []
    quiet.submit(quiet, lambda: 1 / 0, results.append)
    quiet.submit(quiet, lambda: 3, results.append)
    qtbot.waitUntil(lambda: quiet.is_idle, timeout=WAIT_MS)
    assert results == [None, 3]


def test_nobody_is_told_who_is_gone(qtbot: QtBot, quiet: QuietThread) -> None:
    results: list[object] = []
    child = QObject()
    quiet.submit(child, lambda: 1, results.append)
    quiet.submit(quiet, lambda: 2, results.append)
    child.deleteLater()
    qtbot.waitUntil(lambda: not isValid(child), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: quiet.is_idle, timeout=WAIT_MS)
    assert results == [2]


def test_it_stands_still_while_it_is_paused(qtbot: QtBot, quiet: QuietThread) -> None:
    steps: list[int] = []
    began, may_end = threading.Event(), threading.Event()

    def step() -> None:
        steps.append(len(steps))

    def work() -> None:
        began.set()
        while not may_end.is_set():
            step()

    quiet.submit(quiet, work, lambda _: None)
    assert began.wait(WAIT_MS / 1000)
    with quiet.paused():
        # It stands still for a tenth of a second at a time: far longer than a turn, which is
        # some hundred steps.
        n_before = len(steps)
        for _ in range(200_000):
            pass
        assert len(steps) - n_before < 20_000
    n_paused = len(steps)
    qtbot.waitUntil(lambda: len(steps) > n_paused, timeout=WAIT_MS)
    may_end.set()
    qtbot.waitUntil(lambda: quiet.is_idle, timeout=WAIT_MS)


def test_it_stands_still_as_long_as_the_window_works() -> None:
    worked_s = iter([0.0, 0.1, 0.2, 0.3, 0.3, 0.3])
    may_work = threading.Event()
    may_work.set()
    manners = Manners(lambda: next(worked_s), may_work)
    manners.give_way(longest_s=WAIT_MS)
    assert list(worked_s) == [0.3]


def test_it_works_a_little_where_the_window_never_rests() -> None:
    n_asked = 0

    def worked_s() -> float:
        nonlocal n_asked
        n_asked += 1
        return float(n_asked)

    may_work = threading.Event()
    may_work.set()
    Manners(worked_s, may_work).give_way(longest_s=0)
    assert n_asked >= 2


@pytest.mark.skipif(sys.platform != "linux", reason="Other systems do not tell.")
def test_what_a_thread_works_shows_in_others() -> None:
    worked_s = clock_of_this_thread()
    before_s = worked_s()
    while time.thread_time() < before_s + 0.01:
        pass
    found: list[float] = []
    other = threading.Thread(target=lambda: found.append(worked_s()))
    other.start()
    other.join()
    assert found[0] >= before_s + 0.01


def test_close_waits_for_what_is_being_done(qtbot: QtBot, quiet: QuietThread) -> None:
    done: list[int] = []
    quiet.submit(quiet, lambda: done.append(1), lambda _: None)
    quiet.submit(quiet, lambda: done.append(2), lambda _: None)
    quiet.close()
    quiet.close()
    assert done == [1, 2][: len(done)]
    assert not any(thread.name == "quiet work" for thread in threading.enumerate())


def spin(began: threading.Event) -> None:
    """Work without end, in a library that stops at nothing."""

    def step() -> None:
        pass

    began.set()
    while True:
        with contextlib.suppress(Exception):
            step()


def test_what_takes_too_long_is_given_up_and_the_next_is_done(
    qtbot: QtBot, quiet: QuietThread
) -> None:
    results: list[object] = []
    quiet.submit(quiet, lambda: spin(threading.Event()), results.append, limit_s=0.05)
    quiet.submit(quiet, lambda: 2, results.append, limit_s=0.05)
    qtbot.waitUntil(lambda: quiet.is_idle, timeout=WAIT_MS)
    assert results == [None, 2]


def abs_of(number: int) -> int:
    return abs(number)


def test_a_generator_that_is_cleaned_up_is_not_interrupted(
    qtbot: QtBot, quiet: QuietThread
) -> None:
    results: list[object] = []

    def work(n_between: int) -> None:
        while True:
            assert any(number > 0 for number in [1] * 2)
            for _ in range(n_between):
                abs_of(-1)

    # Whatever the call is in which it is late.
    for n_between in range(1, 41):
        quiet.submit(quiet, partial(work, n_between), results.append, limit_s=0.002)
    qtbot.waitUntil(lambda: quiet.is_idle, timeout=WAIT_MS)
    assert results == [None] * 40


def test_close_gives_up_what_has_a_limit(qtbot: QtBot, quiet: QuietThread) -> None:
    began = threading.Event()
    results: list[object] = []
    quiet.submit(quiet, lambda: spin(began), results.append, limit_s=1e6)
    assert began.wait(WAIT_MS / 1000)
    quiet.close()
    assert not any(thread.name == "quiet work" for thread in threading.enumerate())
    quiet.submit(quiet, lambda: 3, results.append, limit_s=1e6)
    qtbot.waitUntil(lambda: 3 in results, timeout=WAIT_MS)
