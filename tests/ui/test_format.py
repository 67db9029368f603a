"""Numbers carry units, three significant digits and the separators of the locale."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from ui import format as fmt


@pytest.fixture
def french() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.French, QLocale.Country.France))
    yield
    QLocale.setDefault(before)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (46.234, "46.2"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (99.96, "100"),
        (0.4764, "0.476"),
        (0.0, "0"),
        (1234.6, "1,235"),
        (None, "—"),
        (float("nan"), "—"),
    ],
)
def test_three_significant_digits(value: float | None, text: str) -> None:
    assert fmt.significant(value) == text


@pytest.mark.parametrize(
    ("value_ns", "text"),
    [
        (450, "0.450\u202fµs"),
        (25_000, "25.0\u202fµs"),
        (21_640_000, "21.6\u202fms"),
        (999_600_000, "1.00\u202fs"),
        (1_240_000_000, "1.24\u202fs"),
        (125_400_000_000, "2\u202fmin 05\u202fs"),
        (None, "—"),
    ],
)
def test_durations_choose_their_unit(value_ns: float | None, text: str) -> None:
    assert fmt.format_duration_ns(value_ns) == text


def test_the_end_of_an_axis_is_short_and_round() -> None:
    assert str(fmt.axis_duration_ns(5e8)) == "500\u202fms"
    assert str(fmt.axis_duration_ns(1e11)) == "100\u202fs"
    assert str(fmt.axis_duration_ns(1.5e12)) == "1,500\u202fs"


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [
        (0, "0\u202fB"),
        (999, "999\u202fB"),
        (1000, "0.977\u202fKiB"),
        (22.5 * 1024, "22.5\u202fKiB"),
        (180 * 2**20, "180\u202fMiB"),
        (int(999.7 * 2**20), "0.976\u202fGiB"),
        (None, "—"),
    ],
)
def test_bytes_are_binary(n_bytes: float | None, text: str) -> None:
    assert fmt.format_bytes(n_bytes) == text


def test_the_rest_of_the_units() -> None:
    assert fmt.format_rate(46.23) == "46.2\u202ftok/s"
    assert fmt.format_percent(1.84) == "184\u202f%"
    assert fmt.format_percent(0.042) == "4.2\u202f%"
    assert fmt.format_count(8192) == "8,192"
    assert fmt.format_power_mw(45_300) == "45.3\u202fW"
    assert fmt.format_temperature(61.7) == "62\u202f°C"


def test_unknown_is_a_dash_without_unit() -> None:
    assert fmt.format_rate(None) == fmt.format_percent(None) == fmt.format_count(None) == "—"
    assert fmt.rate(None).unit == "tok/s"


@pytest.mark.usefixtures("french")
def test_separators_follow_the_locale() -> None:
    assert fmt.format_rate(46.23) == "46,2\u202ftok/s"
    assert fmt.format_count(8192) == "8\u202f192"
