"""The list of devices, and what becomes of a driver that crashes."""

import os
import signal
from dataclasses import replace
from multiprocessing.connection import Connection

import pytest

from engine.devices import (
    CpuDevice,
    DeviceList,
    GpuDevice,
    ProbeResult,
    TorchGpu,
    _ceilings_text,
    list_devices,
    table,
)
from tests.engine.ceilings.test_values import CEILINGS


def _crash_after_ggml(sender: Connection) -> None:
    sender.send(("ggml", ProbeResult(build="llama.cpp 1", features="AVX2")))
    os.kill(os.getpid(), signal.SIGSEGV)


def _with_gpus(sender: Connection) -> None:
    result = ProbeResult(build="llama.cpp 1", features="AVX2")
    result.nvml_gpus = [("NVIDIA H200", 141 << 30)]
    sender.send(("ggml", result))
    sender.send(("nvml", result))
    sender.send(("torch", result))


def _with_gpus_of_both(sender: Connection) -> None:
    result = ProbeResult(build="llama.cpp 1", can_offload=True, torch_build="torch 2")
    result.ggml_gpus = [("NVIDIA H200", 140 << 30, 141 << 30)]
    result.nvml_gpus = [("NVIDIA H200", 141 << 30)]
    result.torch_gpus = [TorchGpu(name="NVIDIA H200", free_bytes=139 << 30, dtype="bfloat16")]
    sender.send(("torch", result))


def _with_equal_gpus(sender: Connection) -> None:
    result = ProbeResult(build="llama.cpp 1", can_offload=True, torch_build="torch 2")
    result.ggml_gpus = [("NVIDIA L4", 20 << 30, 24 << 30), ("NVIDIA L4", 10 << 30, 24 << 30)]
    result.nvml_gpus = [("NVIDIA L4", 24 << 30), ("Other", 4 << 30), ("NVIDIA L4", 24 << 30)]
    result.torch_gpus = [
        TorchGpu(name="NVIDIA L4", free_bytes=19 << 30, dtype="bfloat16"),
        TorchGpu(name="NVIDIA L4", free_bytes=9 << 30, dtype="bfloat16"),
    ]
    sender.send(("torch", result))


def _with_broken_torch(sender: Connection) -> None:
    result = ProbeResult(build="llama.cpp 1", torch_is_broken=True)
    result.nvml_gpus = [("NVIDIA L4", 24 << 30)]
    result.problems = ["PyTorch: libcudart.so.13: cannot open shared object file"]
    sender.send(("torch", result))


def _without_library(sender: Connection) -> None:
    result = ProbeResult(problems=["llama_cpp: no such module"])
    sender.send(("ggml", result))
    sender.send(("nvml", result))
    sender.send(("torch", result))


def test_this_machine_can_run_a_model() -> None:
    devices = list_devices()
    assert [engine.partition(" ")[0] for engine in devices.cpu.engines] == ["llama.cpp", "PyTorch"]
    assert "llama-cpp-python" in devices.build
    assert devices.torch_build.startswith("torch ")
    assert devices.cpu.features
    assert 0 < devices.cpu.available_bytes <= devices.cpu.memory_bytes
    assert not devices.problems
    text = table(devices)
    assert devices.cpu.name in text
    assert "can run a model" in text


def test_a_driver_that_crashes_is_a_line_and_not_an_end() -> None:
    devices = list_devices(_crash_after_ggml)
    assert devices.cpu.engines == ("llama.cpp",)
    assert devices.cpu.features == "AVX2"
    (problem,) = devices.problems
    assert "-11" in problem
    assert "after ggml" in problem


def test_a_gpu_that_the_build_cannot_use_says_why() -> None:
    (gpu,) = list_devices(_with_gpus).gpus
    assert (gpu.name, gpu.engines, gpu.memory_bytes) == ("NVIDIA H200", (), 141 << 30)
    assert "build" in gpu.reason


def test_a_gpu_of_both_engines_stands_there_once_with_what_each_computes_in() -> None:
    (gpu,) = list_devices(_with_gpus_of_both).gpus
    assert gpu.engines == ("llama.cpp", "PyTorch (bfloat16)")
    assert (gpu.memory_bytes, gpu.free_bytes) == (141 << 30, 139 << 30)


def test_two_equal_gpus_are_two_with_the_memory_of_each() -> None:
    gpus = list_devices(_with_equal_gpus).gpus
    assert [(gpu.name, gpu.memory_bytes, gpu.free_bytes) for gpu in gpus] == [
        ("NVIDIA L4", 24 << 30, 19 << 30),
        ("NVIDIA L4", 24 << 30, 9 << 30),
        ("Other", 4 << 30, None),
    ]
    both = ("llama.cpp", "PyTorch (bfloat16)")
    assert [gpu.engines for gpu in gpus] == [both, both, ()]


def test_a_torch_that_does_not_load_is_not_called_missing() -> None:
    devices = list_devices(_with_broken_torch)
    assert devices.cpu.engines == ("llama.cpp",)
    assert "PyTorch does not load" in devices.gpus[0].reason
    text = table(devices)
    assert "PyTorch does not load: make clean && make run TORCH=1" in text
    assert "libcudart.so.13" in text
    assert "not installed" not in text


def test_without_the_library_nothing_runs() -> None:
    devices = list_devices(_without_library)
    assert not devices.cpu.engines
    assert devices.problems == ("llama_cpp: no such module",)
    assert "cannot run a model" in table(devices)


def test_the_table_shows_memory_and_reasons() -> None:
    devices = DeviceList(
        build="b",
        torch_build="",
        cpu=CpuDevice(
            name="Chip",
            physical_cores=4,
            logical_cores=8,
            features="AVX2",
            memory_bytes=16 << 30,
            available_bytes=8 << 30,
            engines=("llama.cpp",),
        ),
        gpus=(
            GpuDevice(
                name="Card",
                source="llama.cpp",
                engines=("llama.cpp",),
                memory_bytes=8 << 30,
                free_bytes=6 << 30,
            ),
        ),
    )
    text = table(devices)
    assert "4 cores, 8 threads" in text
    assert "8.0 of 16.0 GiB free" in text
    assert "6.0 free of 8.0 GiB" in text
    assert "make run TORCH=1" in text


def test_limits_that_other_work_disturbed_are_called_too_low(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quiet = replace(CEILINGS, others_ratio=0.01)
    monkeypatch.setattr("engine.ceilings.measure.measure", lambda _device: quiet)
    assert _ceilings_text("CPU").splitlines() == [
        "       memory read 40.0 GB/s with 2 threads",
        "       float32 matrices 200.0 GFLOP/s",
        "       int8 matrices 900.0 GFLOP/s",
    ]
    busy = replace(CEILINGS, others_ratio=0.42)
    monkeypatch.setattr("engine.ceilings.measure.measure", lambda _device: busy)
    assert "too low: other work took 42 % of the processor" in _ceilings_text("CPU")
