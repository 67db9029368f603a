"""Text is cut where people see its end."""

import pytest

from app.text import cut
from app.transcript import title_of

FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("short", 10, "short"),
        ("longer", 4, "long"),
        ("天空蓝", 2, "天空"),
        ("axe\u0301s", 3, "ax"),
        ("axe\u0301s", 4, "axe\u0301"),
        ("a" + FAMILY + "b", 4, "a"),
        ("a" + FAMILY + "b", 8, "a" + FAMILY),
        ("🇫🇷🇩🇪", 3, "🇫🇷"),
        # One that is larger than there is room.
        (FAMILY, 3, FAMILY[:3]),
        ("e" + "\u0301" * 100, 3, "e\u0301\u0301"),
    ],
)
def test_nothing_is_cut_in_two(text: str, most: int, expected: str) -> None:
    assert cut(text, most) == expected


def test_a_title_ends_with_a_whole_character() -> None:
    assert title_of("a" * 44 + FAMILY) == "a" * 44 + "…"
