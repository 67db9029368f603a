"""Lines of Markdown: their indentation, and where a long one is cut."""

import re
from itertools import islice

# Each space is looked at once, also where there are very many.
MAYBE_CLOSING = re.compile(r"[ \t]*+(`{0,80}|~{0,80})[ \t]*")
_DEEPEST_CLOSING = 3
# Or a formula.
_BEGINS_WORD = re.compile(r"[^\W\d_]|\$[^\s$]")
# What cannot be known without all of it is guessed.
_SPAN = re.compile(
    r"!?\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])?|<[^<>\s]+>|(?<!`)(`++).+?(?<!`)\1(?!`)"
    r"|(\${1,2})[^\s$][^$]*\2|\\\(.+?\\\)|(\*\*|\*|__|_|~~)(?=[^\s*_~]).{1,300}?(?<=\S)\3",
    re.DOTALL,
)

# As if they were so many characters: a formula is set, a cell of a table is a text of its own,
# and to find out whether a bracket opens a link costs more with each that is open.
_COSTS = {"$": 30, "\\(": 60, "\\[": 60, "|": 10, "[": 20}
_COSTLY = re.compile(r"\\[(\[]|[$|\[]")

# Each may begin code, which takes long to be shown.
_MOST_FENCES = 8
_MAYBE_FENCE = re.compile(r"`{3,}|~{3,}")


def piece_end(text: str, begin: int, n_most: int) -> int:
    """Where a piece stops that begins at `begin`: after so many characters, or some fences."""
    end = min(len(text), begin + n_most)
    fences = islice(_MAYBE_FENCE.finditer(text, begin, end), _MOST_FENCES, None)
    fence = next(fences, None)
    return end if fence is None else fence.end()


def reach(text: str, n_most: int) -> int:
    """How much of `text` is worked on at once: so many characters, fewer where some cost more."""
    for found in _COSTLY.finditer(text, 0, n_most):
        if found.start() >= n_most:
            break
        n_most -= _COSTS[found[0]]
    return max(1, min(n_most, len(text)))


def end_of_lines(text: str, n_lines: int) -> int:
    """Where so many lines of `text` end."""
    place = 0
    for _ in range(n_lines):
        line_end = text.find("\n", place)
        place = line_end + 1 if line_end >= 0 else len(text)
    return place


def with_line_feeds(text: str) -> str:
    """`text` with the line ends of other systems made line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def is_blank(line: str) -> bool:
    """Whether a line is empty as Markdown sees it."""
    return not line.strip(" \t")


def is_closing(line: str, fence: str) -> bool:
    """Whether `line` closes code opened with `fence`."""
    found = MAYBE_CLOSING.fullmatch(line)
    return found is not None and found[1].startswith(fence) and indent_of(line) <= _DEEPEST_CLOSING


def whole_spans(text: str) -> list[tuple[int, int]]:
    """Where links, formulas, code and emphasis stand in words, which should stay whole."""
    return [found.span() for found in _SPAN.finditer(text)]


def is_in_span(spans: list[tuple[int, int]], place: int) -> bool:
    """Whether a place is within one of them."""
    return any(begin < place < end for begin, end in spans)


def place_to_cut(line: str, before: int) -> int:
    """Where to cut a long line: before a word, and not within what is whole if there is a place."""
    places = range(before, max(0, before - 200), -1)
    words = [
        place
        for place in places
        if line[place - 1 : place] == " " and _BEGINS_WORD.match(line, place)
    ]
    spans = whole_spans(line)
    for place in words:
        if not is_in_span(spans, place):
            return place
    begin = min((begin for begin, end in spans if begin < before < end), default=0)
    if begin > before // 8:
        return begin
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
