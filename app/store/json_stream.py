"""JSON read piece by piece, so that a large file takes the memory of its largest conversation."""

import json
import re
from collections.abc import Iterator
from typing import TextIO

from app.store.refusal import not_json, refused, translate

_CHUNK = 1 << 18
_MOST_CHARACTERS = 64 << 20
_LONGEST_EXPONENT = 3
_SPACE = re.compile(r"[ \t\r\n]*")


class JsonStream:
    """Values out of a text, one after another. Every method may raise RefusedError or OSError."""

    def __init__(self, text: TextIO) -> None:
        """Read from `text`, from where it is."""
        self._text = text
        self._decoder = json.JSONDecoder()
        self._buffer = ""
        self._at = 0
        self._is_whole = False

    def peek(self) -> str:
        """The next character that is no white space; "" at the end."""
        while True:
            self._at = _end_of_space(self._buffer, self._at)
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                return ""

    def take(self, character: str) -> bool:
        """Go past `character` if it is the next."""
        if self.peek() != character:
            return False
        self._at += 1
        return True

    def expect(self, character: str) -> None:
        """Go past `character`, which must be the next."""
        if not self.take(character):
            raise not_json(f"{character!r} is missing")

    def value(self) -> object:
        """The next value, whole."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except RecursionError as error:
                raise not_json("nested too deeply") from error
            except ValueError as error:
                # It may go on beyond what was read. Four times as much each time costs no more
                # than reading a third of it twice.
                if not self._more(3 * (len(self._buffer) - self._at)):
                    raise not_json(str(error)) from error
                continue
            # A number may go on, also behind a point or an exponent that looks like its end.
            is_near_end = len(self._buffer) - end < _LONGEST_EXPONENT
            if is_near_end and isinstance(value, int | float) and self._more():
                continue
            self._at = end
            return value

    def items(self) -> Iterator[object]:
        """The values of a list, which is next."""
        self.expect("[")
        if self.take("]"):
            return
        while True:
            yield self.value()
            if self.take("]"):
                return
            self.expect(",")

    def _more(self, at_least: int = 0) -> bool:
        """Read on; returns whether there was anything."""
        if self._is_whole:
            return False
        kept = self._buffer[self._at :]
        if len(kept) > _MOST_CHARACTERS:
            raise refused(
                translate("Exchange", "one conversation in it is larger than 64 MB, or is damaged.")
            )
        try:
            read = self._text.read(max(_CHUNK, min(at_least, _MOST_CHARACTERS - len(kept) + 1)))
        except UnicodeDecodeError as error:
            raise not_json(str(error)) from error
        if not read:
            self._is_whole = True
            return False
        self._buffer, self._at = kept + read, 0
        return True


def _end_of_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at
