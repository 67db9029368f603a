"""`main.py devices`: what can run a model on this machine, and why the rest cannot."""

from __future__ import annotations

import multiprocessing
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

_PROBE_TIMEOUT_S = 30.0
_GIB = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuDevice:
    """The processor. `features` are the instruction sets that the build uses."""

    name: str
    physical_cores: int
    logical_cores: int
    features: str
    memory_bytes: int
    available_bytes: int
    usable: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuDevice:
    """A GPU that the build or the driver knows; `reason` says why it cannot be used."""

    name: str
    source: str
    usable: bool
    memory_bytes: int | None = None
    free_bytes: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceList:
    """All devices, the build, and what could not be asked."""

    build: str
    cpu: CpuDevice
    gpus: tuple[GpuDevice, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class ProbeResult:
    """What the probe process has said so far; a step that is missing ended the process."""

    build: str = ""
    features: str = ""
    can_offload: bool = False
    ggml_gpus: list[tuple[str, int, int]] = field(default_factory=list)
    nvml_gpus: list[tuple[str, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def probe(sender: Connection) -> None:
    """Ask ggml, then NVML, and send after each. Runs in a process of its own."""
    result = ProbeResult()
    _ask_ggml(result)
    sender.send(("ggml", result))
    _ask_nvml(result)
    sender.send(("nvml", result))
    sender.close()


def list_devices(run_probe: Callable[[Connection], None] = probe) -> DeviceList:
    """The devices of this machine.

    Drivers are asked in a child process, since they can crash; then the list says so.
    """
    import psutil

    from engine.machine import available_memory_bytes, cpu_name, usable_cores

    result = _collect(run_probe)
    cores = usable_cores()
    cpu = CpuDevice(
        name=cpu_name(),
        physical_cores=cores.physical,
        logical_cores=cores.logical,
        features=result.features,
        memory_bytes=int(psutil.virtual_memory().total),
        available_bytes=available_memory_bytes(),
        usable=bool(result.build),
        reason="" if result.build else "llama.cpp could not be loaded",
    )
    gpus = [
        GpuDevice(name=name, source="llama.cpp", usable=True, memory_bytes=total, free_bytes=free)
        for name, free, total in result.ggml_gpus
    ]
    known = {gpu.name for gpu in gpus}
    gpus += [
        GpuDevice(
            name=name,
            source="NVIDIA driver",
            usable=False,
            memory_bytes=total,
            reason="this build of llama.cpp has no support for it"
            if not result.can_offload
            else "llama.cpp does not see it",
        )
        for name, total in result.nvml_gpus
        if name not in known
    ]
    return DeviceList(
        build=result.build or "none", cpu=cpu, gpus=tuple(gpus), problems=tuple(result.problems)
    )


def table(devices: DeviceList) -> str:
    """The list as text for a terminal."""
    cpu = devices.cpu
    lines = [
        f"build  {devices.build}",
        f"CPU    {cpu.name}",
        f"       {cpu.physical_cores} cores, {cpu.logical_cores} threads",
        f"       {cpu.available_bytes / _GIB:.1f} of {cpu.memory_bytes / _GIB:.1f} GiB free",
    ]
    if cpu.features:
        lines.append(f"       {cpu.features}")
    lines.append(f"       {_verdict(usable=cpu.usable, reason=cpu.reason)}")
    for gpu in devices.gpus:
        lines.append(f"GPU    {gpu.name} ({gpu.source})")
        if gpu.memory_bytes is not None:
            free = "" if gpu.free_bytes is None else f"{gpu.free_bytes / _GIB:.1f} free of "
            lines.append(f"       {free}{gpu.memory_bytes / _GIB:.1f} GiB")
        lines.append(f"       {_verdict(usable=gpu.usable, reason=gpu.reason)}")
    if not devices.gpus:
        lines.append("GPU    none found")
    lines += [f"note   {problem}" for problem in devices.problems]
    return "\n".join(lines) + "\n"


def run() -> int:
    """Print the list; returns the exit code: 0 where something can run a model."""
    devices = list_devices()
    sys.stdout.write(table(devices))
    return 0 if devices.cpu.usable else 1


def _collect(run_probe: Callable[[Connection], None]) -> ProbeResult:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=run_probe, args=(sender,), name="oscillama-probe", daemon=True)
    result, step = ProbeResult(), "the start"
    try:
        process.start()
        sender.close()
        while step != "nvml" and receiver.poll(_PROBE_TIMEOUT_S):
            step, result = receiver.recv()
        if step != "nvml":
            result.problems.append(f"asking the drivers took too long after {step}")
    except EOFError:
        process.join()
        result.problems.append(
            f"asking the drivers ended with exit code {process.exitcode} after {step}"
        )
    finally:
        receiver.close()
        if process.pid is not None:
            process.kill()
            process.join()
    return result


def _ask_ggml(result: ProbeResult) -> None:
    from engine.backends.llama import native
    from engine.errors import EngineError

    try:
        llama = native.import_llama()
        llama.llama_backend_init()
        result.build = native.build_text(llama)
        result.features = result.build.partition("(")[2].rstrip(")")
        result.can_offload = bool(llama.llama_supports_gpu_offload())
        result.ggml_gpus = [
            (gpu.description, gpu.free_bytes, gpu.total_bytes) for gpu in native.gpus(llama)
        ]
    except EngineError as error:
        result.problems.append(error.info.technical)


def _ask_nvml(result: ProbeResult) -> None:
    from engine.nvml import load_nvml

    try:
        nvml = load_nvml()
    except ImportError as error:
        result.problems.append(f"NVML: {error}")
        return
    try:
        nvml.nvmlInit()
        for index in range(nvml.nvmlDeviceGetCount()):
            device = nvml.nvmlDeviceGetHandleByIndex(index)
            name = nvml.nvmlDeviceGetName(device)
            text = name if isinstance(name, str) else name.decode("utf-8", "replace")
            result.nvml_gpus.append((text, int(nvml.nvmlDeviceGetMemoryInfo(device).total)))
        nvml.nvmlShutdown()
    except nvml.NVMLError as error:
        if error.value != nvml.NVML_ERROR_LIBRARY_NOT_FOUND:
            result.problems.append(f"NVML: {error}")


def _verdict(*, usable: bool, reason: str) -> str:
    return "can run a model" if usable else f"cannot run a model: {reason}"
