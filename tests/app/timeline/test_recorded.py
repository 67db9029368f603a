"""A recorded run, told again, shows what it was; what lies at a moment and between two."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.marks import Mark, MarkKind
from app.runs.file import read_run, write_run
from app.timeline.between import between
from app.timeline.moment import moment_at, next_step_s
from app.timeline.recorded import store_of
from app.timeline.stretches import Stage, stretches_of
from tests.app.runs.making import MS, T0, recorded, sample

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from app.telemetry import TelemetryStore


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
