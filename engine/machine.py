"""What this process may use of the machine: cores and memory, within affinity and cgroup limits."""

import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path

import psutil

_CGROUP = Path("/sys/fs/cgroup")
_UNLIMITED = 1 << 60
_NVIDIA_DRIVER = Path("/proc/driver/nvidia/gpus")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cores:
    """Cores this process may run on. `physical` leaves out the second thread of a core."""

    physical: int
    logical: int


def usable_cores() -> Cores:
    """Count cores within the affinity mask and the cgroup's CPU quota; at least one."""
    logical = os.cpu_count() or 1
    physical = psutil.cpu_count(logical=False) or logical
    if hasattr(os, "sched_getaffinity"):
        mask = os.sched_getaffinity(0)
        logical = min(logical, len(mask))
        physical = min(physical, _distinct_cores(mask) or physical)
    quota = _cpu_quota()
    if quota is not None:
        logical = min(logical, max(int(quota), 1))
    return Cores(physical=max(min(physical, logical), 1), logical=max(logical, 1))


def available_memory_bytes() -> int:
    """Bytes this process can still take: of the machine, or of its cgroup where that is less."""
    free = int(psutil.virtual_memory().available)
    limit, used = _read_int("memory.max"), _read_int("memory.current")
    if limit is None or used is None or limit >= _UNLIMITED:
        return free
    # Cached file pages count as used and are given up under pressure.
    cached = _memory_stat("inactive_file")
    return min(free, max(limit - used + cached, 0))


def cpu_name() -> str:
    """The processor as the system calls it."""
    if platform.system() == "Linux":
        try:
            text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        except OSError:
            text = ""
        for line in text.splitlines():
            if line.lower().startswith("model name") and ":" in line:
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def nvidia_gpu_names(driver: Path = _NVIDIA_DRIVER) -> tuple[str, ...]:
    """Names of the GPUs that the kernel driver lists; none where it lists nothing.

    NVML would say more, and can crash, which a model must not die of.
    """
    names = []
    try:
        for folder in sorted(driver.iterdir()):
            text = (folder / "information").read_text(encoding="utf-8", errors="replace")
            if match := re.search(r"^Model:\s*(.+)$", text, re.MULTILINE):
                names.append(match[1].strip())
    except OSError:
        return tuple(names)
    return tuple(names)


def _distinct_cores(cpus: set[int]) -> int:
    cores = set()
    for cpu in cpus:
        topology = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology")
        try:
            core = (topology / "core_id").read_text().strip()
            package = (topology / "physical_package_id").read_text().strip()
        except OSError:
            return 0
        cores.add((package, core))
    return len(cores)


def _cpu_quota() -> float | None:
    try:
        quota, period = (_own_cgroup() / "cpu.max").read_text().split()
        return None if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None


def _own_cgroup() -> Path:
    try:
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::"):
                return _CGROUP / line[3:].lstrip("/")
    except OSError:
        pass
    return _CGROUP


def _read_int(name: str) -> int | None:
    try:
        return int((_own_cgroup() / name).read_text())
    except (OSError, ValueError):
        return None


def _memory_stat(name: str) -> int:
    try:
        for line in (_own_cgroup() / "memory.stat").read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
    except (OSError, ValueError):
        pass
    return 0
