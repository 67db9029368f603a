"""How long the sampler has said nothing, and how long it may."""

import math
import time
from collections.abc import Callable

# A busy machine holds samples up by a second now and then.
_LATE_INTERVALS = 3
# NVML may take a minute to open; that is between the first sample and the second.
_OPENING = 4


class Silence:
    """Measures the silence of one sampler after another. Guarded by its owner's lock."""

    def __init__(
        self,
        *,
        late_s: float,
        hung_s: float,
        interval_s: float,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin before the first process.

        Args:
            late_s: Samples are missed when none has come so long after three were due.
            hung_s: A sampler hangs when it says nothing for so long after a sample was due.
            interval_s: How often a sample is asked for.
            clock_s: The time, seconds.
        """
        self._late_s, self._hung_s = late_s, hung_s
        self._interval_s = interval_s
        self._clock_s = clock_s
        self.begin()

    def begin(self) -> None:
        """A process starts. How long that takes says nothing: it has asked no driver then."""
        self._since_s: float | None = None
        self._n_samples = 0

    def end(self, *, is_sample: bool) -> None:
        """It said something."""
        self._since_s = self._clock_s()
        self._n_samples += is_sample

    def ask(self, interval_s: float) -> None:
        """A sample is asked for this often from now on."""
        now_s = self._clock_s()
        if self._since_s is not None and now_s < self._since_s + self._interval_s:
            # None was due until now.
            self._since_s = now_s
        self._interval_s = interval_s

    def left_s(self) -> tuple[float, float]:
        """Seconds until samples are missed, and until it hangs; both may lie behind."""
        if self._since_s is None:
            return math.inf, math.inf
        factor = _OPENING if self._n_samples < 2 else 1
        late_s = factor * (self._late_s + _LATE_INTERVALS * self._interval_s)
        hung_s = factor * self._hung_s + self._interval_s
        silent_s = self._clock_s() - self._since_s
        return late_s - silent_s, hung_s - silent_s
