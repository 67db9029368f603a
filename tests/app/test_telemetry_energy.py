"""Energy of an output token is known where the GPU computed, and only there."""

import pytest

from app.telemetry import TelemetryStore
from engine.samples import GpuSample, Sample
from tests.app.test_telemetry import MS, Clock, S, answer, finished, load, loaded


@pytest.fixture
def store(qapp: object) -> TelemetryStore:
    return TelemetryStore(Clock())


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
    assert store.turn is not None
    assert store.energy_per_token_mj(store.turn) is None


def test_a_gpu_that_did_not_compute_has_no_energy_per_token(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=0)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    sample_gpu(store, 1000, energy_mj=10_000, power_mw=40_000)
    sample_gpu(store, 1250, energy_mj=20_000, power_mw=40_000)
    assert store.turn is not None
    assert store.energy_per_token_mj(store.turn) is None
    # A later load on the GPU says nothing about the answer before it.
    store.on_events((loaded(2 * S, 3 * S, request_id=3, n_gpu_layers=30),))
    assert store.energy_per_token_mj(store.turn) is None


def test_energy_stays_known_when_the_model_is_gone(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    sample_gpu(store, 1000, energy_mj=10_000)
    sample_gpu(store, 1250, energy_mj=20_000)
    store.on_engine_process(0)
    assert store.turn is not None
    assert store.energy_per_token_mj(store.turn) == pytest.approx(207 * 40 / 6)


def test_without_a_counter_energy_is_the_integral_of_power(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    sample_gpu(store, 1010, power_mw=20_000)
    sample_gpu(store, 1110, power_mw=60_000)
    store.on_events((*answer(2, 1 * S), finished(2, 1 * S + 230 * MS)))
    sample_gpu(store, 1310, power_mw=60_000)
    # From 1.010 s to 1.217 s: 100 ms of 40 W on average, then 107 ms of 60 W, over 6 tokens.
    assert store.turn is not None
    assert store.energy_per_token_mj(store.turn) == pytest.approx((100 * 40 + 107 * 60) / 6)


def test_energy_is_unknown_where_power_was_not_sampled(store: TelemetryStore) -> None:
    load(store, n_gpu_layers=30)
    store.on_submitted(2, 1 * S)
    sample_gpu(store, 1000, power_mw=20_000)
    store.on_events((*answer(2, 1 * S, step_ms=1000), finished(2, 7 * S)))
    sample_gpu(store, 7000, power_mw=60_000)
    assert store.turn is not None
    assert store.energy_per_token_mj(store.turn) is None
