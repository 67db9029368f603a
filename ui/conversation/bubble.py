"""What is around the words of a person."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from ui.theme import Theme

_RADIUS = 14


def paint_bubble(widget: QWidget, theme: Theme, place: QRectF) -> None:
    """Paint it in a widget that is being painted."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("bubble"))
    painter.drawRoundedRect(place, _RADIUS, _RADIUS)
