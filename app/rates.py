"""The decode rate as it changes during an answer."""

from collections.abc import Sequence

import numpy as np

_Stamps = np.ndarray[tuple[int], np.dtype[np.int64]]

_WINDOW_NS = 1_000_000_000


class RateWindow:
    """Decode rate over the last second before each engine step of one answer.

    `(N_i - N_j) / (t_i - t_j)` with N the tokens so far and j the first step of the window, so
    that the tokens of step j, made before the window began, are not counted. A window reaches
    back one step at least, and never over a sleep of the machine. Unknown (NaN) at the first step,
    and at the first after a sleep.
    """

    def __init__(self, window_ns: int = _WINDOW_NS) -> None:
        """Begin before the first step."""
        self._window_ns = window_ns
        self._t_ns: _Stamps = np.empty(0, np.int64)
        self._n_total: _Stamps = np.empty(0, np.int64)

    def extend(
        self, t_ns: Sequence[int], n_tokens: Sequence[int], suspended_t_ns: Sequence[int] = ()
    ) -> list[float]:
        """Take steps, with the tokens of each; gives the rate at each, tokens per second.

        `suspended_t_ns` is as in `RequestTrace`, of the whole answer so far.
        """
        if not len(t_ns):
            return []
        n_before = len(self._t_ns)
        base = int(self._n_total[-1]) if n_before else 0
        t_all = np.concatenate((self._t_ns, np.asarray(t_ns, np.int64)))
        n_all = np.concatenate((self._n_total, base + np.cumsum(n_tokens)))
        ends = np.arange(n_before, len(t_all))
        begins = np.searchsorted(t_all, t_all[ends] - self._window_ns)
        begins = np.maximum(np.minimum(begins, ends - 1), 0)
        if len(suspended_t_ns):
            awake = np.searchsorted(t_all, suspended_t_ns)
            since = np.zeros(len(t_all), np.int64)
            since[awake[awake < len(t_all)]] = awake[awake < len(t_all)]
            begins = np.maximum(begins, np.maximum.accumulate(since)[ends])
        elapsed_s = (t_all[ends] - t_all[begins]) / 1e9
        made = (n_all[ends] - n_all[begins]).astype(np.float64)
        rates = np.full(len(ends), np.nan)
        np.divide(made, elapsed_s, out=rates, where=elapsed_s > 0)
        kept = int(begins[-1])
        self._t_ns, self._n_total = t_all[kept:], n_all[kept:]
        found: list[float] = rates.tolist()
        return found
