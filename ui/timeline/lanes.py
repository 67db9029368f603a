"""The lanes of a timeline: of one store, or of several recorded runs."""

from collections.abc import Sequence

from app.telemetry import TelemetryStore
from app.timeline.moment import TokenText
from ui.timeline.lane import Lane
from ui.timeline.machine_lanes import MemoryLane, PowerLane, StepLane, UseLane
from ui.timeline.marks_lane import MarksLane
from ui.timeline.request_lane import RequestLane
from ui.timeline.run_lane import RunLane


def all_lanes(token_text: TokenText) -> tuple[Lane, ...]:
    """Everything that is known of one store; `token_text` gives the words of steps."""
    return (
        MarksLane(),
        RequestLane(),
        StepLane(token_text),
        MemoryLane(),
        UseLane(),
        PowerLane(),
    )


def run_lanes(runs: Sequence[tuple[TelemetryStore, str]]) -> tuple[Lane, ...]:
    """One lane a run; the words say which it is."""
    return tuple(RunLane(store, words) for store, words in runs)
