"""Work that waits for another turn of the event loop where much was done in this one."""

from collections.abc import Callable
from time import thread_time

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer

# Less than half of a frame, so that what is then done as well still fits; more with every turn
# that had no room, so that it comes to pass at all.
_ENOUGH_S = 0.006
_MORE_S = 0.002
_MOST_PASSED = 5


class _TurnClock(QObject):
    """Knows what was done in a turn; one for all, since each turn calls it.

    What painting and timers do is in different turns, but nothing else comes in between: half of
    what was done before a turn counts in it.
    """

    def __init__(self, dispatcher: QAbstractEventDispatcher) -> None:
        super().__init__(dispatcher)
        self._begun_s = thread_time()
        dispatcher.awake.connect(self._begin)

    def used_s(self) -> float:
        """Time that the processor worked, which does not count waiting."""
        return thread_time() - self._begun_s

    def _begin(self) -> None:
        now_s = thread_time()
        self._begun_s = now_s - (now_s - self._begun_s) / 2


def _clock() -> _TurnClock:
    """The clock of the event loop, which owns it."""
    dispatcher = QAbstractEventDispatcher.instance()
    if dispatcher is None:
        raise RuntimeError("There is no event loop")
    made = dispatcher.findChild(_TurnClock)
    return made if isinstance(made, _TurnClock) else _TurnClock(dispatcher)


class LoopTurn(QObject):
    """Calls `work` in a turn of the event loop that has room for it. Main thread only.

    What is due at the same time is otherwise done without a break, however long that takes, and
    keys and the mouse wait for all of it.

    Args:
        work: What is to be done; takes long, but less than a frame or two.
        parent: Its owner.
    """

    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._n_passed = 0
        self._clock = _clock()
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self.take)

    @property
    def is_waiting(self) -> bool:
        """Whether `work` waits for a turn."""
        return self._next.isActive()

    def put_off(self) -> None:
        """Call `work` in one of the next turns, not in this one."""
        if not self.is_waiting:
            self._next.start(0)

    def take(self) -> None:
        """Call `work` now, or in one of the next turns."""
        if self.is_waiting:
            return
        enough_s = _ENOUGH_S + _MORE_S * self._n_passed
        if self._n_passed < _MOST_PASSED and self._clock.used_s() > enough_s:
            self._n_passed += 1
            self._next.start(0)
            return
        self._n_passed = 0
        self._work()
