"""A real measurement of this machine gives rates that a processor can have."""

import json

import pytest

from engine.ceilings import ggml_matrix
from engine.ceilings import measure as module
from engine.ceilings.bandwidth import Bandwidth, ReadMeter, block_pairs, windowed
from engine.ceilings.ggml_matrix import measure_ggml
from engine.ceilings.measure import CannotMeasureError, main, measure
from engine.ceilings.others import OthersWatch
from engine.machine import cpu_name, usable_cores


def test_memory_is_read_at_a_rate_that_memory_has() -> None:
    meter = ReadMeter()
    meter.read(0.2)
    read = meter.best()
    # From a slow single channel to the largest server.
    assert 1e9 < read.bytes_per_s < 2e12
    assert read.n_threads is not None
    assert 1 <= read.n_threads <= usable_cores().logical


@pytest.mark.parametrize(
    ("one", "more", "has_turn"), [(1e15, 9e15, False), (8e15, 9e15, True), (9e15, 1e15, True)]
)
def test_few_threads_that_are_far_slower_have_no_more_turns(
    one: float, more: float, has_turn: bool
) -> None:
    meter = ReadMeter()
    meter._rates = {1: [one], 2: [more]}
    meter.read(0.02)
    assert (len(meter._rates[1]) > 1) == has_turn
    # Of many threads other work may be in the way.
    assert len(meter._rates[2]) > 1


@pytest.mark.parametrize(("n_bytes", "n_pairs"), [(4096, 4), (1024, 1), (600, 1)])
def test_a_buffer_is_read_to_its_end_in_two_places_at_once(n_bytes: int, n_pairs: int) -> None:
    pairs = block_pairs(n_bytes, 1024)
    assert len(pairs) == n_pairs
    read = [i for pair in pairs for begin in pair[:2] for i in range(begin, begin + pair[2])]
    assert sorted(read) == list(range(n_bytes))


def test_windows_add_up_what_threads_read_at_the_same_time() -> None:
    steady = [(0.0, 0), (1.0, 10), (2.0, 10), (3.0, 10), (4.0, 10)]
    late = [(1.0, 0), (2.0, 30), (3.0, 30)]
    # Only from 1 s to 3 s both read.
    assert windowed([steady, late], 1.0) == pytest.approx([40, 40])


def test_a_thread_that_was_held_up_costs_its_window_only() -> None:
    held_up = [(0.0, 0), (1.0, 10), (3.0, 10), (4.0, 10)]
    assert windowed([held_up], 1.0) == pytest.approx([10, 5, 5, 10])


def test_threads_that_never_read_together_are_one_window() -> None:
    first, second = [(0.0, 0), (1.0, 10)], [(2.0, 0), (3.0, 20)]
    assert windowed([first, second], 0.5) == pytest.approx([10])


def test_llama_cpp_multiplies_in_three_formats() -> None:
    rates = dict(measure_ggml(0.1, 1))
    assert list(rates) == ["float32", "float16", "int8"]
    assert all(1e8 < rate < 1e14 for rate in rates.values())


def test_a_fast_processor_may_multiply_as_often_as_it_likes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ggml_matrix, "_LEAST_RUNS", 400)
    # Too little for so many runs without giving memory back.
    monkeypatch.setattr(ggml_matrix, "_MEMORY_BYTES", 2 << 20)
    monkeypatch.setattr(ggml_matrix, "_K", 256)
    monkeypatch.setattr(ggml_matrix, "_M", 256)
    assert len(dict(measure_ggml(0.0, 1))) == 3


def test_the_processor_is_measured_and_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["CPU"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["device"], printed["machine"]) == ("CPU", cpu_name())
    assert {name for name, _ in printed["matrix_flop_per_s"]} == {"float32", "float16", "int8"}
    others = printed["others_ratio"]
    assert others is None or 0 <= others <= 1


@pytest.mark.parametrize(("device", "others_ratio"), [("CPU", 0.75), ("Card 9000", None)])
def test_what_else_the_processor_did_says_nothing_of_a_gpu(
    monkeypatch: pytest.MonkeyPatch, device: str, others_ratio: float | None
) -> None:
    def quick(_device: str) -> tuple[Bandwidth, list[tuple[str, float]]]:
        return Bandwidth(bytes_per_s=1e9, n_threads=None), []

    monkeypatch.setattr(module, "_measure_cpu", quick)
    monkeypatch.setattr(module, "_measure_gpu", quick)
    monkeypatch.setattr(OthersWatch, "share", lambda _self: 0.75)
    assert measure(device).others_ratio == others_ratio


def test_without_llama_cpp_there_is_the_rate_of_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_seconds: float, _n_threads: int) -> None:
        raise OSError

    monkeypatch.setattr("engine.ceilings.ggml_matrix.measure_ggml", missing)
    assert [name for name, _ in measure("CPU").matrix_flop_per_s] == ["float32"]


def test_a_gpu_that_nobody_has_is_refused_with_the_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(CannotMeasureError, match=r"NoSuch 9000|PyTorch"):
        measure("NoSuch 9000")
    assert main(["NoSuch 9000"]) == 1
    assert "PyTorch" in capsys.readouterr().err


def test_too_little_memory_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_device: str) -> None:
        raise MemoryError

    monkeypatch.setattr(module, "_measure_cpu", fails)
    with pytest.raises(CannotMeasureError, match="too little free memory"):
        measure("CPU")
