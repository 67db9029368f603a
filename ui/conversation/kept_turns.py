"""Which turns need their widget, however far they are from what is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from app.transcript import Answer

if TYPE_CHECKING:
    from ui.conversation.turn_stack import Slot


def is_kept(slot: Slot) -> bool:
    """Whether a turn is in use: it runs, has the focus or a selection, is unfolded or edited."""
    widget = slot.widget
    if widget is None:
        return False
    if slot.is_held or widget.is_opened:
        return True
    if isinstance(slot.turn, Answer) and not slot.turn.phase.is_over:
        return True
    if slot.is_behind:
        return True
    # Of the window, which gives it back when it becomes active again.
    if widget.isAncestorOf(widget.window().focusWidget()):
        return True
    return any(part.textCursor().hasSelection() for part in widget.text_parts())


def is_something_open() -> bool:
    """Whether a menu or a dialog is, which may belong to a turn."""
    return QApplication.activePopupWidget() is not None or (
        QApplication.activeModalWidget() is not None
    )
