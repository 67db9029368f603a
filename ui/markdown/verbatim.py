"""Code that streams in, and formulas that are too long to be set: read line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ui.markdown.cuts import CODE_COLUMNS, inside
from ui.markdown.lines import MAYBE_CLOSING, dedent, indent_of, is_blank, is_closing
from ui.markdown.parser import unescaped

_FENCE = re.compile(r"(`{3,}|~{3,})([^\n]*)")


def fence_at(line: str, column: int) -> tuple[str, str]:
    """A fence, and the language it names."""
    opening = _FENCE.match(line, column)
    if opening is None:
        return "```", ""
    return opening[1], " ".join(unescaped(opening[2]).split()[:1])


@dataclass(slots=True, kw_only=True)
class VerbatimReader:
    """Reads the lines of one that is open.

    Attributes:
        closing: The fence it was opened with, or what closes a formula; "" for indented code.
        is_formula: Whether it is one; its closing is part of its text.
        around: What is around it, as `inside` takes it off.
        indent: Columns before its opening, which its lines may have too.
        is_ended: Whether what follows does not belong to it.
    """

    closing: str
    is_formula: bool
    around: tuple[int | None, ...]
    indent: int
    is_ended: bool = False
    _at_line_start: bool = True
    _line_ends: int = 0
    _is_closed: bool = False
    _last: str = ""

    def __post_init__(self) -> None:
        self._at_line_start = not self.is_formula

    def read(self, text: str, *, is_last: bool) -> tuple[str, str]:
        """What to show of `text`, and what of it is left to read."""
        position, pieces = 0, []
        while position < len(text):
            line_end = text.find("\n", position)
            end = line_end if line_end >= 0 else len(text)
            line = text[position:end]
            if self._at_line_start:
                seen = line.lstrip(" \t>") if self.around else line
                if line_end < 0 and not is_last and MAYBE_CLOSING.fullmatch(seen):
                    break
                inner = self._inside(line)
                if inner is None:
                    self.is_ended = True
                    break
                is_fenced = bool(self.closing) and not self.is_formula
                if is_fenced and is_closing(inner, self.closing):
                    position, self.is_ended = min(end + 1, len(text)), True
                    break
                line = dedent(inner, min(indent_of(inner), self.indent))
            if self.is_formula:
                self._is_closed |= self.closing in self._last + line
                self._last = line[-1:]
            if line:
                pieces.append("\n" * self._line_ends + line)
                self._line_ends = 0
            self._line_ends += line_end >= 0
            self._at_line_start = line_end >= 0
            position = min(end + 1, len(text)) if line_end >= 0 else len(text)
            if self._at_line_start and self._is_closed:
                self.is_ended = True
                break
        if self.is_ended:
            pieces.append(self.empty_lines())
        return "".join(pieces), text[position:]

    def empty_lines(self) -> str:
        """What is held back at the end but belongs to it: nothing of indented code."""
        return "\n" * max(0, self._line_ends - 1) if self.closing else ""

    def _inside(self, line: str) -> str | None:
        """A line without what is around it; None where that is over above it."""
        inner, n_inside = inside(line, self.around)
        if n_inside < len(self.around) or (self.is_formula and is_blank(inner)):
            return None
        if self.closing or is_blank(inner) or indent_of(inner) >= CODE_COLUMNS:
            return inner
        return None
