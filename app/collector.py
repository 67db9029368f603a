"""Collects garbage while nothing is going on, so that it never stops what is shown."""

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 5_000
_NEVER = 1_000_000_000
# Collections of the second youngest; as many as Python lets pass before it looks at all objects.
_ENOUGH = 10
# So many, and it is done also before somebody who is there: memory is bounded first of all.
_MUCH = 100
# Looks without an answer, after which the person is taken to be away.
_AWAY_LOOKS = 60


class QuietCollector(QObject):
    """Takes the collection of all objects over from Python. Main thread only.

    Python looks at every object whenever enough new ones have come, which takes longer the more
    there are: a tenth of a second after some long answers. Here they are looked at when the person
    is away, or much has come and no answer runs. Where the start has kept Python from collecting
    at all, it may again once all is there.

    Args:
        is_quiet: Whether nothing is going on.
        is_away: Whether nobody looks at the window.
        interval_ms: How often it is asked.
        parent: Its owner.
    """

    def __init__(
        self,
        is_quiet: Callable[[], bool],
        is_away: Callable[[], bool],
        *,
        interval_ms: int = _INTERVAL_MS,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_quiet = is_quiet
        self._is_away = is_away
        self._n_quiet = 0
        self._thresholds: tuple[int, int, int] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self._look)

    def start(self) -> None:
        """Take over."""
        if self._thresholds is None:
            self._thresholds = gc.get_threshold()
            gc.set_threshold(self._thresholds[0], self._thresholds[1], _NEVER)
            self._timer.start()

    def resume(self) -> None:
        """Let Python collect, but not look at what there is now: that is old from now on."""
        gc.freeze()
        gc.unfreeze()
        # Last: as soon as it may, Python looks at all that is young.
        gc.enable()

    def close(self) -> None:
        """Give it back to Python."""
        self._timer.stop()
        if self._thresholds is not None:
            gc.set_threshold(*self._thresholds)
            self._thresholds = None

    def _look(self) -> None:
        if not gc.isenabled():
            self.resume()
        self._n_quiet = self._n_quiet + 1 if self._is_quiet() else 0
        if not self._n_quiet:
            return
        is_away = self._n_quiet >= _AWAY_LOOKS or self._is_away()
        if gc.get_count()[2] >= (_ENOUGH if is_away else _MUCH):
            gc.collect()
            self._n_quiet = 0
