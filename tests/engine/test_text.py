"""Text from token bytes: whole characters, and stop strings wherever the pieces are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text import StopMatcher, Utf8Stream, without_surrogates

MIXED = "aé漢字 👩‍🚀🇫🇷 e\u0301 \U0010ffff"


def pieces_of(data: bytes, cuts: list[int]) -> list[bytes]:
    return [data[a:b] for a, b in pairwise([0, *sorted(cuts), len(data)])]


def decode(pieces: list[bytes]) -> list[str]:
    stream = Utf8Stream()
    return [*(stream.feed(piece) for piece in pieces), stream.flush()]


def test_text_is_whole_at_every_pair_of_split_points() -> None:
    data = MIXED.encode()
    for first in range(len(data) + 1):
        for second in range(first, len(data) + 1):
            texts = decode(pieces_of(data, [first, second]))
            assert "".join(texts) == MIXED
            assert not any("\ufffd" in text for text in texts)


def test_one_byte_at_a_time_gives_each_character_once_it_is_complete() -> None:
    stream = Utf8Stream()
    shown = [stream.feed(bytes((byte,))) for byte in "é漢🚀".encode()]
    assert shown == ["", "é", "", "", "漢", "", "", "", "🚀"]
    assert stream.at_boundary


@given(st.binary(max_size=40), st.lists(st.integers(0, 40), max_size=6))
def test_any_bytes_decode_alike_however_they_are_cut(data: bytes, cuts: list[int]) -> None:
    inside = [min(cut, len(data)) for cut in cuts]
    assert "".join(decode(pieces_of(data, inside))) == data.decode("utf-8", "replace")


def test_bytes_that_are_no_text_show_as_replacement_characters() -> None:
    assert "".join(decode([b"a\xff", b"b\xe6\xbc", b"c"])) == "a\ufffdb\ufffdc"


def test_an_incomplete_character_shows_only_at_the_end() -> None:
    stream = Utf8Stream()
    assert stream.feed(b"a\xf0\x9f") == "a"
    assert not stream.at_boundary
    assert stream.flush() == "\ufffd"


def test_lone_surrogates_are_replaced_and_pairs_of_planes_stay() -> None:
    assert without_surrogates("a\ud83db\udc00 🚀") == "a\ufffdb\ufffd 🚀"


def naive(text: str, stops: list[str]) -> tuple[str, bool]:
    """The first place where the text so far ends with a stop string, the longest of them."""
    for end in range(1, len(text) + 1):
        found = [len(stop) for stop in stops if stop and text[:end].endswith(stop)]
        if found:
            return text[: end - max(found)], True
    return text, False


def match(pieces: list[str], stops: list[str]) -> tuple[str, bool]:
    matcher = StopMatcher(stops)
    shown = ""
    for piece in pieces:
        shown += matcher.feed(piece)
        if matcher.stopped:
            return shown, True
    return shown + matcher.flush(), False


@given(
    st.lists(st.text("ab", max_size=5), max_size=12),
    st.lists(st.text("ab", max_size=4), max_size=4),
)
def test_stop_strings_are_found_as_a_search_in_the_whole_text_finds_them(
    pieces: list[str], stops: list[str]
) -> None:
    assert match(pieces, stops) == naive("".join(pieces), stops)


@given(st.lists(st.text("ab", min_size=1, max_size=3), max_size=12), st.text("ab", min_size=1))
def test_only_what_may_become_a_stop_string_is_held_back(pieces: list[str], stop: str) -> None:
    matcher = StopMatcher([stop])
    shown, text = "", ""
    for piece in pieces:
        shown += matcher.feed(piece)
        text += piece
        if matcher.stopped:
            break
        held = text[len(shown) :]
        assert text.startswith(shown)
        assert stop.startswith(held)
        for longer in range(len(held) + 1, min(len(stop), len(text) + 1)):
            assert not stop.startswith(text[-longer:])


@pytest.mark.parametrize(
    ("pieces", "stops", "shown"),
    [
        (["one", " tw", "o three"], [" two"], "one"),
        (["abab", "abc"], ["ababc"], "ab"),
        (["xab", "cd"], ["abcd", "bc"], "xa"),
        (["xab"], ["b", "ab"], "x"),
        (["hello 🚀", "🚀"], ["🚀🚀"], "hello "),
    ],
)
def test_overlapping_stop_strings(pieces: list[str], stops: list[str], shown: str) -> None:
    assert match(pieces, stops) == (shown, True)


def test_text_passes_untouched_where_nothing_stops_it() -> None:
    assert match(["a", "", "b"], []) == ("ab", False)
    assert match(["a", "", "b"], [""]) == ("ab", False)
