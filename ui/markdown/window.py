"""How much of what has come is parsed at once, and what of it belongs together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

from ui.markdown.cuts import CODE_COLUMNS, inside
from ui.markdown.lines import indent_of, is_blank, reach
from ui.markdown.parser import parse
from ui.markdown.units import place_in_item

# A block that does not end within so many characters is cut; more is never parsed at once.
_WINDOW = 4_000

# Bounded, so that a long line is not held back on the chance that it is a fence.
_MAYBE_FENCE = re.compile(r"[ \t]{0,40}(?:`{0,2}|`{3,40}[^`\n]{0,80}|~{0,2}|~{3,40}[^\n]{0,80})")
# Nothing, or what makes a table of the line above it.
_MAYBE_TABLE = re.compile(r"[-:| \t]*")
_WORDS = ["x"]
# Goes on with words above it, or begins others, in lists and quotes of its own.
_WORD_LINE = re.compile(r"[ \t]*(?:(?:[-+*]|\d{1,9}[.)]) {1,4}|> ?)*[^\W\d_]")
# What underlines words only where it has what is around them.
_UNDERLINE = re.compile(r"=+|--?")
# What begins something, unless it is set far in.
_MARK = re.compile(
    r"(\d{0,9})((?:[-+*.)]|#{1,6})(?=[ \t]|$)|>|```|~~~|[-_*](?=(?:[ \t]*[-_*]){2,}$)|=+$|--$)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What is parsed at once.

    Attributes:
        source: Without the marks of what is around it.
        around: The lists and quotes around it, as `inside` takes them off.
        is_full: Whether there is more of it, which is not looked at yet.
        is_closed: Whether what comes after does not belong to it.
    """

    source: str
    around: tuple[int | None, ...]
    is_full: bool = False
    is_closed: bool = False


def window_of(
    pending: str,
    around: tuple[int | None, ...],
    *,
    is_mid_line: bool,
    is_last: bool,
) -> Window:
    """What to parse now.

    Args:
        pending: What has come and is not final, as it is written.
        around: The lists and quotes that were open above it.
        is_mid_line: Whether it begins with words that go on.
        is_last: Whether nothing follows.
    """
    raw, is_whole = _first_of(pending, is_mid_line=is_mid_line, is_last=is_last)
    kept: list[str] = []
    is_words = False
    written = raw.split("\n")
    for number, line in enumerate(written):
        if number == 0 and is_mid_line:
            kept.append(line)
            is_words = True
            continue
        may_go_on = number == len(written) - 1 and not (is_whole and is_last)
        inner, n_inside = inside(line, around)
        if n_inside == len(around):
            kept.append(inner)
            is_words = (
                is_words
                and not _MAYBE_TABLE.fullmatch(inner)
                and _is_word_line(_WORDS, inner, len(around))
            )
        elif may_go_on and not inner.strip(" \t>"):
            kept.append("")
            break
        elif all(map(is_blank, kept)):
            around = around[:n_inside]
            kept.append(inner)
        elif is_blank(inner) or is_blank(kept[-1]):
            return Window(source="\n".join(kept), around=around, is_closed=True)
        elif may_go_on and is_whole and not inner.lstrip(" \t")[0].isalpha():
            # What it is shows when it is whole.
            kept.append("")
            break
        elif _goes_on(_WORDS if is_words else kept, inner, len(around)):
            kept.append(_as_words(inner))
            is_words = True
        else:
            return Window(source="\n".join(kept), around=around, is_closed=True)
    return Window(
        source="\n".join(kept),
        around=around,
        is_full=not is_whole,
        is_closed=is_whole and is_last,
    )


def _first_of(pending: str, *, is_mid_line: bool, is_last: bool) -> tuple[str, bool]:
    """What of all that has come is looked at, and whether that is all."""
    end = reach(pending, _WINDOW)
    if end < len(pending):
        line_end = pending.rfind("\n", 0, end)
        return pending[: line_end + 1] if line_end >= end // 2 else pending[:end], False
    if not is_last:
        line = pending[pending.rfind("\n") + 1 :]
        is_begun = is_mid_line and len(line) == len(pending)
        if not is_begun and _MAYBE_FENCE.fullmatch(line):
            return pending[: len(pending) - len(line)], True
    return pending, True


def _goes_on(above: list[str], line: str, depth: int) -> bool:
    """Whether a line goes on with the paragraph above it, but lacks what is around that."""
    words = _as_words(line)
    if words.startswith(">") or place_in_item(words, 0) is not None:
        return False
    return _is_word_line(above, words, depth)


def _is_word_line(above: list[str], line: str, depth: int) -> bool:
    """Whether what stands on a line, below others, may go on as words."""
    if above is _WORDS and _WORD_LINE.match(line):
        return True
    text = "\n".join([*above, line])
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
    return _ends_in_words(_Read(digest, [text]), depth)


@dataclass(frozen=True, slots=True)
class _Read:
    """A text that is taken out when it is read: what is kept of it is its digest."""

    digest: bytes
    text: list[str] = field(compare=False)


# What has come is looked at with each piece; there may be as many lines. Some 300 bytes each.
@lru_cache(maxsize=_WINDOW // 2)
def _ends_in_words(read: _Read, depth: int) -> bool:
    """Whether the last line of a text goes on with a paragraph."""
    text = read.text.pop()
    last = text.count("\n")
    tokens = parse(text, {}, depth)
    return any(
        token.type == "inline"
        and token.map is not None
        and token.map[0] < last < token.map[1]
        and before.type == "paragraph_open"
        for before, token in pairwise(tokens)
    )


def _as_words(line: str) -> str:
    """A line that goes on with words above it, whatever it looks like."""
    words = line.strip(" \t")
    if indent_of(line) >= CODE_COLUMNS or _UNDERLINE.fullmatch(words):
        found = _MARK.match(words)
        return words if found is None else f"{found[1]}\\{words[found.end(1) :]}"
    return words
