"""Text out of tokens, piece by piece: UTF-8 that never breaks, and texts that end an answer."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_SURROGATE = re.compile("[\ud800-\udfff]")
_NewDecoder = codecs.getincrementaldecoder("utf-8")


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD, so that it can be encoded."""
    return _SURROGATE.sub(REPLACEMENT, text)


class Utf8Stream:
    """Decodes bytes as they come and holds back a character that is not complete yet.

    Bytes that no later byte can complete become U+FFFD, one for each maximal invalid run, as
    Unicode recommends.
    """

    def __init__(self) -> None:
        """Begin at a character boundary."""
        self._decoder = _NewDecoder("replace")

    def feed(self, data: bytes) -> str:
        """The characters that `data` completes."""
        return self._decoder.decode(data)

    @property
    def at_boundary(self) -> bool:
        """Whether no byte is held back."""
        return not self._decoder.getstate()[0]

    def flush(self) -> str:
        """What is left at the end: U+FFFD where a character stayed incomplete."""
        return self._decoder.decode(b"", final=True)


class StopMatcher:
    """Cuts a text at the first stop string, however the text is split into pieces.

    The text ends as soon as it ends with a stop string; of several that end there the longest
    is cut off. Held back is the longest end of the text that may still become a stop string, so
    the cost of a piece depends on the stop strings and not on how long the answer is.
    """

    def __init__(self, stops: Iterable[str]) -> None:
        """Stop at any of `stops`; empty ones are ignored."""
        self._stops = tuple(stop for stop in stops if stop)
        self._longest = max(map(len, self._stops), default=0)
        self._held = ""
        self.stopped = False

    def feed(self, piece: str) -> str:
        """The text that is certain now; sets `stopped` where a stop string was completed."""
        if not self._stops or not piece:
            return piece
        text = self._held + piece
        found = [
            (start + len(stop), start) for stop in self._stops if (start := text.find(stop)) >= 0
        ]
        if found:
            self.stopped = True
            self._held = ""
            return text[: min(found)[1]]
        keep = self._held_length(text)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def flush(self) -> str:
        """What is held back, for when no more text comes."""
        held, self._held = self._held, ""
        return held

    def _held_length(self, text: str) -> int:
        for length in range(min(self._longest - 1, len(text)), 0, -1):
            end = text[-length:]
            if any(len(stop) > length and stop.startswith(end) for stop in self._stops):
                return length
        return 0
