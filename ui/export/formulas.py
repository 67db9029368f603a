"""Formulas as MathML, which browsers draw themselves."""

from functools import lru_cache
from html import escape, unescape
from xml.etree.ElementTree import Element

_LONGEST_SOURCE = 1_000
_MOST_KEPT = 1_000
# What makes up formulas. Nothing of it leads anywhere or loads anything.
_TAGS = frozenset(
    [
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "ms",
        "mtext",
        "mspace",
        "mfrac",
        "msqrt",
        "mroot",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mtable",
        "mtr",
        "mtd",
        "mstyle",
        "mpadded",
        "mphantom",
        "menclose",
        "mfenced",
        "mmultiscripts",
        "mprescripts",
        "none",
    ]
)
_ATTRIBUTES = frozenset(
    [
        "display",
        "mathvariant",
        "stretchy",
        "fence",
        "form",
        "separator",
        "lspace",
        "rspace",
        "minsize",
        "maxsize",
        "accent",
        "accentunder",
        "linethickness",
        "columnalign",
        "rowspacing",
        "columnspacing",
        "columnlines",
        "rowlines",
        "width",
        "height",
        "depth",
        "displaystyle",
        "scriptlevel",
        "notation",
        "open",
        "close",
        "largeop",
        "movablelimits",
    ]
)


@lru_cache(maxsize=_MOST_KEPT)
def formula_html(source: str, *, is_display: bool) -> str:
    """A formula; its source where it is none."""
    made = _mathml(source, is_display=is_display)
    if made is not None:
        return made
    mark = "$$" if is_display else "$"
    return f'<code class="formula">{escape(f"{mark}{source.strip()}{mark}")}</code>'


def _mathml(source: str, *, is_display: bool) -> str | None:
    if len(source) > _LONGEST_SOURCE:
        return None
    from latex2mathml.converter import convert_to_element

    try:
        element = convert_to_element(source, display="block" if is_display else "inline")
    # What it raises for what is no formula is anything: KeyError, IndexError, errors of its own.
    except Exception:  # noqa: BLE001
        return None
    return _written(element)


def _written(element: Element) -> str | None:
    """The element and what is in it; None where there is something that does not belong there."""
    if element.tag not in _TAGS:
        return None
    names = "".join(
        f' {name}="{escape(value)}"'
        for name, value in element.attrib.items()
        if name in _ATTRIBUTES
    )
    inner = _text(element.text)
    for child in element:
        part = _written(child)
        if part is None:
            return None
        inner += part + _text(child.tail)
    return f"<{element.tag}{names}>{inner}</{element.tag}>"


def _text(text: str | None) -> str:
    """Its texts have characters as entities."""
    return escape(unescape(text or ""))
