"""What happened at a moment is drawn at its place and told there, live and of a recorded run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from app.marks import MarkKind
from app.runs.file import read_run, write_run
from app.runs.recorder import RunRecorder
from app.telemetry import TelemetryStore
from app.timeline.moment import no_texts
from app.timeline.recorded import store_of
from engine.events import Collected, Compiled, Finished, FinishReason, PromptReady
from engine.samples import ThrottleReason
from engine.values import Notice, NoticeCode
from tests.app.runs.making import MS, T0, answer, request, sample
from tests.ui.fakes import loaded_model
from ui.timeline.lanes import all_lanes
from ui.timeline.window import TimelineWindow
from ui.timeline.wording import MARK_COLORS

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSettings

    from app.runs.record import RunRecord
    from engine.events import Event
    from ui.theme import Theme

# When each is, after the send; those of one moment are drawn as the first of them.
MARKS = (
    (0, MarkKind.CPU_FALLBACK, "the model runs on the CPU, though there is a GPU"),
    (15, MarkKind.CACHE_REUSE, "60 of 100 prompt tokens came from the cache"),
    (15, MarkKind.CACHE_REUSE, "3 messages, the oldest, left out to make room"),
    (130, MarkKind.GARBAGE_COLLECTION, "Python collected garbage in the engine for 2.00\u202fms"),
    (190, MarkKind.COMPILE, "the engine compiled code for 9.00\u202fms"),
    (250, MarkKind.THROTTLING, "the GPU slowed itself down: it was too hot"),
    (318, MarkKind.STOP, "stopped"),
)


def told() -> list[Event]:
    events: list[Event] = []
    for event in answer():
        match event:
            case PromptReady():
                events.append(replace(event, n_dropped_messages=3))
            case Finished():
                events.append(replace(event, reason=FinishReason.CANCELLED))
            case _:
                events.append(event)
    return events


def stores(path: Path) -> tuple[TelemetryStore, TelemetryStore]:
    """An answer in which all of it happens: as it comes, and recorded, written and read."""
    notice = Notice(code=NoticeCode.GPU_TOO_SMALL)
    loaded = replace(loaded_model(notices=(notice,)), t_ns=T0)
    live, recorder = TelemetryStore(lambda: T0), RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    cool = sample(T0 + 100 * MS, power_mw=4000)
    hot = replace(cool.gpus[0], throttled=(ThrottleReason.HEAT,))
    *events, end = told()
    for each in (live, recorder):
        each.on_events((loaded,))
    live.on_submitted(2, T0)
    recorder.on_requested(request())
    for each in (live, recorder):
        each.on_sample(cool)
        each.on_sample(replace(cool, t_ns=T0 + 250 * MS, gpus=(hot,)))
        each.on_events(
            (
                *events,
                Collected(request_id=2, t_ns=T0 + 130 * MS, duration_ns=2 * MS, generation=1),
                Compiled(request_id=2, t_ns=T0 + 190 * MS, duration_ns=9 * MS),
                end,
            )
        )
    write_run(path, found[-1])
    return live, store_of(read_run(path))


def test_each_mark_is_drawn_at_its_place_and_told_there(
    theme: Theme, settings: QSettings, tmp_path: Path
) -> None:
    for store in stores(tmp_path / "run.npz"):
        parent = QWidget()
        shown = TimelineWindow(theme, store, settings, parent, lanes=all_lanes(no_texts))
        shown.resize(1280, 760)
        shown.show()
        chart = shown.chart
        assert chart.marks is not None
        picture = chart.grab().toImage()
        scene = chart.scene(chart.marks)
        for t_ms, kind, words in MARKS:
            place = QPoint(int(scene.x(t_ms / 1e3)), int(scene.area.center().y()))
            assert picture.pixelColor(place) == theme.color(MARK_COLORS[kind])
            chart.axis.set_hover(t_ms / 1e3)
            assert words in shown.readout.machine.text()
        shown.hide()
        parent.deleteLater()
