"""Finds words in all that is said, a little at a time, and keeps up with what changes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from ui.conversation.reasoning_part import ReasoningPart
from ui.conversation.text_part import TextPart
from ui.conversation.user_bubble import UserBubble
from ui.conversation.view import ConversationView

_SLICE_S = 0.006
# A conversation of usual length is done at once, so that Enter goes on from what is found.
_FIRST_SLICE_S = 0.03
_AGAIN_MS = 300

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


class Finder(QObject):
    """Looks for words in a conversation until it is told to stop. Main thread only.

    Signals:
        changed(): `found` has changed.
    """

    changed = Signal()

    def __init__(self, view: ConversationView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._words = ""
        self._pattern = re.compile("")
        self._known: dict[FindPlace, Found] = {}
        # Turns in which the words stand only apart, and how long they were, by their id.
        self._without: dict[str, int] = {}
        self._sweep: Iterator[None] | None = None
        # The part whose matches came last is first: it goes from the end to the start.
        self._seen: list[Found] = []
        self.found: list[Found] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self._work(_SLICE_S))

    @property
    def is_complete(self) -> bool:
        """Whether everything there was has been looked at."""
        return self._sweep is None

    @property
    def n_matches(self) -> int:
        """How many there are, as far as it came."""
        return sum(len(found.positions) for found in self.found)

    def look_for(self, words: str) -> None:
        """Find `words` from now on, in letters of either case; "" ends it."""
        if words != self._words:
            self._words, self._pattern = words, re.compile(re.escape(words), re.IGNORECASE)
            self._known, self._without = {}, {}
            for slot in self._view.stack.slots:
                slot.is_held = False
            self._view.release_turns()
        self._sweep, self.found, self._seen = None, [], []
        self._timer.stop()
        if words:
            self._work(_FIRST_SLICE_S)

    def look_again(self) -> None:
        """See at once what has changed, as far as a moment allows."""
        if self._words:
            self._work(_FIRST_SLICE_S)

    def _work(self, budget_s: float) -> None:
        deadline = perf_counter() + budget_s
        # Text that was written anew has lost its marks, wherever the words are now.
        before = [(id(found.part), found.state, found.positions) for found in self.found]
        is_first = not self.found
        if self._sweep is None:
            self._sweep, self._seen = self._look_through(), []
        while self._sweep is not None and perf_counter() < deadline:
            try:
                next(self._sweep)
            except StopIteration:
                self._sweep = None
        if self._sweep is None or is_first or len(self._seen) > len(self.found):
            self.found = self._seen[::-1]
        if self._sweep is None:
            self._known = {found.part: found for found in self.found}
        self._timer.start(0 if self._sweep is not None else _AGAIN_MS)
        if before != [(id(found.part), found.state, found.positions) for found in self.found]:
            self.changed.emit()

    def _look_through(self) -> Iterator[None]:
        """Look at one part after the other, the last first, making those that are needed."""
        wanted = self._words.casefold().split()
        for slot in reversed(list(self._view.stack.slots)):
            turn = slot.turn
            if slot.widget is None:
                if self._without.get(turn.turn_id) == len(turn.text):
                    continue
                text = turn.text.casefold()
                # Marks of Markdown may stand between words, hardly within one.
                if not all(word in text for word in wanted):
                    continue
                slot.is_held = True
                self._view.make_turn(slot)
                yield
            widget = slot.widget
            if widget is None or not isValid(widget):
                continue
            slot.is_held = True
            if isinstance(widget, UserBubble) and self._pattern.search(turn.text):
                widget.show_all()
            n_before = len(self._seen)
            for part in reversed(widget.find_places()):
                if not isValid(part):
                    continue
                found = self._look_in(part)
                if found.positions:
                    self._seen.append(found)
                yield
            # What is found stays where it is found.
            slot.is_held = len(self._seen) > n_before
            if slot.is_held:
                self._without.pop(turn.turn_id, None)
            elif not slot.is_behind:
                self._without[turn.turn_id] = len(turn.text)

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
        places = [match.start() for match in self._pattern.finditer(text)]
        length = len(self._words)
        if places and not text.isascii():
            length = _units(self._words)
            places = _in_units(text, places)
        found = Found(part, tuple(places), length, state)
        self._known[part] = found
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
