"""Counts in words."""

from __future__ import annotations

import pytest

from engine.counted import counted


@pytest.mark.parametrize(
    ("n", "words"), [(0, "0 runs"), (1, "1 run"), (2, "2 runs"), (None, "— runs")]
)
def test_one_is_singular(n: int | None, words: str) -> None:
    assert counted(n, "run") == words
