"""Energy of an output token is known where the GPU computed, and only there."""

import numpy as np
import pytest

from app.energy import EnergySource, energy_mj
from app.marks import Mark, MarkKind
from app.sample_history import sample_history
from app.telemetry import TelemetryStore
from engine.samples import GpuSample, Sample
from tests.app.test_telemetry import MS, Clock, S, answer, finished, load, loaded


@pytest.fixture
def store(qapp: object) -> TelemetryStore:
    return TelemetryStore(Clock())


def per_token_mj(store: TelemetryStore) -> float | None:
    """Of the GPU."""
    assert store.turn is not None
    found = store.energies(store.turn)
    return next((e.per_token_mj for e in found if e.source is EnergySource.GPU), None)


def sample_gpu(
    store: TelemetryStore, t_ms: int, *, energy_mj: int | None = None, power_mw: int | None = None
) -> None:
    gpu = GpuSample(index=0, name="G", energy_mj=energy_mj, power_mw=power_mw)
    store.on_sample(Sample(t_ns=t_ms * MS, gpus=(gpu,)))


def test_energy_is_unknown_without_a_sample_after_the_end(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 0)
    sample_gpu(store, 0, energy_mj=10_000, power_mw=40_000)
    store.on_events(tuple(answer(2, 0)))
    assert per_token_mj(store) is None


def test_a_gpu_that_did_not_compute_has_no_energy_per_token(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=0)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    sample_gpu(store, 1000, energy_mj=10_000, power_mw=40_000)
    sample_gpu(store, 1250, energy_mj=20_000, power_mw=40_000)
    assert per_token_mj(store) is None
    # A later load on the GPU says nothing about the answer before it.
    store.on_events((loaded(2 * S, 3 * S, request_id=3, n_gpu_layers=30),))
    assert per_token_mj(store) is None


