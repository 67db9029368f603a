"""Cutting Markdown that streams in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.markdown.structure import cut
from ui.markdown.blocks import Block, BlockStream, Code, Prose

RICH = r"""# Head
para **b** and
more
---
- a
- b
  1. one

     ```py
     code

       x
     ```
     after
  2. two

Para
| a | b |
|---|---|
| 1 | 2 |

> quote
lazy
> ```
> q
> ```

\[
- x
+ y
\]

- ```sh
  ls
  ```
```js
alert(1)
```
[foo] x

[foo]: http://x.y
1. a
1. b
"""


def plain(shown: list[Block | Code]) -> list[object]:
    return [
        (part.language, part.level, part.text)
        if isinstance(part, Code)
        else (
            part.level,
            part.number,
            part.is_spaced,
            part.continues,
            [(token.type, token.content, token.info) for token in part.tokens],
        )
        for part in shown
    ]


def pieces(text: str, cuts: list[int]) -> list[str]:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    return [text[begin:end] for begin, end in pairwise(places)]


def codes(text: str) -> list[tuple[str, int, str]]:
    return [(c.language, c.level, c.text) for c in cut(text)[0] if isinstance(c, Code)]


@given(st.lists(st.integers(0, len(RICH)), max_size=30))
def test_chunks_do_not_matter(cuts: list[int]) -> None:
    assert plain(cut(*pieces(RICH, cuts))[0]) == plain(cut(RICH)[0])


@given(
    text=st.text(alphabet="ab1.|-`~>#$\\[]()*_ \n\t", max_size=100),
    cuts=st.lists(st.integers(0, 100), max_size=12),
)
def test_chunks_do_not_matter_in_any_text(text: str, cuts: list[int]) -> None:
    assert plain(cut(*pieces(text, cuts))[0]) == plain(cut(text)[0])


@given(st.text(alphabet="ab1.|-`>#$ \n", max_size=100))
def test_no_letter_is_lost(text: str) -> None:
    shown, _ = cut(text)
    written = "".join(
        part.text + part.language
        if isinstance(part, Code)
        else "".join(token.content + token.info for token in part.tokens)
        for part in shown
    )
    # What stands in a closing line of a fence or in a delimiter row of a table has no letters.
    wanted = sum(text.count(letter) for letter in "ab")
    assert sum(written.count(letter) for letter in "ab") >= wanted - _in_info(text)


def _in_info(text: str) -> int:
    """Letters after the language in the opening lines of fences, which nobody shows."""
    return sum(
        sum(line.count(letter) for letter in "ab")
        for line in text.split("\n")
        if "```" in line or line.count("|") > 1
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```\na\n```", ("", 0, "a")),
        ("~~~\na\n```\nb\n~~~", ("", 0, "a\n```\nb")),
        ("````\n```\na\n```\n````", ("", 0, "```\na\n```")),
        ("- item\n\n  ```\n  a\n    b\n  ```", ("", 1, "a\n  b")),
        ("1. a\n   - b\n     ```py x\n     c\n     ```", ("py", 2, "c")),
        ("```\nunclosed", ("", 0, "unclosed")),
        ("```\n```", ("", 0, "")),
        ("```\na\n    ```\nb\n   ```", ("", 0, "a\n    ```\nb")),
        ("```\na\n\n\n```\n", ("", 0, "a\n\n")),
        ("```\na\n\n", ("", 0, "a\n")),
        ("``` a\\+b&ouml; c\nd\n```", ("a+bö", 0, "d")),
        ("- ```\n  a\nout", ("", 1, "a")),
    ],
)
def test_fences(text: str, code: tuple[str, int, str]) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize("text", ["a ``` b", "``inline``", "`code` and more", "a\n  ``x``\nb"])
def test_backticks_in_prose_are_no_fence(text: str) -> None:
    assert codes(text) == []


def test_a_list_goes_on_after_code_in_it() -> None:
    shown, _ = cut("1. a\n   ```\n   c\n   ```\n   b\n1. d\n")
    blocks = [part for part in shown if isinstance(part, Block)]
    assert [(block.level, block.number) for block in blocks] == [(0, 1), (1, None), (0, 2)]


def test_a_link_defined_later_is_found() -> None:
    stream = BlockStream()
    stream.feed("[a]\n\nb\n\n[a]: http://x.y\n")
    stream.finish()
    assert stream.has_new_references
    assert stream.references["A"]["href"] == "http://x.y"


def test_a_line_that_may_become_a_fence_is_held_back() -> None:
    stream = BlockStream()
    stream.feed("Hello\n\n``")
    [change] = stream.feed("")
    assert isinstance(change, Prose)
    assert [block.tokens[1].content for block in change.tail] == ["Hello"]
    [change] = stream.feed("x`` is code")
    assert isinstance(change, Prose)
    assert change.tail[-1].tokens[1].content == "``x`` is code"


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        "word " * 20_000,
        "- item **x**\n" * 3_000,
        "| a | b |\n|---|---|\n" + "| c | d |\n" * 3_000,
        "> " * 10_000 + "x",
        "1. " * 5_000 + "x",
        "".join("  " * depth + "- a\n" for depth in range(150)),
        "![" * 5_000,
        "a\n" * 20_000,
    ],
)
def test_what_streams_in_at_the_end_of_a_long_block_is_all_there_is_to_do(text: str) -> None:
    stream = BlockStream()
    changes: list[Prose | Code] = []
    for begin in range(0, len(text), 1_500):
        changes = stream.feed(text[begin : begin + 1_500])
    for change in changes:
        tail = change.tail if isinstance(change, Prose) else ()
        n_characters = sum(len(token.content) for block in tail for token in block.tokens)
        n_characters += len(change.text) if isinstance(change, Code) else 0
        assert n_characters <= 6_000
    assert len(stream.feed("y")) <= 2


SPACES = [" ", "\t", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0", "\u2003", "\u2028", "\u2029"]


@pytest.mark.parametrize("space", [*SPACES, "\u3000", "\u200b", "\ufeff"])
def test_much_space_is_read_and_so_is_what_follows(space: str) -> None:
    for before in ["", "> ", "- ", "> words\n> ", "words ", "# ", "| a |\n|---|\n| ", "[a]: ", "$"]:
        for after in ["Q", "\n\nQ"]:
            text = before + space * 8_001 + after
            for size in (4_000, len(text)):
                pieces = [text[begin : begin + size] for begin in range(0, len(text), size)]
                assert "Q" in str(plain(cut(*pieces)[0]))


def test_much_space_in_code_is_read_and_so_is_what_follows() -> None:
    # Where each were looked at from each, for an hour.
    code = " " * 500_000 + "x"
    assert codes(f"```\n{code}\n```\ny") == [("", 0, code)]


@pytest.mark.parametrize("text", ["a\n\nQ", "```\na\n```\nQ", "- a\n" * 1_200 + "Q"])
def test_what_never_becomes_less_becomes_words(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(BlockStream, "_drop_lines", lambda *_: None)
    assert "Q" in str(plain(cut(text)[0]))


def test_a_paragraph_of_many_formulas_is_cut_between_them() -> None:
    stream = BlockStream()
    text = " ".join(f"$x_{{{n}}} + y = z$" for n in range(900))
    changes = stream.feed(text) + stream.finish()
    blocks = [block for change in changes if isinstance(change, Prose) for block in change.final]
    formulas = [
        [child.content for child in token.children or () if child.type == "math_inline"]
        for block in blocks
        for token in block.tokens
        if token.type == "inline"
    ]
    assert [f for found in formulas for f in found] == [f"x_{{{n}}} + y = z" for n in range(900)]
    assert max(map(len, formulas)) <= 100
    assert all(block.continues and block.is_cut for block in blocks[1:])


def test_nothing_of_a_list_nested_too_deep_is_lost() -> None:
    shown, _ = cut("> " * 10_000 + "x")
    text = "".join(t.content for b in shown if isinstance(b, Block) for t in b.tokens)
    children = "".join(
        child.content
        for block in shown
        if isinstance(block, Block)
        for token in block.tokens
        for child in token.children or []
    )
    assert "x" in text + children


LINES = "".join(f"a{n}*b*c_{n}_ `x`\n\n  y\n" for n in range(200))
MATH = "".join(f"x_{{{n}}} * y_{n} \\\\\n" for n in range(400))


def within(text: str, first: str, rest: str) -> str:
    lines = text.splitlines()
    return "\n".join([first + lines[0], *(rest + line for line in lines[1:])]) + "\n"


@pytest.mark.parametrize("n_characters", [200, 10_000])
@pytest.mark.parametrize(
    ("first", "rest", "level"),
    [("> ", "> ", 1), ("> - ", ">   ", 2), ("- > ", "  > ", 2), ("> > 1. ", "> >    ", 3)],
)
def test_long_code_in_a_quote_is_whole(
    first: str, rest: str, level: int, n_characters: int
) -> None:
    text = within(f"```py\n{LINES}```", first, rest) + "\nafter"
    parts = [text[n : n + n_characters] for n in range(0, len(text), n_characters)]
    shown = cut(*parts)[0]
    assert [(p.language, p.level, p.text) for p in shown if isinstance(p, Code)] == [
        ("py", level, LINES.removesuffix("\n"))
    ]
    last = shown[-1]
    assert isinstance(last, Block)
    assert [token.content for token in last.tokens if token.content] == ["after"]


def test_words_around_long_code_in_a_quote_stay_prose() -> None:
    text = within(f"before\n~~~\n{LINES}~~~\nbelow", "> ", "> ")
    before, code, below = cut(text)[0]
    assert isinstance(before, Block)
    assert isinstance(code, Code)
    assert isinstance(below, Block)
    assert [t.content for t in before.tokens if t.content] == ["before"]
    assert [t.content for t in below.tokens if t.content] == ["below"]
    assert code.text == LINES.removesuffix("\n")


@pytest.mark.parametrize("n_characters", [200, 50_000])
@pytest.mark.parametrize(("opening", "closing"), [("$$", "$$"), ("\\[", "\\]")])
@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize(("first", "rest"), [("", ""), ("> ", "> "), ("- ", "  ")])
def test_a_long_formula_is_shown_as_it_was_written(
    first: str, rest: str, end: str, opening: str, closing: str, n_characters: int
) -> None:
    source = f"{opening}{end}{MATH if end else MATH.replace(chr(10), ' ')}{closing}"
    text = within(source, first, rest) + "\nafter"
    parts = [text[n : n + n_characters] for n in range(0, len(text), n_characters)]
    shown = cut(*parts)[0]
    assert [(p.language, p.text) for p in shown if isinstance(p, Code)] == [("latex", source)]
    last = shown[-1]
    assert isinstance(last, Block)
    assert [token.content for token in last.tokens if token.content] == ["after"]


@pytest.mark.parametrize("n_characters", [1_000, 50_000])
@pytest.mark.parametrize("ticks", ["`", "``"])
@pytest.mark.parametrize("n", [700, 1_500])
@pytest.mark.parametrize("joint", [" ", "\n"])
def test_long_code_in_words_stays_code(joint: str, n: int, ticks: str, n_characters: int) -> None:
    code = joint.join(f"a*b*{k}" for k in range(n))
    text = f"see {ticks}{code}{ticks} *here*"
    parts = [text[k : k + n_characters] for k in range(0, len(text), n_characters)]
    children = [
        child
        for block in cut(*parts)[0]
        if isinstance(block, Block)
        for token in block.tokens
        for child in token.children or ()
    ]
    found = " ".join(child.content.strip() for child in children if child.type == "code_inline")
    assert found.split() == code.split()
    words = "".join(child.content for child in children if child.type == "text")
    assert words.split() == ["see", "here"]


@pytest.mark.parametrize("n_characters", [1_000, 50_000])
@pytest.mark.parametrize(("rest", "level"), [("    ", 0), (">     ", 1), ("> >     ", 2)])
def test_long_indented_code_is_one_block(rest: str, level: int, n_characters: int) -> None:
    text = "before\n\n" + within(LINES, rest, rest) + "\nafter"
    parts = [text[k : k + n_characters] for k in range(0, len(text), n_characters)]
    before, code, after = cut(*parts)[0]
    assert isinstance(before, Block)
    assert isinstance(code, Code)
    assert isinstance(after, Block)
    assert (code.language, code.level, code.text) == ("", level, LINES.removesuffix("\n"))
    assert [t.content for t in after.tokens if t.content] == ["after"]


def test_long_indented_code_in_an_item_is_one_block() -> None:
    text = "- before\n\n" + within(LINES, "      ", "      ") + "\n  after"
    before, code, after = cut(text)[0]
    assert isinstance(before, Block)
    assert isinstance(code, Code)
    assert isinstance(after, Block)
    assert (code.level, code.text) == (1, LINES.removesuffix("\n"))
    assert after.level == 1


def test_long_indented_code_beside_the_marker_of_an_item_is_whole() -> None:
    text = within(LINES.replace("\n\n", "\n"), "-     ", "      ") + "\nafter"
    written = "".join(
        part.text if isinstance(part, Code) else "".join(t.content for t in part.tokens)
        for part in cut(text)[0]
    )
    assert "".join(written.split()) == "".join(LINES.split()) + "after"
