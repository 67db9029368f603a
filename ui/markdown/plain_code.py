"""Fenced code that is written into the prose around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.markdown.blocks import Block, Prose

if TYPE_CHECKING:
    from ui.markdown.blocks import Code

# What is longer is final up to a line end, so that what still changes stays short.
_LONGEST = 2_000


class PlainCode:
    """Makes blocks of one fenced block of code as it streams in; `level` is its list items."""

    def __init__(self, level: int) -> None:
        self._level = level
        self._text = ""
        self._is_begun = False

    def take(self, change: Code) -> Prose:
        """What is final now, and what may still change."""
        self._text += change.text
        if change.ends:
            return Prose(final=(self._block(self._text),))
        end = self._text.rfind("\n") + 1 if len(self._text) > _LONGEST else 0
        if not end:
            return Prose(tail=(self._block(self._text),))
        done, self._text = self._text[:end], self._text[end:]
        final = self._block(done)
        self._is_begun = True
        return Prose(final=(final,), tail=(self._block(self._text),))

    def _block(self, text: str) -> Block:
        from markdown_it.token import Token

        token = Token("fence", "code", 0, content=text)
        return Block(
            tokens=(token,),
            level=self._level,
            is_spaced=not self._is_begun,
            continues=self._is_begun,
        )
