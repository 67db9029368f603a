"""`main.py devices`: what can run a model on this machine, and why the rest cannot."""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from engine.counted import counted
from engine.titles import LLAMA_TITLE, TORCH_TITLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

_PROBE_TIMEOUT_S = 60.0
_LAST_STEP = "torch"
_GIB = 1 << 30

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuDevice:
    """The processor.

    `features` are the instruction sets that the build of llama.cpp uses; `engines` names what can
    run a model on it.
    """

    name: str
    physical_cores: int
    logical_cores: int
    features: str
    memory_bytes: int
    available_bytes: int
    engines: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuDevice:
    """A GPU that an engine or the driver knows; `reason` says why no engine can use it."""

    name: str
    source: str
    engines: tuple[str, ...] = ()
    memory_bytes: int | None = None
    free_bytes: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceList:
    """All devices, the builds of both engines (empty: not there), and what could not be asked.

    `torch_is_broken` says that torch is installed and does not load.
    """

    build: str
    torch_build: str
    cpu: CpuDevice
    torch_is_broken: bool = False
    gpus: tuple[GpuDevice, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TorchGpu:
    """A GPU that torch can use: its name, its free bytes, and the format it computes in best."""

    name: str
    free_bytes: int
    dtype: str


@dataclass(slots=True, kw_only=True)
class ProbeResult:
    """What the probe process has said so far; a step that is missing ended the process."""

    build: str = ""
    features: str = ""
    can_offload: bool = False
    ggml_gpus: list[tuple[str, int, int]] = field(default_factory=list)
    nvml_gpus: list[tuple[str, int]] = field(default_factory=list)
    torch_build: str = ""
    torch_is_broken: bool = False
    torch_cpu_dtype: str = ""
    torch_gpus: list[TorchGpu] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def probe(sender: Connection) -> None:
    """Ask ggml, then NVML, then torch, and send after each. Runs in a process of its own."""
    result = ProbeResult()
    for step, ask in (("ggml", _ask_ggml), ("nvml", _ask_nvml), (_LAST_STEP, _ask_torch)):
        ask(result)
        sender.send((step, result))
    sender.close()


def list_devices(run_probe: Callable[[Connection], None] = probe) -> DeviceList:
    """The devices of this machine.

    Drivers are asked in a child process, since they can crash; then the list says so.
    """
    import psutil

    from engine.machine import available_memory_bytes, cpu_name, usable_cores

    result = _collect(run_probe)
    cores = usable_cores()
    engines = [LLAMA_TITLE] if result.build else []
    if result.torch_build:
        engines.append(f"{TORCH_TITLE} ({result.torch_cpu_dtype})")
    cpu = CpuDevice(
        name=cpu_name(),
        physical_cores=cores.physical,
        logical_cores=cores.logical,
        features=result.features,
        memory_bytes=int(psutil.virtual_memory().total),
        available_bytes=available_memory_bytes(),
        engines=tuple(engines),
        reason="" if engines else "neither llama.cpp nor PyTorch could be loaded",
    )
    return DeviceList(
        build=result.build,
        torch_build=result.torch_build,
        torch_is_broken=result.torch_is_broken,
        cpu=cpu,
        gpus=tuple(_gpus(result)),
        problems=tuple(result.problems),
    )


def _gpus(result: ProbeResult) -> Iterator[GpuDevice]:
    """Each GPU once, with the engines that can use it.

    Equal GPUs are told apart by their order, which is the same to all who list them.
    """
    ggml = _by_occurrence([(name, (free, total)) for name, free, total in result.ggml_gpus])
    torch_gpus = _by_occurrence([(gpu.name, gpu) for gpu in result.torch_gpus])
    totals = _by_occurrence(result.nvml_gpus)
    for key in dict.fromkeys([*ggml, *torch_gpus, *totals]):
        free, total = ggml.get(key, (None, totals.get(key)))
        engines = [LLAMA_TITLE] if key in ggml else []
        source = (
            LLAMA_TITLE if key in ggml else TORCH_TITLE if key in torch_gpus else "NVIDIA driver"
        )
        if key in torch_gpus:
            engines.append(f"{TORCH_TITLE} ({torch_gpus[key].dtype})")
            free = torch_gpus[key].free_bytes
        yield GpuDevice(
            name=key[0],
            source=source,
            engines=tuple(engines),
            memory_bytes=total,
            free_bytes=free,
            reason="" if engines else _why_unused(result),
        )


def _by_occurrence(named: list[tuple[str, T]]) -> dict[tuple[str, int], T]:
    """The same by name and by how many of this name came before."""
    seen: Counter[str] = Counter()
    found = {}
    for name, value in named:
        found[name, seen[name]] = value
        seen[name] += 1
    return found


def _why_unused(result: ProbeResult) -> str:
    llama = "llama.cpp does not see it"
    if not result.can_offload:
        llama = "this build of llama.cpp has no support for it"
    torch = "PyTorch does not see it" if result.torch_build else "PyTorch is not installed"
    if result.torch_is_broken:
        torch = "PyTorch does not load"
    return f"{llama}, and {torch}"


def table(devices: DeviceList) -> str:
    """The list as text for a terminal."""
    cpu = devices.cpu
    lines = [
        f"engine {devices.build or 'llama.cpp is not there'}",
        f"engine {devices.torch_build or _torch_remedy(devices)}",
        f"CPU    {cpu.name}",
        f"       {counted(cpu.physical_cores, 'core')}, {counted(cpu.logical_cores, 'thread')}",
        f"       {cpu.available_bytes / _GIB:.1f} of {cpu.memory_bytes / _GIB:.1f} GiB free",
    ]
    if cpu.features:
        lines.append(f"       {cpu.features}")
    lines.append(f"       {_verdict(cpu.engines, cpu.reason)}")
    for gpu in devices.gpus:
        lines.append(f"GPU    {gpu.name} ({gpu.source})")
        if gpu.memory_bytes is not None:
            free = "" if gpu.free_bytes is None else f"{gpu.free_bytes / _GIB:.1f} free of "
            lines.append(f"       {free}{gpu.memory_bytes / _GIB:.1f} GiB")
        lines.append(f"       {_verdict(gpu.engines, gpu.reason)}")
    if not devices.gpus:
        lines.append("GPU    none found")
    lines += [f"note   {problem}" for problem in devices.problems]
    return "\n".join(lines) + "\n"


def _torch_remedy(devices: DeviceList) -> str:
    if devices.torch_is_broken:
        return "PyTorch does not load: make clean && make run TORCH=1"
    return "PyTorch is not installed: make run TORCH=1"


def run(*, measure: bool = False) -> int:
    """Print the list; returns the exit code: 0 where something can run a model.

    With `measure` each device is measured too, which takes some seconds for each.
    """
    devices = list_devices()
    sys.stdout.write(table(devices))
    if measure:
        for name in ("CPU", *(gpu.name for gpu in devices.gpus if gpu.engines)):
            sys.stdout.write(f"limits {name}\n{_ceilings_text(name)}")
    return 0 if devices.cpu.engines else 1


def _ceilings_text(device: str) -> str:
    from engine.ceilings.measure import CannotMeasureError, measure

    try:
        ceilings = measure(device)
    except CannotMeasureError as error:
        return f"       not measured: {error}\n"
    n_threads = ceilings.read_threads
    threads = "" if n_threads is None else f" with {counted(n_threads, 'thread')}"
    lines = [f"memory read {ceilings.read_bytes_per_s / 1e9:.1f} GB/s{threads}"]
    lines += [
        f"{name} matrices {rate / 1e9:.1f} GFLOP/s" for name, rate in ceilings.matrix_flop_per_s
    ]
    if ceilings.is_disturbed:
        lines.append(
            f"too low: other work took {100 * (ceilings.others_ratio or 0.0):.0f} % of the "
            "processor; measure again when little else runs"
        )
    return "".join(f"       {line}\n" for line in lines)


def _collect(run_probe: Callable[[Connection], None]) -> ProbeResult:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=run_probe, args=(sender,), name="oscillama-probe", daemon=True)
    result, step = ProbeResult(), "the start"
    try:
        process.start()
        sender.close()
        while step != _LAST_STEP and receiver.poll(_PROBE_TIMEOUT_S):
            step, result = receiver.recv()
        if step != _LAST_STEP:
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


def _ask_torch(result: ProbeResult) -> None:
    from importlib.util import find_spec

    if find_spec("torch") is None or find_spec("transformers") is None:
        return
    from engine.backends.torch_hf.libraries import IMPORT_ERRORS

    try:
        import torch
        import transformers

        from engine.backends.torch_hf.devices import auto_dtype, gpu_names, look_at
    except IMPORT_ERRORS as error:
        result.torch_is_broken = True
        result.problems.append(f"PyTorch: {error}")
        return
    result.torch_build = f"torch {torch.__version__}, transformers {transformers.__version__}"
    result.torch_cpu_dtype = auto_dtype("cpu").value
    for name in gpu_names():
        try:
            gpu = look_at(name)
            dtype = auto_dtype(name).value
        except RuntimeError as error:
            result.problems.append(f"PyTorch, {name}: {error}")
            continue
        result.torch_gpus.append(TorchGpu(name=gpu.title, free_bytes=gpu.free_bytes, dtype=dtype))


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


def _verdict(engines: tuple[str, ...], reason: str) -> str:
    if engines:
        return f"can run a model: {', '.join(engines)}"
    return f"cannot run a model: {reason}"
