"""Marks of what went wrong with clocks and samples say what it was."""

import pytest

from app.marks import Mark, MarkKind
from ui.timeline.wording import mark_sentence

_S = 1_000_000_000


@pytest.mark.parametrize(
    ("kind", "detail", "said"),
    [
        (MarkKind.SUSPENDED, 90 * _S, "the machine slept for 90.0\u202fs"),
        (MarkKind.CLOCK_JUMPED, 7 * _S, "the time of day was put forward by 7.00\u202fs"),
        (MarkKind.CLOCK_JUMPED, -7 * _S, "the time of day was put back by 7.00\u202fs"),
        (MarkKind.SAMPLES_MISSING, 4 * _S, "no sample was taken for 4.00\u202fs"),
        (MarkKind.SAMPLES_MISSING, "gpu", "a GPU was no longer there"),
        (MarkKind.SAMPLES_MISSING, "energy", "an energy counter was lost, or went backwards"),
        (
            MarkKind.SAMPLER_RESTARTED,
            -11,
            "what takes samples ended with code -11, and was started again",
        ),
    ],
)
def test_it_says_what_happened(kind: MarkKind, detail: str | int, said: str) -> None:
    assert mark_sentence(Mark(kind=kind, t_ns=0, detail=(detail,))) == said
