"""Markdown as plain text."""

from __future__ import annotations

import pytest

from ui.markdown.plain import plain_text_of


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("# A\n\n*b* **c** `d` ~~e~~", "A\n\nb c d e"),
        ("a\nb  \nc", "a b\nc"),
        ("- a\n- b\n  1. c\n  2. d", "• a\n• b\n  1. c\n  2. d"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("- [x] a\n- [ ] b", "• ☑ a\n• ☐ b"),
        ("> a\n> - b", "  a\n  • b"),
        ("| a | b |\n|---|---|\n| **c** | d |", "a\tb\nc\td"),
        ("See:\n\n```py\nx = 1\n\ny = 2\n```\n\nEnd", "See:\n\nx = 1\n\ny = 2\n\nEnd"),
        ("[a](http://b.c) <http://d.e>", "a (http://b.c) http://d.e"),
        ("[a]\n\n[a]: http://b.c", "a (http://b.c)"),
        ("It is $x^2$", "It is $x^2$"),
        ("a\u202eb", "a‹U+202E›b"),
    ],
)
def test_words(source: str, text: str) -> None:
    assert plain_text_of(source) == text
