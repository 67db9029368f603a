"""A replay shows what was recorded, at the speed asked for, and needs no engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.kv_cells import cell_runs, turns_of
from app.phases import Phase
from app.runs.file import read_run, write_run
from app.runs.replay import RunReplay
from engine.errors import ErrorCode, ErrorInfo
from engine.events import CellKind, CellSpan
from tests.app.runs.making import MS, T0, recorded, sample
from tests.ui.fakes import loaded_model
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.runs.record import RunRecord


class Clock:
    """A clock that goes on by `step_ns` whenever it is read."""

    def __init__(self, step_ns: int) -> None:
        self.now_ns = 0
        self.step_ns = step_ns

    def __call__(self) -> int:
        self.now_ns += self.step_ns
        return self.now_ns


@pytest.fixture
def record(tmp_path: Path) -> RunRecord:
    """A run of 11 tokens on a GPU, 318 ms long, read from its file."""
    loaded = loaded_model()
    loaded = replace(loaded, engine=replace(loaded.engine, n_gpu_layers=30, device="Fake GPU"))
    samples = (
        sample(T0 - 100 * MS, energy_mj=1_000, power_mw=40_000),
        sample(T0 + 400 * MS, energy_mj=3_000, power_mw=50_000),
    )
    run = recorded(loaded=loaded, samples=samples)
    write_run(tmp_path / "run.npz", replace(run, felt_ttft_ns=125 * MS))
    return read_run(tmp_path / "run.npz")


def play(replay: RunReplay, qtbot: QtBot) -> None:
    replay.play()
    qtbot.waitUntil(lambda: replay.is_over, timeout=WAIT_MS)


def test_it_shows_what_was_recorded(record: RunRecord, qtbot: QtBot) -> None:
    replay = RunReplay(record, clock_ns=Clock(40 * MS))
    store = replay.store
    assert store.loaded is not None
    assert store.loaded.engine.device == "Fake GPU"
    play(replay, qtbot)
    turn = store.turn
    assert turn is not None
    assert turn.is_over
    assert turn.figures == record.trace.figures()
    assert turn.felt_ttft_ns == 125 * MS
    # 2,000 mJ in 500 ms; 307 ms from start to last token.
    assert store.energies(turn)[0].per_token_mj == pytest.approx(4 * 307 / 11)
    assert store.gpu is not None
    assert store.gpu.name == "Fake GPU"
    assert store.gpu.memory_total_bytes == 8 << 30
    assert store.kv.last("tokens") == 111
    assert not store.is_running
    assert not replay.is_playing


def test_it_goes_on_step_by_step(record: RunRecord, qtbot: QtBot) -> None:
    replay = RunReplay(record)
    stops: list[int] = []
    while not replay.is_over and len(stops) < 30:
        replay.step()
        stops.append(replay.position_ns // MS)
    # Taken, tokenized, read in two parts, 11 tokens, the end; and the sample after it.
    assert stops == [10, 15, 65, 115, *range(117, 318, 20), 318, 400]
    assert not replay.is_playing


def test_between_two_steps_only_what_was_then_is_known(record: RunRecord, qtbot: QtBot) -> None:
    replay = RunReplay(record)
    for _ in range(3):
        replay.step()
    turn = replay.store.turn
    assert turn is not None
    assert turn.figures.n_prefilled_tokens == 80
    assert turn.figures.ttft_ns is None
    assert replay.store.phases.at(replay.store.now_s) is Phase.PREFILL


def test_slow_motion_is_slow(record: RunRecord, qtbot: QtBot) -> None:
    clock = Clock(100 * MS)
    replay = RunReplay(record, clock_ns=clock)
    replay.set_speed(0.1)
    replay.play()
    qtbot.waitUntil(lambda: clock.now_ns > 1_500 * MS, timeout=WAIT_MS)
    replay.pause()
    # From 100 ms before it was sent, a tenth of what the clock has gone since.
    assert replay.position_ns == -100 * MS + (clock.now_ns - 100 * MS) // 10


def test_it_can_be_played_again_after_itself(record: RunRecord, qtbot: QtBot) -> None:
    replay = RunReplay(record, clock_ns=Clock(40 * MS))
    for _ in range(8):
        replay.step()
    replay.restart()
    play(replay, qtbot)
    play(replay, qtbot)
    broken, second, third = replay.store.turns
    assert broken.is_over
    assert broken.figures.n_output_tokens == 4
    assert second.figures == third.figures == record.trace.figures()
    assert second.t_submit_ns < third.t_submit_ns
    assert not replay.store.is_running


def test_a_run_that_failed_before_a_model_was_there_can_be_replayed(
    tmp_path: Path, qtbot: QtBot
) -> None:
    run = recorded()
    trace = run.trace
    trace.t_start_ns = trace.t_prompt_ready_ns = trace.t_prefill_end_ns = None
    trace.forget_steps()
    del trace.prefill_t_ns[:], trace.prefill_n_done_tokens[:]
    trace.error, trace.finish_reason = ErrorInfo(code=ErrorCode.LOAD_FAILED), None
    write_run(tmp_path / "run.npz", replace(run, loaded=None))
    replay = RunReplay(read_run(tmp_path / "run.npz"), clock_ns=Clock(40 * MS))
    play(replay, qtbot)
    assert replay.store.loaded is None
    assert replay.store.phases.between(0, 9).__next__().phase is Phase.WAITING
    assert not replay.store.is_running


def test_a_jump_leaves_what_going_step_by_step_leaves(record: RunRecord) -> None:
    by_steps, by_jump = RunReplay(record), RunReplay(record)
    for _ in range(9):
        by_steps.step()
    by_jump.go_to(by_steps.position_ns)
    for replay in (by_steps, by_jump):
        assert replay.store.is_running
    one, other = by_steps.store, by_jump.store
    assert one.turn is not None
    assert other.turn is not None
    assert one.turn.figures == other.turn.figures
    for histories in ((one.steps, other.steps), (one.kv, other.kv), (one.samples, other.samples)):
        rows, others = (history._fine.rows for history in histories)
        np.testing.assert_allclose(rows, others)


def test_a_jump_back_begins_anew(record: RunRecord) -> None:
    replay = RunReplay(record)
    replay.go_to(replay.length_ns)
    assert replay.is_over
    replay.go_to(160 * MS)
    assert replay.position_ns == 160 * MS
    assert replay.store.turn is not None
    # First token at 117 ms, then one each 20 ms.
    assert replay.store.turn.n_output_tokens == 3
    assert len(replay.store.turns) == 2
    # What the first jump told is over; template and tokenizer count from the new send.
    t_ready_ns = replay.store.turn.trace.t_prompt_ready_ns
    assert t_ready_ns is not None
    assert t_ready_ns - replay.store.turn.t_submit_ns == 15 * MS


def test_what_the_cells_held_is_known_while_it_plays(record: RunRecord) -> None:
    told = (
        CellSpan(kind=CellKind.SYSTEM, number=1, begin=0, end=30),
        CellSpan(kind=CellKind.USER, number=1, begin=30, end=100),
    )
    replay = RunReplay(replace(record, prompt_cells=told, answer_number=1))
    replay.go_to(140 * MS)
    store = replay.store
    found = cell_runs(turns_of(store.turns, store.loaded))
    assert [(run.kind, run.begin, run.end) for run in found] == [
        (CellKind.SYSTEM, 0, 30),
        (CellKind.USER, 30, 60),
        (CellKind.USER, 60, 100),
        (CellKind.ANSWER, 100, 102),
    ]
    assert found[-1].number == 1
