"""Text that any encoding can write, and that is cut where people see its end."""

from PySide6.QtCore import QTextBoundaryFinder

_FAR_ENOUGH = 64


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
