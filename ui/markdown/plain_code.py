"""Fenced code that is written into the prose around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.markdown.blocks import Block, Code, Prose

if TYPE_CHECKING:
    from collections.abc import Sequence

# What is longer gets a part of its own: it would be written anew with every piece.
_LONGEST = 2_000


class PlainCode:
    """Makes a block of one fenced block of code as it streams in, as long as it is short.

    Args:
        opening: Its first change.
    """

    def __init__(self, opening: Code) -> None:
        self._opening = opening
        self._text = ""
        self.is_short = True

    def take(self, change: Code) -> Sequence[Prose | Code]:
        """What there is to show instead of a change; the change itself once it is too long."""
        if not self.is_short:
            return (change,)
        self._text += change.text
        if len(self._text) > _LONGEST:
            self.is_short = False
            level, language = self._opening.level, self._opening.language
            begun = Code(text=self._text, language=language, begins=True, level=level)
            return (Prose(), begun, Code(ends=True)) if change.ends else (Prose(), begun)
        block = self._block()
        return (Prose(final=(block,)),) if change.ends else (Prose(tail=(block,)),)

    def _block(self) -> Block:
        from markdown_it.token import Token

        content = f"{self._text}\n"
        token = Token("fence", "code", 0, content=content, info=self._opening.language)
        return Block(tokens=(token,), level=self._opening.level)
