"""Bounded time series: the newest rows in full, older ones as one row a bucket of time."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Rows of which only the least and the most are drawn where there are more than pixels.
_BLOCK = 64


class Reduce(StrEnum):
    """What a bucket keeps of a column; WHOLE_MEAN is unknown where any of its rows is."""

    MEAN = "mean"
    WHOLE_MEAN = "whole_mean"
    MAX = "max"
    LAST = "last"


class _Tail:
    """The last rows appended, as one contiguous array. Holds at least `n_rows` of them."""

    def __init__(self, n_rows: int, n_columns: int) -> None:
        self.n_rows = n_rows
        self._buffer: FloatArray = np.empty((n_columns, 2 * n_rows))
        self._low: FloatArray = np.empty((n_columns, 2 * n_rows // _BLOCK))
        self._high: FloatArray = np.empty_like(self._low)
        self._n_used = 0
        self._n_blocks = 0
        self.has_forgotten = False

    def append(self, rows: FloatArray) -> None:
        if rows.shape[1] > self.n_rows:
            # What was there is older than rows that are not kept: it would leave a hole.
            self.has_forgotten = True
            self._n_used = self._n_blocks = 0
            rows = rows[:, -self.n_rows :]
        n_new = rows.shape[1]
        if self._n_used + n_new > self._buffer.shape[1]:
            kept = self.n_rows - n_new
            self.has_forgotten = True
            if kept:
                # The two ranges may overlap, hence the copy.
                self._buffer[:, :kept] = self.rows[:, self._n_used - kept :].copy()
            self._n_used = kept
            self._n_blocks = 0
        self._buffer[:, self._n_used : self._n_used + n_new] = rows
        self._n_used += n_new

    def cut(self, t_s: float) -> None:
        """Let the rows from `t_s` on go."""
        self._n_used = int(np.searchsorted(self.rows[0], t_s))
        self._n_blocks = min(self._n_blocks, self._n_used // _BLOCK)

    @property
    def rows(self) -> FloatArray:
        return self._buffer[:, : self._n_used]

    @property
    def n_bytes(self) -> int:
        return self._buffer.nbytes + self._low.nbytes + self._high.nbytes

    def extremes(self, first: int, last: int, most_rows: int) -> FloatArray:
        """Rows `first` to `last`; of more than `most_rows`, the least and the most of each block.

        A block gives two rows, both of the time of its first.
        """
        if last - first <= most_rows:
            return self.rows[:, first:last]
        self._update_blocks()
        begin = first // _BLOCK
        end = max(begin, min(-(-last // _BLOCK), self._n_blocks))
        found = np.empty((len(self._buffer), 2 * (end - begin)))
        found[:, 0::2], found[:, 1::2] = self._low[:, begin:end], self._high[:, begin:end]
        found[0, 1::2] = found[0, 0::2]
        return np.concatenate((found, self.rows[:, end * _BLOCK : last]), axis=1)

    def _update_blocks(self) -> None:
        """Blocks are made when they are asked for: nobody may ever look."""
        first, last = self._n_blocks, self._n_used // _BLOCK
        if last > first:
            rows = self._buffer[:, first * _BLOCK : last * _BLOCK]
            blocks = rows.reshape(len(rows), last - first, _BLOCK)
            self._low[:, first:last] = np.fmin.reduce(blocks, axis=2)
            self._high[:, first:last] = np.fmax.reduce(blocks, axis=2)
            self._n_blocks = last


class History:
    """Columns of figures over time, appended in order of time. One thread only.

    Memory is bounded: two rows for each one that is guaranteed. A query older than the
    full rows is answered from buckets. NaN is unknown, and a break in the curve.
    """

    def __init__(
        self,
        columns: dict[str, Reduce],
        *,
        fine_rows: int,
        coarse_rows: int = 4096,
        bucket_s: float = 1.0,
    ) -> None:
        """Make room for `fine_rows` rows in full and `coarse_rows` buckets of `bucket_s`."""
        self._columns = {name: index + 1 for index, name in enumerate(columns)}
        self._reduces = tuple(columns.values())
        self._fine = _Tail(fine_rows, len(columns) + 1)
        self._coarse = _Tail(coarse_rows, len(columns) + 1)
        self._bucket_s = bucket_s
        self._pending: FloatArray = np.empty((len(columns) + 1, 0))

    def append(
        self, t_s: Sequence[float] | FloatArray, **columns: Sequence[float | None] | FloatArray
    ) -> None:
        """Add rows, every column as long as `t_s`; None is unknown."""
        if len(t_s) == 0:
            return
        rows = np.array([t_s, *(columns[name] for name in self._columns)], dtype=np.float64)
        self._fine.append(rows)
        self._bucket(rows)

    def drop(
        self, t0_s: float = -np.inf, t1_s: float = np.inf, *, leaves_blank: bool = False
    ) -> None:
        """Forget the rows from `t0_s` to `t1_s`, as if they had never been added.

        With `leaves_blank` a break in the curves stands at `t0_s` instead.
        """
        fine = self._fine.rows
        later = fine[:, int(np.searchsorted(fine[0], t1_s, side="right")) :].copy()
        self._fine.cut(t0_s)
        kept = self._fine.rows
        newest_s = float(kept[0, -1]) if kept.shape[1] else t0_s
        # The newest bucket is open again.
        bucket_s = np.floor(newest_s / self._bucket_s) * self._bucket_s
        self._coarse.cut(bucket_s)
        self._pending = kept[:, kept[0] >= bucket_s].copy()
        if not kept.shape[1]:
            # Where older rows are in buckets, something has to say from when on they are not.
            leaves_blank = leaves_blank or self._coarse.rows.shape[1] > 0
            self._fine.has_forgotten = self._coarse.rows.shape[1] > 0
        if leaves_blank:
            self.append([t0_s], **{name: [None] for name in self._columns})
        if later.shape[1]:
            self._fine.append(later)
            self._bucket(later)

    def between(self, t0_s: float, t1_s: float, *columns: str) -> tuple[FloatArray, ...]:
        """Times and the named columns from `t0_s` to `t1_s`, with one row more at either side."""
        wanted = [0, *(self._columns[name] for name in columns)]
        fine, coarse = self._fine.rows, self._coarse.rows
        found = _cut(fine, t0_s, t1_s)[wanted]
        if not self._fine.has_forgotten or t0_s >= fine[0, 0]:
            return tuple(found)
        before = coarse[:, : int(np.searchsorted(coarse[0], fine[0, 0]))]
        if before.shape[1] and t1_s < before[0, -1]:
            return tuple(_cut(before, t0_s, t1_s)[wanted])
        return tuple(np.concatenate((_cut(before, t0_s, t1_s)[wanted], found), axis=1))

    @property
    def most_bytes(self) -> int:
        """What it takes at most."""
        return self._fine.n_bytes + self._coarse.n_bytes

    @property
    def fine_rows(self) -> int:
        """How many of the newest rows are kept in full."""
        return self._fine.n_rows

    @property
    def full_since_s(self) -> float | None:
        """From when on every row is there; None where that is from the beginning."""
        return float(self._fine.rows[0, 0]) if self._fine.has_forgotten else None

    def first_after(self, t_s: float) -> float | None:
        """When the first row after `t_s` is, else the last; None where those are not kept in full.

        Nothing new comes there, while the oldest row in full is another one all the time.
        """
        times = self._fine.rows[0]
        if self.full_since_s is not None and t_s < self.full_since_s:
            return None
        place = min(int(np.searchsorted(times, t_s, side="right")), len(times) - 1)
        return float(times[place]) if len(times) else None

    def count(self, t0_s: float, t1_s: float) -> int:
        """Rows kept in full from `t0_s` on and before `t1_s`."""
        first, last = np.searchsorted(self._fine.rows[0], (t0_s, t1_s))
        return int(last - first)

    def extremes(
        self, t0_s: float, t1_s: float, *columns: str, most_rows: int = 16_384
    ) -> tuple[FloatArray, ...]:
        """As `between`, for a picture: of more than `most_rows`, the least and the most of each 64.

        Both stand at the time of the first of the 64.
        """
        wanted = [0, *(self._columns[name] for name in columns)]
        fine = self._fine.rows
        found = self._fine.extremes(*_range(fine, t0_s, t1_s), most_rows)[wanted]
        if not self._fine.has_forgotten or t0_s >= fine[0, 0]:
            return tuple(found)
        coarse = self._coarse.rows
        before = int(np.searchsorted(coarse[0], fine[0, 0]))
        first, last = _range(coarse, t0_s, t1_s)
        older = self._coarse.extremes(min(first, before), min(last, before), most_rows)[wanted]
        return tuple(np.concatenate((older, found), axis=1))

    def at(self, t_s: float, column: str) -> float | None:
        """The value in force at `t_s`: of the last row at or before it."""
        source = self._fine.rows
        if self._fine.has_forgotten and t_s < source[0, 0]:
            source = self._coarse.rows
        index = int(np.searchsorted(source[0], t_s, side="right")) - 1
        return _known(source[self._columns[column], index]) if index >= 0 else None

    def nearest(self, t_s: float, column: str, *, within_s: float) -> float | None:
        """The value of the row nearest to `t_s`, None when it is further away than `within_s`."""
        times, values = self.between(t_s, t_s, column)
        if not len(times):
            return None
        index = int(np.argmin(np.abs(times - t_s)))
        return _known(values[index]) if abs(times[index] - t_s) <= within_s else None

    def interpolate(self, t_s: float, column: str) -> float | None:
        """The value at a moment between two rows, on the line between them."""
        times, values = self.between(t_s, t_s, column)
        if len(times) < 2 or not times[0] <= t_s <= times[-1] or np.isnan(values).any():
            return None
        return float(np.interp(t_s, times, values))

    def rises(self, t0_s: float, t1_s: float, column: str) -> bool:
        """Whether every row from `t0_s` to `t1_s` is known and none is below the one before."""
        _, values = self.between(t0_s, t1_s, column)
        return len(values) > 0 and not np.isnan(values).any() and bool((np.diff(values) >= 0).all())

    def is_unknown(self, t0_s: float, t1_s: float, column: str) -> bool:
        """Whether no row from `t0_s` to `t1_s` is known."""
        return bool(np.isnan(self.between(t0_s, t1_s, column)[1]).all())

    def append_blank(self, t_s: float) -> None:
        """A break in the curves: nothing is known at `t_s`, or just after the last row."""
        rows = self._fine.rows
        if rows.shape[1]:
            t_s = max(t_s, float(np.nextafter(rows[0, -1], np.inf)))
        self.append([t_s], **{name: [None] for name in self._columns})

    def integrate(self, t0_s: float, t1_s: float, column: str, *, gap_s: float) -> float | None:
        """The area under the lines between rows, in the column's unit times seconds.

        None where a value is unknown, rows are more than `gap_s` apart, or they do not reach
        from `t0_s` to `t1_s`.
        """
        times, values = self.between(t0_s, t1_s, column)
        if len(times) < 2 or times[0] > t0_s or times[-1] < t1_s:
            return None
        if np.isnan(values).any() or np.diff(times).max() > gap_s:
            return None
        inside = (times > t0_s) & (times < t1_s)
        at_s = np.concatenate(([t0_s], times[inside], [t1_s]))
        return float(np.trapezoid(np.interp(at_s, times, values), at_s))

    def has_any(self, column: str) -> bool:
        """Whether any row that is kept is known."""
        index = self._columns[column]
        kept = (self._fine.rows, self._coarse.rows)
        return any(bool(np.isfinite(rows[index]).any()) for rows in kept)

    def last(self, column: str) -> float | None:
        """The newest value."""
        rows = self._fine.rows
        return _known(rows[self._columns[column], -1]) if rows.shape[1] else None

    def _bucket(self, rows: FloatArray) -> None:
        rows = np.concatenate((self._pending, rows), axis=1)
        buckets = np.floor(rows[0] / self._bucket_s)
        starts = np.flatnonzero(np.diff(buckets, prepend=np.nan))
        self._pending = rows[:, starts[-1] :].copy()
        if len(starts) < 2:
            return
        done = rows[:, : starts[-1]]
        reduced = np.stack(
            [
                buckets[starts[:-1]] * self._bucket_s,
                *(
                    _reduce(values, starts[:-1], how)
                    for values, how in zip(done[1:], self._reduces, strict=True)
                ),
            ]
        )
        self._coarse.append(self._with_breaks(reduced))

    def _with_breaks(self, reduced: FloatArray) -> FloatArray:
        """`reduced` with an unknown row wherever buckets are missing."""
        before = self._coarse.rows[0, -1:]
        gaps = np.diff(np.concatenate((before, reduced[0]))) > 2.5 * self._bucket_s
        at = np.flatnonzero(gaps) + (0 if len(before) else 1)
        if not len(at):
            return reduced
        blank = np.full((reduced.shape[0], len(at)), np.nan)
        blank[0] = reduced[0, at] - self._bucket_s
        return np.insert(reduced, at, blank, axis=1)


def _cut(rows: FloatArray, t0_s: float, t1_s: float) -> FloatArray:
    first, last = _range(rows, t0_s, t1_s)
    return rows[:, first:last]


def _range(rows: FloatArray, t0_s: float, t1_s: float) -> tuple[int, int]:
    """First and last row of a stretch of time, with one more at either side."""
    first = max(0, int(np.searchsorted(rows[0], t0_s)) - 1)
    last = min(int(np.searchsorted(rows[0], t1_s, side="right")) + 1, rows.shape[1])
    return first, last


def _reduce(values: FloatArray, starts: NDArray[np.intp], how: Reduce) -> FloatArray:
    if how is Reduce.MAX:
        biggest: FloatArray = np.fmax.reduceat(values, starts)
        return biggest
    if how is Reduce.LAST:
        latest: FloatArray = values[np.append(starts[1:], len(values)) - 1]
        return latest
    if how is Reduce.WHOLE_MEAN:
        whole: FloatArray = np.add.reduceat(values, starts) / np.diff(starts, append=len(values))
        return whole
    known = ~np.isnan(values)
    sums = np.add.reduceat(np.where(known, values, 0.0), starts)
    counts = np.add.reduceat(known.astype(np.float64), starts)
    means: FloatArray = np.full(len(starts), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def _known(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)
