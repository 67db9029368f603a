"""Lines of Markdown: their indentation, and where a long one is cut."""

import re
from itertools import islice

MAYBE_CLOSING = re.compile(r"[ \t]*(`{0,80}|~{0,80})[ \t]*")
_DEEPEST_CLOSING = 3
# Or a formula.
_BEGINS_WORD = re.compile(r"[^\W\d_]|\$[^\s$]")


# Each may begin code, which takes long to be shown.
_MOST_FENCES = 8
_MAYBE_FENCE = re.compile(r"`{3,}|~{3,}")


def piece_end(text: str, begin: int, n_most: int) -> int:
    """Where a piece stops that begins at `begin`: after so many characters, or some fences."""
    end = min(len(text), begin + n_most)
    fences = islice(_MAYBE_FENCE.finditer(text, begin, end), _MOST_FENCES, None)
    fence = next(fences, None)
    return end if fence is None else fence.end()


def is_closing(line: str, fence: str, base: int) -> bool:
    """Whether `line` closes code opened with `fence`, in items whose content is at `base`."""
    found = MAYBE_CLOSING.fullmatch(line)
    return (
        found is not None
        and found[1].startswith(fence)
        and indent_of(line) - base <= _DEEPEST_CLOSING
    )


def place_to_cut(line: str, before: int) -> int:
    """Where to cut a long line: before a word, so that the rest begins no other block.

    Not within a formula where there is another place.
    """
    places = range(before, max(0, before - 200), -1)
    words = [
        place
        for place in places
        if line[place - 1 : place] == " " and _BEGINS_WORD.match(line, place)
    ]
    for place in words:
        if line.count("$", 0, place) % 2 == 0:
            return place
    if words:
        return words[0]
    for place in places:
        if line[place : place + 1].isalpha():
            return place
    return before


def indent_of(line: str) -> int:
    """Columns before the first character."""
    column = 0
    for character in line:
        if character == " ":
            column += 1
        elif character == "\t":
            column += 4 - column % 4
        else:
            break
    return column


def dedent(line: str, columns: int) -> str:
    """`line` without this many columns of space."""
    column = 0
    for place, character in enumerate(line):
        if column >= columns or character not in " \t":
            return " " * (column - columns) + line[place:]
        column += 4 - column % 4 if character == "\t" else 1
    return ""
