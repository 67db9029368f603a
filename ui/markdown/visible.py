"""Makes characters visible that hide, reorder or end text."""

import re

# Controls but tab and line feed, line and paragraph separators, overrides and isolates of the
# direction, lone surrogates, and what Qt uses inside documents.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ud800-\udfff"
    "\ufdd0-\ufdef\ufff9-\ufffc\ufffe\uffff\u180e]"
)


def visible(text: str) -> str:
    """`text` with such characters written as ‹U+202E›; line ends become line feeds."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub(lambda match: f"‹U+{ord(match[0]):04X}›", text)
