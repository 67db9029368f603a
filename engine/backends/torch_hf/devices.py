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
        if self.name == "mps":
            torch.mps.synchronize()
        elif self.is_gpu:
            # Without a name it would be the current device, which may be another.
            _module(self.name).synchronize(self.name)

    def empty_cache(self) -> None:
        """Give memory that torch keeps for later back to the device."""
        if self.is_gpu:
            _module(self.name).empty_cache()

    def free_bytes_now(self) -> int:
        """Memory that can be taken now: what is free, and what torch keeps for later."""
        if not self.is_gpu:
            return available_memory_bytes()
        return _free_bytes(self.name) + (self.reserved_bytes() or 0) - _allocated_bytes(self.name)

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


def gpu_names() -> list[str]:
    """The GPUs that torch can use, in its own order. They are counted and not touched."""
    names = []
    for kind in ("cuda", "xpu"):
        module = _module(kind)
        count = int(module.device_count()) if module.is_available() else 0
        names += [f"{kind}:{index}" for index in range(count)]
    return [*names, "mps"] if torch.backends.mps.is_available() else names


def look_at(name: str) -> Device:
    """A GPU with its title and free memory, for which torch makes its context there."""
    title = "Apple GPU"
    if name != "mps":
        title = str(_module(name).get_device_properties(name).name)
    return Device(name=name, title=title, free_bytes=_free_bytes(name))


def choose_device(wanted: str | None, need_bytes: int) -> Device:
    """The device asked for, else the GPU with most free memory if `need_bytes` fit, else the CPU.

    "cuda" asks for the one of its kind with most free memory, "cuda:1" for no other. No GPU is
    touched but those that may be chosen: a context takes hundreds of MiB of each.

    Raises:
        EngineError: DEVICE_MISSING with "device" and "reason" where the one asked for is not there.
    """
    if wanted == "cpu":
        return cpu()
    names = gpu_names()
    if wanted is not None:
        return _named(wanted, names)
    if not names:
        unused = _why_no_gpu()
        return cpu() if unused is None else _cpu_with(unused)
    gpu = _roomiest(names)
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


def _roomiest(names: list[str]) -> Device:
    return max(map(look_at, names), key=lambda gpu: gpu.free_bytes)


def _named(wanted: str, names: list[str]) -> Device:
    matching = [name for name in names if wanted in (name, name.partition(":")[0])]
    if matching:
        return _roomiest(matching)
    reason = "no_such_device"
    if wanted.startswith("cuda") and not any(name.startswith("cuda") for name in names):
        reason = _why_no_cuda() or reason
    raise EngineError(
        ErrorCode.DEVICE_MISSING,
        f"torch has no device {wanted!r}; it has {['cpu', *names]}",
        device=wanted,
        reason=reason,
    )


def _why_no_cuda() -> str | None:
    """A reason code, or what the driver says; None where there is no NVIDIA GPU."""
    notice = _why_no_gpu()
    if notice is None:
        return None
    if notice.code is NoticeCode.GPU_NOT_IN_TORCH:
        return "built_without_cuda"
    return str(dict(notice.details)["reason"])


def _why_no_gpu() -> Notice | None:
    """Why an NVIDIA GPU that the driver lists is of no use to torch; None where there is none."""
    names = ", ".join(nvidia_gpu_names())
    if not names:
        return None
    if torch.version.cuda is None and torch.version.hip is None:
        return Notice(code=NoticeCode.GPU_NOT_IN_TORCH, details=(("gpu", names),))
    try:
        torch.cuda.init()
        reason = "gpu_not_seen"
    except (RuntimeError, AssertionError) as error:
        reason = str(error)
    return Notice(code=NoticeCode.GPU_NOT_READY, details=(("gpu", names), ("reason", reason)))


def _cpu_with(notice: Notice) -> Device:
    return Device(name="cpu", title="CPU", free_bytes=available_memory_bytes(), notices=(notice,))


def _free_bytes(name: str) -> int:
    """Memory that no program has taken from a GPU."""
    if name == "mps":
        limit = int(torch.mps.recommended_max_memory())
        return min(limit - int(torch.mps.driver_allocated_memory()), available_memory_bytes())
    module = _module(name)
    ask = getattr(module, "mem_get_info", None)
    if ask is not None:
        try:
            return int(ask(name)[0])
        except RuntimeError:
            # Some Intel GPUs do not tell; any other device does.
            if not name.startswith("xpu"):
                raise
    total = int(module.get_device_properties(name).total_memory)
    return total - int(module.memory_reserved(name))


def _allocated_bytes(name: str) -> int:
    """Memory of tensors on a GPU."""
    if name == "mps":
        return int(torch.mps.current_allocated_memory())
    return int(_module(name).memory_allocated(name))


def _module(name: str) -> Any:  # noqa: ANN401
    return {"cuda": torch.cuda, "xpu": torch.xpu, "mps": torch.mps}[name.partition(":")[0]]
