"""Upper ends of axes that are easy to read and do not change with every sample."""

import math

_STEPS = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
_HEADROOM = 1.08
_SHRINK_BELOW = 0.4


class Scale:
    """An upper end that grows at once and shrinks only when most of the axis is empty."""

    def __init__(self, *, smallest: float, is_binary: bool = False) -> None:
        """Start at `smallest`; `is_binary` steps in KiB, MiB, GiB."""
        self._is_binary = is_binary
        self._smallest = smallest
        self.top = smallest

    def fit(self, biggest: float | None) -> float:
        """The upper end for values up to `biggest`."""
        if biggest is not None and math.isfinite(biggest):
            wanted = max(self._ceiling(biggest * _HEADROOM), self._smallest)
            if biggest > self.top or wanted < self.top * _SHRINK_BELOW:
                self.top = wanted
        return self.top

    def _ceiling(self, value: float) -> float:
        if value <= 0:
            return self._smallest
        unit = 1024.0 ** math.floor(math.log(value, 1024)) if self._is_binary else 1.0
        decade = 10.0 ** math.floor(math.log10(value / unit))
        for step in _STEPS:
            if value <= step * decade * unit:
                return step * decade * unit
        return 10.0 * decade * unit
