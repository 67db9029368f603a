"""A button is not highlighted after its menu when the pointer went elsewhere."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.waiting import WAIT_MS
from ui.panels.header import PanelHeader
from ui.theme import Theme


@pytest.mark.parametrize("is_over", [False, True])
def test_what_the_pointer_left_while_a_menu_was_open_is_left(
    theme: Theme, qtbot: QtBot, is_over: bool
) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("Float")
    header = PanelHeader(theme, "Decode rate", menu)
    qtbot.addWidget(header)
    with qtbot.waitExposed(header, timeout=WAIT_MS):
        header.show()
    button = header.menu_button
    menu.popup(button.mapToGlobal(QPoint(0, 30)))
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    place = button.rect().center() if is_over else QPoint(-200, 300)
    QCursor.setPos(button.mapToGlobal(place))
    menu.close()
    qtbot.waitUntil(lambda: button.underMouse() is is_over, timeout=WAIT_MS)
