"""Where the marks of a time ruler stand, and what they say."""

import math

from PySide6.QtCore import QLocale

from ui.format import NARROW_SPACE, translate

# Above a second people count in minutes and hours.
_LONG_STEPS_S = (1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0)
_LEAST_PX = 84.0


def ruler(t0_s: float, t1_s: float, width_px: float) -> list[tuple[float, str]]:
    """Round moments from `t0_s` to `t1_s`, far enough apart to be read, with their labels."""
    step_s = _step((t1_s - t0_s) * _LEAST_PX / max(1.0, width_px))
    first, last = math.ceil(t0_s / step_s - 1e-9), math.floor(t1_s / step_s + 1e-9)
    # All in the unit of the largest: "0.5 s, 1.0 s" is read faster than "500 ms, 1.0 s".
    largest_s = max(abs(first), abs(last)) * step_s
    return [
        (index * step_s, _label(index * step_s, step_s, largest_s))
        for index in range(first, last + 1)
    ]


def _label(t_s: float, step_s: float, largest_s: float) -> str:
    """A moment, as exact as `step_s` asks for: "0", "1.25 s", "350 µs", "2:05"."""
    locale = QLocale()
    if abs(t_s) < step_s / 2:
        return "0"
    if step_s >= 1 and abs(t_s) >= 60:
        sign = "−" if t_s < 0 else ""
        minutes, seconds = divmod(round(abs(t_s)), 60)
        hours, minutes = divmod(minutes, 60)
        clock = f"{minutes:02d}:{seconds:02d}"
        return f"{sign}{hours}:{clock}" if hours else f"{sign}{clock.lstrip('0') or '0'}"
    for factor, unit in (
        (1.0, translate("Units", "s")),
        (1e3, translate("Units", "ms")),
        (1e6, translate("Units", "µs")),
    ):
        if step_s * factor >= 0.01 and (largest_s * factor > 1 - 1e-9 or factor == 1e6):
            decimals = max(0, -math.floor(math.log10(step_s * factor) + 1e-9))
            number = locale.toString(t_s * factor, "f", decimals)
            return f"{number}{NARROW_SPACE}{unit}"
    return f"{locale.toString(t_s * 1e3, 'f', 3)}{NARROW_SPACE}{translate('Units', 'ms')}"


def _step(least_s: float) -> float:
    if least_s > 1:
        for step_s in _LONG_STEPS_S:
            if step_s >= least_s:
                return step_s
        return 3600.0 * math.ceil(least_s / 3600)
    decade = 10.0 ** math.floor(math.log10(max(least_s, 1e-9)))
    return next(m * decade for m in (1, 2, 5, 10) if m * decade >= least_s * (1 - 1e-9))
