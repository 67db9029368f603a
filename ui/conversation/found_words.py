"""Counts words in turns without making their widgets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.reasoning import ReasoningWatch
from app.transcript import Answer, UserTurn
from ui.conversation.typed import shown_text_of
from ui.markdown.visible import visible

if TYPE_CHECKING:
    from collections.abc import Generator

# No marks of Markdown are among them but numbers of lists.
_PLAIN = re.compile(r"[^\W_](?:[\w ,;'’.?!-]*[^\W_])?")
_MARKS = re.compile(r"[*_~`]")
_SPACE = re.compile(r"\s+")
# In a line with any of them what stands in the text is not always what is shown.
_ODD = re.compile(r"[\[\]<>&]|^\s*(?:```|~~~)")
_NUMBERED = re.compile(r"\s*\d{1,9}[.)]")


class Words:
    """What is looked for, in letters of either case."""

    def __init__(self, words: str) -> None:
        self.text = words
        self.pattern = re.compile(re.escape(words), re.IGNORECASE)
        self._parts = words.casefold().split()
        self._is_plain = _PLAIN.fullmatch(words) is not None
        self._has_digits = any(map(str.isdigit, words))

    def count_in(self, turn: UserTurn | Answer) -> Generator[None, None, int]:
        """How often a turn shows the words; goes on a few milliseconds at a time."""
        text = turn.text
        if isinstance(turn, UserTurn):
            return self._count(visible(shown_text_of(text)))
        folded = text.casefold()
        # Marks of Markdown may stand between words, hardly within one.
        if not all(part in folded for part in self._parts):
            return 0
        watch = ReasoningWatch()
        begin = watch.look(text, is_last=True)
        n_found = 0
        if watch.span is not None:
            inner = text[watch.span.inner_begin : watch.span.inner_end]
            n_found = self._count(inner.strip("\n"))
        if begin is None:
            return n_found
        body = text[begin:]
        quick = self._count_plain(body)
        if quick is not None:
            return n_found + quick
        # Only answers need what reads Markdown.
        from ui.markdown.shown import shown_lines

        for line in shown_lines(body):
            n_found += self._count(line)
            yield
        return n_found

    def _count(self, text: str) -> int:
        return sum(1 for _ in self.pattern.finditer(text))

    def _count_plain(self, source: str) -> int | None:
        """How often they stand in Markdown where that is what is shown; None where it is not."""
        if not self._is_plain:
            return None
        places = [match.start() for match in self.pattern.finditer(source)]
        if self._count(_SPACE.sub(" ", _MARKS.sub("", source))) != len(places):
            return None
        has_formulas = "$" in source or "\\" in source
        for place in places:
            line_begin = source.rfind("\n", 0, place) + 1
            line_end = source.find("\n", place)
            line = source[line_begin : line_end if line_end >= 0 else len(source)]
            if _ODD.search(line) or (self._has_digits and _NUMBERED.match(line)):
                return None
            if has_formulas and _has_formula_around(source, place):
                return None
        return len(places)


def _has_formula_around(source: str, place: int) -> bool:
    """Whether the paragraph at `place` has what may be part of a formula, or of an escape."""
    begin = source.rfind("\n\n", 0, place) + 1
    end = source.find("\n\n", place)
    paragraph = source[begin : end if end >= 0 else len(source)]
    return "$" in paragraph or "\\" in paragraph
