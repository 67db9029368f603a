"""What watching costs is measured in pairs of runs, kept, and gives way to the person."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.inference import InferenceThread
from app.kv_cells import turns_of
from app.marks import MarkKind
from app.paired import paired_cost
from app.relay import SessionRelay
from app.session import ChatSession
from app.telemetry import TelemetryStore
from app.transcript import Answer, AnswerPhase
from app.watching import WatchingMeter, WatchingProblem
from engine.backends.scripted import Script
from engine.events import FinishReason
from engine.machine import cpu_name
from engine.model_name import display_name
from engine.sampler import IDLE_INTERVAL_MS
from engine.values import GenerateRequest
from tests.waiting import WAIT_MS

N_PAIRS = 4
# As fast as it goes: what the runs cost is not looked at.
FAST = Script(answer="word " * 400)
SLOW = Script(tok_per_s=40, answer="word " * 400)


@dataclass
class Scene:
    session: ChatSession
    cache_dir: Path
    intervals: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        relay = SessionRelay(self.session)
        self.store = TelemetryStore()
        relay.attach(self.store)
        self.meter = WatchingMeter(
            self.session,
            relay,
            self.store,
            self.intervals.append,
            self.cache_dir,
            n_pairs=N_PAIRS,
            pause_ms=0,
        )


@pytest.fixture
def scene(session: ChatSession, tmp_path: Path) -> Scene:
    return Scene(session, tmp_path)


@pytest.fixture
def requests(inference: InferenceThread) -> Iterator[list[GenerateRequest]]:
    """What is to be recorded."""
    found: list[GenerateRequest] = []
    inference.requested.connect(found.append)
    yield found
    inference.requested.disconnect(found.append)


def test_pairs_alternate_and_only_half_of_the_runs_is_watched(
    scene: Scene, load: Callable[[Script], None], requests: list[object], qtbot: QtBot
) -> None:
    load(FAST)
    meter = scene.meter
    assert meter.known() is None
    submitted = set[int]()
    scene.store.changed.connect(
        lambda: submitted.update(turn.request_id for turn in [scene.store.turn] if turn)
    )
    asked_for = list[object]()
    scene.store.changed.connect(lambda: asked_for.extend(scene.store.turns))
    began_ns = time.perf_counter_ns()
    meter.measure()
    assert meter.is_measuring
    qtbot.waitUntil(lambda: not meter.is_measuring, timeout=WAIT_MS)
    assert meter.problem is None
    cost = meter.known()
    assert cost is not None
    assert len(cost.watched_tok_per_s) == len(cost.unwatched_tok_per_s) == N_PAIRS
    assert len(submitted) == N_PAIRS
    # Nobody asked for any of it, and what the cache holds is of no chat.
    assert asked_for == []
    assert scene.store.turn is None
    assert scene.store.kv.last("tokens") is None
    # Nothing of the runs is left on the timeline but two marks, which say what was going on.
    assert scene.store.steps.count(0, scene.store.now_s) == 0
    assert not list(scene.store.phases.between(scene.store.to_s(began_ns), scene.store.now_s))
    began, ended = scene.store.marks.between(0, time.perf_counter_ns())
    assert (began.kind, began.detail, ended.kind) == (MarkKind.MEASURING, (), MarkKind.MEASURING)
    assert ended.detail == (ended.t_ns - began.t_ns,)
    # No samples in each run that is not watched, the first of which warms up.
    assert scene.intervals == [3_600_000] * (N_PAIRS + 1) + [IDLE_INTERVAL_MS]
    assert requests == []
    assert scene.session.current_chat.turns == []
    again = Scene(scene.session, scene.cache_dir).meter
    assert again.known() == cost
    assert again.cost() == paired_cost(cost.watched_tok_per_s, cost.unwatched_tok_per_s)
    assert again.cost() is again.cost()


def test_an_answer_to_the_person_comes_first(
    scene: Scene, load: Callable[[Script], None], qtbot: QtBot
) -> None:
    load(SLOW)
    scene.meter.measure()
    assert scene.session.send("me first")
    assert not scene.meter.is_measuring
    assert scene.meter.problem is WatchingProblem.INTERRUPTED
    answer = scene.session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: bool(answer.text), timeout=WAIT_MS)
    assert not scene.meter.can_measure
    scene.meter.measure()
    assert not scene.meter.is_measuring
    scene.session.stop()
    qtbot.waitUntil(lambda: answer.phase is AnswerPhase.STOPPED, timeout=WAIT_MS)
    assert answer.finish_reason is FinishReason.CANCELLED
    assert scene.meter.known() is None
    assert scene.meter.can_measure


def test_it_can_be_stopped_and_begun_anew(
    scene: Scene, load: Callable[[Script], None], qtbot: QtBot
) -> None:
    load(SLOW)
    scene.meter.measure()
    scene.meter.stop()
    assert scene.meter.problem is WatchingProblem.INTERRUPTED
    assert scene.intervals[-1] == IDLE_INTERVAL_MS
    load(FAST)
    scene.meter.measure()
    qtbot.waitUntil(lambda: not scene.meter.is_measuring, timeout=WAIT_MS)
    assert scene.meter.problem is None


def test_it_can_be_begun_anew_at_once(
    scene: Scene, load: Callable[[Script], None], qtbot: QtBot
) -> None:
    load(FAST)
    scene.meter.measure()
    scene.meter.stop()
    scene.meter.measure()
    assert scene.meter.is_measuring
    # And stopped before the run of the first has ended.
    scene.meter.stop()
    assert scene.meter.problem is WatchingProblem.INTERRUPTED
    scene.meter.measure()
    qtbot.waitUntil(lambda: not scene.meter.is_measuring, timeout=WAIT_MS)
    assert scene.meter.known() is not None
    assert scene.meter.problem is None


def test_panels_that_nobody_sees_are_not_measured(
    scene: Scene, load: Callable[[Script], None]
) -> None:
    load(FAST)
    scene.meter.is_seen = lambda: False
    scene.meter.measure()
    assert scene.meter.problem is WatchingProblem.NOT_SEEN


def test_after_an_interrupted_measurement_the_cells_are_not_those_of_the_chat(
    scene: Scene, load: Callable[[Script], None], qtbot: QtBot
) -> None:
    load(FAST)
    assert scene.session.send("hello")
    answer = scene.session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    loaded = scene.session.engine_state.loaded
    assert len(turns_of(scene.store.turns, loaded)) == 1
    scene.meter.measure()
    scene.meter.stop()
    assert turns_of(scene.store.turns, loaded) == []
    assert scene.store.kv.last("tokens") is None
    assert len(scene.store.turns) == 1


def test_runs_fit_into_a_small_context(
    scene: Scene, load: Callable[[Script], None], qtbot: QtBot
) -> None:
    load(replace(FAST, n_ctx=256))
    loaded = scene.session.engine_state.loaded
    assert loaded is not None
    assert loaded.engine.n_ctx == 256
    scene.meter.measure()
    qtbot.waitUntil(lambda: not scene.meter.is_measuring, timeout=WAIT_MS)
    assert scene.meter.problem is None


def test_without_a_model_nothing_is_measured(scene: Scene) -> None:
    assert not scene.meter.can_measure
    scene.meter.measure()
    assert not scene.meter.is_measuring


def test_an_engine_that_dies_meanwhile_ends_it_and_is_said(
    scene: Scene, load: Callable[[Script], None], qtbot: QtBot
) -> None:
    load(replace(FAST, fault="die", at="decode", after=5))
    scene.meter.measure()
    qtbot.waitUntil(lambda: not scene.meter.is_measuring, timeout=WAIT_MS)
    assert scene.meter.problem is not None
    assert scene.session.engine_state.error is not None


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1]", "[{}]", '[{"machine": "M"}]', pytest.param("[" * 100_000, id="deep")],
)
def test_a_file_that_is_damaged_is_no_measurement(
    session: ChatSession, tmp_path: Path, text: str
) -> None:
    (tmp_path / "watching.json").write_text(text)
    assert Scene(session, tmp_path).meter.known() is None


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            {"watched_tok_per_s": rates}
            for rates in ([], [1.0], [0.0, 1.0], [1.0, float("inf")], "text", [1.0, 10**400])
        ),
        {"watched_tok_per_s": [1e300] * 2, "unwatched_tok_per_s": [1e-300] * 2},
        {"measured_ms": float("inf")},
        {"measured_ms": 10**30},
        {"measured_ms": -1},
    ],
)
def test_what_cannot_be_is_left_out(
    session: ChatSession,
    load: Callable[[Script], None],
    tmp_path: Path,
    wrong: dict[str, object],
) -> None:
    load(FAST)
    loaded = session.engine_state.loaded
    assert loaded is not None

    entry = {
        "machine": cpu_name(),
        "device": loaded.engine.device,
        "model": display_name(loaded.model),
        "measured_ms": 1,
    }
    good = {**entry, "watched_tok_per_s": [1.0, 2.0], "unwatched_tok_per_s": [1.0, 2.0]}
    (tmp_path / "watching.json").write_text(json.dumps([good]))
    assert Scene(session, tmp_path).meter.known() is not None
    bad = {**good, **wrong}
    (tmp_path / "watching.json").write_text(json.dumps([bad]))
    assert Scene(session, tmp_path).meter.known() is None
