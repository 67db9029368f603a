"""Which writes have not reached the disk, for whoever asks from another thread."""

from threading import Lock


class Unwritten:
    """Keys of what is to be written, each with the number of the write that came last."""

    def __init__(self) -> None:
        """Nothing is."""
        self._numbers: dict[str, int] = {}
        self._lock = Lock()

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._numbers)

    def add(self, key: str, number: int) -> None:
        """A write waits from now on."""
        with self._lock:
            self._numbers[key] = number

    def remove(self, key: str, number: int) -> None:
        """A write waits no longer, unless a later one with its key does."""
        with self._lock:
            if self._numbers.get(key, 0) <= number:
                self._numbers.pop(key, None)
