"""A goal is reached only where no noise can be the reason for it."""

import pytest

from app.paired import PairedCost
from tests.benchmarks.verdict import Verdict, verdict_of


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(-0.01, 0.05, Verdict.SHOWN), (0.01, 0.06, Verdict.NOT_SHOWN), (0.06, 0.1, Verdict.MISSED)],
)
def test_a_goal_is_shown_by_the_upper_end_only(low: float, high: float, verdict: Verdict) -> None:
    assert verdict_of(PairedCost(middle=(low + high) / 2, low=low, high=high), 0.05) is verdict
