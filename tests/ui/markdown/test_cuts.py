"""Markdown is shown the same however it arrives, and long blocks as if they were not cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.markdown.flat import lines_of_blocks, lines_of_text, streamed
from tests.ui.markdown.mixtures import Mixture
from tests.ui.markdown.test_blocks import plain
from ui.markdown import window
from ui.markdown.parser import parse
from ui.markdown.plain import plain_text_of

if TYPE_CHECKING:
    from markdown_it.token import Token

WORDS = " ".join(["some words that go on"] * 220)
LINES = "\n".join(["some words that go on"] * 220)


@pytest.mark.parametrize("seed", range(8))
def test_pieces_do_not_matter(seed: int) -> None:
    mixture = Mixture(seed)
    text = mixture.text(9_000)
    assert plain(streamed(*mixture.pieces(text))) == plain(streamed(text))


@pytest.mark.parametrize("seed", range(100, 120))
def test_what_is_short_is_what_the_parser_says(seed: int) -> None:
    mixture = Mixture(seed)
    text = mixture.text(1_500)
    assert lines_of_blocks(streamed(*mixture.pieces(text))) == lines_of_text(text)


def within(first: str, rest: str, text: str) -> str:
    """A text whose first line and others have something before them."""
    line, *others = text.split("\n")
    return "\n".join([first + line, *(rest + other for other in others)])


@pytest.mark.parametrize(
    "text",
    [
        # Line ends of other systems, also between two pieces.
        "a\rb\r\nc\r\rd",
        "```\r\na\rb\r\n```\rc",
        # Words that go on below code in an item without its indentation.
        "- a\n  ```\n  b\n  ```\n  c\nd\n===\ne\n\nf",
        "- a\n  ```\n  b\n  ```\n  c\n- d",
        "- a\n  ```\n  b\n  ```\n  c\n> d",
        # A table below what is no table.
        "# a | b\n---|---\nc",
        "``` a | b\n---|---\n```\nc",
        "- a | b\n---|---\nc",
        # A no-break space is a word.
        "a\n\u00a0\nb\n\n\u00a0\n\nc",
        # Numbers begin anew below code that is in no item.
        "1. a\n1. b\n\n```\nc\n```\n\n1. d",
        # And go on below code that is in one.
        "- 1. a\n  1. b\n     ```\n     c\n     ```\n  1. d\n",
        # All of a long item, quote, list in one, and what is in those.
        within("- ", "  ", "\n\n".join([f"{n} {LINES[:900]}" for n in range(9)])),
        within("> ", "> ", "\n".join([f"3. a\n\n   {LINES[:300]}" for _ in range(30)])),
        within("> 1. ", ">    ", "\n\n".join([f"- {n} {LINES[:300]}" for n in range(30)])),
        within("- 1. ", "  ", "\n1. ".join(["some words"] * 500)),
        # A long paragraph in them, whose lines need not have what is around it.
        f"> {WORDS}\nmore\n> more\n\nafter",
        f"- > {LINES}\n\nafter",
        within("> - ", ">   ", f"{LINES}\n\nb\n\n- c"),
        within("- a\n\n  1. ", "     ", f"{LINES}\n\nb\n\n2. c"),
        # Lines of a paragraph that look like something else.
        within("", "      ", LINES),
        within("", "2. ", LINES),
        within("", "[a]: ", LINES),
        # A table in an item, in a quote.
        within("- ", "  ", "a | b\n--|--\n" + "c | d\n" * 300),
        within("> - a\n>\n> ", ">   ", "a\n" * 40 + "\na | b\n--|--\n" + "c | d\n" * 300),
        # Code beside the marker of an item.
        within("-     ", "      ", LINES) + "\n\nafter",
        within("> 1.     ", ">        ", LINES) + "\n> \n> after",
        # Many brackets take no links away.
        "[a](http://b.c)\n\n" * 20 + "[" * 200 + "\n\n[a](http://b.c)",
        # What is nested too deep takes nothing of what is below it.
        "> " * 100 + "a\n\nb\n\n# c",
        "".join("  " * n + "- a\n" for n in range(60)) + "\nb",
        # Much space, and much that is not shown.
        " " * 9_000 + "\n\na",
        "> " + " " * 9_000 + "\n\na",
        # Lines of an item that are further in than it needs, by a part of a tab.
        "- a\n" + "\tsome words\n" * 500,
        within("> - ", "> \t", LINES),
        "".join(f"[a{n}]: http://b.c\n" for n in range(400)) + "\n[a1] [a399]",
        # A link and code where the cut would be.
        "words " * 443 + "[a b c](http://b.c/d/e) `f g h` $i + j$" + " words" * 500,
    ],
)
def test_a_text_is_what_the_parser_says(text: str) -> None:
    piece = -(-len(text) // 8)
    pieces = [text[begin : begin + piece] for begin in range(0, len(text), piece)]
    wanted = lines_of_text(text)
    assert lines_of_blocks(streamed(*pieces)) == wanted
    assert lines_of_blocks(streamed(text)) == wanted


def test_a_long_definition_is_not_lost() -> None:
    [(_, _, kind, words)] = lines_of_blocks(streamed(f"[a]: {'x' * 9_000}"))
    assert (kind, words.count("x")) == ("p", 9_000)


def test_a_long_paragraph_is_one_line_of_plain_text() -> None:
    assert plain_text_of(f"> {WORDS}\n\nb") == f"  {WORDS}\n\nb"
    assert plain_text_of(LINES) == LINES.replace("\n", " ")
    assert plain_text_of("x" * 20_000) == "x" * 20_000


@pytest.mark.parametrize("item", ["", "- "])
@pytest.mark.parametrize("depth", [1, 16])
def test_lines_without_their_marks_are_looked_at_once(
    monkeypatch: pytest.MonkeyPatch, depth: int, item: str
) -> None:
    looked_at: list[str] = []

    def looking(source: str, *rest: Any) -> list[Token]:  # noqa: ANN401 - handed on
        looked_at.append(source)
        return parse(source, *rest)

    monkeypatch.setattr(window, "parse", looking)
    quote = "> " * depth
    text = f"{quote}{'words ' * 800}\n{quote}- {depth}\n"
    text += "".join(f"{quote}  {item}words {n}\n*lazy* {n} {depth}\n" for n in range(120))
    streamed(*(text[begin : begin + 40] for begin in range(0, len(text), 40)))
    # Also while only a part of them is there.
    assert len(looked_at) < 300
    assert sum(map(len, looked_at)) < 10_000
