"""What NVML says of a process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.nvml import load_nvml

if TYPE_CHECKING:
    from engine.nvml import NvmlLoader


def process_bytes(pid: int, load: NvmlLoader = load_nvml) -> int | None:
    """Device memory of a process on all GPUs; None where NVML does not say.

    In a container NVML may list processes by the ids they have outside, so one that is not in the
    list may hold memory all the same.
    """
    try:
        nvml = load()
    except ImportError as error:
        print(f"   NVML: {error}")
        return None
    try:
        nvml.nvmlInit()
        try:
            return _listed_bytes(nvml, pid)
        finally:
            nvml.nvmlShutdown()
    except nvml.NVMLError as error:
        print(f"   NVML: {error}")
        return None


def _listed_bytes(nvml: Any, pid: int) -> int | None:  # noqa: ANN401  # an untyped module
    total = 0
    for index in range(nvml.nvmlDeviceGetCount()):
        device = nvml.nvmlDeviceGetHandleByIndex(index)
        for process in nvml.nvmlDeviceGetComputeRunningProcesses(device):
            if process.pid == pid:
                if process.usedGpuMemory is None:
                    return None
                total += int(process.usedGpuMemory)
    return total or None
