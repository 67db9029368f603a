"""Which characters of an answer stand where in the widget that shows it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from app.reasoning import ReasoningWatch
from ui.conversation.reasoning_part import ReasoningPart
from ui.conversation.text_part import TextPart
from ui.inspector.source_map import align

if TYPE_CHECKING:
    from app.transcript import Answer
    from ui.conversation.answer_widget import AnswerWidget


@dataclass(slots=True)
class _Mapped:
    part: TextPart
    begin: int
    n_shown: int
    places: array[int]
    end: int


class AnswerMap:
    """Maps positions in the parts of one answer to characters of its text.

    Parts before the last do not change any more, so that what a look costs is bounded however
    long the answer is.
    """

    def __init__(self, widget: AnswerWidget) -> None:
        """Map nothing yet."""
        self._widget = widget
        self._mapped: list[_Mapped] = []

    @property
    def answer(self) -> Answer:
        """Whose text it is."""
        return self._widget.answer

    def parts(self) -> list[tuple[TextPart, array[int]]]:
        """What can be looked into, from top to bottom.

        With, for each position in its document, the character of the text; -1 for none.
        """
        self._update()
        return [(item.part, item.places) for item in self._mapped]

    def word_at(self, part: TextPart, position: int) -> tuple[int, int] | None:
        """The word at a position as characters `begin` to `end` of the text; None for none."""
        cursor = QTextCursor(part.document())
        cursor.setPosition(min(position, part.document().characterCount() - 1))
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        first, last = cursor.selectionStart(), cursor.selectionEnd()
        if first == last:
            first, last = position, position + 1
        places = next((places for known, places in self.parts() if known is part), array("q"))
        inside = [place for place in places[first:last] if place >= 0]
        return (min(inside), max(inside) + 1) if inside else None

    def _update(self) -> None:
        text = self.answer.text
        watch = ReasoningWatch()
        answer_begin = watch.look(text, is_last=self.answer.phase.is_over)
        known, self._mapped = self._mapped, []
        at = answer_begin or 0
        for number, shown in enumerate(self._widget.parts):
            part = shown if isinstance(shown, TextPart) else shown.body
            begin, end = at, len(text)
            if isinstance(shown, ReasoningPart):
                if watch.span is None:
                    continue
                begin, end = watch.span.inner_begin, watch.span.inner_end
            n_shown = part.document().characterCount()
            item = known[number] if number < len(known) else None
            is_same = item is not None and item.part is part and item.begin == begin
            if item is None or not is_same or item.n_shown != n_shown:
                places, stop = align(part.document().toPlainText(), text, begin, end)
                item = _Mapped(part, begin, n_shown, places, stop)
            self._mapped.append(item)
            if not isinstance(shown, ReasoningPart):
                at = item.end
