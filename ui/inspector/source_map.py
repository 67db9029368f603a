"""Finds where shown text stands in the Markdown that it came from.

Shown text is the source without its marks, in the same order. So both are walked side by side;
where they differ, marks of the source are skipped, or what was added for display. A wrong guess
ends at the next few characters that agree.
"""

from array import array

_OBJECT = "\N{OBJECT REPLACEMENT CHARACTER}"
_NOWHERE = -1
# How far to look for how many characters that agree; nearer first.
_TIERS = ((8, 4), (8, 2), (4, 1), (64, 4))
_FAR, _FAR_LENGTH, _FAR_LEAST = 4_000, 8, 3


def align(shown: str, source: str, begin: int, end: int) -> "tuple[array[int], int]":
    """Where each character of `shown` stands in `source[begin:end]`, and where that ended.

    The places are by UTF-16 unit, as documents count, and -1 for what is not in the source. A
    formula, one character when shown, is where its source begins.
    """
    places: array[int] = array("q")
    at = begin
    for position, character in enumerate(shown):
        if at < end and _agree(character, source[at]):
            place, at = at, at + 1
        elif character == "\n":
            # Between blocks; what is between them in the source is skipped after it.
            place = _NOWHERE
        else:
            skipped = _skip(shown, position, source, at, end)
            if skipped is not None:
                place, at = at + skipped, at + skipped + 1
            else:
                place = at if character == _OBJECT and at < end else _NOWHERE
        places.append(place)
        if character > "\uffff":
            places.append(place)
    return places, at


def _agree(one: str, other: str) -> bool:
    return one == other or (one == " " and other.isspace()) or (one == "\n" and other == "\n")


def _skip(shown: str, position: int, source: str, at: int, end: int) -> int | None:
    """How many characters of `source` are marks before `shown` goes on; None where none are."""
    line_end = shown.find("\n", position, position + _FAR_LENGTH)
    left = shown[position : line_end if line_end >= 0 else position + _FAR_LENGTH]
    for distance, wanted in _TIERS:
        length = min(wanted, len(left))
        for skipped in range(1, min(distance, end - at - length) + 1):
            place = at + skipped
            if all(_agree(left[n], source[place + n]) for n in range(length)):
                return skipped
    if len(left) >= _FAR_LEAST:
        found = source.find(left, at, min(end, at + _FAR))
        if found >= 0:
            return found - at
    return None
