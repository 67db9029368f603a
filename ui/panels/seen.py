"""Whether a window can be seen: one that is minimised cannot."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget


class WindowSeen(QObject):
    """Watches a window.

    Signals:
        changed(bool): It was minimised (False), or is back (True).
    """

    changed = Signal(bool)

    def __init__(self, window: QWidget, parent: QObject) -> None:
        """Begin to watch."""
        super().__init__(parent)
        self._window = window
        self._was_seen = not window.isMinimized()
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Notice a change; every event goes on."""
        if event.type() == QEvent.Type.WindowStateChange:
            is_seen = not self._window.isMinimized()
            if is_seen != self._was_seen:
                self._was_seen = is_seen
                self.changed.emit(is_seen)
        return False
