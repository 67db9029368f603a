"""What a measured cost says of a goal."""

from enum import StrEnum

from app.paired import PairedCost


class Verdict(StrEnum):
    """Whether a goal is reached, as far as the noise lets anybody tell."""

    SHOWN = "shown"
    NOT_SHOWN = "not shown"
    MISSED = "missed"


def verdict_of(cost: PairedCost, most: float) -> Verdict:
    """Whether it is shown that the cost is `most` or less, or that it is more."""
    if cost.high <= most:
        return Verdict.SHOWN
    return Verdict.MISSED if cost.low > most else Verdict.NOT_SHOWN
