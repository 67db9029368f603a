"""Text that any encoding can write, and that is cut where people see its end."""

import re

from PySide6.QtCore import QTextBoundaryFinder

_FAR_ENOUGH = 64
# Controls, and marks of the direction of writing.
_MISLEADING = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def whole_text(text: str) -> str:
    """The text with lone surrogates replaced: no encoding can write them."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def cut(text: str, most: int) -> str:
    """The first characters, `most` of them or a few less: never half of what is seen as one."""
    part = text[:most]
    if len(text) <= most or text.isascii():
        return part
    seen = text[: most + _FAR_ENOUGH]
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, seen)
    # Qt counts in units of UTF-16.
    finder.setPosition(len(part.encode("utf-16-le", "surrogatepass")) // 2)
    if finder.isAtBoundary():
        return part
    units = seen.encode("utf-16-le", "surrogatepass")[: 2 * max(0, finder.toPreviousBoundary())]
    return units.decode("utf-16-le", "surrogatepass") or part


def clean_name(name: str) -> str:
    """The name without what could break a line or turn its letters round; empty if unseen."""
    words = " ".join(_MISLEADING.sub("", whole_text(name)).split())
    return words if any(letter.isprintable() for letter in words) else ""


def is_clean_name(name: str) -> bool:
    """Whether `clean_name` leaves it as it is, save for spaces."""
    return clean_name(name) == " ".join(part for part in name.split(" ") if part) != ""
