"""How curves of runs are drawn, on screen and in pictures alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QColor

from app.runs.curves import RunCurves
from app.series import FloatArray
from ui.format import duration_ns, format_duration_ns, format_rate, rate, trimmed
from ui.palette import ColorName
from ui.panels.canvas import Canvas, Labels
from ui.panels.scales import Scale

translate = QCoreApplication.translate

RUN_COLORS: tuple[ColorName, ...] = (
    "phase_decode",
    "phase_prefill",
    "phase_cached",
    "phase_load",
    "phase_stopped",
    "phase_compile",
    "phase_waiting",
)
"""Told apart also by who does not see all colours; taken in turn."""

_NEAR_S = 0.5


class Curve(StrEnum):
    """What a plot shows."""

    RATE = "rate"
    ITL = "itl"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlottedRun:
    """One run in a plot.

    Attributes:
        words: What it is called in a legend.
        color: Of its curves.
        curves: What was measured.
    """

    words: str
    color: QColor
    curves: RunCurves


def curve_title(curve: Curve) -> str:
    """What a plot is called."""
    if curve is Curve.RATE:
        return translate("Runs", "Decode rate, tok/s")
    return translate("Runs", "Time between engine steps (ITL)")


def value_text(curve: Curve, value: float | None) -> str:
    """A value of a curve with its unit."""
    if curve is Curve.RATE:
        return format_rate(value)
    return format_duration_ns(None if value is None else value * 1e6)


def axis_text(curve: Curve, value: float) -> str:
    """A value beside the axis; the title of a rate has its unit."""
    if curve is Curve.RATE:
        return trimmed(rate(value)).number
    return str(trimmed(duration_ns(value * 1e6)))


def last_s(runs: Sequence[PlottedRun]) -> float:
    """When the last step of all of them ended; 1 where there is none."""
    return max((float(run.curves.t_s[-1]) for run in runs if len(run.curves.t_s)), default=1.0)


def make_canvas(
    curve: Curve, runs: Sequence[PlottedRun], area: QRectF, view_s: tuple[float, float]
) -> Canvas:
    """The curves of `runs` in `area`, from the first to the second of `view_s`."""
    labels = Labels(empty=translate("Runs", "Choose runs above to lay them over each other"))
    canvas = Canvas(area=area, t0_s=view_s[0], t1_s=view_s[1], top=1.0, labels=labels)
    seen = [_seen(run, curve, view_s) for run in runs]
    peaks = [float(np.nanmax(values)) for values in seen if np.isfinite(values).any()]
    canvas.top = Scale(smallest=1.0).fit(max(peaks, default=None))
    labels.top = axis_text(curve, canvas.top)
    for run in runs:
        canvas.curve(run.curves.t_s, _values(run, curve), run.color, filled=False)
    return canvas


def hover_text(curve: Curve, runs: Sequence[PlottedRun], t_s: float) -> str:
    """The values of the runs that have one there."""
    found = [text for run in runs if (text := _text_at(run, curve, t_s))]
    return " · ".join(found[:6])


def _values(run: PlottedRun, curve: Curve) -> FloatArray:
    return run.curves.rate_tok_per_s if curve is Curve.RATE else run.curves.itl_ms


def _seen(run: PlottedRun, curve: Curve, view_s: tuple[float, float]) -> FloatArray:
    t_s = run.curves.t_s
    return _values(run, curve)[(t_s >= view_s[0]) & (t_s <= view_s[1])]


def _text_at(run: PlottedRun, curve: Curve, t_s: float) -> str:
    times = run.curves.t_s
    if not len(times):
        return ""
    index = int(np.argmin(np.abs(times - t_s)))
    value = float(_values(run, curve)[index])
    return value_text(curve, value) if abs(times[index] - t_s) <= _NEAR_S and value == value else ""
