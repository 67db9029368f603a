"""What a view keeps for the moment in which the widgets of its turns are made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from ui.conversation.turn_stack import Slot, TurnWidget


class SwitchedPlace:
    """Where the person went from one variant to another.

    Attributes:
        index: Which turn of the branch.
        bottom: Where its lower edge was, pixels from the top of the view.
    """

    def __init__(self, index: int, bottom: int, steps: int, widget: TurnWidget | None) -> None:
        """Keep it before the widget goes."""
        self.index = index
        self.bottom = bottom
        self._steps = steps
        focus = QApplication.focusWidget()
        self._had_focus = widget is not None and focus is not None and widget.isAncestorOf(focus)

    def give_focus(self, widget: TurnWidget | None) -> None:
        """Give the focus back to the arrow that was pressed, or to the other at the end."""
        if widget is None or not self._had_focus:
            return
        # Where the last variant but one was deleted there are none.
        if widget.foot.choices.n_variants > 1:
            widget.foot.dress()
            arrows = (widget.foot.button("next"), widget.foot.button("previous"))
            wanted, other = arrows if self._steps > 0 else arrows[::-1]
            (wanted if wanted.isEnabled() else other).setFocus()


def edits_in(slots: list[Slot]) -> dict[int, str]:
    """What is being edited, by the index of its turn."""
    return {
        slot.index: slot.widget.editor.field.text()
        for slot in slots
        if slot.widget is not None and slot.widget.editor is not None
    }


def edited_with_focus(slots: list[Slot]) -> int | None:
    """Which turn is being edited with the focus in its field; None where none is."""
    return next(
        (
            slot.index
            for slot in slots
            if slot.widget is not None
            and slot.widget.editor is not None
            and slot.widget.editor.isAncestorOf(slot.widget.window().focusWidget())
        ),
        None,
    )
