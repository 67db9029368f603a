"""A replay shows what was recorded, at the speed asked for, and needs no engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.kv_cells import cell_runs, turns_of
from app.marks import MarkKind
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
    assert not replay.store.turns
    assert not replay.store.is_running
    play(replay, qtbot)
    first = replay.store.turn
    play(replay, qtbot)
    (second,) = replay.store.turns
    assert first is not None
    assert first.figures == second.figures == record.trace.figures()
    assert first.t_submit_ns < second.t_submit_ns
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


def test_going_back_leaves_what_going_there_at_once_leaves(record: RunRecord) -> None:
    there, back = RunReplay(record), RunReplay(record)
    there.go_to(200 * MS)
    back.go_to(back.length_ns)
    for t_ms in range(300, 199, -1):
        back.go_to(t_ms * MS)
    one, other = there.store, back.store
    assert one.turn is not None
    assert other.turn is not None
    assert other.turns == (other.turn,)
    assert one.turn.figures == other.turn.figures
    assert other.is_running
    assert (one.loaded is None, one.memory) == (other.loaded is None, other.memory)
    ago_s = other.now_s - one.now_s
    for histories in ((one.steps, other.steps), (one.kv, other.kv), (one.samples, other.samples)):
        rows, others = (history._fine.rows.copy() for history in histories)
        rows[0] += ago_s
        np.testing.assert_allclose(rows, others)
    spans, others_spans = (
        [
            (span.phase, pytest.approx(store.now_s - span.t0_s))
            for span in store.phases.between(-9, 99)
        ]
        for store in (one, other)
    )
    assert spans == others_spans
    # It takes its prompt from the cache: nothing else happened, least of all a stop.
    kinds = [mark.kind for mark in other.marks.between(0, 99_000 * MS)]
    assert kinds == [MarkKind.CACHE_REUSE]


def test_going_back_to_before_the_send_leaves_nothing(record: RunRecord) -> None:
    replay = RunReplay(record)
    replay.go_to(160 * MS)
    running: list[bool] = []
    replay.store.running_changed.connect(running.append)
    replay.go_to(-50 * MS)
    assert running == [False]
    assert (replay.store.turns, replay.store.span_s) == ((), None)
    assert replay.store.steps.count(-99, 99) == 0
    assert replay.store.loaded is not None


def test_of_a_long_jump_the_window_has_its_turn_in_between(tmp_path: Path, qtbot: QtBot) -> None:
    write_run(tmp_path / "run.npz", recorded(n_steps=30_000))
    record = read_run(tmp_path / "run.npz")
    replay = RunReplay(record)
    replay.go_to(replay.length_ns)
    replay.go_to(replay.length_ns - 10 * MS)
    turn = replay.store.turn
    assert turn is not None
    assert 0 < turn.n_output_tokens < 29_999
    qtbot.waitUntil(lambda: turn.n_output_tokens == 29_999, timeout=WAIT_MS)
    replay.go_to(replay.length_ns)
    assert replay.is_over
    assert turn.figures == record.trace.figures()


def test_a_jump_back_begins_anew(record: RunRecord) -> None:
    replay = RunReplay(record)
    replay.go_to(replay.length_ns)
    assert replay.is_over
    replay.go_to(160 * MS)
    assert replay.position_ns == 160 * MS
    assert replay.store.turn is not None
    # First token at 117 ms, then one each 20 ms.
    assert replay.store.turn.n_output_tokens == 3
    assert len(replay.store.turns) == 1
    # Template and tokenizer count from the new send.
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
        (CellKind.ANSWER, 100, 101),
    ]
    assert found[-1].number == 1
