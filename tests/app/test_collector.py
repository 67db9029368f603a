"""When garbage is collected."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from app.collector import QuietCollector
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


class Cycle:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.itself = self


class Person:
    quiet = True
    away = False


@pytest.fixture
def person() -> Person:
    return Person()


@pytest.fixture
def collector(qtbot: QtBot, person: Person) -> Iterator[QuietCollector]:
    collector = QuietCollector(lambda: person.quiet, lambda: person.away, interval_ms=1)
    yield collector
    collector.close()


def old_garbage() -> weakref.ref[Cycle]:
    """A cycle that is dropped after Python has put it among the oldest objects."""
    made = Cycle()
    gc.collect()
    return weakref.ref(made)


def age() -> None:
    """Let so much time pass, as Python counts it, that all objects were due."""
    for _ in range(10):
        gc.collect(1)


def test_old_garbage_waits_until_it_is_quiet(
    qtbot: QtBot, collector: QuietCollector, person: Person
) -> None:
    person.quiet = False
    collector.start()
    garbage = old_garbage()
    age()
    n_looks = gc.get_stats()[2]["collections"]
    kept = [Cycle() for _ in range(50_000)]
    assert gc.get_stats()[2]["collections"] == n_looks
    assert garbage() is not None
    person.quiet = True
    qtbot.waitUntil(lambda: garbage() is None, timeout=WAIT_MS)
    assert len(kept) == 50_000


def test_what_was_there_before_is_collected_once_nobody_looks(
    qtbot: QtBot, collector: QuietCollector, person: Person
) -> None:
    garbage = old_garbage()
    collector.start()
    collector.freeze()
    first = gc.get_stats()[2]["collections"]
    age()
    qtbot.waitUntil(lambda: gc.get_stats()[2]["collections"] > first, timeout=WAIT_MS)
    assert garbage() is not None
    person.away = True
    qtbot.waitUntil(lambda: garbage() is None, timeout=WAIT_MS)


def test_python_collects_again_where_nobody_says_that_all_is_there(
    qtbot: QtBot, collector: QuietCollector, person: Person
) -> None:
    person.quiet = False
    collector.start()
    gc.disable()
    try:
        qtbot.waitUntil(gc.isenabled, timeout=WAIT_MS)
    finally:
        gc.enable()


def test_python_gets_it_back(qtbot: QtBot) -> None:
    before = gc.get_threshold()
    collector = QuietCollector(lambda: True, lambda: True)
    collector.start()
    gc.disable()
    try:
        collector.freeze()
        assert gc.isenabled()
    finally:
        gc.enable()
    assert gc.get_threshold() != before
    assert gc.get_freeze_count() > 0
    collector.close()
    collector.close()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
