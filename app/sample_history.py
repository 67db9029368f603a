"""The history of samples: how much of it is kept, and what old rows become."""

from app.sample_row import SAMPLE_COLUMNS
from app.series import History, Reduce

_ROWS = 131_072
_BUCKET_S = 2.0
KEPT_H = 24
"""Hours of samples that are kept at least."""


def sample_history(fine_rows: int = _ROWS) -> History:
    """Begin one, which keeps so many rows in full.

    A counter of energy that is unknown in between may go on from elsewhere, also in old rows.
    """
    return History(
        {
            name: Reduce.WHOLE_MEAN if name.endswith("_energy") else Reduce.MEAN
            for name in SAMPLE_COLUMNS
        },
        fine_rows=fine_rows,
        coarse_rows=int(KEPT_H * 3600 / _BUCKET_S),
        bucket_s=_BUCKET_S,
    )
