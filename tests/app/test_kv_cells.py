"""What the cells of the cache hold, while an answer runs and after, and what tokens cost."""

from dataclasses import replace

import pytest

from app.kv_cells import CellRun, Origin, cell_runs, free_bytes, joined, kv_facts, turns_of
from app.memory_map import memory_maps
from app.telemetry import TelemetryStore
from app.turns import CELL_TURNS
from engine.events import CellKind, CellsFound, CellSpan, PromptReady, Started
from engine.samples import GpuSample, Sample
from engine.values import KvGroup, KvLayout, MemoryUse
from tests.app.test_telemetry import MS, Clock, S, answer, finished, load, loaded

FIRST = (
    CellSpan(kind=CellKind.TEMPLATE, begin=0, end=10),
    CellSpan(kind=CellKind.USER, number=1, begin=10, end=90),
    CellSpan(kind=CellKind.TEMPLATE, begin=90, end=100),
)


def found(request_id: int, cells: tuple[CellSpan, ...]) -> CellsFound:
    return CellsFound(request_id=request_id, t_ns=9 * S, cells=cells)


def runs_of(store: TelemetryStore) -> list[CellRun]:
    return cell_runs(turns_of(store.turns, store.loaded))


def brief(runs: list[CellRun]) -> list[tuple[CellKind, int, int, int, Origin]]:
    return [(run.kind, run.number, run.begin, run.end, run.origin) for run in runs]


@pytest.fixture
def store(qapp: object) -> TelemetryStore:
    """A first answer of 6 tokens to a prompt of 100, of which 60 were there."""
    store = TelemetryStore(Clock())
    load(store)
    store.on_submitted(2, S)
    store.on_events((*answer(2, S), finished(2, 2 * S)))
    store.on_events((found(2, FIRST),))
    return store


def test_nothing_is_held_before_the_first_answer(qapp: object) -> None:
    store = TelemetryStore(Clock())
    assert runs_of(store) == []
    store.on_submitted(2, S)
    assert runs_of(store) == []


def test_what_was_reused_is_told_from_what_was_read_and_written(store: TelemetryStore) -> None:
    assert brief(runs_of(store)) == [
        (CellKind.TEMPLATE, 0, 0, 10, Origin.REUSED),
        (CellKind.USER, 1, 10, 60, Origin.REUSED),
        (CellKind.USER, 1, 60, 90, Origin.READ),
        (CellKind.TEMPLATE, 0, 90, 100, Origin.READ),
        (CellKind.ANSWER, 1, 100, 105, Origin.WRITTEN),
    ]
    assert [(run.begin, run.end) for run in joined(runs_of(store))] == [
        (0, 10),
        (10, 90),
        (90, 100),
        (100, 105),
    ]


def test_while_a_prompt_is_read_what_was_there_keeps_its_names(store: TelemetryStore) -> None:
    before = runs_of(store)
    store.on_submitted(3, 3 * S)
    assert runs_of(store) == before
    store.on_events(
        (
            Started(request_id=3, t_ns=3 * S),
            PromptReady(
                request_id=3,
                t_ns=3 * S + MS,
                n_prompt_tokens=140,
                n_cached_tokens=104,
                answer_number=2,
            ),
        )
    )
    runs = runs_of(store)
    assert brief(runs)[-2:] == [
        (CellKind.TEMPLATE, 0, 90, 100, Origin.REUSED),
        (CellKind.ANSWER, 1, 100, 104, Origin.REUSED),
    ]
    store.on_events(tuple(replace(event, request_id=3) for event in answer(3, 3 * S)[3:]))
    assert brief(runs_of(store))[-2:] == [
        (CellKind.UNKNOWN, 0, 104, 140, Origin.READ),
        (CellKind.ANSWER, 2, 140, 145, Origin.WRITTEN),
    ]


def test_the_last_token_has_no_cell_and_counts_as_used(store: TelemetryStore) -> None:
    assert runs_of(store)[-1].end == 105
    assert store.kv.last("tokens") == 106
    store.on_submitted(3, 3 * S)
    store.on_events(tuple(replace(event, request_id=3) for event in answer(3, 3 * S, n_steps=1)))
    assert runs_of(store)[-1].kind is CellKind.UNKNOWN
    assert runs_of(store)[-1].end == 100


def test_an_answer_is_called_as_in_the_conversation_when_messages_were_left_out(
    store: TelemetryStore,
) -> None:
    cells = (
        CellSpan(kind=CellKind.TEMPLATE, begin=0, end=10),
        CellSpan(kind=CellKind.USER, number=4, begin=10, end=100),
    )
    ready = PromptReady(
        request_id=3, t_ns=3 * S, n_prompt_tokens=100, n_cached_tokens=10, answer_number=4
    )
    first, _, *rest = answer(3, 3 * S)
    store.on_submitted(3, 3 * S)
    store.on_events((first, ready, *rest))
    assert brief(runs_of(store))[-1] == (CellKind.ANSWER, 4, 100, 105, Origin.WRITTEN)
    store.on_events((finished(3, 4 * S), found(3, cells)))
    assert brief(runs_of(store))[-2:] == [
        (CellKind.USER, 4, 10, 100, Origin.READ),
        (CellKind.ANSWER, 4, 100, 105, Origin.WRITTEN),
    ]


