"""Where the memory of each device goes: all parts together are all of it."""

from dataclasses import replace

import pytest

from app.memory_map import ENGINE_PARTS, DeviceMap, Part, memory_maps, unmeasured_bytes
from engine.samples import GpuSample, Sample
from engine.values import MemoryUse

MIB = 1 << 20
# As measured with the starter model: much of what is reserved for computing was never written.
MEMORY = MemoryUse(
    weights_bytes=92 * MIB,
    kv_bytes=180 * MIB,
    compute_bytes=167 * MIB,
    mapped_bytes=92 * MIB,
    host_weights_bytes=92 * MIB,
    host_kv_bytes=180 * MIB,
    host_compute_bytes=167 * MIB,
)
SAMPLE = Sample(
    t_ns=0,
    engine_pid=7,
    engine_rss_bytes=344 * MIB,
    engine_file_bytes=115 * MIB,
    window_rss_bytes=150 * MIB,
    window_file_bytes=70 * MIB,
    machine_used_bytes=1000 * MIB,
    machine_total_bytes=16_000 * MIB,
)
GPU = GpuSample(
    index=0,
    name="Fake GPU",
    memory_used_bytes=3000 * MIB,
    memory_total_bytes=8000 * MIB,
    process_memory_bytes=800 * MIB,
)
ON_GPU = MemoryUse(weights_bytes=400 * MIB, kv_bytes=100 * MIB, compute_bytes=50 * MIB, on_gpu=True)


def held(device: DeviceMap) -> dict[Part, float | None]:
    return {
        size.part: None if size.held_bytes is None else size.held_bytes / MIB
        for size in device.parts
    }


def test_the_parts_of_the_machine_are_all_of_it() -> None:
    (device,) = memory_maps(SAMPLE, MEMORY, None)
    # 229 MiB of the engine are no file: 180 of KV cache, so 49 were written for computing.
    assert held(device) == {
        Part.WEIGHTS: 92,
        Part.KV: 180,
        Part.COMPUTE: 49,
        Part.OTHER: 23 + 150,
        # 1000 in use, of which 229 and 80 are the engine's and the window's.
        Part.OTHER_PROCESSES: 691,
        Part.FREE: 16_000 - 344 - 150 - 691,
    }
    assert sum(size.held_bytes or 0 for size in device.parts) == device.total_bytes
    assert device.of(Part.COMPUTE).reserved_bytes == 167 * MIB
    assert device.ours_bytes == (344 + 150) * MIB
    assert device.window_bytes == 150 * MIB


def test_what_measures_counts_with_the_window() -> None:
    sample = replace(SAMPLE, sampler_rss_bytes=40 * MIB, sampler_file_bytes=15 * MIB)
    (device,) = memory_maps(sample, MEMORY, None)
    assert device.window_bytes == 190 * MIB
    assert held(device)[Part.OTHER] == 23 + 190
    assert held(device)[Part.OTHER_PROCESSES] == 691 - 25
    assert sum(size.held_bytes or 0 for size in device.parts) == device.total_bytes


def test_weights_that_were_not_read_are_not_in_memory() -> None:
    (device,) = memory_maps(replace(SAMPLE, engine_file_bytes=60 * MIB), MEMORY, None)
    assert held(device)[Part.WEIGHTS] == 60
    assert device.of(Part.WEIGHTS).reserved_bytes == 92 * MIB


def test_a_system_that_tells_no_file_pages_is_taken_as_it_is() -> None:
    sample = replace(SAMPLE, engine_file_bytes=None, window_file_bytes=None)
    (device,) = memory_maps(sample, MEMORY, None)
    assert held(device)[Part.WEIGHTS] == 92
    assert held(device)[Part.COMPUTE] == 344 - 180 - 92
    assert sum(size.held_bytes or 0 for size in device.parts) == device.total_bytes


def test_before_a_model_is_loaded_only_the_window_is_ours() -> None:
    sample = replace(SAMPLE, engine_pid=None, engine_rss_bytes=None, engine_file_bytes=None)
    (device,) = memory_maps(sample, None, None)
    assert held(device)[Part.WEIGHTS] is None
    assert held(device)[Part.OTHER] == 150
    assert device.ours_bytes == 150 * MIB


