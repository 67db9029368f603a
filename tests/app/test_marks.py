"""What happened at single moments is found in what the engine says, and kept within bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.mark_finder import MarkFinder
from app.marks import Mark, MarkKind, MarkTrack
from app.runs.recorder import RunRecorder
from engine.errors import ErrorCode, ErrorInfo
from engine.events import (
    Collected,
    Compiled,
    Event,
    Failed,
    Finished,
    FinishReason,
    LoadProgress,
    LoadStage,
    PromptReady,
    Started,
)
from engine.samples import ThrottleReason
from engine.values import Notice, NoticeCode
from tests.app.runs.making import MS, T0, answer, request, sample
from tests.ui.fakes import loaded_model

if TYPE_CHECKING:
    from app.runs.record import RunRecord


def marks_of(*events: Event) -> list[Mark]:
    finder = MarkFinder()
    return [mark for event in events for mark in finder.marks_of(event)]


def test_reuse_and_what_was_left_out_are_marked() -> None:
    ready = PromptReady(
        request_id=2, t_ns=9, n_prompt_tokens=100, n_cached_tokens=60, n_dropped_messages=3
    )
    assert marks_of(ready) == [
        Mark(kind=MarkKind.CACHE_REUSE, t_ns=9, detail=(60, 100)),
        Mark(kind=MarkKind.CONTEXT_DROPPED, t_ns=9, detail=(3,)),
    ]
    assert marks_of(replace(ready, n_cached_tokens=0, n_dropped_messages=0)) == []


@pytest.mark.parametrize(
    ("reason", "n_marks"), [(FinishReason.CANCELLED, 1), (FinishReason.END, 0)]
)
def test_a_stop_is_marked_and_an_end_is_not(reason: FinishReason, n_marks: int) -> None:
    end = Finished(request_id=2, t_ns=9, reason=reason, text="", n_output_tokens=1)
    assert len(marks_of(end)) == n_marks


def test_failures_collections_and_fallbacks_are_marked() -> None:
    failed = Failed(request_id=2, t_ns=9, error=ErrorInfo(code=ErrorCode.DECODE_FAILED))
    collected = Collected(request_id=2, t_ns=8, duration_ns=3 * MS, generation=2)
    loaded = loaded_model()
    notice = Notice(code=NoticeCode.GPU_TOO_SMALL)
    fallen = replace(loaded, engine=replace(loaded.engine, notices=(notice,)))
    assert [(mark.kind, mark.detail) for mark in marks_of(collected, failed, fallen, loaded)] == [
        (MarkKind.GARBAGE_COLLECTION, (3 * MS, 2)),
        (MarkKind.FAILED, ("decode_failed",)),
        (MarkKind.CPU_FALLBACK, ("gpu_too_small",)),
    ]


def test_what_is_compiled_during_an_answer_is_marked_with_how_long_it_took() -> None:
    compiled = Compiled(request_id=2, t_ns=8, duration_ns=700 * MS)
    (mark,) = marks_of(compiled)
    assert (mark.kind, mark.t_ns, mark.detail) == (MarkKind.COMPILE, 8, (700 * MS,))


@pytest.mark.parametrize(
    "end",
    [
        replace(loaded_model(), request_id=1, t_ns=900 * MS),
        LoadProgress(request_id=1, t_ns=900 * MS, stage=LoadStage.WARM_UP, fraction=None),
    ],
)
def test_what_is_compiled_in_a_load_is_marked_at_its_end_with_how_long_it_took(end: Event) -> None:
    progress = LoadProgress(request_id=1, t_ns=200 * MS, stage=LoadStage.COMPILE, fraction=None)
    other = Started(request_id=2, t_ns=300 * MS)
    told = (progress, other, replace(progress, t_ns=400 * MS), end, replace(end, t_ns=999 * MS))
    (mark,) = marks_of(*told)
    assert (mark.kind, mark.t_ns, mark.detail) == (MarkKind.COMPILE, 900 * MS, (700 * MS,))


def test_a_load_that_fails_while_it_compiles_has_ended_it() -> None:
    progress = LoadProgress(request_id=1, t_ns=2, stage=LoadStage.COMPILE, fraction=None)
    failed = Failed(request_id=1, t_ns=5, error=ErrorInfo(code=ErrorCode.LOAD_FAILED))
    assert [(mark.kind, mark.detail) for mark in marks_of(progress, failed)] == [
        (MarkKind.COMPILE, (3,)),
        (MarkKind.FAILED, ("load_failed",)),
    ]


def test_a_device_that_begins_to_throttle_is_marked_once_each_time() -> None:
    finder = MarkFinder()
    hot = (ThrottleReason.HEAT,)
    found = []
    for t_ns, reasons in enumerate((None, (), hot, hot, (), hot)):
        taken = sample(t_ns, power_mw=1)
        gpu = replace(taken.gpus[0], throttled=reasons)
        found += finder.marks_of_sample(replace(taken, gpus=(gpu,)))
    assert [(mark.t_ns, mark.detail) for mark in found] == [
        (2, ("gpu", "heat")),
        (5, ("gpu", "heat")),
    ]


def test_a_cpu_whose_count_rises_is_marked_where_that_begins() -> None:
    finder = MarkFinder()
    found = []
    for t_ns, count in enumerate((None, 5, 5, 7, 9, 9, 10)):
        found += finder.marks_of_sample(replace(sample(t_ns), cpu_throttle_count=count))
    assert [(mark.t_ns, mark.detail) for mark in found] == [
        (3, ("cpu", "heat")),
        (6, ("cpu", "heat")),
    ]


def test_marks_come_by_time_and_the_oldest_go_first() -> None:
    track = MarkTrack()
    for t_ns in range(1100, 0, -1):
        track.add(Mark(kind=MarkKind.STOP, t_ns=t_ns))
    kept = [mark.t_ns for mark in track.between(0, 2000)]
    assert kept == list(range(1, 1025))


def test_a_run_keeps_the_marks_that_its_stamps_do_not_tell(qapp: object) -> None:
    recorder = RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    recorder.on_mark(Mark(kind=MarkKind.SUSPENDED, t_ns=T0 - MS))
    recorder.on_requested(request())
    recorder.on_mark(Mark(kind=MarkKind.THROTTLING, t_ns=T0 + MS))
    events = answer()
    collected = Collected(request_id=2, t_ns=T0 + 140 * MS, duration_ns=MS, generation=1)
    recorder.on_events((*events[:-2], collected, *events[-2:]))
    assert [mark.kind for mark in found[0].marks] == [
        MarkKind.THROTTLING,
        MarkKind.GARBAGE_COLLECTION,
    ]
