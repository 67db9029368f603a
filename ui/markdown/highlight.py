"""Colours in code, a little at a time: the lexer is asked for as much as a frame allows."""

from collections.abc import Iterator
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

from ui.long_text import is_cut
from ui.palette import ColorName
from ui.theme import Theme

if TYPE_CHECKING:
    from pygments.lexer import Lexer

# Where colours are in a line: first character, how many, in UTF-16 units, and which.
ColoredLine = list[tuple[int, int, ColorName]]
Looks = dict[ColorName, QTextCharFormat]

_SLICE_S = 0.006
# While code streams in its last lines are coloured as if they were all there is.
_RECENT_LINES = 24
_RECENT_CHARACTERS = 2_000
LONGEST = 200_000
# Some lexers read all of the code twice before they say anything.
LONGEST_IN_TWO = 4_000
# Lexers are made of regular expressions, whose cost may grow with the third power of a line.
LONGEST_LINE = 200
# Blanks alone, followed by anything, take it seconds even so.
_LEFT_OUT = frozenset({"systemd"})
_ANYTHING = "a = 'b' + 1  # c\n"
# The most specific kind that is named decides.
_COLORS: dict[str, ColorName] = {
    "Comment": "code_comment",
    "Comment.Preproc": "code_type",
    "Keyword": "code_keyword",
    "Keyword.Constant": "code_number",
    "Keyword.Type": "code_type",
    "Operator.Word": "code_keyword",
    "Name.Function": "code_name",
    "Name.Class": "code_name",
    "Name.Decorator": "code_type",
    "Name.Builtin": "code_type",
    "Name.Exception": "code_type",
    "Name.Tag": "code_keyword",
    "Name.Attribute": "code_name",
    "Literal.String": "code_string",
    "Literal.Number": "code_number",
    "Generic.Deleted": "error",
    "Generic.Inserted": "code_string",
    "Generic.Heading": "code_name",
}


class Highlighter:
    """Colours the code in a document, which keeps its text.

    Args:
        theme: Colours.
        document: The code.

    Attributes:
        lexer: What knows the language; code is without colours while it is None.
    """

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        self._theme = theme
        self._document = document
        # None while it is not known, or nobody knows the language.
        self.lexer: Lexer | None = None
        self._work: Iterator[None] | None = None
        # How far `work` came in the document.
        self._place = 0

    @property
    def is_working(self) -> bool:
        """Whether `work` has more to do."""
        return self._work is not None

    def color_recent(self) -> None:
        """Colour the last lines, whatever stands above them."""
        if self._document.characterCount() > LONGEST:
            return
        block = first_recent(self._document.lastBlock(), self._document.begin())
        begin = block.position()
        for _ in self._color_from(block):
            pass
        self._lay_out(begin, self._document.characterCount() - 1)

    def begin(self) -> None:
        """Colour everything, from the start; `work` does it."""
        self._work = None
        self._place = 0
        if is_short_for(self.lexer, self._document.characterCount()):
            self._work = self._color_from(self._document.begin())

    def work(self) -> None:
        """Go on for about as long as a frame allows."""
        deadline = perf_counter() + _SLICE_S
        begin = self._place
        while self._work is not None and perf_counter() < deadline:
            try:
                next(self._work)
            except StopIteration:
                self._work = None
        self._lay_out(begin, self._place)

    def _lay_out(self, begin: int, end: int) -> None:
        # Formats of a layout take its lines away. Qt takes those of a block of which none is dirty.
        if end > begin:
            self._document.markContentsDirty(begin, end - begin)

    def _color_from(self, block: QTextBlock) -> Iterator[None]:
        if self.lexer is None:
            return
        looks = looks_of(self._theme)
        for line in colored_lines(self.lexer, text_between_blocks(block)):
            if not block.isValid():
                return
            color_line(looks, block, line)
            end = block.position() + block.length()
            self._place = min(end, self._document.characterCount() - 1)
            block = block.next()
            yield


def first_recent(last: QTextBlock, first: QTextBlock) -> QTextBlock:
    """Where to begin to colour lines as they come in: not many above the last."""
    block, n_characters = last, last.length()
    for _ in range(_RECENT_LINES):
        n_characters += block.previous().length()
        if block == first or n_characters > _RECENT_CHARACTERS:
            break
        block = block.previous()
    return block


def colored_lines(lexer: "Lexer", text: str) -> Iterator[ColoredLine]:
    """The lines of code as they are found to have colours."""
    line: ColoredLine = []
    place = 0
    for _, kind, token in lexer.get_tokens_unprocessed(text):
        color = color_of_kind(str(kind))
        for number, piece in enumerate(token.split("\n")):
            if number:
                yield line
                line, place = [], 0
            n_units = len(piece) if piece.isascii() else len(piece.encode("utf-16-le")) // 2
            if color is not None and n_units:
                line.append((place, n_units, color))
            place += n_units
    yield line


def looks_of(theme: Theme) -> Looks:
    """How each colour of code looks."""
    looks = {color: QTextCharFormat() for color in set(_COLORS.values())}
    for color, look in looks.items():
        look.setForeground(theme.color(color))
    return looks


def color_line(looks: Looks, block: QTextBlock, line: ColoredLine) -> None:
    """Give a line its colours; it has to be laid out then."""
    ranges = []
    for start, length, color in line:
        made = QTextLayout.FormatRange()
        made.start, made.length, made.format = start, length, looks[color]
        ranges.append(made)
    block.layout().setFormats(ranges)


def text_between_blocks(block: QTextBlock, stop: QTextBlock | None = None) -> str:
    """The code from a line to another; lines that are too long to be coloured are empty in it."""
    lines: list[str] = []
    while block.isValid() and block != stop:
        is_long = is_cut(block) or block.length() > LONGEST_LINE
        lines.append("" if is_long else block.text())
        block = block.next()
    return "\n".join(lines)


def is_short_for(lexer: "Lexer | None", n_characters: int) -> bool:
    """Whether a lexer is quick enough for so much code."""
    return n_characters <= (LONGEST_IN_TWO if _reads_twice(lexer) else LONGEST)


def _reads_twice(lexer: "Lexer | None") -> bool:
    if lexer is None:
        return False
    from pygments.lexer import DelegatingLexer

    return isinstance(lexer, DelegatingLexer)


@cache
def lexer_of(language: str) -> "Lexer | None":
    """What knows a language, as a fence names it. Slow the first time: not for the main thread."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language:
        return None
    try:
        lexer = get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
    if _LEFT_OUT & {lexer.name.lower(), *lexer.aliases}:
        return None
    # What it knows is put together when it is used first.
    for _ in lexer.get_tokens_unprocessed(_ANYTHING):
        pass
    return lexer


@cache
def color_of_kind(kind: str) -> ColorName | None:
    """The colour of a kind of token, as `Token.Name.Class`; None for that of text."""
    name = kind.removeprefix("Token.")
    while name:
        if name in _COLORS:
            return _COLORS[name]
        name = name.rpartition(".")[0]
    return None
