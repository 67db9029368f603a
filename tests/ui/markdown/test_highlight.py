"""Colours of code, whatever the code is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QTextDocument

from ui.markdown.highlight import LONGEST_IN_TWO, LONGEST_LINE, Highlighter, lexer_of

if TYPE_CHECKING:
    from ui.theme import Theme


def colored(theme: Theme, document: QTextDocument, language: str, *, recent: bool) -> list[bool]:
    """Which lines of a document get colours."""
    highlighter = Highlighter(theme, document)
    highlighter.lexer = lexer_of(language)
    if recent:
        highlighter.color_recent()
    else:
        highlighter.begin()
    while highlighter.is_working:
        highlighter.work()
    found = []
    block = document.begin()
    while block.isValid():
        found.append(bool(block.layout().formats()))
        block = block.next()
    return found


@pytest.mark.parametrize("recent", [True, False])
def test_only_the_lines_that_are_too_long_stay_plain(theme: Theme, recent: bool) -> None:
    long = "y = " + "1" * LONGEST_LINE
    document = QTextDocument(f"x = 1\n{long}\nreturn 2")
    assert colored(theme, document, "python", recent=recent) == [True, False, True]


@pytest.mark.parametrize("language", ["", "nosuch", "python"])
@pytest.mark.parametrize("text", ["x = 1", "x = 1\n", "x = 1\ny = 2\nz = 3\n"])
def test_every_line_stays_on_screen(theme: Theme, language: str, text: str) -> None:
    document = QTextDocument(text)
    document.setTextWidth(400)
    height = document.size().height()
    for recent in (True, False):
        n_lines = len(colored(theme, document, language, recent=recent))
        assert document.size().height() == height
        layouts = [document.findBlockByNumber(number).layout() for number in range(n_lines)]
        assert [layout.lineCount() for layout in layouts] == [1] * n_lines


def test_while_it_streams_only_so_many_characters_are_coloured(theme: Theme) -> None:
    document = QTextDocument("\n".join(f"x = {'1' * 150}" for _ in range(24)))
    lines = colored(theme, document, "python", recent=True)
    assert lines.count(True) == 12
    assert lines[-12:] == [True] * 12


def test_what_is_read_twice_is_coloured_while_it_is_short(theme: Theme) -> None:
    line = "<b>{{ a }}</b>"
    short = QTextDocument(line)
    assert colored(theme, short, "html+django", recent=False) == [True]
    n_lines = LONGEST_IN_TWO // len(line) + 1
    long = QTextDocument("\n".join([line] * n_lines))
    assert colored(theme, long, "html+django", recent=False) == [False] * n_lines
    assert colored(theme, long, "html", recent=False) == [True] * n_lines


@pytest.mark.parametrize("language", ["systemd", "SystemD"])
def test_a_language_that_takes_seconds_for_a_line_of_blanks_stays_plain(language: str) -> None:
    assert lexer_of("python") is not None
    assert lexer_of(language) is None
