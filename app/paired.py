"""What something costs, from rates that were measured in turn with it and without."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# By itself it is imported at the first use, which is in the thread of the window.
from numpy.random import default_rng

from app.series import FloatArray

LEVEL_PERCENT = 95
_N_RESAMPLES = 4_000
# The same rates give the same interval wherever they are shown.
_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedCost:
    """The share of a rate that is lost; negative where it is won.

    Attributes:
        middle: Median over the pairs.
        low: Lower end of the interval in which it lies with a certainty of `LEVEL_PERCENT`.
        high: Upper end.
    """

    middle: float
    low: float
    high: float


def paired_cost(
    rates: Sequence[float] | FloatArray, rates_without: Sequence[float] | FloatArray
) -> PairedCost:
    """The cost of what was going on while `rates` were measured, each beside one without it.

    The interval is a percentile bootstrap of the median (Efron, Tibshirani, "An Introduction to
    the Bootstrap", 1993, chapter 13), so no distribution of the noise is taken for granted.

    Raises:
        ValueError: There are no pairs, or not as many of one as of the other.
    """
    costs = 1 - np.asarray(rates, np.float64) / np.asarray(rates_without, np.float64)
    if not costs.size:
        raise ValueError("no pairs")
    chosen = default_rng(_SEED).integers(0, costs.size, (_N_RESAMPLES, costs.size))
    medians = np.sort(_medians(costs[chosen]))
    tail = (100 - LEVEL_PERCENT) / 2
    percents = np.linspace(0, 100, _N_RESAMPLES)
    low, high = np.interp((tail, 100 - tail), percents, medians)
    return PairedCost(middle=float(_medians(costs)), low=float(low), high=float(high))


def _medians(rows: FloatArray) -> FloatArray:
    """Of each row; the first use of `np.median` and `np.percentile` takes 20 ms to be loaded."""
    ordered, n = np.sort(rows), rows.shape[-1]
    found: FloatArray = (ordered[..., (n - 1) // 2] + ordered[..., n // 2]) / 2
    return found
