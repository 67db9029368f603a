"""Where shown text stands in the Markdown it came from."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.inspector.source_map import align


def found(shown: str, source: str) -> list[str]:
    """The source character of each shown one, "" for none."""
    places, _ = align(shown, source, 0, len(source))
    return ["" if place < 0 else source[place] for place in places]


@pytest.mark.parametrize(
    ("shown", "source"),
    [
        ("plain words", "plain words"),
        ("some bold and italic", "some **bold** and *italic*"),
        ("word in half", "wo**rd** in ha_lf_"),
        ("Title\nText", "## Title\n\nText"),
        ("one\ntwo", "- one\n- two\n"),
        ("one\nboth lines", "1. one\n2. both\n   lines\n"),
        ("see here and on", "see [here](https://example.org/and-more) and on"),
        ("the code x = 1 runs", "the code `x = 1` runs"),
        ("a * b", r"a \* b"),
        ("quoted\nagain", "> quoted\n\n> again"),
        ("print(1)\nprint(2)", "```python\nprint(1)\nprint(2)\n```\n"),
        ("A\nB\n1\n2", "| A | B |\n|---|---|\n| 1 | 2 |\n"),
        ("same same same", "**same** *same* same"),
    ],
)
def test_every_character_is_found_where_it_is(shown: str, source: str) -> None:
    places, _ = align(shown, source, 0, len(source))
    for character, place in zip(shown, places, strict=True):
        if character == "\n":
            continue
        assert place >= 0
        assert source[place] == character or (character == " " and source[place].isspace())
    inside = [place for place in places if place >= 0]
    assert all(one < other for one, other in pairwise(inside))


def test_a_word_that_is_also_in_an_address_is_found_after_it() -> None:
    source = "[example](https://example.org) example end"
    places, _ = align("example example end", source, 0, len(source))
    assert source[places[16] :] == "end"
    assert places[0] == 1


def test_what_was_added_for_display_is_nowhere() -> None:
    assert found("‹U+202E›ab", "\u202eab") == [""] * 8 + ["a", "b"]


def test_a_formula_is_where_its_source_begins() -> None:
    source = "so $x^2$ holds"
    places, _ = align("so \ufffc holds", source, 0, len(source))
    assert source[places[3]] == "$"
    assert source[places[5] :] == "holds"


def test_places_are_by_utf16_unit() -> None:
    source = "**\U0001f600** ok"
    places, _ = align("\U0001f600 ok", source, 0, len(source))
    assert list(places) == [2, 2, 5, 6, 7]


def test_the_end_is_where_the_next_part_goes_on() -> None:
    source = "first\n\n```\ncode\n```\n\nlast"
    _, at = align("first", source, 0, len(source))
    places, at = align("code", source, at, len(source))
    assert source[places[0] : at] == "code"
    places, _ = align("last", source, at, len(source))
    assert source[places[0] :] == "last"


@given(st.text(max_size=200), st.text(max_size=200))
def test_anything_gives_a_place_for_every_unit(shown: str, source: str) -> None:
    places, at = align(shown, source, 0, len(source))
    assert len(places) == sum(2 if character > "\uffff" else 1 for character in shown)
    assert at <= len(source)
    inside = [place for place in places if place >= 0]
    assert all(0 <= one <= other < len(source) for one, other in pairwise([*inside, *inside[-1:]]))


@given(st.text(st.characters(exclude_characters="\n", codec="utf-8"), max_size=300))
def test_plain_text_is_found_character_by_character(text: str) -> None:
    places, at = align(text, text, 0, len(text))
    assert at == len(text)
    assert sorted(set(places)) == list(range(len(text)))
