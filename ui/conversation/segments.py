"""An answer that streams in, cut into prose and fenced code, each character looked at once."""

import re
from dataclasses import dataclass
from enum import Enum, auto


class SegmentKind(Enum):
    """What a segment is."""

    PROSE = auto()
    CODE = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """Text to append to segment number `index`, which begins with the first piece of it."""

    index: int
    kind: SegmentKind
    language: str
    text: str


# Bounded, so that a long line is not held back on the chance that it is a fence.
_OPENING = re.compile(r"([ \t]{0,40})(?:(`{3,40})([^`\n]{0,80})|(~{3,40})([^\n]{0,80}))")
_MAYBE_OPENING = re.compile(r"[ \t]{0,40}(?:`{0,2}|`{3,40}[^`\n]{0,80}|~{0,2}|~{3,40}[^\n]{0,80})")
_MAYBE_CLOSING = re.compile(r"[ \t]{0,40}(`{0,80}|~{0,80})[ \t]{0,40}")


class SegmentStream:
    """Turns arriving text into pieces for segments; only the last segment ever grows.

    A line that may yet become a fence is held back, and so are line ends, since the last ones
    of a segment are not shown.
    """

    def __init__(self) -> None:
        self._index = -1
        self._kind = SegmentKind.PROSE
        self._language = ""
        self._fence = ""
        self._indent = 0
        self._held = ""
        self._at_line_start = True
        self._line_ends = 0
        self._is_open = False
        self._pieces: list[Piece] = []

    def feed(self, text: str) -> list[Piece]:
        """Pieces that `text` makes certain."""
        return self._read(self._held + text, is_last=False)

    def finish(self) -> list[Piece]:
        """Pieces of what was held back; nothing follows."""
        return self._read(self._held, is_last=True)

    def _read(self, text: str, *, is_last: bool) -> list[Piece]:
        self._held, self._pieces = "", []
        position = 0
        while position < len(text):
            line_end = text.find("\n", position)
            is_whole = line_end >= 0
            end = line_end if is_whole else len(text)
            line = text[position:end]
            if self._at_line_start:
                is_complete = is_whole or is_last
                if not is_complete and self._may_become_fence(line):
                    self._held = line
                    break
                if is_complete and self._take_fence(line):
                    position = end + 1
                    continue
                line = self._without_indent(line)
            self._append(line, ends_line=is_whole)
            self._at_line_start = is_whole
            position = end + 1
        return self._merged()

    def _may_become_fence(self, line: str) -> bool:
        if self._kind is SegmentKind.PROSE:
            return _MAYBE_OPENING.fullmatch(line) is not None
        return _MAYBE_CLOSING.fullmatch(line) is not None

    def _take_fence(self, line: str) -> bool:
        if self._kind is SegmentKind.PROSE:
            opening = _OPENING.fullmatch(line)
            if opening is None:
                return False
            self._kind = SegmentKind.CODE
            self._indent, self._fence = len(opening[1]), opening[2] or opening[4]
            info = (opening[3] or opening[5] or "").split()
            self._language = info[0] if info else ""
            self._index += 1
            self._is_open, self._line_ends = True, 0
            self._pieces.append(Piece(self._index, self._kind, self._language, ""))
            return True
        closing = _MAYBE_CLOSING.fullmatch(line)
        if closing is None or not closing[1].startswith(self._fence):
            return False
        self._kind, self._language = SegmentKind.PROSE, ""
        self._is_open, self._line_ends = False, 0
        return True

    def _without_indent(self, line: str) -> str:
        if self._kind is SegmentKind.PROSE or not self._indent:
            return line
        width = len(line) - len(line.lstrip(" \t"))
        return line[min(width, self._indent) :]

    def _append(self, line: str, *, ends_line: bool) -> None:
        if not self._is_open:
            line = line.lstrip()
            if not line:
                return
            self._index += 1
            self._is_open = True
        if line:
            text = "\n" * self._line_ends + line
            self._line_ends = 0
            self._pieces.append(Piece(self._index, self._kind, self._language, text))
        self._line_ends += ends_line

    def _merged(self) -> list[Piece]:
        merged: list[list[Piece]] = []
        for piece in self._pieces:
            if merged and merged[-1][0].index == piece.index:
                merged[-1].append(piece)
            else:
                merged.append([piece])
        return [
            Piece(same[0].index, same[0].kind, same[0].language, "".join(p.text for p in same))
            for same in merged
        ]
