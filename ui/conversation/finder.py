"""Finds words in all that is said, a little at a time, and keeps up with what changes."""

from bisect import bisect_left
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from shiboken6 import isValid

from app.transcript import Answer, UserTurn
from ui.conversation.found_words import Words
from ui.conversation.reasoning_part import ReasoningPart
from ui.conversation.text_part import TextPart
from ui.conversation.turn_stack import Slot
from ui.conversation.user_bubble import UserBubble
from ui.conversation.view import ConversationView

_SLICE_S = 0.006
# A conversation of usual length is done at once, so that Enter goes on from what is found.
_FIRST_SLICE_S = 0.012
_AGAIN_MS = 300
_SOON_MS = 50

# Text that can be seen, or reasoning that is folded.
FindPlace = TextPart | ReasoningPart


@dataclass(frozen=True, slots=True)
class Found:
    """Where the words are in one part: positions as its document counts, in order.

    In folded reasoning they are what it would have, and say no more than how many there are.
    """

    part: FindPlace
    positions: tuple[int, ...]
    length: int
    state: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Place:
    """Where to begin: a turn, a part of it if that is known, and a position in its document."""

    index: int
    part: FindPlace | None = None
    position: int = 0


@dataclass(frozen=True, slots=True)
class TurnFound:
    """How often the words are in a turn, and where as far as its widget shows it.

    `index` is its place in the conversation; `parts` are in order, and none where the turn has
    no widget.
    """

    turn: UserTurn | Answer
    index: int
    n_matches: int
    parts: tuple[Found, ...] = ()

    def part_of(self, number: int) -> tuple[Found, int] | None:
        """The part that a match of this turn is in, and its number there; None where unknown."""
        for found in self.parts:
            if number < len(found.positions):
                return found, number
            number -= len(found.positions)
        return None


