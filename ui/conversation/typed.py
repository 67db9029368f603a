"""What a person typed: words as they are, and code between fences."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

_FENCE = re.compile(r"^( {0,3})(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$", re.MULTILINE)
# Each is a widget; what follows more of them stays as it was typed.
_MOST_CODES = 40
_NOT_BLANK = re.compile(r"\S")


class Piece(NamedTuple):
    """Words, or code in the language that is named by its fence; `language` is None of words."""

    text: str
    language: str | None = None


def pieces_of(text: str) -> list[Piece]:
    """Words and code in order, without blank lines around them.

    Nothing but code between two fences is read as Markdown: what is no code stays as typed, also
    a fence that nothing closes. Without code it is one piece, which may be empty.
    """
    pieces: list[Piece] = []
    end = 0
    for opening, closing in islice(_pairs(text), _MOST_CODES):
        # What reads Markdown takes long to import, and few messages have code.
        from ui.markdown.verbatim import fence_at

        pieces += _words(text[end : opening.start()])
        code = text[opening.end() + 1 : max(opening.end() + 1, closing.start() - 1)]
        if opening[1]:
            code = re.sub(rf"^ {{1,{len(opening[1])}}}", "", code, flags=re.MULTILINE)
        pieces.append(Piece(code, fence_at(opening[0], opening.end(1) - opening.start())[1]))
        end = closing.end()
    pieces += _words(text[end:])
    return pieces or [Piece(text.strip("\n"))]


def shown_text_of(text: str) -> str:
    """What is read of a message, without fences around its code."""
    return "\n\n".join(piece.text for piece in pieces_of(text))


def _words(text: str) -> list[Piece]:
    words = text.strip("\n")
    return [Piece(words)] if _NOT_BLANK.search(words) else []


def _pairs(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Fences that open and close code."""
    fences = list(_FENCE.finditer(text))
    # From how many characters on no fence is closed any more, by its character.
    unclosed: dict[str, int] = {}
    number = 0
    while number < len(fences):
        opening = fences[number]
        number += 1
        mark = opening[2]
        if len(mark) >= unclosed.get(mark[0], len(mark) + 1):
            continue
        for place in range(number, len(fences)):
            closing = fences[place]
            if closing[2].startswith(mark) and not closing[3].strip():
                yield opening, closing
                number = place + 1
                break
        else:
            unclosed[mark[0]] = len(mark)
