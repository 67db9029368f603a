"""Stacks turns in a column; only those near what is read have widgets, so thousands stay fluid."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, cast

from app.transcript import UserTurn

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.transcript import Answer
    from ui.conversation.editable_answer import EditableAnswer
    from ui.conversation.user_bubble import UserBubble

TurnWidget: TypeAlias = "UserBubble | EditableAnswer"

_AFTER_USER = 0
_AFTER_ANSWER = 34
_TOP = 28
CUT_HEIGHT = 44
_BOTTOM = 28
# Enough for a first guess of the height of a turn that was never measured.
_GUESS_CHARACTERS_PER_LINE = 90
_GUESS_LINE_HEIGHT = 24
_GUESS_FOOT = 40


@dataclass(slots=True, eq=False)
class Slot:
    """A turn and its place, which it keeps while it has no widget.

    Attributes:
        measured_width: The width its height holds for.
        is_held: Whether its widget is needed wherever it is.
    """

    turn: UserTurn | Answer
    top: int = 0
    height: int = 0
    widget: TurnWidget | None = None
    measured_width: int | None = None
    is_held: bool = False

    @property
    def spacing(self) -> int:
        """Space below."""
        return _AFTER_USER if isinstance(self.turn, UserTurn) else _AFTER_ANSWER

    @property
    def is_behind(self) -> bool:
        """Whether it has a widget that does not yet show all that has come."""
        if self.widget is None or isinstance(self.turn, UserTurn):
            return False
        return cast("EditableAnswer", self.widget).is_behind


class TurnStack:
    """Places of all turns of a conversation; widgets are made when a turn is measured.

    Args:
        make: Makes the widget of a turn.
    """

    def __init__(self, make: Callable[[UserTurn | Answer], TurnWidget]) -> None:
        self._make = make
        self._width = 0
        self._left = 0
        self._cut = 0
        self._is_placed = True
        self.slots: list[Slot] = []

    @property
    def is_placed(self) -> bool:
        """Whether every turn is where its height and those above it put it."""
        return self._is_placed

    @property
    def cut_top(self) -> int | None:
        """Where the space above the first turn is that the model sees; None where it sees all."""
        if not 0 < self._cut < len(self.slots):
            return None
        return self.slots[self._cut].top - CUT_HEIGHT

    def set_cut(self, n_left_out: int) -> None:
        """Leave space after the first turns; `place` then shows it."""
        self._cut = n_left_out

    @property
    def height(self) -> int:
        """Of the whole column, pixels."""
        if not self.slots:
            return 0
        last = self.slots[-1]
        return last.top + last.height + _BOTTOM

    @property
    def widgets(self) -> list[TurnWidget]:
        """The widgets made so far, in order."""
        return [slot.widget for slot in self.slots if slot.widget is not None]

    def answer_widgets(self) -> list[EditableAnswer]:
        """The widgets of answers made so far, in order."""
        return [
            cast("EditableAnswer", slot.widget)
            for slot in self.slots
            if slot.widget is not None and not isinstance(slot.turn, UserTurn)
        ]

    def clear(self) -> None:
        """Forget everything and delete the widgets."""
        self.truncate(0)

    def add(self, turn: UserTurn | Answer) -> Slot:
        """Append a turn, with a guess of its height."""
        lines = turn.text.count("\n", 0, 20_000) + len(turn.text) // _GUESS_CHARACTERS_PER_LINE + 1
        slot = Slot(turn, height=lines * _GUESS_LINE_HEIGHT + _GUESS_FOOT)
        self.slots.append(slot)
        self.place(len(self.slots) - 1)
        return slot

    def truncate(self, n_turns: int) -> None:
        """Keep the first turns only, and delete the widgets of the others."""
        for slot in self.slots[n_turns:]:
            if slot.widget is not None:
                slot.widget.hide()
                slot.widget.deleteLater()
        del self.slots[n_turns:]

    def set_column(self, left: int, width: int) -> None:
        """Say where the column is; pixels."""
        if width != self._width:
            for slot in self.slots:
                slot.measured_width = None
        self._left, self._width = left, width

    def measure(self, index: int) -> None:
        """Bring the height of a turn up to date; `place` then shows it."""
        slot = self.slots[index]
        before = slot.height if slot.widget is not None else None
        if slot.widget is None:
            slot.widget = self._make(slot.turn)
        slot.height = slot.widget.arrange(self._width)
        slot.measured_width = self._width
        self._is_placed = self._is_placed and slot.height == before

    def place(self, first: int = 0) -> None:
        """Put turns from index `first` on below each other."""
        self._is_placed = self._is_placed or first == 0
        top = _TOP
        if first > 0:
            before = self.slots[first - 1]
            top = before.top + before.height + before.spacing
        for index, slot in enumerate(self.slots[first:], start=first):
            if index == self._cut and index > 0:
                top += CUT_HEIGHT
            slot.top = top
            if slot.widget is not None:
                slot.widget.move(self._left, top)
                if slot.widget.isHidden():
                    slot.widget.show()
            top += slot.height + slot.spacing

    def index_at(self, y: int) -> int:
        """The turn at `y`, or the last one above it."""
        low, high = 0, len(self.slots) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.slots[middle].top <= y:
                low = middle
            else:
                high = middle - 1
        return low

    def index_of(self, turn: UserTurn | Answer) -> int | None:
        """Where a turn is, None when it is not here."""
        # Almost always the last one.
        for index in range(len(self.slots) - 1, -1, -1):
            if self.slots[index].turn is turn:
                return index
        return None

    def measure_some(self, near: int, top: int, bottom: int, budget_s: float) -> bool:
        """Measure turns from `top` to `bottom`, the nearest to index `near` first.

        Goes on for about `budget_s` seconds, and returns whether any are left.
        """
        deadline = perf_counter() + budget_s
        stale = self._stale(top, bottom)
        stale.sort(key=lambda index: abs(index - near))
        for n_done, index in enumerate(stale, start=1):
            self.measure(index)
            if perf_counter() >= deadline:
                return n_done < len(stale)
        return False

    def is_complete(self, top: int, bottom: int) -> bool:
        """Whether all turns from `top` to `bottom` have widgets that fit."""
        return not self._stale(top, bottom)

    def release_some(
        self, top: int, bottom: int, is_kept: Callable[[Slot], bool], n_most: int
    ) -> bool:
        """Delete widgets above `top` and below `bottom`, but those that are kept.

        Returns whether there are more than `n_most`, which were deleted.
        """
        for slot in self.slots:
            widget = slot.widget
            is_far = slot.top > bottom or slot.top + slot.height < top
            if widget is None or not is_far or is_kept(slot):
                continue
            if not n_most:
                return True
            n_most -= 1
            slot.widget = None
            widget.hide()
            widget.deleteLater()
        return False

    def _stale(self, top: int, bottom: int) -> list[int]:
        """The turns that need a widget, and those whose widget needs to be measured."""
        return [
            index
            for index, slot in enumerate(self.slots)
            if (
                slot.top <= bottom and slot.top + slot.height >= top
                if slot.widget is None
                else slot.measured_width != self._width
            )
        ]

    def is_measured(self, index: int) -> bool:
        """Whether a turn has a widget whose height holds for the present width."""
        slot = self.slots[index]
        return slot.widget is not None and slot.measured_width == self._width
