"""Rows of engine steps and of what the KV cache holds, over time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.series import FloatArray, History, Reduce
from app.turns import Turn
from engine.values import KvLayout

IntArray = NDArray[np.int64]

_ROWS = 131_072


class TokenRows:
    """Both histories, with the meanings that they have in `TelemetryStore`."""

    def __init__(self, origin_ns: int) -> None:
        """Begin empty; `origin_ns` is the stamp at which the store's clock begins."""
        self._origin_ns = origin_ns
        self.steps = History(
            {"rate": Reduce.MEAN, "itl": Reduce.MAX, "tokens": Reduce.MEAN}, fine_rows=_ROWS
        )
        self.kv = History({"tokens": Reduce.LAST, "bytes": Reduce.LAST}, fine_rows=_ROWS)

    def append_steps(self, turn: Turn) -> None:
        """Take the steps of a turn that are not here yet."""
        rows = turn.take_new_steps()
        self.steps.append(
            (np.array(rows.t_ns, np.int64) - self._origin_ns) / 1e9,
            rate=rows.rate,
            itl=rows.itl_ns,
            tokens=rows.n_tokens,
        )

    def append_kv(
        self,
        t_s: Sequence[float] | FloatArray,
        n_tokens: Sequence[int | None] | IntArray,
        layout: KvLayout | None,
    ) -> None:
        """Tokens that the cache held when, and their bytes as it is laid out."""
        tokens = np.array(n_tokens, np.float64)
        self.kv.append(t_s, tokens=tokens, bytes=_bytes_of(tokens, layout))

    def forget(self, turns: Sequence[Turn]) -> None:
        """Forget some that came one after the other; the last may run.

        What the cache holds is not known from their begin on.
        """
        t0_s, t_end_ns = self._to_s(turns[0].t_submit_ns), turns[-1].t_end_ns
        # The engine takes one request after the other: rows of a later one come after the end.
        t1_s = np.inf if t_end_ns is None else self._to_s(t_end_ns)
        self.steps.drop(t0_s, t1_s)
        self.kv.drop(t0_s, t1_s, leaves_blank=True)

    def _to_s(self, t_ns: int) -> float:
        return (t_ns - self._origin_ns) / 1e9


def _bytes_of(tokens: FloatArray, layout: KvLayout | None) -> FloatArray:
    """`KvLayout.used_bytes` of each, which is linear but where a window is full; NaN is unknown."""
    known = tokens[~np.isnan(tokens)]
    if layout is None or not len(known):
        return np.full(len(tokens), np.nan)
    windows = [group.max_tokens for group in layout.groups if group.max_tokens is not None]
    at = sorted({0, 1, *windows, int(known.max())})
    found: FloatArray = np.rint(np.interp(tokens, at, [layout.used_bytes(n) for n in at]))
    return found
