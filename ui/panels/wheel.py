"""The wheel over a graph, the same everywhere: zoom, pan, or left to what scrolls."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from ui.panels.time_axis import TimeAxis

ZOOM_PER_NOTCH = 0.8
"""How much shorter each notch makes what is in view."""

_PAN_PER_NOTCH = 0.1
_NOTCH = 120


def turn_wheel(event: QWheelEvent, axis: TimeAxis, at_s: float, graph: QWidget) -> None:
    """With Ctrl zoom around `at_s`, sideways or with Shift pan.

    Without either it scrolls what `graph` stands in, and zooms where that needs no scrolling.
    """
    down, side = event.angleDelta().y() / _NOTCH, event.angleDelta().x() / _NOTCH
    t0_s, t1_s = axis.view_s
    if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
        side, down = side or down, 0.0
    # A finger on a touchpad hardly moves straight.
    if abs(side) > abs(down):
        axis.pan(-side * _PAN_PER_NOTCH * (t1_s - t0_s))
    elif event.modifiers() & Qt.KeyboardModifier.ControlModifier or not _scrolls(graph):
        axis.zoom(ZOOM_PER_NOTCH**down, at_s)
    else:
        event.ignore()
        return
    event.accept()


def _scrolls(graph: QWidget) -> bool:
    """Whether something around it has more than can be seen."""
    around = graph.parentWidget()
    while around is not None and not around.isWindow():
        if isinstance(around, QAbstractScrollArea) and around.verticalScrollBar().maximum() > 0:
            return True
        around = around.parentWidget()
    return False
