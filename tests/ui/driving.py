"""What a person does with keys and clicks, and what a session was asked for then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QAbstractButton, QWidget

    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def press(window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = CONTROL) -> None:
    window.activateWindow()
    QTest.keyClick(window.chat.composer.field, key, modifiers)


def click(button: QAbstractButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def double_click(widget: QWidget, place: QPoint) -> None:
    QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, pos=place)
    # QTest leaves the button held.
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=place)


def asked(session: FakeSession, name: str) -> list[object]:
    return [argument for called, argument in session.calls if called == name]
