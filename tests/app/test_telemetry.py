"""What the panels show is computed from stamps with known values, and stays bounded."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.marks import Mark, MarkKind
from app.phases import Phase
from app.telemetry import TelemetryStore
from app.timeline.between import between
from engine.errors import ErrorCode, ErrorInfo
from engine.events import (
    Event,
    Failed,
    Finished,
    FinishReason,
    Loaded,
    LoadProgress,
    LoadStage,
    MemoryChanged,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
)
from engine.samples import GpuSample, Sample
from engine.values import EngineInfo, KvGroup, KvLayout, KvType, MemoryUse, ModelInfo

MS = 1_000_000
S = 1_000_000_000


class Clock:
    now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


@pytest.fixture
def store(qapp: object) -> TelemetryStore:
    return TelemetryStore(Clock())


def loaded(t_start_ns: int, t_ns: int, request_id: int = 1, *, n_gpu_layers: int = 0) -> Loaded:
    return Loaded(
        request_id=request_id,
        t_ns=t_ns,
        t_start_ns=t_start_ns,
        model=ModelInfo(path="m.gguf", name="M"),
        engine=EngineInfo(
            backend="llama",
            build="b",
            device="CPU",
            n_ctx=4096,
            n_batch=512,
            n_ubatch=512,
            n_threads=2,
            n_threads_prefill=2,
            kv_type=KvType.F16,
            flash_attention=True,
            n_gpu_layers=n_gpu_layers,
        ),
        kv=KvLayout(
            groups=(KvGroup(bytes_per_token=1000), KvGroup(bytes_per_token=100, max_tokens=50)),
            fixed_bytes=7,
            reserved_bytes=5_000_000,
            reserved_tokens=4096,
            type_name="f16",
        ),
        memory=MemoryUse(weights_bytes=90, kv_bytes=180, compute_bytes=98),
    )


def predicted_load(t_ms: int, request_id: int = 1) -> LoadProgress:
    return LoadProgress(
        request_id=request_id,
        t_ns=t_ms * MS,
        stage=LoadStage.READ,
        fraction=0.0,
        predicted=MemoryUse(weights_bytes=91, kv_bytes=180, compute_bytes=192),
    )


def load(store: TelemetryStore, *, n_gpu_layers: int = 0) -> None:
    store.on_events(
        (
            LoadProgress(request_id=1, t_ns=0, stage=LoadStage.READ, fraction=0.0),
            loaded(0, 60 * MS, n_gpu_layers=n_gpu_layers),
        )
    )


def answer(request_id: int, t0_ns: int, *, step_ms: int = 20, n_steps: int = 6) -> list[Event]:
    """Start 10 ms after the submit, prompt ready at 15, prefill done at 115, first token at 117."""
    events: list[Event] = [
        Started(request_id=request_id, t_ns=t0_ns + 10 * MS),
        PromptReady(
            request_id=request_id,
            t_ns=t0_ns + 15 * MS,
            n_prompt_tokens=100,
            n_cached_tokens=60,
            answer_number=1,
        ),
        PrefillProgress(request_id=request_id, t_ns=t0_ns + 65 * MS, n_done_tokens=80),
        PrefillDone(request_id=request_id, t_ns=t0_ns + 115 * MS),
    ]
    t_first_ns = t0_ns + 117 * MS
    events += [
        Step(request_id=request_id, t_ns=t_first_ns + i * step_ms * MS, n_tokens=1, text="x")
        for i in range(n_steps)
    ]
    return events


def finished(request_id: int, t_ns: int, reason: FinishReason = FinishReason.END) -> Finished:
    return Finished(request_id=request_id, t_ns=t_ns, reason=reason, text="", n_output_tokens=6)


def test_a_turn_that_is_over_keeps_its_figures_and_its_stamps(store: TelemetryStore) -> None:
    load(store)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 220 * MS)))
    turn = store.turn
    assert turn is not None
    assert turn.is_over
    assert turn.figures.itl_p99_ns == 20 * MS
    assert turn.take_new_steps().t_ns == []
    assert (turn.t_start_ns, turn.t_last_ns) == (1 * S + 10 * MS, 1 * S + 217 * MS)
    assert (turn.t_end_ns, turn.n_prompt_tokens) == (1 * S + 220 * MS, 100)
    assert turn.context_used_tokens == 106


def test_every_figure_of_a_turn(store: TelemetryStore) -> None:
    load(store)
    store.on_submitted(2, 1 * S)
    events = answer(2, 1 * S)
    store.on_events(tuple(events[:7]))
    store.on_events((*events[7:], finished(2, 1 * S + 220 * MS)))
    assert store.turn is not None
    figures = store.turn.figures
    assert figures.queue_ns == 10 * MS
    assert figures.prepare_ns == 5 * MS
    assert figures.prefill_ns == 100 * MS
    assert figures.first_token_ns == 2 * MS
    assert figures.ttft_ns == 107 * MS
    assert figures.prefill_rate_tok_per_s == pytest.approx(400.0)
    assert figures.tpot_ns == pytest.approx(20 * MS)
    assert figures.decode_rate_tok_per_s == pytest.approx(50.0)
    assert (figures.n_cached_tokens, figures.n_prompt_tokens) == (60, 100)
    assert (figures.itl_p50_ns, figures.itl_p95_ns) == (20 * MS, 20 * MS)


def test_steps_have_an_itl_and_a_rate_from_the_second_on(store: TelemetryStore) -> None:
    store.on_submitted(2, 0)
    events = answer(2, 0, step_ms=50, n_steps=41)
    for event in events:
        store.on_events((event,))
    times, itl, rate = store.steps.between(0, 10, "itl", "rate")
    assert times[0] == pytest.approx(0.117)
    assert np.isnan(itl[0])
    assert np.isnan(rate[0])
    assert list(itl[1:]) == pytest.approx([50 * MS] * 40)
    assert list(rate[1:]) == pytest.approx([20.0] * 40)


def test_the_rate_is_that_of_the_last_second_only(store: TelemetryStore) -> None:
    store.on_submitted(2, 0)
    slow = [Step(request_id=2, t_ns=i * 100 * MS, n_tokens=1, text="") for i in range(20)]
    start_ns = slow[-1].t_ns
    fast = [
        Step(request_id=2, t_ns=start_ns + i * 10 * MS, n_tokens=2, text="") for i in range(1, 151)
    ]
    store.on_events((*slow, *fast))
    _, rate = store.steps.between(0, 10, "rate")
    assert rate[19] == pytest.approx(10.0)
    assert rate[-1] == pytest.approx(200.0)
    # 50 ms after the change the second holds nine slow tokens and ten fast ones.
    assert rate[24] == pytest.approx((10 + 9) / 0.95)


def test_a_batch_gives_the_same_as_its_events_one_by_one(qapp: object) -> None:
    stores = [TelemetryStore(Clock()), TelemetryStore(Clock())]
    events = answer(2, 0, step_ms=7, n_steps=300)
    for one in stores:
        load(one)
        one.on_submitted(2, 0)
    stores[0].on_events(tuple(events))
    for event in events:
        stores[1].on_events((event,))
    for history in ("steps", "kv"):
        columns = ("rate", "itl") if history == "steps" else ("tokens", "bytes")
        first, second = (getattr(one, history).between(0, 100, *columns) for one in stores)
        for a, b in zip(first, second, strict=True):
            np.testing.assert_array_equal(a, b)


def test_kv_use_follows_prompt_and_output_by_the_real_layout(store: TelemetryStore) -> None:
    load(store)
    assert store.kv.last("tokens") == 0
    assert store.kv.last("bytes") == 0
    store.on_submitted(2, 1 * S)
    store.on_events(tuple(answer(2, 1 * S)))
    times, tokens, n_bytes = store.kv.between(1.0, 2.0, "tokens", "bytes")
    assert list(tokens) == [0, 60, 80, 100, 101, 102, 103, 104, 105, 106]
    assert times[1] == pytest.approx(1.015)
    assert n_bytes[-1] == 7 + 106 * 1000 + 50 * 100
    store.on_engine_process(0)
    assert store.kv.last("tokens") is None
    assert store.loaded is None


def test_phases_of_a_load_and_an_answer(store: TelemetryStore) -> None:
    load(store)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    spans = [
        (span.phase, round(span.t0_s, 6), None if span.t1_s is None else round(span.t1_s, 6))
        for span in store.phases.between(0, 5)
    ]
    assert spans == [
        (Phase.LOAD, 0.0, 0.06),
        (Phase.WAITING, 1.0, 1.015),
        (Phase.PREFILL, 1.015, 1.115),
        (Phase.DECODE, 1.115, 1.23),
    ]
    (prefill,) = store.phases.between(1.05, 1.06)
    assert prefill.cached_ratio == pytest.approx(0.6)
    assert store.phases.at(0.5) is None
    assert store.phases.at(1.2) is Phase.DECODE
    assert store.span_s == pytest.approx((1.0, 1.23))


def progress(t_ms: int, stage: LoadStage, request_id: int = 1) -> LoadProgress:
    return LoadProgress(request_id=request_id, t_ns=t_ms * MS, stage=stage, fraction=None)


def test_compiling_is_a_phase_of_its_own_within_a_load(store: TelemetryStore) -> None:
    stages = (LoadStage.IMPORT, LoadStage.READ, LoadStage.COMPILE, LoadStage.WARM_UP)
    store.on_events(tuple(progress(10 * (i + 1), stage) for i, stage in enumerate(stages)))
    assert store.phases.at(0.035) is Phase.COMPILE
    assert store.span_s == (0.01, None)
    store.on_events((progress(45, LoadStage.WARM_UP), loaded(5 * MS, 60 * MS)))
    spans = [(span.phase, span.t0_s, span.t1_s) for span in store.phases.between(0, 1)]
    assert spans == [
        (Phase.LOAD, 0.005, 0.03),
        (Phase.COMPILE, 0.03, 0.04),
        (Phase.LOAD, 0.04, 0.06),
    ]
    assert not store.is_running


def test_a_load_that_compiles_from_its_first_word_began_when_it_began(
    store: TelemetryStore,
) -> None:
    store.on_events((progress(10, LoadStage.COMPILE), loaded(5 * MS, 60 * MS)))
    spans = [(span.phase, span.t0_s, span.t1_s) for span in store.phases.between(0, 1)]
    assert spans == [(Phase.LOAD, 0.005, 0.01), (Phase.COMPILE, 0.01, 0.06)]


def test_memory_is_what_the_engine_said_last(store: TelemetryStore) -> None:
    load(store)
    assert store.memory == MemoryUse(weights_bytes=90, kv_bytes=180, compute_bytes=98)
    store.on_submitted(2, 1 * S)
    more = MemoryUse(weights_bytes=90, kv_bytes=180, compute_bytes=700, on_gpu=True)
    change = MemoryChanged(request_id=2, t_ns=1 * S + 216 * MS, memory=more)
    store.on_events((*answer(2, 1 * S), change, finished(2, 1 * S + 220 * MS)))
    assert store.memory == more
    # The engine before is gone: what it says late counts no more.
    store.on_events((progress(2000, LoadStage.READ, request_id=3), change))
    assert store.memory is None


def test_without_an_engine_nothing_is_allocated(store: TelemetryStore) -> None:
    load(store)
    store.on_engine_process(0)
    assert store.memory is None


@pytest.mark.parametrize("failed", [False, True])
def test_a_stop_and_a_failure_leave_a_mark(store: TelemetryStore, failed: bool) -> None:
    store.on_submitted(2, 0)
    events = answer(2, 0)[:3]
    end: Event = finished(2, 80 * MS, FinishReason.CANCELLED)
    if failed:
        end = Failed(request_id=2, t_ns=80 * MS, error=ErrorInfo(code=ErrorCode.ENGINE_DIED))
    store.on_events((*events, end))
    *_, last = store.phases.between(0, 1)
    assert last.phase is (Phase.FAILED if failed else Phase.STOPPED)
    assert last.t0_s == pytest.approx(0.08)
    assert not store.is_running
    assert store.turn is not None
    assert store.turn.figures.ttft_ns is None
    assert store.turn.figures.decode_rate_tok_per_s is None


def test_an_answer_that_waits_for_a_load_is_the_span(store: TelemetryStore) -> None:
    store.on_events((LoadProgress(request_id=1, t_ns=0, stage=LoadStage.READ, fraction=0.0),))
    assert store.span_s == (0.0, None)
    store.on_submitted(2, 20 * MS)
    store.on_events((loaded(0, 60 * MS),))
    assert store.span_s == (0.02, None)
    assert store.is_running


def test_the_span_of_a_load_begins_when_it_turns_out_to_have_begun(store: TelemetryStore) -> None:
    store.on_events((LoadProgress(request_id=1, t_ns=20 * MS, stage=LoadStage.READ, fraction=0.0),))
    store.on_events((loaded(5 * MS, 60 * MS),))
    assert store.span_s == (0.005, 0.06)
    [span] = store.phases.loads
    assert (span.t0_s, span.t1_s) == store.span_s


def test_a_failed_load_ends_running(store: TelemetryStore) -> None:
    store.on_events((LoadProgress(request_id=1, t_ns=0, stage=LoadStage.READ, fraction=0.0),))
    error = ErrorInfo(code=ErrorCode.NOT_A_GGUF)
    store.on_events((Failed(request_id=1, t_ns=5 * MS, error=error),))
    assert not store.is_running
    assert store.loaded is None
    assert store.span_s == (0.0, 0.005)


def test_running_is_announced_once_each_way(store: TelemetryStore, qtbot: QtBot) -> None:
    seen: list[bool] = []
    store.running_changed.connect(seen.append)
    store.on_submitted(2, 0)
    store.on_events(tuple(answer(2, 0)))
    store.on_events((finished(2, S),))
    assert seen == [True, False]


def test_one_batch_is_one_change(store: TelemetryStore) -> None:
    store.on_submitted(2, 0)
    seen: list[None] = []
    store.changed.connect(lambda: seen.append(None))
    store.on_events(tuple(answer(2, 0, n_steps=500)))
    assert len(seen) == 1


def test_felt_ttft_is_from_submit_to_paint(store: TelemetryStore) -> None:
    store.on_submitted(2, 5 * MS)
    store.on_first_paint(2, 138 * MS)
    assert store.turn is not None
    assert store.turn.felt_ttft_ns == 133 * MS


def test_trials_are_shown_while_they_run_and_forgotten(store: TelemetryStore) -> None:
    load(store)
    store.on_submitted(2, S)
    store.on_events((*answer(2, S), finished(2, 2 * S)))
    asked, span_s = store.turn, store.span_s
    store.on_submitted(3, 3 * S, is_trial=True)
    store.on_events((*answer(3, 3 * S), finished(3, 4 * S)))
    store.on_submitted(4, 5 * S, is_trial=True)
    assert store.turn is not None
    assert (store.turn.request_id, store.turns) == (4, (asked,))
    # Only the answer took its prompt from the cache; what happened in trials is no mark.
    assert [mark.t_ns < 2 * S for mark in store.marks.between(0, 9 * S)] == [True]
    running: list[bool] = []
    store.running_changed.connect(running.append)
    store.forget_trials()
    assert store.turns == (asked,)
    assert store.span_s == span_s
    assert running == [False]
    assert store.kv.last("tokens") is None
    store.on_events((*answer(4, 5 * S), finished(4, 6 * S)))
    assert (store.turn, store.turns) == (asked, (asked,))


def test_between_two_moments_around_trials_nothing_of_them_is_left(store: TelemetryStore) -> None:
    load(store)
    store.on_submitted(2, S)
    store.on_events((*answer(2, S), finished(2, 2 * S)))
    for request_id in (3, 4):
        store.on_submitted(request_id, request_id * S, is_trial=True)
        store.on_events((*answer(request_id, request_id * S),))
        store.on_events((finished(request_id, (request_id + 1) * S),))
    assert between(store, 2.5, 5.5).n_steps
    store.forget_trials()
    assert between(store, 2.5, 5.5).n_steps == 0
    assert between(store, 2.5, 5.5).rate_tok_per_s is None
    assert between(store, 0.5, 5.5).n_tokens == store.turns[0].figures.n_output_tokens
    assert not list(store.phases.between(2.5, 9))
    assert store.kv.at(2.9, "tokens") is not None
    assert store.kv.at(3.0, "tokens") is None


def test_an_answer_after_trials_keeps_its_rows(store: TelemetryStore) -> None:
    load(store)
    store.on_submitted(2, S, is_trial=True)
    store.on_submitted(3, 2 * S)
    store.on_events((*answer(2, S), finished(2, 3 * S)))
    store.on_events(tuple(answer(3, 4 * S)))
    n_steps = between(store, 4, 9).n_steps
    assert n_steps
    store.forget_trials()
    assert between(store, 0, 3.5).n_steps == 0
    assert between(store, 4, 9).n_steps == n_steps
    assert store.kv.last("tokens") is not None
    assert {span.request_id for span in store.phases.between(0.5, 9)} == {3}


def test_an_answer_sent_during_a_trial_stays(store: TelemetryStore) -> None:
    load(store)
    store.on_submitted(2, S, is_trial=True)
    store.on_submitted(3, 2 * S)
    store.forget_trials()
    assert [turn.request_id for turn in store.turns] == [3]
    assert (store.span_s, store.is_running) == ((2, None), True)


def test_a_load_without_progress_is_a_phase_from_its_start(store: TelemetryStore) -> None:
    store.on_events((loaded(20 * MS, 60 * MS),))
    (span,) = store.phases.between(0, 1)
    assert (span.phase, span.t0_s, span.t1_s) == (Phase.LOAD, 0.02, 0.06)


def test_a_sample_counts_for_two_and_a_half_seconds(store: TelemetryStore) -> None:
    store.on_sample(Sample(t_ns=10 * S, engine_rss_bytes=421))
    assert store.sample_at(12.5, "engine_rss") == 421
    assert store.sample_at(7.5, "engine_rss") == 421
    assert store.sample_at(12.6, "engine_rss") is None
    assert store.sample_at(10.0, "gpu_use") is None


def test_samples_and_energy_per_token(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    for t_ms, energy_mj in [(1000, 10_000), (1250, 20_000)]:
        gpus = (
            GpuSample(index=0, name="idle", process_memory_bytes=0, utilization_ratio=0.01),
            GpuSample(
                index=1, name="busy", process_memory_bytes=5, utilization_ratio=0.9,
                energy_mj=energy_mj,
            ),
        )  # fmt: skip
        sample = Sample(t_ns=t_ms * MS, engine_rss_bytes=421, engine_cpu_cores=1.84, gpus=gpus)
        store.on_sample(sample)
    assert store.gpu is not None
    assert store.gpu.name == "busy"
    assert store.samples.last("gpu_use") == pytest.approx(0.9)
    assert store.samples.last("engine_cpu") == pytest.approx(1.84)
    assert store.samples.last("machine_used") is None
    # From the start at 1.010 s to the last token at 1.217 s: 207 ms of 40 W, over 6 tokens.
    assert store.turn is not None
    assert store.energies(store.turn)[0].per_token_mj == pytest.approx(207 * 40 / 6)


def test_without_a_sampler_nothing_is_known_of_now(store: TelemetryStore) -> None:
    gpus = (GpuSample(index=0, name="GPU", utilization_ratio=0.9),)
    store.on_sample(Sample(t_ns=10 * S, engine_rss_bytes=421, gpus=gpus))
    store.on_mark(Mark(kind=MarkKind.SAMPLER_RESTARTED, t_ns=11 * S, detail=(-9,)))
    assert (store.sample, store.gpu) == (None, None)
    assert store.samples.last("engine_rss") is None
    assert store.sample_at(10.0, "engine_rss") == 421


def test_what_was_sampled_last_does_not_stand_for_now_when_samples_are_missed(
    store: TelemetryStore,
) -> None:
    sample = Sample(
        t_ns=10 * S, engine_rss_bytes=421, gpus=(GpuSample(index=0, name="GPU", power_mw=9),)
    )
    store.on_samples_missed()
    store.on_sample(sample)
    store.on_samples_missed()
    store.on_samples_missed()
    assert (store.sample, store.gpu) == (None, None)
    # No curve holds its last value on.
    assert store.samples.last("engine_rss") is None
    assert store.sample_at(10.0, "engine_rss") == 421
    later = replace(sample, t_ns=16 * S)
    store.on_sample(later)
    assert (store.sample, store.gpu) == (later, later.gpus[0])


def test_how_many_cores_there_are_is_known_when_samples_are_missed(store: TelemetryStore) -> None:
    load(store)
    store.on_sample(Sample(t_ns=10 * S, n_cores=2))
    store.on_samples_missed()
    assert store.wants_all_cores


def test_the_energy_of_all_gpus_that_the_engine_is_on_counts(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    for t_ms in (1000, 1250):
        watts = ((40, 5), (60, 5), (70, 0))
        gpus = tuple(
            GpuSample(index=index, name="GPU", process_memory_bytes=held, energy_mj=t_ms * w)
            for index, (w, held) in enumerate(watts)
        )
        store.on_sample(Sample(t_ns=t_ms * MS, gpus=gpus))
    assert store.turn is not None
    # 207 ms, as above; the third only draws a screen.
    assert store.energies(store.turn)[0].per_token_mj == pytest.approx(207 * (40 + 60) / 6)


def test_no_energy_spans_the_counters_of_two_gpus(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    for t_ms, held in [(1000, (1, 0)), (1120, (1, 2)), (1250, (1, 2))]:
        gpus = tuple(
            GpuSample(
                index=index,
                name="GPU",
                process_memory_bytes=held[index],
                energy_mj=t_ms + index * 9_000_000,
            )
            for index in range(2)
        )
        store.on_sample(Sample(t_ns=t_ms * MS, gpus=gpus))
    assert store.turn is not None
    assert store.energies(store.turn) == ()


@pytest.mark.slow
def test_an_hour_of_answers_does_not_grow(qapp: object) -> None:
    store = TelemetryStore(Clock())
    load(store)

    def minutes(first: int, last: int) -> None:
        for number in range(first * 3, last * 3):
            t0_ns = number * 20 * S
            store.on_submitted(10 + number, t0_ns)
            events = answer(10 + number, t0_ns, step_ms=5, n_steps=3900)
            for start in range(0, len(events), 200):
                store.on_events(tuple(events[start : start + 200]))
            store.on_events((finished(10 + number, t0_ns + 19_700 * MS),))
            for tick in range(80):
                store.on_sample(Sample(t_ns=t0_ns + tick * 250 * MS, engine_rss_bytes=tick))

    minutes(0, 54)
    tracemalloc.start()
    minutes(54, 56)
    before, _ = tracemalloc.get_traced_memory()
    minutes(56, 60)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 300_000
    (times,) = store.steps.between(1800, 3600)
    assert times[0] <= 1800
    (times, itl) = store.steps.between(3600 - 3 * 20, 3600, "itl")
    assert np.count_nonzero(~np.isnan(itl)) >= 3 * 3899
    (times,) = store.samples.between(1800, 3600)
    assert times[0] <= 1801


def test_what_a_load_is_expected_to_take_is_known_until_it_is_over(store: TelemetryStore) -> None:
    seen = [store.predicted]
    failure = Failed(request_id=1, t_ns=5 * MS, error=ErrorInfo(code=ErrorCode.NOT_ENOUGH_MEMORY))
    for event in (predicted_load(0), failure, predicted_load(10), loaded(10 * MS, 60 * MS)):
        store.on_events((event,))
        seen.append(store.predicted)
    expected = predicted_load(0).predicted
    assert seen == [None, expected, None, expected, None]
    known = replace(loaded(70 * MS, 80 * MS), predicted=predicted_load(0).predicted)
    store.on_events((known,))
    assert store.predicted == known.predicted
