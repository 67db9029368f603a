"""What spans a sleep of the machine, or a hole in the samples, is left blank on the timeline."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.marks import Mark, MarkKind
from app.rates import RateWindow
from app.reasoning import ReasoningSpan, reasoning_figures
from app.runs.curves import curves_of
from app.runs.file import read_run, write_run
from app.sample_row import SAMPLE_COLUMNS
from app.series import History, Reduce
from app.timeline.between import between
from app.timeline.moment import moment_at, next_step_s
from app.timeline.recorded import store_of
from app.timeline.stretches import Stage, stretches_of
from app.tint import Tint
from app.token_looks import levels_of, look_at, watch_share
from app.transcript import Answer
from engine.events import Suspended
from engine.inspection import Candidate, TokenInspection, pack
from tests.app.runs.making import MS, T0, recorded, sample
from ui.timeline.wording import between_text, moment_text, stretch_text

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from app.runs.record import RunRecord
    from app.telemetry import TelemetryStore

# Of eleven steps, the machine slept before this one, counted from 0.
_STEP = 5


@pytest.fixture
def run() -> RunRecord:
    """A run of which the engine noticed the sleep."""
    record = recorded()
    slept = Suspended(request_id=2, t_ns=record.trace.step_t_ns[_STEP], asleep_ns=9)
    record.trace.add(slept)
    return record


@pytest.fixture
def store(qapp: QApplication, tmp_path: Path, run: RunRecord) -> TelemetryStore:
    """It, written, read, and told again."""
    write_run(tmp_path / "run.npz", run)
    return store_of(read_run(tmp_path / "run.npz"))


def answer_of(run: RunRecord) -> Answer:
    """Of its stamps; each step brought one character and was watched for 1 ms."""
    chosen = Candidate(token=5, piece=b"x", probability=1, drawn_probability=1, removed_by=None)
    watched = TokenInspection(
        chosen=chosen, rank=1, alternatives=(), stages=(), is_penalized=False, watch_ns=MS
    )
    answer = Answer(turn_id="1", trace=run.trace, text="x" * 11)
    answer.step_ends.extend(range(1, 12))
    answer.inspected.extend([(pack(watched),)] * 11)
    return answer


def test_a_recorded_run_on_the_timeline_knows_of_it(store: TelemetryStore) -> None:
    (turn,) = store.turns
    assert turn.figures.decode_rate_tok_per_s is None
    times, itl, rate = store.steps.between(0.0, 1.0, "itl", "rate")
    assert np.flatnonzero(np.isnan(itl)).tolist() == [0, _STEP]
    assert np.flatnonzero(np.isnan(rate)).tolist() == [0, _STEP]
    moment = moment_at(store, float(times[_STEP]))
    assert moment.step is not None
    assert (moment.step.index, moment.step.itl_ns) == (_STEP, None)


def test_curves_of_a_run_do_not_span_it(run: RunRecord) -> None:
    curves = curves_of(run)
    assert np.flatnonzero(np.isnan(curves.itl_ms)).tolist() == [0, _STEP]
    assert np.flatnonzero(np.isnan(curves.rate_tok_per_s)).tolist() == [0, _STEP]
    assert curves.itl_ms[1] == pytest.approx(20)
    assert curves.rate_tok_per_s[-1] == pytest.approx(50)


def test_a_rate_begins_anew_after_it_however_steps_come() -> None:
    # The sleep ended with something other than a step.
    t_ns, slept_ns = [at * MS for at in (0, 10, 20, 4_000, 4_010, 4_020)], [3_000 * MS]
    expected = pytest.approx([np.nan, 100, 100, np.nan, 100, 100], nan_ok=True)
    assert RateWindow(10_000 * MS).extend(t_ns, [1] * 6, slept_ns) == expected
    window = RateWindow(10_000 * MS)
    one_by_one = [window.extend([each], [1], slept_ns if each else []) for each in t_ns]
    assert [rate for (rate,) in one_by_one] == expected


def test_between_cursors_on_either_side_of_it_there_is_no_rate(store: TelemetryStore) -> None:
    before, across = between(store, 0.140, 0.200), between(store, 0.140, 0.240)
    assert before.rate_tok_per_s == pytest.approx(50)
    assert (across.n_tokens, across.rate_tok_per_s) == (5, None)
    assert "tok/s" not in between_text(across)


@pytest.mark.parametrize("kind", [MarkKind.SUSPENDED, MarkKind.SAMPLES_MISSING])
def test_between_cursors_around_a_mark_of_the_sampler(
    qapp: QApplication, tmp_path: Path, kind: MarkKind
) -> None:
    mark = Mark(kind=kind, t_ns=T0 + 190 * MS)
    taken = tuple(sample(T0 + t * MS, energy_mj=1000 + 4 * t) for t in range(0, 500, 100))
    write_run(tmp_path / "run.npz", replace(recorded(samples=taken), marks=(mark,)))
    store = store_of(read_run(tmp_path / "run.npz"))
    # As if these samples were so old that the hole is in no row any more.
    store.samples = History(dict.fromkeys(SAMPLE_COLUMNS, Reduce.MEAN), fine_rows=100)
    for each in taken:
        store.on_sample(replace(each, t_ns=each.t_ns - T0))
    across, after = between(store, 0.140, 0.240), between(store, 0.200, 0.300)
    assert across.energy_mj is None
    assert after.energy_mj == pytest.approx(400)
    assert (across.rate_tok_per_s is None) == (kind is MarkKind.SUSPENDED)


def test_a_stretch_in_which_it_slept_has_no_length(store: TelemetryStore) -> None:
    (turn,) = store.turns
    found = stretches_of(turn.trace)
    assert [each.stage for each in found if each.slept] == [Stage.DECODE]
    assert stretch_text(found[-1], 0) == "decode —"
    assert stretch_text(found[0], 0) == "queue 10.0\u202fms"
    late = moment_at(store, 0.300)
    assert late.since_submit_ns is None
    assert moment_text(late, 0, None).startswith("Answer 1, — after it was sent")


def test_what_is_told_of_tokens_does_not_span_it(run: RunRecord) -> None:
    answer = answer_of(run)
    assert [look_at(answer, step)[0].latency_ns for step in (0, 4, 5, 6)] == [
        2 * MS,
        20 * MS,
        None,
        20 * MS,
    ]
    assert list(levels_of(answer, Tint.LATENCY)) == [0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1]
    assert watch_share(answer) is None
    assert watch_share(answer_of(recorded())) == pytest.approx(10 / 200)
    assert reasoning_figures(answer, ReasoningSpan(0, 0, 4, 4, True)) == (4, 62 * MS)
    assert reasoning_figures(answer, ReasoningSpan(0, 0, 8, 8, True)) == (8, None)


def test_the_next_step_is_found_however_far_away(store: TelemetryStore) -> None:
    assert next_step_s(store, -1e6, 1) == pytest.approx(0.117)
    assert next_step_s(store, 1e6, -1) == pytest.approx(0.317)
    assert next_step_s(store, 0.317, 1) is None