def test_nothing_is_shown_of_what_was_not_measured() -> None:
    assert memory_maps(None, MEMORY, None) == ()
    assert memory_maps(Sample(t_ns=0), MEMORY, None) == ()


def test_what_was_predicted_stands_beside_it() -> None:
    predicted = MemoryUse(weights_bytes=93 * MIB, kv_bytes=180 * MIB, compute_bytes=192 * MIB)
    sample = replace(SAMPLE, gpus=(GPU,))
    machine, gpu = memory_maps(sample, MEMORY, predicted)
    assert machine.of(Part.COMPUTE).predicted_bytes == 192 * MIB
    assert gpu.of(Part.KV).predicted_bytes is None
    machine, gpu = memory_maps(sample, ON_GPU, replace(predicted, on_gpu=True))
    assert machine.of(Part.KV).predicted_bytes is None
    assert gpu.of(Part.KV).predicted_bytes == 180 * MIB


def test_the_parts_of_a_gpu_are_all_of_it() -> None:
    machine, gpu = memory_maps(replace(SAMPLE, gpus=(GPU,)), ON_GPU, None)
    assert gpu.name == "Fake GPU"
    assert held(gpu) == {
        Part.WEIGHTS: 400,
        Part.KV: 100,
        Part.COMPUTE: 50,
        Part.OTHER: 250,
        Part.OTHER_PROCESSES: 2200,
        Part.FREE: 5000,
    }
    assert sum(size.held_bytes or 0 for size in gpu.parts) == gpu.total_bytes
    assert machine.of(Part.KV).reserved_bytes is None
    assert held(machine)[Part.OTHER] == 344 + 150


def test_layers_left_in_the_machine_count_there() -> None:
    memory = replace(
        ON_GPU,
        host_weights_bytes=150 * MIB,
        mapped_bytes=150 * MIB,
        host_kv_bytes=40 * MIB,
        host_compute_bytes=10 * MIB,
    )
    machine, gpu = memory_maps(replace(SAMPLE, gpus=(GPU,)), memory, memory)
    assert held(machine)[Part.WEIGHTS] == 115
    assert machine.of(Part.WEIGHTS).reserved_bytes == 150 * MIB
    assert held(machine)[Part.KV] == 40
    assert (held(gpu)[Part.WEIGHTS], held(gpu)[Part.KV], held(gpu)[Part.COMPUTE]) == (250, 60, 40)
    # What was expected is told for each of the two.
    for device in (machine, gpu):
        for part in ENGINE_PARTS:
            assert device.of(part).predicted_bytes == device.of(part).reserved_bytes


@pytest.mark.parametrize("process_bytes", [None, 0])
def test_a_driver_that_tells_no_processes(process_bytes: int | None) -> None:
    gpu = replace(GPU, process_memory_bytes=process_bytes)
    _, device = memory_maps(replace(SAMPLE, gpus=(gpu,)), ON_GPU, None)
    # With one GPU what the engine reports can be nowhere else.
    assert held(device)[Part.KV] == 100
    assert held(device)[Part.OTHER] == process_bytes
    assert held(device)[Part.OTHER_PROCESSES] == 2450


def test_what_lies_on_a_gpu_that_nothing_measures_is_told() -> None:
    assert unmeasured_bytes(SAMPLE, ON_GPU) == 550 * MIB
    assert unmeasured_bytes(SAMPLE, replace(ON_GPU, host_kv_bytes=40 * MIB)) == 510 * MIB
    assert unmeasured_bytes(SAMPLE, MEMORY) is None
    assert unmeasured_bytes(SAMPLE, None) is None
    assert unmeasured_bytes(replace(SAMPLE, gpus=(GPU,)), ON_GPU) is None


def test_how_an_engine_spread_over_several_gpus_is_not_guessed() -> None:
    second = replace(GPU, index=1, name="Second")
    _, first, other = memory_maps(replace(SAMPLE, gpus=(GPU, second)), ON_GPU, ON_GPU)
    for device in (first, other):
        assert held(device)[Part.KV] is None
        assert held(device)[Part.OTHER] == 800
    idle = replace(second, process_memory_bytes=0)
    _, first, other = memory_maps(replace(SAMPLE, gpus=(GPU, idle)), ON_GPU, None)
    assert held(first)[Part.KV] == 100
    assert held(other)[Part.OTHER] == 0