class Finder(QObject):
    """Looks for words in a conversation until it is told to stop. Main thread only.

    Turns that have no widget are read as they were written, and get none for it.

    Signals:
        changed(): `found` has changed.
    """

    changed = Signal()

    def __init__(self, view: ConversationView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._words = Words("")
        self._known: dict[FindPlace, Found] = {}
        # How often they are in turns, and how long these were, by their id.
        self._counted: dict[str, tuple[int, int]] = {}
        self._sweep: Iterator[None] | None = None
        self._is_complete = True
        self._start = Place(0)
        self._seen: list[TurnFound] = []
        self._held: Slot | None = None
        self.found: list[TurnFound] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self._work(_SLICE_S))
        view.verticalScrollBar().valueChanged.connect(self._look_soon)

    @property
    def is_complete(self) -> bool:
        """Whether everything there was has been looked at."""
        return self._is_complete

    @property
    def n_matches(self) -> int:
        """How many there are, as far as it came."""
        return sum(found.n_matches for found in self.found)

    def look_for(self, words: str, start: Place) -> None:
        """Find `words` from now on, first from `start` on; "" ends it."""
        if words != self._words.text:
            self._words = Words(words)
            self._known, self._counted = {}, {}
        if not words:
            self.hold(None)
        self._sweep, self.found, self._seen, self._start = None, [], [], start
        self._is_complete = not words
        self._timer.stop()
        if words:
            self._work(_FIRST_SLICE_S)

    def look_again(self) -> None:
        """See at once what has changed, as far as a moment allows."""
        if self._words.text:
            self._work(_FIRST_SLICE_S)

    def entry(self, turn_id: str) -> TurnFound | None:
        """What is found in a turn."""
        return next((found for found in self.found if found.turn.turn_id == turn_id), None)

    def look_at(self, turn_id: str) -> None:
        """See at once what has changed in a turn in which something was found."""
        for place, found in enumerate(self.found):
            if found.turn.turn_id == turn_id:
                slot = self._slot(found)
                if slot is not None:
                    self.found[place] = _result_of(self._look_at(found.index, slot))
                return

    def show_turn(self, found: TurnFound) -> None:
        """Give a turn the widget that shows all of it, before long, and hold on to it alone."""
        slot = self._slot(found)
        self.hold(slot)
        if slot is None:
            return
        if slot.widget is None:
            self._view.make_turn(slot)
        if isinstance(slot.widget, UserBubble):
            slot.widget.show_all()

    def hold(self, slot: Slot | None) -> None:
        """Keep the widget of this turn, and no other for what was found in it."""
        if self._held is not None and self._held is not slot:
            self._held.is_held = False
            self._view.release_turns()
        self._held = slot
        if slot is not None:
            slot.is_held = True

    def first(self) -> tuple[TurnFound, int] | None:
        """The first match from the start on, beyond the end at the beginning.

        None where there is none, or none that is known to be the first.
        """
        start = self._start
        here = next((found for found in self.found if found.index == start.index), None)
        if here is not None:
            number = _number_at(here, self._slot(here), start)
            if number < here.n_matches:
                return here, number
        others = [found for found in self.found if found is not here]
        after = next((found for found in others if found.index > start.index), None)
        if after is None and others:
            after = others[0]
        if after is None and self.is_complete:
            after = here
        return None if after is None else (after, 0)

    def _slot(self, found: TurnFound) -> Slot | None:
        slots = self._view.stack.slots
        if found.index < len(slots) and slots[found.index].turn is found.turn:
            return slots[found.index]
        return None

    def _look_soon(self) -> None:
        """Turns that come on screen have no marks yet."""
        if self._words.text and self._timer.remainingTime() > _SOON_MS:
            self._timer.start(_SOON_MS)

    def _work(self, budget_s: float) -> None:
        deadline = perf_counter() + budget_s
        # Text that was written anew has lost its marks, wherever the words are now.
        before, was_complete = self.found, self._is_complete
        if self._sweep is None:
            self._sweep, self._seen = self._look_through(), []
        while self._sweep is not None and perf_counter() < deadline:
            try:
                next(self._sweep)
            except StopIteration:
                self._sweep = None
        if self._sweep is None or not before or len(self._seen) > len(before):
            self.found = sorted(self._seen, key=lambda found: found.index)
        if self._sweep is None:
            self._is_complete = True
            self._known = {part.part: part for found in self.found for part in found.parts}
        self._timer.start(0 if self._sweep is not None else _AGAIN_MS)
        if before != self.found or was_complete != self._is_complete:
            self.changed.emit()

    def _look_through(self) -> Iterator[None]:
        """Look at one turn after the other, from the start on and around."""
        slots = self._view.stack.slots
        first = min(self._start.index, len(slots))
        for index in (*range(first, len(slots)), *range(first)):
            # Another branch may be shown meanwhile, which is looked through after this one.
            if index >= len(slots):
                continue
            found = yield from self._look_at(index, slots[index])
            if found.n_matches:
                self._seen.append(found)
            yield

    def _look_at(self, index: int, slot: Slot) -> Generator[None, None, TurnFound]:
        turn, widget, parts = slot.turn, slot.widget, []
        if widget is not None and isValid(widget):
            for part in widget.find_places():
                if isValid(part):
                    found = self._look_in(part)
                    if found.positions:
                        parts.append(found)
                    yield
        n_shown = sum(len(found.positions) for found in parts)
        is_whole = widget.is_whole if isinstance(widget, UserBubble) else not slot.is_behind
        if widget is not None and is_whole:
            return TurnFound(turn, index, n_shown, tuple(parts))
        n_matches = yield from self._count_in(turn)
        return TurnFound(turn, index, max(n_matches, n_shown), tuple(parts))

    def _count_in(self, turn: UserTurn | Answer) -> Generator[None, None, int]:
        known = self._counted.get(turn.turn_id)
        if known is not None and known[1] == len(turn.text):
            return known[0]
        n_characters = len(turn.text)
        n_matches = yield from self._words.count_in(turn)
        self._counted[turn.turn_id] = (n_matches, n_characters)
        return n_matches

    def _look_in(self, part: FindPlace) -> Found:
        if isinstance(part, ReasoningPart):
            state = (-1, len(part.text))
        else:
            document = part.document()
            state = (document.revision(), document.characterCount())
        known = self._known.get(part)
        if known is not None and known.state == state:
            return known
        text = part.text if isinstance(part, ReasoningPart) else part.document().toPlainText()
        places = [match.start() for match in self._words.pattern.finditer(text)]
        length = len(self._words.text)
        if places and not text.isascii():
            length = _units(self._words.text)
            places = _in_units(text, places)
        found = Found(part, tuple(places), length, state)
        self._known[part] = found
        return found


def place_on_screen(view: ConversationView) -> Place:
    """Where what is seen begins."""
    stack = view.stack
    if not stack.slots:
        return Place(0)
    index = stack.index_at(view.verticalScrollBar().value())
    widget = stack.slots[index].widget
    for part in widget.find_places() if widget is not None else ():
        top = part.mapTo(view.viewport(), QPoint(0, 0)).y()
        if top + part.height() > 0:
            if isinstance(part, ReasoningPart) or top >= 0:
                return Place(index, part)
            return Place(index, part, part.cursorForPosition(QPoint(0, -top)).position())
    # All of it is above, or nothing is there yet.
    return Place(index if widget is None else index + 1)


def _number_at(found: TurnFound, slot: Slot | None, start: Place) -> int:
    """The first match of a turn from `start` on, which is in it; how many there are if none is."""
    if start.part is None or slot is None or slot.widget is None:
        return 0
    order = {part: place for place, part in enumerate(slot.widget.find_places())}
    own, number = order.get(start.part, -1), 0
    for part_found in found.parts:
        place = order.get(part_found.part, -1)
        if place == own:
            return number + bisect_left(part_found.positions, start.position)
        if place > own:
            break
        number += len(part_found.positions)
    return number


def _result_of(work: Generator[None, None, TurnFound]) -> TurnFound:
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: TurnFound = end.value
            return found


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _in_units(text: str, places: list[int]) -> list[int]:
    """Places in a text as Qt counts them, in UTF-16 units."""
    counted: list[int] = []
    n_units, begin = 0, 0
    for place in places:
        n_units += _units(text[begin:place])
        counted.append(n_units)
        begin = place
    return counted
