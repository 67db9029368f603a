"""Markdown in documents has the structure that CommonMark and the tables of GitHub say.

Differences, and why: raw HTML is text, for a model could hide things in it. A line break in the
source is a space, as browsers show it. Pictures are shown as their words and address, since
nothing is loaded. Links with a scheme that is not opened show their address instead. What is
nested deeper than 16 lists and quotes is plain text, so that no text can exhaust the stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.markdown.structure import cut, described, document_of, lines_of

if TYPE_CHECKING:
    from ui.theme import Theme


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        # Headings.
        ("# A #\n## B\n###### C", ["h1: A", "h2: B", "h6: C"]),
        ("####### no", ["p: ####### no"]),
        ("#no", ["p: #no"]),
        ("A\n===\nB\n---", ["h1: A", "h2: B"]),
        ("# *a* `b`", ["h1: <i>a</i> `b`"]),
        # Paragraphs and breaks.
        ("a\nb\n\nc", ["p: a b", "p: c"]),
        ("a  \nb\\\nc", ["p: a⏎b⏎c"]),
        ("   a\n         b", ["p: a b"]),
        # Rules.
        ("***\n- - -\n___", ["hr: ", "hr: ", "hr: "]),
        # Emphasis.
        ("*a* _b_ **c** __d__", ["p: <i>a</i> <i>b</i> <b>c</b> <b>d</b>"]),
        ("***a***", ["p: <b><i>a</i></b>"]),
        ("a_b_c * d *", ["p: a_b_c * d *"]),
        ("~~a~~", ["p: <s>a</s>"]),
        (r"\*a\* \\", [r"p: *a* \ "[:-1]]),
        ("&copy; &#35; &nope;", ["p: © # &nope;"]),
        # Code.
        ("`a` `` b`c ``", ["p: `a` `b`c`"]),
        ("    a\n      b", ["pre: a", "pre:   b"]),
        ("```py\na\n```", ["code[py]: a"]),
        # Links and pictures.
        ("[a](http://b.c)", ["p: <a http://b.c>a</a>"]),
        ("[*a*](<http://b.c/d e> 't')", ["p: <a http://b.c/d%20e><i>a</i></a>"]),
        ("<http://a.b> <me@x.y>", ["p: <a http://a.b>http://a.b</a> <a mailto:me@x.y>me@x.y</a>"]),
        ("[a][b] [b]\n\n[b]: https://c.d", ["p: <a https://c.d>a</a> <a https://c.d>b</a>"]),
        ("[a](javascript:x)", ["p: [a](javascript:x)"]),
        ("[a](file:///b)", ["p: [a](file:///b)"]),
        ("[a](ftp://b) [c](d)", ["p: a (ftp://b) c (d)"]),
        ("![a](http://b.c/d.png)", ["p: <i>a</i> (http://b.c/d.png)"]),
        ("![a](//server/share/x.png)", ["p: <i>a</i> (//server/share/x.png)"]),
        # Lists.
        ("- a\n- b", ["*: a", "*: b"]),
        ("3. a\n3. b\n\n3. c", ["3.: a", "4.: b", "5.: c"]),
        ("1) a\n1. b", ["1): a", "1.: b"]),
        ("- a\n  - b\n    1. c", ["*: a", "  *: b", "    1.: c"]),
        ("- a\n\n  b\n- c", ["*: a", "  p: b", "*: c"]),
        ("-\n- b", ["*: ", "*: b"]),
        ("- [x] a\n- [ ] b\n- [y] c", ["[x]: a", "[ ]: b", "*: [y] c"]),
        ("- # a\n- > b", ["*: a", "*: ", ">    p: b"]),
        ("a\n- b\nc", ["p: a", "*: b c"]),
        ("a\n2. b", ["p: a 2. b"]),
        # Quotes.
        ("> a\nb\n\n> c", [">  p: a b", ">  p: c"]),
        ("> a\n>> b", [">  p: a", ">>    p: b"]),
        ("> ```\n> a\n> ```", [">  pre: a"]),
        # Tables.
        (
            "| a | b |\n|---|:-:|\n| `c` | *d* |\n| \\| |",
            [
                "cell 0,0: a",
                "cell 0,1: b",
                "cell 1,0: `c`",
                "cell 1,1: <i>d</i>",
                "cell 2,0: |",
                "cell 2,1: ",
            ],
        ),
        ("| a |\n| b |", ["p: | a | | b |"]),
        ("a | b\n-|-\n1 | 2", ["cell 0,0: a", "cell 0,1: b", "cell 1,0: 1", "cell 1,1: 2"]),
        (
            "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\nend",
            [
                *("cell 0,0: a", "cell 0,1: b", "cell 1,0: 1", "cell 1,1: "),
                *("cell 2,0: 1", "cell 2,1: 2", "cell 3,0: end", "cell 3,1: "),
            ],
        ),
        ("| a | b |\n|---|\n| c |", ["p: | a | b | |---| | c |"]),
        (
            "| a |\n|---|\n| `b \\| c` |\n\nd",
            ["cell 0,0: a", "cell 1,0: `b | c`", "p: d"],
        ),
        ("x\n\n| a |\n|---|\n> b", ["p: x", "cell 0,0: a", ">  p: b"]),
        (
            "- a\n\n  | b |\n  |---|\n  | c |\n- d",
            ["*: a", "cell 0,0: b", "cell 1,0: c", "*: d"],
        ),
        # Strikethrough.
        ("~~a **b**~~ c", ["p: <s>a </s><s><b>b</b></s> c"]),
        ("~~a `b`~~ ~c", ["p: <s>a </s><s>`b`</s> ~c"]),
        ("~~a\n\nb~~", ["p: ~~a", "p: b~~"]),
        # Tasks.
        ("- [x] a\n  - [ ] b\n  - c", ["[x]: a", "  [ ]: b", "  *: c"]),
        ("1. [X] a\n2. [ ] *b*", ["[x]: a", "[ ]: <i>b</i>"]),
        ("[x] a\n- [x]b", ["p: [x] a", "*: [x]b"]),
        # HTML is text.
        ("<b>a</b> <!-- b -->", ["p: <b>a</b> <!-- b -->"]),
        ("<script>\nx\n</script>", ["p: <script> x </script>"]),
        # Formulas that are not drawn show their source; money is no formula.
        ("$a$ is 5 and \\(b\\)", ["p: `$a$` is 5 and `\\(b\\)`"]),
        ("$5 and $6, US$7 and $8", ["p: $5 and $6, US$7 and $8"]),
        ("$$\na\n- b\n$$", ["p: `$$ a - b $$`"]),
        ("$$ no\n- b\n\nc", ["p: $$ no - b", "p: c"]),
    ],
)
def test_structure(theme: Theme, source: str, lines: list[str]) -> None:
    assert described(theme, source) == lines


def test_what_hides_or_reorders_text_is_visible(theme: Theme) -> None:
    source = "a\u202eb\u2066c\x00d\x1be\ud800f\u2029g\ufffch"
    [line] = described(theme, source)
    assert line == (
        "p: a‹U+202E›b‹U+2066›c\N{REPLACEMENT CHARACTER}d‹U+001B›e‹U+D800›f‹U+2029›g‹U+FFFC›h"
    )


def test_a_table_cut_for_its_length_keeps_its_rows(theme: Theme) -> None:
    source = "| a | b |\n|---|---|\n" + "".join(f"| r{n} | x |\n" for n in range(900))
    lines = lines_of(document_of(theme, cut(source)[0]))
    firsts = [line.split(": ")[1] for line in lines if ",0: " in line]
    assert firsts == ["a", *(f"r{n}" for n in range(900))]