def test_cells_that_other_runs_took_hold_nothing_of_the_chat(store: TelemetryStore) -> None:
    store.on_submitted(3, 3 * S)
    store.lose_cells()
    assert runs_of(store) == []
    assert store.kv.last("tokens") is None
    # What waited meanwhile is read anew.
    store.on_events(tuple(replace(event, request_id=3) for event in answer(3, 3 * S)))
    assert brief(runs_of(store))[0] == (CellKind.UNKNOWN, 0, 0, 60, Origin.REUSED)
    assert store.kv.last("tokens") == 106


def test_another_model_holds_nothing_of_this_one(store: TelemetryStore) -> None:
    store.on_events((loaded(3 * S, 4 * S, 7),))
    assert runs_of(store) == []
    store.on_engine_process(0)
    assert runs_of(store) == []


def test_cells_of_turns_long_past_are_let_go(store: TelemetryStore) -> None:
    for request_id in range(3, 3 + CELL_TURNS):
        t_ns = request_id * S
        store.on_submitted(request_id, t_ns)
        end = finished(request_id, t_ns + S // 2)
        store.on_events((*answer(request_id, t_ns), end, found(request_id, FIRST)))
    kept = [bool(turn.prompt_cells) for turn in store.turns]
    assert kept == [False] + [True] * CELL_TURNS
    assert brief(runs_of(store))[-1] == (CellKind.ANSWER, 1, 100, 105, Origin.WRITTEN)


def test_an_answer_that_goes_on_stays_one(store: TelemetryStore) -> None:
    cells = (
        CellSpan(kind=CellKind.USER, number=1, begin=0, end=94),
        CellSpan(kind=CellKind.ANSWER, number=1, begin=94, end=100),
    )
    store.on_submitted(3, 3 * S)
    store.on_events((*answer(3, 3 * S), finished(3, 4 * S), found(3, cells)))
    last = joined(runs_of(store))[-1]
    assert (last.kind, last.number, last.begin, last.end) == (CellKind.ANSWER, 1, 94, 105)


def test_what_tokens_cost(store: TelemetryStore) -> None:
    """1,000 bytes a token, 100 more for the last 50, and a state of 7."""
    known = kv_facts(loaded(0, 0), 106, free_bytes=1_110_070)
    assert known.used_bytes == 106 * 1000 + 50 * 100 + 7
    assert known.token_bytes == 1000
    assert (known.n_next_tokens, known.next_bytes) == (1000, 1_000_000)
    assert known.n_like_this == 1_110_070 // 111_007 == 10
    assert known.n_full == 0
    early = kv_facts(loaded(0, 0), 10, free_bytes=None)
    assert (early.token_bytes, early.next_bytes) == (1100, 1_000_000 + 40 * 100)
    assert (early.n_like_this, early.n_full) == (None, None)
    full = kv_facts(loaded(0, 0), 4096, free_bytes=10_000_000)
    assert (full.n_next_tokens, full.next_bytes, full.n_full) == (0, 0, 2)


def test_a_recurrent_state_costs_nothing_for_a_token() -> None:
    kv = KvLayout(
        groups=(), fixed_bytes=500, reserved_bytes=500, reserved_tokens=4096, type_name="f32"
    )
    known = kv_facts(replace(loaded(0, 0), kv=kv), 100, free_bytes=5000)
    assert (known.used_bytes, known.token_bytes, known.next_bytes) == (500, 0, 0)
    assert known.n_like_this == known.n_full == 10


def test_a_quantized_cache_is_held_in_blocks() -> None:
    group = KvGroup(bytes_per_token=34 * 60)
    kv = KvLayout(
        groups=(group,),
        fixed_bytes=0,
        reserved_bytes=34 * 60 * 4096,
        reserved_tokens=4096,
        type_name="q8_0",
        block_values=32,
        block_bytes=34,
    )
    assert kv_facts(replace(loaded(0, 0), kv=kv), 1, None).token_bytes == 2040


def test_free_memory_is_that_of_the_device_the_cache_is_on() -> None:
    idle = GpuSample(index=0, name="G", memory_total_bytes=90, memory_used_bytes=1)
    gpu = GpuSample(index=1, name="G", memory_total_bytes=80, memory_used_bytes=30)
    sample = Sample(t_ns=0, machine_total_bytes=1000, machine_used_bytes=300, gpus=(idle, gpu))
    memory = MemoryUse(weights_bytes=1, kv_bytes=1, compute_bytes=1)
    maps = memory_maps(sample, memory, None)
    assert free_bytes(maps, memory, gpu) == 700
    assert free_bytes(maps, replace(memory, on_gpu=True), gpu) == 50
    assert free_bytes(maps, replace(memory, on_gpu=True), None) is None
    assert free_bytes(maps[:2], replace(memory, on_gpu=True), gpu) is None
    assert free_bytes((), memory, None) is None
    assert free_bytes(maps, None, gpu) is None
