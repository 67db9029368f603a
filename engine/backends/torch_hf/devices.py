"""Which device computes, in which number format, and why it is not another."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import Any

import torch

from engine.errors import EngineError, ErrorCode
from engine.machine import available_memory_bytes, nvidia_gpu_names
from engine.values import Dtype, Notice, NoticeCode

_TORCH_DTYPES = {
    Dtype.BFLOAT16: torch.bfloat16,
    Dtype.FLOAT16: torch.float16,
    Dtype.FLOAT32: torch.float32,
}
# What is wanted of a GPU beside weights and KV cache: activations, workspaces, its context.
_GPU_SPARE_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device of torch.

    Attributes:
        name: As torch has it: "cpu", "cuda:0", "mps", "xpu:0".
        title: For people: "CPU", or the GPU's name.
        free_bytes: Memory that can still be taken.
        notices: Why it is not the device that one would expect.
    """

    name: str
    title: str
    free_bytes: int
    notices: tuple[Notice, ...] = ()

    @property
    def is_gpu(self) -> bool:
        """Whether it has memory and a queue of its own."""
        return self.name != "cpu"

    @property
    def is_cuda(self) -> bool:
        """Whether it is one that records graphs of kernels."""
        return self.name.startswith("cuda")

    def synchronize(self) -> None:
        """Wait until everything handed to the device is done."""
        if self.is_gpu:
            _module(self.name).synchronize()

    def empty_cache(self) -> None:
        """Give memory that torch keeps for later back to the device."""
        if self.is_gpu:
            _module(self.name).empty_cache()

    def free_bytes_now(self) -> int:
        """Memory that can be taken now."""
        if self.is_cuda:
            free, _ = torch.cuda.mem_get_info(self.name)
            kept = torch.cuda.memory_reserved(self.name) - torch.cuda.memory_allocated(self.name)
            return int(free) + int(kept)
        if not self.is_gpu:
            return available_memory_bytes()
        return max(self.free_bytes - (self.reserved_bytes() or 0), 0)

    def reserved_bytes(self) -> int | None:
        """Memory that torch has taken from the device; None where it does not count."""
        if self.name.startswith(("cuda", "xpu")):
            return int(_module(self.name).memory_reserved(self.name))
        if self.name == "mps":
            return int(torch.mps.driver_allocated_memory())
        return None


def torch_dtype(dtype: Dtype) -> Any:  # noqa: ANN401
    """The same as torch names it."""
    return _TORCH_DTYPES[dtype]


def cpu() -> Device:
    """The processor."""
    return Device(name="cpu", title="CPU", free_bytes=available_memory_bytes())


def find_gpus() -> list[Device]:
    """The GPUs that torch can use, those with most free memory first."""
    found = []
    for index in range(torch.cuda.device_count() if torch.cuda.is_available() else 0):
        free, _ = torch.cuda.mem_get_info(index)
        title = torch.cuda.get_device_name(index)
        found.append(Device(name=f"cuda:{index}", title=title, free_bytes=int(free)))
    for index in range(torch.xpu.device_count() if torch.xpu.is_available() else 0):
        properties = torch.xpu.get_device_properties(index)
        taken = int(torch.xpu.memory_reserved(index))
        free_bytes = int(properties.total_memory) - taken
        found.append(Device(name=f"xpu:{index}", title=properties.name, free_bytes=free_bytes))
    if torch.backends.mps.is_available():
        limit = int(torch.mps.recommended_max_memory())
        free_bytes = min(limit - int(torch.mps.driver_allocated_memory()), available_memory_bytes())
        found.append(Device(name="mps", title="Apple GPU", free_bytes=free_bytes))
    return sorted(found, key=lambda gpu: -gpu.free_bytes)


