"""The device and the number format: what is chosen, what is refused, and what is said of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import torch

from engine.backends.torch_hf import devices, loading
from engine.backends.torch_hf.devices import (
    Device,
    auto_dtype,
    choose_device,
    gpu_names,
    has_dtype,
    look_at,
)
from engine.backends.torch_hf.memory_errors import out_of_memory_as_error
from engine.errors import EngineError, ErrorCode
from engine.values import Dtype, Notice, NoticeCode
from tests.engine.backends.torch_hf.tiny_files import refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.engine.backends.torch_hf.conftest import Loader

GIB = 1 << 30
SMALL_GPU = Device(name="cuda:0", title="Small GPU", free_bytes=4 * GIB)
LARGE_GPU = Device(name="cuda:1", title="Large GPU", free_bytes=24 * GIB)
INTEL_GPU = Device(name="xpu:0", title="Intel GPU", free_bytes=48 * GIB)


@pytest.fixture
def touched() -> list[str]:
    """The GPUs that were given a context, in order."""
    return []


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch, touched: list[str]) -> Callable[..., None]:
    """Makes torch find these GPUs, and the driver list GPUs of these names."""

    def found(*by_torch: Device, by_driver: tuple[str, ...] = ()) -> None:
        by_name = {gpu.name: gpu for gpu in by_torch}

        def look(name: str) -> Device:
            touched.append(name)
            return by_name[name]

        monkeypatch.setattr(devices, "gpu_names", lambda: list(by_name))
        monkeypatch.setattr(devices, "look_at", look)
        monkeypatch.setattr(devices, "nvidia_gpu_names", lambda: by_driver)

    return found


def build_has_cuda(monkeypatch: pytest.MonkeyPatch, version: str | None) -> None:
    monkeypatch.setattr(torch.version, "cuda", version)
    monkeypatch.setattr(torch.version, "hip", None)


def test_the_gpu_with_most_free_memory_is_chosen_where_the_model_fits(
    gpus: Callable[..., None],
) -> None:
    gpus(SMALL_GPU, LARGE_GPU)
    assert choose_device(None, 8 * GIB) is LARGE_GPU
    # 1 GiB is kept for what is computed.
    assert choose_device(None, 23 * GIB) is LARGE_GPU
    device = choose_device(None, 23 * GIB + 1)
    assert (device.name, device.is_gpu) == ("cpu", False)
    details = (("gpu", "Large GPU"), ("need_bytes", 24 * GIB + 1), ("have_bytes", 24 * GIB))
    assert device.notices == (Notice(code=NoticeCode.GPU_TOO_SMALL, details=details),)


def test_a_device_is_chosen_by_name(gpus: Callable[..., None]) -> None:
    gpus(SMALL_GPU, LARGE_GPU, INTEL_GPU)
    assert choose_device("cuda", 100 * GIB) is LARGE_GPU
    assert choose_device("cuda:0", 0) is SMALL_GPU
    assert choose_device("xpu", 0) is INTEL_GPU
    device = choose_device("cpu", 0)
    assert device.name == "cpu"
    # It was asked for, so there is nothing to say of the GPUs.
    assert device.notices == ()


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("cpu", []),
        ("cuda:0", ["cuda:0"]),
        ("xpu", ["xpu:0"]),
        ("cuda", ["cuda:0", "cuda:1"]),
        (None, ["cuda:0", "cuda:1", "xpu:0"]),
    ],
)
def test_only_gpus_that_may_be_chosen_are_touched(
    gpus: Callable[..., None], touched: list[str], wanted: str | None, names: list[str]
) -> None:
    gpus(SMALL_GPU, LARGE_GPU, INTEL_GPU)
    choose_device(wanted, 0)
    assert touched == names


class FakeGpus:
    """What torch.cuda and torch.xpu say of two GPUs, the second with 10 of 16 GiB free."""

    def __init__(self, *, tells_free: bool = True) -> None:
        self.waited_for: list[str | None] = []
        if tells_free:
            self.mem_get_info = self._mem_get_info

    def is_available(self) -> bool:
        return True

    def device_count(self) -> int:
        return 2

    def get_device_properties(self, name: str) -> SimpleNamespace:
        return SimpleNamespace(name=f"GPU {name}", total_memory=16 * GIB)

    def memory_reserved(self, name: str) -> int:
        return {"0": 0, "1": 3 * GIB}[name[-1]]

    def memory_allocated(self, name: str) -> int:
        return {"0": 0, "1": 2 * GIB}[name[-1]]

    def synchronize(self, name: str | None = None) -> None:
        self.waited_for.append(name)

    def _mem_get_info(self, name: str) -> tuple[int, int]:
        return {"0": 16 * GIB, "1": 10 * GIB}[name[-1]], 16 * GIB


@pytest.mark.parametrize("kind", ["cuda", "xpu"])
def test_free_memory_is_what_the_device_says_and_what_torch_keeps(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(torch, kind, FakeGpus())
    assert [name for name in gpu_names() if name.startswith(kind)] == [f"{kind}:0", f"{kind}:1"]
    device = look_at(f"{kind}:1")
    assert (device.title, device.free_bytes) == (f"GPU {kind}:1", 10 * GIB)
    # 3 GiB are taken, of which tensors hold 2.
    assert device.free_bytes_now() == 11 * GIB


def test_free_memory_of_a_gpu_that_does_not_tell_is_what_torch_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch, "xpu", FakeGpus(tells_free=False))
    device = look_at("xpu:1")
    assert device.free_bytes == 13 * GIB
    assert device.free_bytes_now() == 14 * GIB


@pytest.mark.parametrize("kind", ["cuda", "xpu"])
def test_waiting_is_for_the_device_itself(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    fake = FakeGpus()
    monkeypatch.setattr(torch, kind, fake)
    Device(name=f"{kind}:1", title="GPU", free_bytes=GIB).synchronize()
    assert fake.waited_for == [f"{kind}:1"]


def test_without_a_gpu_there_is_nothing_to_say(gpus: Callable[..., None]) -> None:
    gpus()
    assert choose_device(None, GIB).notices == ()


def test_a_gpu_that_torch_was_not_built_for_is_named(
    gpus: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus(by_driver=("NVIDIA A", "NVIDIA B"))
    build_has_cuda(monkeypatch, None)
    assert choose_device(None, GIB).notices == (
        Notice(code=NoticeCode.GPU_NOT_IN_TORCH, details=(("gpu", "NVIDIA A, NVIDIA B"),)),
    )


def test_a_gpu_that_does_not_start_is_named_with_the_reason(
    gpus: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("The NVIDIA driver on your system is too old")

    gpus(by_driver=("NVIDIA A",))
    build_has_cuda(monkeypatch, "13.0")
    monkeypatch.setattr(torch.cuda, "init", fail)
    (notice,) = choose_device(None, GIB).notices
    assert notice.code is NoticeCode.GPU_NOT_READY
    assert dict(notice.details)["gpu"] == "NVIDIA A"
    assert "too old" in str(dict(notice.details)["reason"])


@pytest.mark.parametrize("wanted", ["cuda", "cuda:99", "abacus", "mps", ""])
def test_a_device_that_is_not_there_is_refused(
    tiny_folder: Path, gpus: Callable[..., None], wanted: str
) -> None:
    gpus()
    info = refusal(tiny_folder, device=wanted)
    assert info.code is ErrorCode.DEVICE_MISSING
    assert info.detail("device") == wanted
    assert info.detail("reason") == "no_such_device"


def test_a_refused_gpu_comes_with_what_is_missing(
    tiny_folder: Path, gpus: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus(by_driver=("NVIDIA A",))
    build_has_cuda(monkeypatch, None)
    info = refusal(tiny_folder, device="cuda")
    assert info.detail("reason") == "built_without_cuda"
    # Of another device the driver of NVIDIA says nothing.
    assert refusal(tiny_folder, device="xpu").detail("reason") == "no_such_device"


def test_another_gpu_than_there_are_is_refused_by_its_name(
    tiny_folder: Path, gpus: Callable[..., None]
) -> None:
    gpus(SMALL_GPU, LARGE_GPU, by_driver=("Small GPU", "Large GPU"))
    info = refusal(tiny_folder, device="cuda:2")
    assert info.code is ErrorCode.DEVICE_MISSING
    assert info.detail("reason") == "no_such_device"
    assert "cuda:0" in info.technical


@pytest.mark.parametrize(
    ("has_bfloat16", "device", "chosen"),
    [
        (True, "cpu", Dtype.BFLOAT16),
        (False, "cpu", Dtype.FLOAT32),
        (True, "cuda:0", Dtype.BFLOAT16),
        (False, "cuda:0", Dtype.FLOAT16),
    ],
)
def test_the_format_is_what_the_hardware_computes_in(
    monkeypatch: pytest.MonkeyPatch, has_bfloat16: bool, device: str, chosen: Dtype
) -> None:
    monkeypatch.setattr(devices, "has_dtype", lambda _device, _dtype: has_bfloat16)
    assert auto_dtype(device) is chosen


def test_float32_is_everywhere() -> None:
    assert has_dtype("cpu", Dtype.FLOAT32)
    assert has_dtype("abacus", Dtype.FLOAT32)


@pytest.mark.parametrize("dtype", [Dtype.BFLOAT16, Dtype.FLOAT16])
def test_a_format_that_the_device_lacks_is_refused(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch, dtype: Dtype
) -> None:
    monkeypatch.setattr(loading, "has_dtype", lambda _device, wanted: wanted is Dtype.FLOAT32)
    info = refusal(tiny_folder, dtype=dtype)
    assert info.code is ErrorCode.DTYPE_UNSUPPORTED
    assert info.details == (("device", "CPU"), ("dtype", dtype.value))


@pytest.mark.parametrize("dtype", [Dtype.BFLOAT16, Dtype.FLOAT16])
def test_a_format_that_the_device_has_is_that_of_weights_and_cache(
    tiny_folder: Path, open_tiny: Loader, monkeypatch: pytest.MonkeyPatch, dtype: Dtype
) -> None:
    monkeypatch.setattr(loading, "has_dtype", lambda _device, _wanted: True)
    _, full = open_tiny(tiny_folder)
    _, half = open_tiny(tiny_folder, dtype=dtype)
    assert half.engine.dtype is dtype
    assert half.kv.type_name == half.engine.kv_type == dtype.value
    assert half.kv.reserved_bytes * 2 == full.kv.reserved_bytes
    assert full.memory.weights_bytes is not None
    assert half.memory.weights_bytes == pytest.approx(full.memory.weights_bytes / 2, abs=256)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has"),
        RuntimeError("MPS backend out of memory (MPS allocated: 1 GB). Tried to allocate 2.5 GB"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 2684354560 "
                     "bytes. Error code 12"),
    ],
    ids=["cuda", "mps", "cpu"],
)  # fmt: skip
def test_what_torch_says_of_memory_becomes_sizes(error: Exception) -> None:
    def run(have_bytes: int) -> dict[str, Any]:
        with (
            pytest.raises(EngineError) as raised,
            out_of_memory_as_error("Some GPU", lambda: have_bytes),
        ):
            raise error
        assert raised.value.info.code is ErrorCode.NOT_ENOUGH_MEMORY
        return dict(raised.value.info.details)

    assert run(GIB) == {"device": "Some GPU", "need_bytes": 5 * GIB // 2, "have_bytes": GIB}
    # What is less than is free would be no explanation.
    assert run(3 * GIB) == {"device": "Some GPU"}


def test_other_errors_of_torch_stay_what_they_are() -> None:
    with (
        pytest.raises(RuntimeError, match="shapes"),
        out_of_memory_as_error("CPU", lambda: 0),
    ):
        raise RuntimeError("shapes do not match")
