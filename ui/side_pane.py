"""The ground of the columns beside the conversation."""

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import Theme


class SidePane(QWidget):
    """Fills itself with the colour of the sides."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground."""
        QPainter(self).fillRect(event.rect(), self._theme.color("side"))
