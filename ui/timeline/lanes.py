"""The lanes of a timeline: of one store, or of several recorded runs."""

import math
from collections.abc import Sequence

import numpy as np

from app.telemetry import TelemetryStore
from app.timeline.moment import TokenTexts
from ui.timeline.lane import Lane, Scene
from ui.timeline.machine_lanes import MemoryLane, PowerLane, StepLane, UseLane
from ui.timeline.marks_lane import MarksLane
from ui.timeline.request_lane import RequestLane
from ui.timeline.run_lane import RunLane


def all_lanes(token_texts: TokenTexts) -> tuple[Lane, ...]:
    """Everything that is known of one store; `token_texts` gives the words of steps."""
    return (
        MarksLane(),
        RequestLane(),
        StepLane(token_texts),
        MemoryLane(),
        UseLane(),
        PowerLane(),
    )


def run_lanes(runs: Sequence[tuple[TelemetryStore, str]]) -> tuple[Lane, ...]:
    """One lane a run, all on one scale; the words say which it is."""
    peak = _Peak([store for store, _ in runs])
    return tuple(
        RunLane(store, number, words, peak.in_view) for number, (store, words) in enumerate(runs, 1)
    )


class _Peak:
    """The longest step of all runs in what is in view, looked for once a picture."""

    def __init__(self, stores: Sequence[TelemetryStore]) -> None:
        self._stores = stores
        self._view_s = (math.nan, math.nan)
        self._peak_ns = 0.0

    def in_view(self, scene: Scene) -> float:
        """Nanoseconds; 0 where there is no step."""
        view_s = (scene.t0_s, scene.t1_s)
        if view_s != self._view_s:
            self._view_s = view_s
            series = [store.steps.extremes(*view_s, "itl")[1] for store in self._stores]
            known = [float(np.nanmax(itl)) for itl in series if np.isfinite(itl).any()]
            self._peak_ns = max(known, default=0.0)
        return self._peak_ns
