"""A cost that noise hides is given with an interval that is as wide as the noise makes it."""

import subprocess
import sys

import numpy as np
import pytest

from app.paired import paired_cost


def test_a_cost_that_is_the_same_in_every_pair_is_known_exactly() -> None:
    cost = paired_cost([95.0, 190.0, 47.5], [100.0, 200.0, 50.0])
    assert (cost.low, cost.middle, cost.high) == pytest.approx((0.05, 0.05, 0.05))


def test_a_single_pair_that_was_held_up_does_not_count() -> None:
    cost = paired_cost([*[98.0] * 9, 30.0], [100.0] * 10)
    assert (cost.low, cost.middle, cost.high) == pytest.approx((0.02, 0.02, 0.02))


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(7)
    n_held = 0
    for _ in range(60):
        costs = random.normal(0.03, 0.08, 40)
        found = paired_cost(100 * (1 - costs), [100.0] * 40)
        assert found.low <= found.middle <= found.high
        n_held += found.low <= 0.03 <= found.high
    assert 53 <= n_held < 60


def test_more_pairs_make_it_narrower() -> None:
    costs = np.random.default_rng(3).normal(0.03, 0.08, 400)
    few, many = (paired_cost(100 * (1 - costs[:n]), [100.0] * n) for n in (25, 400))
    assert many.high - many.low < (few.high - few.low) / 2


def test_the_same_rates_say_the_same_again() -> None:
    rates, without = [90.0, 99.0, 101.0, 97.0], [100.0, 98.0, 104.0, 95.0]
    assert paired_cost(rates, without) == paired_cost(rates, without)


def test_no_module_is_left_to_be_imported_where_a_cost_is_shown() -> None:
    code = (
        "import sys, app.paired\n"
        "known = set(sys.modules)\n"
        "app.paired.paired_cost([90.0, 99.0], [100.0, 98.0])\n"
        "print(*(set(sys.modules) - known))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_without_pairs_there_is_no_cost() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        paired_cost([], [])