def test_energy_stays_known_when_the_model_is_gone(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    sample_gpu(store, 1000, energy_mj=10_000)
    sample_gpu(store, 1250, energy_mj=20_000)
    store.on_engine_process(0)
    assert per_token_mj(store) == pytest.approx(207 * 40 / 6)


def test_without_a_counter_energy_is_the_integral_of_power(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    sample_gpu(store, 1010, power_mw=20_000)
    sample_gpu(store, 1110, power_mw=60_000)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    sample_gpu(store, 1310, power_mw=60_000)
    # From 1.010 s to 1.217 s: 100 ms of 40 W on average, then 107 ms of 60 W, over 6 tokens.
    assert per_token_mj(store) == pytest.approx((100 * 40 + 107 * 60) / 6)


def test_energy_is_unknown_where_power_was_not_sampled(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    sample_gpu(store, 1000, power_mw=20_000)
    store.on_events((*answer(2, 1 * S, step_ms=1000), finished(2, 7 * S)))
    sample_gpu(store, 7000, power_mw=60_000)
    assert per_token_mj(store) is None


def sample_cpu(store: TelemetryStore, t_ms: int, energy_mj: int | None) -> None:
    store.on_sample(Sample(t_ns=t_ms * MS, cpu_energy_mj=energy_mj))


def answer_on_cpu(store: TelemetryStore) -> None:
    """From 1.010 s to 1.217 s, 6 tokens."""
    load(store, n_gpu_layers=0)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))


def test_energy_of_the_cpu_is_of_its_counter(store: TelemetryStore) -> None:
    answer_on_cpu(store)
    sample_cpu(store, 1000, 10_000)
    sample_cpu(store, 1100, 14_000)
    sample_cpu(store, 1250, 20_000)
    assert store.turn is not None
    (energy,) = store.energies(store.turn)
    assert energy.source is EnergySource.CPU
    assert energy.total_mj == pytest.approx(207 * 40)
    assert energy.per_token_mj == pytest.approx(207 * 40 / 6)
    assert energy.total_wh == pytest.approx(8.28 / 3600)


def test_a_gpu_that_computed_comes_before_the_cpu_that_fed_it(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    for t_ms, mj in ((1000, 10_000), (1250, 20_000)):
        gpu = GpuSample(index=0, name="G", energy_mj=3 * mj)
        store.on_sample(Sample(t_ns=t_ms * MS, cpu_energy_mj=mj, gpus=(gpu,)))
    assert store.turn is not None
    gpu_energy, cpu_energy = store.energies(store.turn)
    assert (gpu_energy.source, cpu_energy.source) == (EnergySource.GPU, EnergySource.CPU)
    assert gpu_energy.total_mj == pytest.approx(3 * cpu_energy.total_mj)


@pytest.mark.parametrize("between", [None, 9_000, 21_000])
def test_a_counter_that_goes_back_or_is_gone_in_between_gives_nothing(
    store: TelemetryStore, between: int | None
) -> None:
    answer_on_cpu(store)
    sample_cpu(store, 1000, 10_000)
    sample_cpu(store, 1100, between)
    sample_cpu(store, 1250, 20_000)
    assert store.turn is not None
    assert store.energies(store.turn) == ()


@pytest.mark.parametrize(
    ("kind", "is_known"),
    [
        (MarkKind.SUSPENDED, False),
        (MarkKind.SAMPLES_MISSING, False),
        (MarkKind.SAMPLER_RESTARTED, False),
        (MarkKind.CLOCK_JUMPED, True),
    ],
)
def test_no_energy_spans_a_moment_of_which_nothing_is_known(
    store: TelemetryStore, kind: MarkKind, is_known: bool
) -> None:
    answer_on_cpu(store)
    sample_cpu(store, 1000, 10_000)
    store.on_mark(Mark(kind=kind, t_ns=1100 * MS))
    sample_cpu(store, 1250, 20_000)
    assert store.turn is not None
    assert bool(store.energies(store.turn)) is is_known
    assert kind in [mark.kind for mark in store.marks.between(0, 2 * S)]
    _, values = store.samples.between(0, 2, "cpu_energy")
    assert bool(np.isnan(values).any()) is not is_known


def two_gpus(
    t_ms: int, *, energies: tuple[int | None, int | None], holds: tuple[int, int] = (5, 4)
) -> Sample:
    gpus = tuple(
        GpuSample(
            index=index,
            name="G",
            process_memory_bytes=holds[index],
            energy_mj=energies[index],
            power_mw=40_000 + 20_000 * index,
        )
        for index in range(2)
    )
    return Sample(t_ns=t_ms * MS, gpus=gpus, cpu_energy_mj=10 * t_ms, machine_used_bytes=7)


@pytest.mark.parametrize("has_counter", [False, True], ids=["none", "one"])
def test_power_and_energy_are_those_of_all_gpus_that_the_engine_is_on(
    store: TelemetryStore, has_counter: bool
) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    for t_ms in (1000, 1125, 1250):
        store.on_sample(two_gpus(t_ms, energies=(40 * t_ms if has_counter else None, None)))
    assert store.turn is not None
    (found,) = [each for each in store.energies(store.turn) if each.source is EnergySource.GPU]
    assert found.total_mj == pytest.approx(207 * 100)
    assert store.gpu is not None
    assert store.gpu.power_mw == 100_000
    assert store.samples.last("gpu_power") == 100_000


def test_where_other_gpus_count_only_what_is_of_gpus_breaks(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    for t_ms, holds in ((1000, (5, 0)), (1125, (5, 4)), (1250, (5, 4))):
        store.on_sample(two_gpus(t_ms, energies=(t_ms, t_ms + 9_000_000), holds=holds))
    assert store.turn is not None
    (energy,) = store.energies(store.turn)
    assert energy.source is EnergySource.CPU
    assert energy.total_mj == pytest.approx(2070)
    times, used, power = store.samples.between(0, 2, "machine_used", "gpu_power")
    assert times.tolist() == [1.0, 1.125, 1.125, 1.25]
    assert used.tolist() == [7, 7, 7, 7]
    assert np.isnan(power).tolist() == [False, True, False, False]


def test_no_energy_spans_the_counters_of_two_gpus_in_old_samples(store: TelemetryStore) -> None:
    store.samples = sample_history(fine_rows=50)
    for second in range(400):
        holds = (5, 0) if second < 101 else (0, 5)
        energies = (40_000 * second, 40_000 * second + 9_000_000)
        store.on_sample(two_gpus(1000 * second, energies=energies, holds=holds))
    full_since_s = store.samples.full_since_s
    assert full_since_s is not None
    assert full_since_s > 200
    assert energy_mj(store.samples, 90, 120, EnergySource.GPU) is None
    assert energy_mj(store.samples, 110, 140, EnergySource.GPU) == pytest.approx(30 * 40_000)
    assert energy_mj(store.samples, 90, 120, EnergySource.CPU) == pytest.approx(30 * 10_000)
