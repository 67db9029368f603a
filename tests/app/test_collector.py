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


def n_whole_collections() -> int:
    """How often Python has looked at all objects."""
    return int(gc.get_stats()[2]["collections"])


def test_old_garbage_waits_until_nobody_looks(
    qtbot: QtBot, collector: QuietCollector, person: Person
) -> None:
    person.quiet, person.away = False, True
    collector.start()
    garbage = old_garbage()
    age()
    n_before = n_whole_collections()
    kept = [Cycle() for _ in range(50_000)]
    assert n_whole_collections() == n_before
    assert garbage() is not None
    person.quiet = True
    qtbot.waitUntil(lambda: garbage() is None, timeout=WAIT_MS)
    assert len(kept) == 50_000


def test_a_person_who_reads_or_types_is_not_stopped_by_it(
    qtbot: QtBot, collector: QuietCollector, person: Person
) -> None:
    garbage = old_garbage()
    collector.start()
    collector.resume()
    n_before = n_whole_collections()
    age()
    n_looks = 0

    def look() -> bool:
        nonlocal n_looks
        n_looks += 1
        return True

    collector._is_quiet = look
    qtbot.waitUntil(lambda: n_looks >= 10, timeout=WAIT_MS)
    assert n_whole_collections() == n_before
    assert garbage() is not None
    person.away = True
    qtbot.waitUntil(lambda: garbage() is None, timeout=WAIT_MS)


@pytest.mark.parametrize("asks", [True, False], ids=["all is there", "nobody says so"])
def test_python_begins_again_without_looking_at_what_the_start_has_made(
    qtbot: QtBot, collector: QuietCollector, person: Person, *, asks: bool
) -> None:
    person.quiet = False
    collector.start()
    gc.disable()
    try:
        made = [Cycle() for _ in range(10_000)]
        if asks:
            collector.resume()
        qtbot.waitUntil(gc.isenabled, timeout=WAIT_MS)
    finally:
        gc.enable()
    young = {id(one) for one in gc.get_objects(0)} | {id(one) for one in gc.get_objects(1)}
    old = {id(one) for one in gc.get_objects(2)}
    assert not young & {id(one) for one in made}
    assert {id(one) for one in made} <= old


def test_python_gets_it_back(qtbot: QtBot) -> None:
    before = gc.get_threshold()
    collector = QuietCollector(lambda: True, lambda: True)
    collector.start()
    gc.disable()
    try:
        collector.resume()
        assert gc.isenabled()
    finally:
        gc.enable()
    assert gc.get_threshold() != before
    collector.close()
    collector.close()
    assert gc.get_threshold() == before


def test_much_old_garbage_goes_between_answers_of_somebody_who_stays(
    qtbot: QtBot, collector: QuietCollector, person: Person
) -> None:
    collector.start()
    collector.resume()
    garbage = old_garbage()
    for _ in range(10):
        age()
    qtbot.waitUntil(lambda: garbage() is None, timeout=WAIT_MS)
