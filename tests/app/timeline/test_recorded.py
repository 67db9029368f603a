"""A recorded run, told again, shows what it was; what lies at a moment and between two."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.marks import Mark, MarkKind
from app.runs.file import read_run, write_run
from app.runs.record import MemoryMark, RunRecord
from app.runs.retelling import Items, Paint
from app.telemetry import TelemetryStore
from app.timeline.between import between
from app.timeline.moment import moment_at, next_step_s
from app.timeline.recorded import store_of
from app.timeline.stretches import Stage, stretches_of
from engine.events import Event, Finished, Step
from engine.samples import Sample
from tests.app.runs.making import MS, T0, recorded, sample

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


@pytest.fixture
def store(qapp: QApplication, tmp_path: Path) -> TelemetryStore:
    """A run of eleven steps, 20 ms each, written, read, and told again."""
    taken = tuple(
        sample(T0 + t * MS, energy_mj=1000 + 4 * t, power_mw=4000) for t in range(0, 500, 100)
    )
    run = recorded(samples=taken)
    write_run(tmp_path / "run.npz", run)
    return store_of(read_run(tmp_path / "run.npz"))


def test_it_has_the_stretches_and_steps_of_the_request(store: TelemetryStore) -> None:
    (turn,) = store.turns
    assert [
        (each.stage, each.t0_ns // MS, (each.t1_ns or 0) // MS) for each in stretches_of(turn.trace)
    ] == [
        (Stage.QUEUE, 0, 10),
        (Stage.PREPARE, 10, 15),
        (Stage.PREFILL, 15, 65),
        (Stage.PREFILL, 65, 115),
        (Stage.FIRST_TOKEN, 115, 117),
        (Stage.DECODE, 117, 317),
    ]
    times, itl = store.steps.between(0.0, 1.0, "itl")
    assert times.tolist() == pytest.approx([0.117 + 0.02 * step for step in range(11)])
    assert itl[1:].tolist() == [20 * MS] * 10
    (reused,) = store.marks.between(0, 10**9)
    assert (reused.kind, reused.t_ns, reused.detail) == (MarkKind.CACHE_REUSE, 15 * MS, (60, 100))


def test_a_moment_belongs_to_the_step_that_is_under_way(store: TelemetryStore) -> None:
    moment = moment_at(store, 0.150)
    assert moment.number == 1
    assert moment.since_submit_ns == 150 * MS
    assert moment.stretch is not None
    assert moment.stretch.stage is Stage.DECODE
    assert moment.step is not None
    assert (moment.step.index, moment.step.itl_ns) == (2, 20 * MS)
    assert moment.step.t_s == pytest.approx(0.157)
    assert moment.kv_tokens == 102


def test_the_way_of_the_first_text_to_the_screen_is_told(store: TelemetryStore) -> None:
    assert moment_at(store, 0.120).way_to_screen_ns is None
    store.on_first_paint(1, 130 * MS)
    assert moment_at(store, 0.120).way_to_screen_ns == 13 * MS
    assert moment_at(store, 0.131).way_to_screen_ns is None


def test_before_the_first_token_there_is_no_step(store: TelemetryStore) -> None:
    moment = moment_at(store, 0.080)
    assert moment.step is None
    assert moment.stretch is not None
    assert moment.stretch.n_before == 80
    assert moment_at(store, 5.0).turn is None


def test_between_two_moments_lie_steps_tokens_rate_and_energy(store: TelemetryStore) -> None:
    found = between(store, 0.140, 0.240)
    assert found == between(store, 0.240, 0.140)
    assert (found.duration_ns, found.n_steps, found.n_tokens) == (100 * MS, 5, 5)
    assert found.rate_tok_per_s == pytest.approx(50)
    assert found.energy_mj == pytest.approx(400)
    assert found.cpu_energy_mj is None


def test_between_moments_without_a_step_there_is_no_rate(store: TelemetryStore) -> None:
    found = between(store, 0.020, 0.080)
    assert (found.n_steps, found.n_tokens, found.rate_tok_per_s) == (0, 0, None)


def test_it_goes_from_step_to_step(store: TelemetryStore) -> None:
    assert next_step_s(store, 0.0, 1) == pytest.approx(0.117)
    assert next_step_s(store, 0.150, 1) == pytest.approx(0.157)
    assert next_step_s(store, 0.150, -1) == pytest.approx(0.137)
    assert next_step_s(store, 0.117, -1) is None


def test_marks_and_the_load_it_waited_for_are_kept(qapp: QApplication, tmp_path: Path) -> None:
    throttled = Mark(kind=MarkKind.THROTTLING, t_ns=T0 + 30 * MS, detail=("power", 3))
    run = replace(recorded(), marks=(throttled,), load_span_ns=(T0 - 100 * MS, T0 + 8 * MS))
    write_run(tmp_path / "run.npz", run)
    read = read_run(tmp_path / "run.npz")
    assert read.marks == (replace(throttled, t_ns=30 * MS),)
    assert read.load_span_ns == (-100 * MS, 8 * MS)
    store = store_of(read)
    (load,) = store.phases.loads
    assert (load.t0_s, load.t1_s) == pytest.approx((-0.1, 0.008))
    assert [mark.kind for mark in store.marks.between(0, 10**9)] == [
        MarkKind.CACHE_REUSE,
        MarkKind.THROTTLING,
    ]


def told_one_by_one(record: RunRecord) -> TelemetryStore:
    """What `store_of` makes, by the way a live answer takes."""
    store = TelemetryStore(lambda: 0)
    assert record.loaded is not None
    store.on_events((replace(record.loaded, t_start_ns=0, t_ns=0),))
    store.on_submitted(1, 0)
    events: list[Event] = []
    for item in Items(record):
        if isinstance(item, Sample):
            store.on_sample(item)
        elif isinstance(item, Mark):
            store.on_mark(item)
        elif not isinstance(item, Paint):
            events.append(replace(item, request_id=1))
    store.on_events(tuple(events))
    assert record.felt_ttft_ns is not None
    store.on_first_paint(1, record.felt_ttft_ns)
    return store


def many_of_everything(tmp_path: Path) -> RunRecord:
    """A run of half a minute with a sleep, a lost GPU counter, and memory that grew."""
    n_steps, step_ms = 1500, 20
    taken = [
        replace(
            sample(
                T0 + t * MS,
                energy_mj=None if t > 20_000 else 1000 + 4 * t,
                power_mw=None if t > 20_000 else 4000 + t % 7,
            ),
            cpu_energy_mj=t * 9,
        )
        for t in range(-3_000, 33_000, 250)
    ]
    run = recorded(n_steps=n_steps, step_ms=step_ms, samples=tuple(taken))
    for t_ms in (9_010, 31_000):
        run.samples.add_blank(T0 + t_ms * MS)
    # What was told late is not in its place.
    run.trace.suspended_t_ns.append(run.trace.step_t_ns[700])
    marks = (
        Mark(kind=MarkKind.SAMPLES_MISSING, t_ns=T0 + 31_000 * MS, detail=("gpu",)),
        Mark(kind=MarkKind.THROTTLING, t_ns=T0 + 30 * MS, detail=("gpu", "heat")),
        Mark(kind=MarkKind.SUSPENDED, t_ns=T0 + 9_000 * MS, detail=(5 * MS,)),
        Mark(kind=MarkKind.SAMPLER_RESTARTED, t_ns=T0 + 40_000 * MS, detail=(1,)),
    )
    assert run.loaded is not None
    memory = replace(run.loaded.memory, weights_bytes=77)
    grown = (MemoryMark(t_ns=run.trace.step_t_ns[3], memory=memory),)
    run = replace(run, marks=marks, memory=grown, felt_ttft_ns=130 * MS)
    write_run(tmp_path / "run.npz", run)
    return read_run(tmp_path / "run.npz")


def test_told_at_once_it_is_what_it_is_told_one_by_one(qapp: QApplication, tmp_path: Path) -> None:
    record = many_of_everything(tmp_path)
    fast, slow = store_of(record), told_one_by_one(record)
    for name in ("steps", "kv", "samples"):
        ours, theirs = getattr(fast, name), getattr(slow, name)
        assert ours._fine.rows.shape[1] > 100
        np.testing.assert_array_equal(ours._fine.rows, theirs._fine.rows)
        np.testing.assert_array_equal(ours._coarse.rows, theirs._coarse.rows)
    (turn,), (slow_turn,) = fast.turns, slow.turns
    assert turn.figures == slow_turn.figures == record.trace.figures()
    assert turn.felt_ttft_ns == slow_turn.felt_ttft_ns
    assert fast.energies(turn) == slow.energies(slow_turn)
    assert fast.marks.between(-(10**12), 10**12) == slow.marks.between(-(10**12), 10**12)
    assert list(fast.phases.between(-1e9, 1e9)) == list(slow.phases.between(-1e9, 1e9))
    assert (fast.sample, fast.gpu, fast.memory) == (slow.sample, slow.gpu, slow.memory)
    assert (fast.span_s, fast.is_running) == (slow.span_s, slow.is_running)


def test_what_is_told_again_is_in_the_order_of_time(tmp_path: Path) -> None:
    record = many_of_everything(tmp_path)
    items = Items(record)
    assert [item.t_ns for item in items] == items.t_ns.tolist() == sorted(items.t_ns.tolist())
    # From a second before it was sent on.
    n_samples = sum(t_ns >= -1000 * MS for t_ns in record.samples.t_ns)
    assert sum(isinstance(item, Sample) for item in items) == n_samples
    assert [item.t_ns for item in items if isinstance(item, Step)] == list(record.trace.step_t_ns)
    assert sum(item.n_tokens for item in items if isinstance(item, Step)) == 1500
    assert sum(isinstance(item, Finished) for item in items) == 1
    assert {item for item in items if isinstance(item, Mark)} == set(record.marks)
