"""Whether a window can be seen: one that is minimised cannot."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget


class WindowSeen(QObject):
    """Watches a window.

    Signals:
        changed(bool): It was minimised (False), or is back (True).
        closing(): It is about to close; it may yet stay.
    """

    changed = Signal(bool)
    closing = Signal()

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
        elif event.type() == QEvent.Type.Close:
            self.closing.emit()
        return False
