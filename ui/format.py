"""Numbers as people read them: three significant digits, a unit, separators of the locale.

Unknown (None, NaN) is "—". A number and its unit are kept together by a narrow no-break space.
"""

import math
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

translate = QCoreApplication.translate

UNKNOWN = "—"
NARROW_SPACE = "\u202f"

# From here on three significant digits round up to a fourth.
_ROUNDS_TO_1000 = 999.5


@dataclass(frozen=True, slots=True)
class Quantity:
    """A formatted number and its unit, apart, for where the two are drawn differently."""

    number: str
    unit: str = ""

    def __str__(self) -> str:
        """The number and the unit; only the dash where the number is unknown."""
        if not self.unit or self.number == UNKNOWN:
            return self.number
        return f"{self.number}{NARROW_SPACE}{self.unit}"


def rate(tok_per_s: float | None) -> Quantity:
    """A decode or prefill rate, tokens per second."""
    return Quantity(significant(tok_per_s), translate("Units", "tok/s"))


def duration_ns(value_ns: float | None) -> Quantity:
    """A duration given in nanoseconds, in µs, ms, s, or minutes and seconds."""
    if value_ns is None or math.isnan(value_ns):
        return Quantity(UNKNOWN, translate("Units", "ms"))
    value_us = value_ns / 1e3
    if value_ns == 0 or abs(value_us) < _ROUNDS_TO_1000:
        return Quantity(significant(value_us), translate("Units", "µs"))
    if abs(value_us) < _ROUNDS_TO_1000 * 1e3:
        return Quantity(significant(value_us / 1e3), translate("Units", "ms"))
    value_s = value_us / 1e6
    if abs(value_s) < 99.95:
        return Quantity(significant(value_s), translate("Units", "s"))
    minutes, seconds = divmod(round(value_s), 60)
    locale = QLocale()
    minute = translate("Units", "min")
    minutes_text = f"{locale.toString(minutes)}{NARROW_SPACE}{minute}"
    return Quantity(
        f"{minutes_text} {locale.toString(seconds).rjust(2, '0')}", translate("Units", "s")
    )


def axis_duration_ns(value_ns: float) -> Quantity:
    """The same for the end of an axis: round in seconds, however many, and short."""
    if value_ns < 99.95e9:
        return duration_ns(value_ns)
    seconds = QLocale().toString(round(value_ns / 1e9))
    return Quantity(f"{seconds}{NARROW_SPACE}{translate('Units', 's')}")


def size(n_bytes: float | None) -> Quantity:
    """A number of bytes, in binary units (KiB, MiB, GiB)."""
    if n_bytes is None or math.isnan(n_bytes):
        return Quantity(UNKNOWN, translate("Units", "MiB"))
    units = _byte_units()
    value, power = float(n_bytes), 0
    while abs(value) >= _ROUNDS_TO_1000 and power < len(units) - 1:
        value /= 1024
        power += 1
    number = significant(value) if power else QLocale().toString(round(value))
    return Quantity(number, units[power])


def percent(ratio: float | None) -> Quantity:
    """A share or a load given as a ratio (1 is 100 %), whole above 10 %."""
    if ratio is None or math.isnan(ratio):
        return Quantity(UNKNOWN, translate("Units", "%"))
    value = ratio * 100
    decimals = 1 if 0 < abs(value) < 9.95 else 0
    return Quantity(QLocale().toString(value, "f", decimals), translate("Units", "%"))


def bandwidth(bytes_per_s: float | None) -> Quantity:
    """Memory bandwidth, in decimal units as the makers of memory have it (GB/s)."""
    value = None if bytes_per_s is None else bytes_per_s / 1e9
    return Quantity(significant(value), translate("Units", "GB/s"))


