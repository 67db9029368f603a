"""A sampler may be late, and silent where that is asked for, before it counts as hung."""

import math

import pytest

from app.silence import Silence


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def silence(clock: Clock) -> Silence:
    """Of a sampler that is asked once a second."""
    return Silence(late_s=3, hung_s=30, interval_s=1, clock_s=clock)


def hear(silence: Silence, n_samples: int) -> None:
    for _ in range(n_samples):
        silence.end(is_sample=True)


def test_how_long_it_takes_to_start_says_nothing(silence: Silence, clock: Clock) -> None:
    clock.now_s += 1000
    assert silence.left_s() == (math.inf, math.inf)
    hear(silence, 2)
    silence.begin()
    assert silence.left_s() == (math.inf, math.inf)


def test_samples_are_missed_when_several_are_overdue(silence: Silence, clock: Clock) -> None:
    hear(silence, 2)
    assert silence.left_s() == (6, 31)
    silence.ask(0.25)
    assert silence.left_s() == (3.75, 30.25)
    clock.now_s += 5
    assert silence.left_s() == (-1.25, 25.25)
    hear(silence, 1)
    assert silence.left_s() == (3.75, 30.25)


def test_a_driver_may_take_a_minute_to_open(silence: Silence, clock: Clock) -> None:
    hear(silence, 1)
    silence.end(is_sample=False)
    clock.now_s += 60
    late_s, hung_s = silence.left_s()
    assert (late_s, hung_s) == (24 - 60, 121 - 60)


def test_one_that_was_asked_to_be_silent_does_not_hang(silence: Silence, clock: Clock) -> None:
    hear(silence, 2)
    clock.now_s += 1.5
    silence.ask(3600)
    clock.now_s += 600
    assert min(silence.left_s()) > 0
    silence.ask(1)
    assert silence.left_s() == (6, 31)


def test_one_that_hangs_is_found_whatever_it_is_asked_for(silence: Silence, clock: Clock) -> None:
    hear(silence, 2)
    for interval_s in (0.25, 1, 0.25, 1):
        clock.now_s += 10
        silence.ask(interval_s)
    assert silence.left_s()[1] == 31 - 40
