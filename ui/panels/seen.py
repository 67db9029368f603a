"""Whether a window can be seen: one that is minimised cannot."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget


class WindowSeen(QObject):
    """Watches a window.

    Attributes:
        is_seen: Whether it can be seen.

    Signals:
        changed(): It was minimised, or is back.
        closing(): It is about to close; it may yet stay.
    """

    changed = Signal()
    closing = Signal()

    def __init__(self, window: QWidget, parent: QObject) -> None:
        """Begin to watch."""
        super().__init__(parent)
        self._window = window
        self.is_seen = not window.isMinimized()
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Notice a change; every event goes on."""
        if event.type() == QEvent.Type.WindowStateChange:
            is_seen = not self._window.isMinimized()
            if is_seen != self.is_seen:
                self.is_seen = is_seen
                self.changed.emit()
        elif event.type() == QEvent.Type.Close:
            self.closing.emit()
        return False
