"""Writes what stands in paragraphs: words, emphasis, code, links, pictures and formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCharFormat, QTextCursor

from ui.long_text import insert_text
from ui.markdown.formulas import Key
from ui.markdown.parser import words_of
from ui.markdown.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from ui.markdown.formats import Formats

OPENABLE_SCHEMES = ("http", "https", "mailto")

DrawFormula = Callable[[QTextCursor, Key, str, QTextCharFormat], bool]


class InlineWriter:
    """Inserts at a cursor, in the paragraph that is there.

    Args:
        formats: How things look.
        draw_formula: Inserts a formula at the cursor, given also as it was written; False when
            it cannot be drawn.
    """

    def __init__(self, formats: Formats, draw_formula: DrawFormula) -> None:
        self._formats = formats
        self._draw_formula = draw_formula

    def insert(self, cursor: QTextCursor, text: str, text_format: QTextCharFormat) -> None:
        """Insert plain text."""
        if text:
            cursor.setCharFormat(text_format)
            insert_text(cursor, visible(text), cursor.blockFormat())

    def write(self, cursor: QTextCursor, children: Sequence[Token], base: QTextCharFormat) -> None:
        """Insert what stands in a paragraph."""
        stack = [base]
        # Address of each link that is open but cannot be opened, and where its words begin.
        unopened: list[tuple[str, int] | None] = []
        is_after_box = False
        for token in children:
            current = stack[-1]
            content = token.content.lstrip(" ") if is_after_box else token.content
            is_after_box = False
            match token.type:
                case "text":
                    # A line end that is written as an entity ends no line.
                    self.insert(cursor, content.replace("\n", " "), current)
                case "softbreak":
                    self.insert(cursor, " ", current)
                case "hardbreak":
                    cursor.insertText("\u2028", current)
                case "code_inline":
                    self.insert(cursor, content, self._formats.code(current))
                case "em_open":
                    stack.append(_with(current, italic=True))
                case "strong_open":
                    stack.append(_with(current, bold=True))
                case "s_open":
                    stack.append(_with(current, struck=True))
                case "link_open":
                    address = str(token.attrGet("href") or "")
                    opens = is_openable(address)
                    place = cursor.position()
                    unopened.append(None if opens else (address, place))
                    stack.append(self._formats.link(current, address) if opens else current)
                case "link_close":
                    stack.pop()
                    said = unopened.pop()
                    if said is not None:
                        self._say_address(cursor, *said, stack[-1])
                case "em_close" | "strong_close" | "s_close":
                    stack.pop()
                case "image":
                    self._image(cursor, token, current)
                case "math_inline" | "math_inline_double":
                    self.formula(cursor, token, current, is_display=token.type != "math_inline")
                case "html_inline":
                    # The box of a task, which the list draws.
                    is_after_box = True
                case _:
                    self.insert(cursor, content, current)

    def _say_address(
        self, cursor: QTextCursor, address: str, begin: int, current: QTextCharFormat
    ) -> None:
        """Where a link leads whose words begin at `begin`; not twice where they say it."""
        words = QTextCursor(cursor)
        words.setPosition(begin)
        words.setPosition(cursor.position(), QTextCursor.MoveMode.KeepAnchor)
        if address and words.selectedText() != visible(address):
            self.insert(cursor, f" ({address})", self._muted(current))

    def _image(self, cursor: QTextCursor, token: Token, current: QTextCharFormat) -> None:
        """Words and address of a picture, which is not loaded."""
        words = words_of(token)
        address = str(token.attrGet("src") or "")
        if words:
            self.insert(cursor, words, _with(current, italic=True))
        self.insert(cursor, f" ({address})" if words else address, self._muted(current))

    def _muted(self, current: QTextCharFormat) -> QTextCharFormat:
        made = QTextCharFormat(current)
        made.setForeground(self._formats.color("muted"))
        return made

    def formula(
        self, cursor: QTextCursor, token: Token, current: QTextCharFormat, *, is_display: bool
    ) -> None:
        """Draw a formula, or write it as it was written."""
        end = {"\\(": "\\)", "\\[": "\\]"}.get(token.markup, token.markup)
        source = " ".join(f"{token.markup}{token.content}{end}".split("\n"))
        key = (token.content.strip(), is_display)
        if not self._draw_formula(cursor, key, visible(source), current):
            self.insert(cursor, source, self._formats.code(current))


def is_openable(address: str) -> bool:
    """Whether a link may be opened, after the person agreed."""
    return QUrl(address).scheme().lower() in OPENABLE_SCHEMES


def _with(
    current: QTextCharFormat, *, italic: bool = False, bold: bool = False, struck: bool = False
) -> QTextCharFormat:
    made = QTextCharFormat(current)
    if italic:
        made.setFontItalic(True)
    if bold:
        made.setFontWeight(650)
    if struck:
        made.setFontStrikeOut(True)
    return made
