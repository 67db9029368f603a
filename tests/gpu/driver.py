"""What NVML says of a process."""

from __future__ import annotations

from engine.nvml import load_nvml


def process_bytes(pid: int) -> int | None:
    """Device memory of a process on all GPUs; None where NVML does not say, 0 where it has none."""
    try:
        nvml = load_nvml()
        nvml.nvmlInit()
    except Exception as error:  # noqa: BLE001  # whatever the driver has against it
        print(f"   NVML: {error}")
        return None
    total = 0
    try:
        for index in range(nvml.nvmlDeviceGetCount()):
            device = nvml.nvmlDeviceGetHandleByIndex(index)
            for process in nvml.nvmlDeviceGetComputeRunningProcesses(device):
                if process.pid == pid:
                    if process.usedGpuMemory is None:
                        return None
                    total += int(process.usedGpuMemory)
    finally:
        nvml.nvmlShutdown()
    return total
