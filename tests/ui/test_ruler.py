"""Marks of the ruler are round, far enough apart, and say where they stand."""

import pytest

from ui.ruler import ruler


@pytest.mark.parametrize(
    ("t0_s", "t1_s", "labels"),
    [
        (0.0, 10.0, ["0", "1\u202fs", "2\u202fs"]),
        (0.0, 1.0, ["0", "0.1\u202fs", "0.2\u202fs"]),
        (0.0, 0.9, ["0", "100\u202fms", "200\u202fms"]),
        (4.8, 5.0, ["4.80\u202fs", "4.82\u202fs", "4.84\u202fs"]),
        (0.0, 100e-6, ["0", "10\u202fµs", "20\u202fµs"]),
        (0.0, 1200.0, ["0", "2:00", "4:00"]),
        (0.0, 86_400.0, ["0", "3:00:00", "6:00:00"]),
    ],
)
def test_labels_are_round(t0_s: float, t1_s: float, labels: list[str]) -> None:
    marks = ruler(t0_s, t1_s, 1000)
    assert [text for _, text in marks][:3] == labels


@pytest.mark.parametrize("length_s", [3e-5, 0.004, 0.7, 13.0, 77.0, 4_000.0, 90_000.0, 1e6])
def test_marks_are_never_too_close_and_no_two_say_the_same(length_s: float) -> None:
    marks = ruler(3.0, 3.0 + length_s, 960)
    assert 1 <= len(marks) <= 960 / 80
    assert len({text for _, text in marks}) == len(marks)
    assert all(3.0 - 1e-9 <= t_s <= 3.0 + length_s + 1e-9 for t_s, _ in marks)