def choose_device(wanted: str | None, need_bytes: int) -> Device:
    """The device asked for, else the GPU with most free memory if `need_bytes` fit, else the CPU.

    Raises:
        EngineError: DEVICE_MISSING with "device" and "reason" where the one asked for is not there.
    """
    gpus = find_gpus()
    if wanted is not None:
        return _named(wanted, gpus)
    if not gpus:
        unused = _why_no_gpu()
        return cpu() if unused is None else _cpu_with(unused)
    gpu = gpus[0]
    if need_bytes + _GPU_SPARE_BYTES <= gpu.free_bytes:
        return gpu
    return _cpu_with(
        Notice(
            code=NoticeCode.GPU_TOO_SMALL,
            details=(
                ("gpu", gpu.title),
                ("need_bytes", need_bytes + _GPU_SPARE_BYTES),
                ("have_bytes", gpu.free_bytes),
            ),
        )
    )


def auto_dtype(device_name: str) -> Dtype:
    """bfloat16 where the hardware computes in it, else what it computes in fastest."""
    if has_dtype(device_name, Dtype.BFLOAT16):
        return Dtype.BFLOAT16
    return Dtype.FLOAT32 if device_name == "cpu" else Dtype.FLOAT16


def has_dtype(device_name: str, dtype: Dtype) -> bool:
    """Whether the hardware has arithmetic of this format."""
    if dtype is Dtype.FLOAT32:
        return True
    if device_name == "cpu":
        return _cpu_has(dtype)
    if dtype is Dtype.FLOAT16:
        return True
    if device_name.startswith("cuda"):
        # Older GPUs emulate it, which is slower than float32.
        with torch.cuda.device(device_name):
            return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if device_name.startswith("xpu"):
        return bool(torch.xpu.is_bf16_supported())
    try:
        torch.zeros(1, dtype=torch.bfloat16, device=device_name).add_(1)
    except (RuntimeError, TypeError):
        return False
    return True


def _cpu_has(dtype: Dtype) -> bool:
    if platform.machine().lower() in ("x86_64", "amd64"):
        if dtype is Dtype.BFLOAT16:
            return _cpu_flag("_is_avx512_bf16_supported") or _cpu_flag("_is_amx_tile_supported")
        return _cpu_flag("_is_amx_fp16_supported")
    mkldnn = torch.ops.mkldnn
    if dtype is Dtype.BFLOAT16:
        return bool(mkldnn._is_mkldnn_bf16_supported())
    return bool(mkldnn._is_mkldnn_fp16_supported())


def _cpu_flag(name: str) -> bool:
    ask = getattr(torch.cpu, name, None)
    return bool(ask()) if ask is not None else False


def _named(wanted: str, gpus: list[Device]) -> Device:
    if wanted == "cpu":
        return cpu()
    for gpu in gpus:
        if wanted in (gpu.name, gpu.name.partition(":")[0]):
            return gpu
    notice = _why_no_gpu() if wanted.startswith("cuda") else None
    reason = dict(notice.details).get("reason", "") if notice is not None else ""
    if notice is not None and notice.code is NoticeCode.GPU_NOT_IN_TORCH:
        reason = "the installed PyTorch was built without CUDA"
    raise EngineError(
        ErrorCode.DEVICE_MISSING,
        f"torch has no device {wanted!r}; it has {['cpu', *(gpu.name for gpu in gpus)]}",
        device=wanted,
        reason=reason or "PyTorch finds no such device",
    )


def _why_no_gpu() -> Notice | None:
    """Why an NVIDIA GPU that the driver lists is of no use to torch; None where there is none."""
    names = ", ".join(nvidia_gpu_names())
    if not names:
        return None
    if torch.version.cuda is None and torch.version.hip is None:
        return Notice(code=NoticeCode.GPU_NOT_IN_TORCH, details=(("gpu", names),))
    try:
        torch.cuda.init()
        reason = "torch sees no device"
    except (RuntimeError, AssertionError) as error:
        reason = str(error)
    return Notice(code=NoticeCode.GPU_NOT_READY, details=(("gpu", names), ("reason", reason)))


def _cpu_with(notice: Notice) -> Device:
    return Device(name="cpu", title="CPU", free_bytes=available_memory_bytes(), notices=(notice,))


def _module(name: str) -> Any:  # noqa: ANN401
    return {"cuda": torch.cuda, "xpu": torch.xpu, "mps": torch.mps}[name.partition(":")[0]]
