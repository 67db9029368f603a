"""Cutting a stream into prose and code."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.conversation.segments import Piece, SegmentKind, SegmentStream

PROSE, CODE = SegmentKind.PROSE, SegmentKind.CODE

Segments = list[tuple[SegmentKind, str, str]]


def joined(pieces: list[Piece]) -> Segments:
    segments: Segments = []
    for piece in pieces:
        if piece.index == len(segments):
            segments.append((piece.kind, piece.language, ""))
        kind, language, text = segments[piece.index]
        segments[piece.index] = (kind, language, text + piece.text)
    return segments


def segments_of(*chunks: str) -> Segments:
    stream = SegmentStream()
    pieces = [piece for chunk in chunks for piece in stream.feed(chunk)]
    return joined(pieces + stream.finish())


def test_prose_code_prose() -> None:
    text = "Look:\n\n```python\nprint(1)\n\nprint(2)\n```\n\nThat is all.\n"
    assert segments_of(text) == [
        (PROSE, "", "Look:"),
        (CODE, "python", "print(1)\n\nprint(2)"),
        (PROSE, "", "That is all."),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```\na\n```", "a"),
        ("~~~\na\n```\nb\n~~~", "a\n```\nb"),
        ("````\n```\na\n```\n````", "```\na\n```"),
        ("- item\n\n   ```\n   a\n     b\n   ```", "a\n  b"),
        ("```\nunclosed", "unclosed"),
        ("```\n```", ""),
    ],
)
def test_fences(text: str, code: str) -> None:
    assert (CODE, "", code) in segments_of(text)


@pytest.mark.parametrize("text", ["a ``` b", "``inline``", "`code` and more", "a\n  ``x``\nb"])
def test_backticks_in_prose_are_no_fence(text: str) -> None:
    assert segments_of(text) == [(PROSE, "", text)]


def test_only_what_may_become_a_fence_is_held_back() -> None:
    stream = SegmentStream()
    assert joined(stream.feed("Hello wor")) == [(PROSE, "", "Hello wor")]
    assert stream.feed("\n``") == []
    assert [piece.text for piece in stream.feed("x`` is code")] == ["\n``x`` is code"]


@given(
    text=st.text(alphabet="ab`~ \n\t", max_size=80),
    cuts=st.lists(st.integers(min_value=0, max_value=80), max_size=6),
)
def test_chunks_do_not_matter(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    chunks = [text[begin:end] for begin, end in pairwise(places)]
    assert segments_of(*chunks) == segments_of(text)


@given(st.text(alphabet="ab`~ \n", max_size=80))
def test_only_the_last_segment_grows(text: str) -> None:
    stream = SegmentStream()
    last = -1
    for character in text:
        for piece in stream.feed(character):
            assert piece.index in (last, last + 1)
            last = piece.index