def compute_rate(flop_per_s: float | None) -> Quantity:
    """Operations per second, in GFLOP/s or TFLOP/s."""
    if flop_per_s is not None and flop_per_s >= _ROUNDS_TO_1000 * 1e9:
        return Quantity(significant(flop_per_s / 1e12), translate("Units", "TFLOP/s"))
    value = None if flop_per_s is None else flop_per_s / 1e9
    return Quantity(significant(value), translate("Units", "GFLOP/s"))


def power_mw(milliwatts: float | None) -> Quantity:
    """Electric power given in milliwatts, in watts."""
    return Quantity(
        significant(None if milliwatts is None else milliwatts / 1e3), translate("Units", "W")
    )


def energy_j(millijoules: float | None) -> Quantity:
    """Energy given in millijoules, in joules."""
    joules = None if millijoules is None else millijoules / 1e3
    return Quantity(significant(joules), translate("Units", "J"))


def energy_wh(millijoules: float | None) -> Quantity:
    """Energy given in millijoules, in Wh, or mWh where it is little."""
    watt_hours = None if millijoules is None else millijoules / 3.6e6
    if watt_hours is None or watt_hours >= _ROUNDS_TO_1000 / 1e3:
        return Quantity(significant(watt_hours), translate("Units", "Wh"))
    return Quantity(significant(watt_hours * 1e3), translate("Units", "mWh"))


def temperature(celsius: float | None) -> Quantity:
    """A temperature, degrees Celsius, whole."""
    if celsius is None or math.isnan(celsius):
        return Quantity(UNKNOWN, translate("Units", "°C"))
    return Quantity(QLocale().toString(round(celsius)), translate("Units", "°C"))


def format_rate(tok_per_s: float | None) -> str:
    """For example "46.2 tok/s"."""
    return str(rate(tok_per_s))


def format_duration_ns(value_ns: float | None) -> str:
    """For example "182 ms"."""
    return str(duration_ns(value_ns))


def format_bytes(n_bytes: float | None) -> str:
    """For example "4.70 MiB"."""
    return str(size(n_bytes))


def format_percent(ratio: float | None) -> str:
    """For example "76 %" for 0.76."""
    return str(percent(ratio))


def format_power_mw(milliwatts: float | None) -> str:
    """For example "45.3 W" for 45300."""
    return str(power_mw(milliwatts))


def format_temperature(celsius: float | None) -> str:
    """For example "62 °C"."""
    return str(temperature(celsius))


def format_count(n: int | None) -> str:
    """A whole number of things, exact, with the separators of the locale: "8,192"."""
    return UNKNOWN if n is None else QLocale().toString(n)


def significant(value: float | None) -> str:
    """Three significant digits, trailing zeros kept so that a live figure does not dance."""
    if value is None or math.isnan(value):
        return UNKNOWN
    magnitude = abs(value)
    if magnitude >= 99.95 or magnitude == 0:
        decimals = 0
    elif magnitude >= 9.995:
        decimals = 1
    elif magnitude >= 0.9995:
        decimals = 2
    else:
        decimals = 3
    return QLocale().toString(float(value), "f", decimals)


def trimmed(quantity: Quantity) -> Quantity:
    """The same without zeros that say nothing beside an axis: "20", not "20.0"."""
    number, point = quantity.number, QLocale().decimalPoint()
    if point in number:
        number = number.rstrip("0").rstrip(point)
    return Quantity(number, quantity.unit)


def _byte_units() -> tuple[str, ...]:
    return (
        translate("Units", "B"),
        translate("Units", "KiB"),
        translate("Units", "MiB"),
        translate("Units", "GiB"),
        translate("Units", "TiB"),
        translate("Units", "PiB"),
    )


def format_date(t_ms: int) -> str:
    """A day, given in Unix time: "2026-11-30", which no locale reads as another."""
    return QDateTime.fromMSecsSinceEpoch(t_ms).toString("yyyy-MM-dd")


def format_date_time(t_ms: int) -> str:
    """A day and the time of day, given in Unix time: "2026-11-30 18:19"."""
    return QDateTime.fromMSecsSinceEpoch(t_ms).toString("yyyy-MM-dd HH:mm")
