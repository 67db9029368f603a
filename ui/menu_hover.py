"""Buttons that open a menu: after it, only what is under the pointer is highlighted."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QWidget


class MenuHover(QObject):
    """Qt tells a widget nothing of a pointer that leaves it while a menu is open."""

    def __init__(self, button: QWidget, menu: QMenu) -> None:
        """Watch over `button`, and what it stands in, whenever `menu` closes."""
        super().__init__(button)
        self._button = button
        menu.aboutToHide.connect(self._look_again, Qt.ConnectionType.QueuedConnection)

    def _look_again(self) -> None:
        place = QCursor.pos()
        widget: QWidget | None = self._button
        while widget is not None and not widget.isWindow():
            if not widget.rect().contains(widget.mapFromGlobal(place)):
                widget.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            widget.update()
            widget = widget.parentWidget()
