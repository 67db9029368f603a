"""Stacks turns in a column; only those near what is read have widgets, so thousands stay fluid."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from operator import add
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, cast, overload

from app.transcript import UserTurn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
_MOST_COUNTED = 5_000


@dataclass(slots=True, eq=False)
class Slot:
    """A turn and its place, which it keeps while it has no widget.

    Attributes:
        index: Which turn of the column it is.
        measured_width: The width its height holds for.
        is_held: Whether its widget is needed wherever it is.
    """

    turn: UserTurn | Answer
    index: int
    _places: Slots
    widget: TurnWidget | None = None
    measured_width: int | None = None
    is_held: bool = False

    @property
    def top(self) -> int:
        """Its upper edge in the column; pixels."""
        return self._places.tops[self.index]

    @property
    def height(self) -> int:
        """A guess until it is measured; pixels."""
        return self._places.heights[self.index]

    @property
    def spacing(self) -> int:
        """Space below; pixels."""
        return self._places.spacings[self.index]

    @property
    def is_behind(self) -> bool:
        """Whether it has a widget that does not yet show all that has come."""
        if self.widget is None or isinstance(self.turn, UserTurn):
            return False
        return cast("EditableAnswer", self.widget).is_behind


class Slots(Sequence[Slot]):
    """The turns of a column and their places. A slot is made when it is first asked for.

    Making thousands, of which a few dozen are ever seen, would take longer than a frame.

    Attributes:
        turns: From top to bottom.
        heights: Of each turn, in pixels, as are all below.
        spacings: Below each turn.
        tops: Upper edges.
    """

    def __init__(self) -> None:
        """None yet."""
        self.turns: list[UserTurn | Answer] = []
        self.heights: list[int] = []
        self.spacings: list[int] = []
        self.tops: list[int] = []
        self._slots: dict[int, Slot] = {}

    def __len__(self) -> int:
        """How many turns there are."""
        return len(self.turns)

    @overload
    def __getitem__(self, index: int) -> Slot: ...

    @overload
    def __getitem__(self, index: slice) -> list[Slot]: ...

    def __getitem__(self, index: int | slice) -> Slot | list[Slot]:
        """The slots of a range, or one."""
        places = range(len(self.turns))[index]
        if isinstance(places, range):
            return [self[place] for place in places]
        slot = self._slots.get(places)
        if slot is None:
            slot = self._slots[places] = Slot(self.turns[places], places, self)
        return slot

    def add(self, turns: Sequence[UserTurn | Answer]) -> None:
        """Append turns, with guesses of their heights. They have no place yet."""
        self.turns += turns
        texts = [turn.text for turn in turns]
        # So many lines are guessed by their length alone: counting would take as long as a frame.
        n_breaks = (
            [text.count("\n", 0, 20_000) for text in texts]
            if len(texts) <= _MOST_COUNTED
            else repeat(0)
        )
        self.heights += [
            (n + len(text) // _GUESS_CHARACTERS_PER_LINE + 1) * _GUESS_LINE_HEIGHT + _GUESS_FOOT
            for text, n in zip(texts, n_breaks, strict=False)
        ]
        self.spacings += [
            _AFTER_USER if isinstance(turn, UserTurn) else _AFTER_ANSWER for turn in turns
        ]

    def truncate(self, n_turns: int) -> None:
        """Keep the first turns only."""
        for values in (self.turns, self.heights, self.spacings, self.tops):
            del values[n_turns:]
        self._slots = {index: slot for index, slot in self._slots.items() if index < n_turns}


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
        # The first whose height is not that which those below it were placed for; None for none.
        self._first_moved: int | None = None
        # Where each turn is, once one without a widget was looked for.
        self._places: dict[UserTurn | Answer, int] | None = None
        # Those with widgets, by their indices: a few dozen, of however many there are.
        self._made: dict[int, Slot] = {}
        self.slots = Slots()

    @property
    def is_placed(self) -> bool:
        """Whether every turn is where its height and those above it put it."""
        return self._first_moved is None

    @property
    def made(self) -> list[Slot]:
        """The turns that have widgets, in order."""
        return [self._made[index] for index in sorted(self._made)]

    @property
    def cut_top(self) -> int | None:
        """Where the space above the first turn is that the model sees; None where it sees all."""
        if not 0 < self._cut < len(self.slots):
            return None
        return self.slots[self._cut].top - CUT_HEIGHT

    def set_cut(self, n_left_out: int) -> bool:
        """Leave space after the first turns, to be shown by `place`; returns whether it is new."""
        is_new = n_left_out != self._cut
        if is_new:
            self._move_from(min(n_left_out, self._cut))
            self._cut = n_left_out
        return is_new

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
        return [slot.widget for slot in self.made if slot.widget is not None]

    def answer_widgets(self) -> list[EditableAnswer]:
        """The widgets of answers made so far, in order."""
        return [
            cast("EditableAnswer", slot.widget)
            for slot in self.made
            if slot.widget is not None and not isinstance(slot.turn, UserTurn)
        ]

    def clear(self) -> None:
        """Forget everything and delete the widgets."""
        self.truncate(0)

    def add(self, turns: Sequence[UserTurn | Answer]) -> None:
        """Append turns, with guesses of their heights."""
        self._places = None
        self._move_from(len(self.slots))
        self.slots.add(turns)
        self.place()

    def truncate(self, n_turns: int) -> None:
        """Keep the first turns only, and delete the widgets of the others."""
        gone = [slot for slot in self.made if slot.index >= n_turns]
        # A widget that goes may have others shown, which are those of the turns that stay.
        self._places = None
        self._made = {index: slot for index, slot in self._made.items() if index < n_turns}
        self.slots.truncate(n_turns)
        for slot in gone:
            self._drop_widget(slot)

    def set_column(self, left: int, width: int) -> None:
        """Say where the column is; pixels."""
        if width != self._width:
            for slot in self._made.values():
                slot.measured_width = None
        if left != self._left:
            # Only widgets are moved, not what is above them.
            self._move_from(min(self._made, default=len(self.slots)))
        self._left, self._width = left, width

    def measure(self, index: int) -> None:
        """Bring the height of a turn up to date; `place` then shows it."""
        slot = self.slots[index]
        before = slot.height if slot.widget is not None else None
        if slot.widget is None:
            self._made[index] = slot
            slot.widget = self._make(slot.turn)
        height = self.slots.heights[index] = slot.widget.arrange(self._width)
        slot.measured_width = self._width
        if height != before:
            self._move_from(index)

    def place(self) -> None:
        """Put turns below each other, from the first that is elsewhere on."""
        first, self._first_moved = self._first_moved, None
        if first is None:
            return
        slots, cut = self.slots, self._cut
        heights, spacings, tops = slots.heights, slots.spacings, slots.tops
        first = min(first, len(slots))
        top = tops[first - 1] + heights[first - 1] + spacings[first - 1] if first else _TOP
        steps = list(map(add, heights[first:], spacings[first:]))
        if first < cut < len(slots):
            steps[cut - first - 1] += CUT_HEIGHT
        elif first == cut > 0:
            top += CUT_HEIGHT
        tops[first:] = list(accumulate(steps, initial=top))[:-1]
        for index, slot in self._made.items():
            if index >= first and slot.widget is not None:
                slot.widget.move(self._left, slot.top)
                if slot.widget.isHidden():
                    slot.widget.show()

    def _move_from(self, index: int) -> None:
        self._first_moved = min(index, index if self._first_moved is None else self._first_moved)

    def index_at(self, y: int) -> int:
        """The turn at `y`, or the last one above it."""
        return max(0, bisect_right(self.slots.tops, y) - 1)

    def index_of(self, turn: UserTurn | Answer) -> int | None:
        """Where a turn is, None when it is not here."""
        for index, slot in self._made.items():
            if slot.turn is turn:
                return index
        if self._places is None:
            self._places = {other: index for index, other in enumerate(self.slots.turns)}
        return self._places.get(turn)

    def widgets_above(self, index: int) -> Iterator[TurnWidget]:
        """The widgets above a turn, from the nearest one on."""
        for slot in reversed(self.made):
            if slot.index < index and slot.widget is not None:
                yield slot.widget

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
        for slot in self.made:
            is_far = slot.top > bottom or slot.top + slot.height < top
            if not is_far or is_kept(slot):
                continue
            if not n_most:
                return True
            n_most -= 1
            self._drop_widget(slot)
        return False

    def _drop_widget(self, slot: Slot) -> None:
        widget, slot.widget = slot.widget, None
        self._made.pop(slot.index, None)
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _stale(self, top: int, bottom: int) -> list[int]:
        """The turns that need a widget, and those whose widget needs to be measured."""
        stale = [i for i, slot in self._made.items() if slot.measured_width != self._width]
        for index in range(self.index_at(top), len(self.slots)):
            slot = self.slots[index]
            if slot.top > bottom:
                break
            if slot.widget is None and slot.top + slot.height >= top:
                stale.append(index)
        return stale

    def is_measured(self, index: int) -> bool:
        """Whether a turn has a widget whose height holds for the present width."""
        slot = self.slots[index]
        return slot.widget is not None and slot.measured_width == self._width
