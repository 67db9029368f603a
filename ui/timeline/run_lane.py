"""A lane that is a whole recorded run: its stretches, and its steps below them."""

from dataclasses import replace

from PySide6.QtGui import QPainter

from app.telemetry import TelemetryStore
from app.timeline.moment import moment_at, no_texts
from ui.format import format_count, format_duration_ns, format_rate
from ui.panels.explain.legend import Entry
from ui.timeline.lane import Lane, Scene, translate
from ui.timeline.machine_lanes import PeakNs, StepLane
from ui.timeline.request_lane import RequestLane
from ui.timeline.wording import DOT, stage_name

_BAR_SHARE = 0.34
_GAP_PX = 6.0


class RunLane(Lane):
    """One of several runs laid under each other, all from when they were sent."""

    def __init__(self, store: TelemetryStore, number: int, words: str, peak_ns: PeakNs) -> None:
        """Show what `store` has been told of one run.

        Args:
            store: Has one request.
            number: From 1, from above.
            words: Say which run it is.
            peak_ns: What ends the scale of steps, the same for all runs.
        """
        self.store = store
        self._number = number
        self._words = words
        self._request = RequestLane(has_numbers=False)
        self._steps = StepLane(no_texts, peak_ns)

    def title(self) -> str:
        """Its number."""
        return translate("Timeline", "Run {n}").format(n=format_count(self._number))

    def sentence(self) -> str:
        """Which run it is, and its figures in short."""
        assert self.store is not None
        figures = self.store.turns[0].figures
        parts = [
            self._words,
            translate("Timeline", "first token after {time}").format(
                time=format_duration_ns(figures.ttft_ns)
            ),
            format_rate(figures.decode_rate_tok_per_s),
        ]
        return "\n".join(parts)

    def legend(self, store: TelemetryStore) -> list[Entry]:
        """That of a request."""
        return self._request.legend(self.store or store)

    def paint(self, painter: QPainter, scene: Scene) -> None:
        """Draw stretches above and steps below."""
        area = scene.area
        edge = area.top() + area.height() * _BAR_SHARE
        upper = area.adjusted(0, -4, 0, edge - area.bottom())
        lower = area.adjusted(0, edge - area.top() + _GAP_PX, 0, 0)
        self._request.paint(painter, replace(scene, area=upper))
        self._steps.paint(painter, replace(scene, area=lower))

    def chip_at(self, t_s: float) -> str:
        """What this run was doing then."""
        assert self.store is not None
        moment = moment_at(self.store, t_s)
        if moment.stretch is None:
            return ""
        parts = [stage_name(moment.stretch.stage)]
        if moment.step is not None:
            parts.append(translate("Timeline", "step {n}").format(n=moment.step.index + 1))
            if moment.step.itl_ns is not None:
                parts.append(format_duration_ns(moment.step.itl_ns))
        return DOT.join(parts)

    def text_at(self, _store: TelemetryStore, t_s: float) -> str:
        """The same, with the number of the run."""
        chip = self.chip_at(t_s)
        return f"{self.title()}: {chip}" if chip else ""
