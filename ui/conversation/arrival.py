"""The text of an answer on its way into parts: read piece by piece, written block by block."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ui.markdown.blocks import Block, BlockStream, Code, Prose
from ui.markdown.lines import piece_end
from ui.markdown.plain_code import PlainCode

if TYPE_CHECKING:
    from collections.abc import Sequence

# Code in parts of its own; what comes after so many and is short is part of the prose.
_MOST_CODE_PARTS = 150


class Arrival:
    """Cuts a text that grows into changes, and keeps those that are not shown yet.

    Args:
        references: Link definitions that are known already.
    """

    def __init__(self, references: dict[str, Any] | None = None) -> None:
        self._blocks = BlockStream(references)
        self._due: deque[Prose | Code] = deque()
        self._plain_code: PlainCode | None = None
        self._n_code_parts = 0
        self._n_read = 0
        self._is_finished = False

    @property
    def n_read(self) -> int:
        """How many characters of the text have been read."""
        return self._n_read

    @property
    def is_finished(self) -> bool:
        """Whether the end of the text has been read."""
        return self._is_finished

    @property
    def is_shown(self) -> bool:
        """Whether every change has been taken."""
        return not self._due

    @property
    def references(self) -> dict[str, Any]:
        """The link definitions found, and those known."""
        return self._blocks.references

    @property
    def has_new_references(self) -> bool:
        """Whether definitions came after links that may need them."""
        return self._blocks.has_new_references

    def skip(self, begin: int) -> None:
        """Take the text for read up to `begin`."""
        self._n_read = max(self._n_read, begin)

    def read_on(self, text: str, n_most: int, *, is_whole: bool) -> bool:
        """Read about so many characters of what is new in `text`, and its end where it is whole.

        False where there is nothing to read.
        """
        has_more = self._n_read < len(text)
        if has_more:
            begin, self._n_read = self._n_read, piece_end(text, self._n_read, n_most)
            self._add(self._blocks.feed(text[begin : self._n_read]))
        if is_whole and self._n_read == len(text) and not self._is_finished:
            self._is_finished = has_more = True
            self._add(self._blocks.finish())
        return has_more

    def take(self) -> Prose | Code:
        """The next change."""
        return self._due.popleft()

    def put_back(self, change: Prose, rest: Sequence[Block]) -> None:
        """Of a change that was taken these final blocks are left."""
        self._due.appendleft(replace(change, final=tuple(rest)))

    def _add(self, changes: list[Prose | Code]) -> None:
        for change in changes:
            if isinstance(change, Code) and change.begins:
                has_many = self._n_code_parts >= _MOST_CODE_PARTS
                self._plain_code = PlainCode(change) if has_many else None
                self._n_code_parts += not has_many
            if isinstance(change, Code) and self._plain_code is not None:
                for made in self._plain_code.take(change):
                    self._put(made)
            else:
                self._put(change)

    def _put(self, change: Prose | Code) -> None:
        """What stands together is written at once, for each edit is laid out."""
        last = self._due[-1] if self._due else None
        if isinstance(change, Prose) and isinstance(last, Prose):
            self._due[-1] = Prose(final=last.final + change.final, tail=change.tail)
        else:
            self._due.append(change)
