"""GPUs through NVML. NVML can crash, so this is used in the sampler process only."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from engine.samples import GpuAbsence, GpuSample, ThrottleReason

NvmlLoader = Callable[[], Any]
"""Gives the `pynvml` module, or raises ImportError."""

FaultSink = Callable[[str, str], None]
"""Called with the name of a sensor and what it said, each time it fails."""

# The inode of the first PID namespace (PROC_PID_INIT_INO of linux/proc_ns.h).
_FIRST_PID_NAMESPACE = 0xEFFFFFFC
# Asking for the processes of a device takes milliseconds.
_PROCESSES_EVERY_NS = 1_000_000_000
# Bits of nvmlClocksEventReasons (nvml.h) that slow a busy device down; others are idling and
# settings.
_THROTTLE_BITS = {
    ThrottleReason.POWER: 0x04 | 0x80,
    ThrottleReason.HEAT: 0x20 | 0x40,
    ThrottleReason.HARDWARE: 0x08,
}
_FIRST_RETRY_NS = 10_000_000_000
_LAST_RETRY_NS = 300_000_000_000


def load_nvml() -> Any:  # noqa: ANN401 - an untyped module
    """The `pynvml` module of nvidia-ml-py."""
    import pynvml

    return pynvml


def sees_host_pids() -> bool:
    """Whether the process ids NVML lists mean the same here: not in a container with its own."""
    if sys.platform != "linux":
        return True
    try:
        return os.stat("/proc/self/ns/pid").st_ino == _FIRST_PID_NAMESPACE
    except OSError:
        return False


class GpuSensors:
    """Reads every GPU. All calls come from one thread; none raises for what a driver does.

    A driver that loses its device, or is reloaded, is opened again with growing pauses.
    """

    def __init__(
        self,
        load: NvmlLoader,
        on_fault: FaultSink,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
        *,
        knows_all_pids: bool,
    ) -> None:
        """Open nothing yet.

        Without `knows_all_pids` a process that NVML does not list may be there under another id.
        """
        self._load = load
        self._on_fault = on_fault
        self._clock_ns = clock_ns
        self._knows_all_pids = knows_all_pids
        self._nvml: Any = None
        self._is_open = False
        self._devices: list[tuple[Any, str]] = []
        self._absence: GpuAbsence | None = GpuAbsence.NO_DRIVER
        self._retry_ns: int | None = None
        self._pause_ns = _FIRST_RETRY_NS
        self._process_memory: dict[int, int | None] = {}
        self._processes_due_ns = 0
        self._processes_pid: int | None = None

    @property
    def absence(self) -> GpuAbsence | None:
        """Why there are no GPU figures; None where there are."""
        return self._absence

    def open(self) -> None:
        """Initialise NVML and list the devices.

        NVML counts how often it was initialised: it opens a driver anew only after it was shut down
        as often.
        """
        self.close()
        try:
            self._nvml = self._load()
            self._nvml.nvmlInit()
        except ImportError:
            self._absence = GpuAbsence.NO_DRIVER
            return
        except self._nvml.NVMLError as error:
            self._note_failed_init(error)
            return
        self._is_open = True
        n_devices = self._ask("nvmlDeviceGetCount") or 0
        for index in range(n_devices):
            handle = self._ask("nvmlDeviceGetHandleByIndex", index)
            if handle is not None:
                self._devices.append((handle, self._ask("nvmlDeviceGetName", handle) or "GPU"))
        if self._retry_ns is None:
            self._absence = None if self._devices else GpuAbsence.NO_DEVICE

    def sample(self, pid: int | None) -> tuple[GpuSample, ...]:
        """Every GPU now, with the memory that process `pid` holds on it."""
        now_ns = self._clock_ns()
        if self._retry_ns is not None:
            if now_ns < self._retry_ns:
                return ()
            self._retry_ns = None
            self.open()
        if now_ns >= self._processes_due_ns or pid != self._processes_pid:
            self._processes_due_ns = now_ns + _PROCESSES_EVERY_NS
            self._processes_pid = pid
            self._process_memory = {
                index: self._memory_of(handle, pid)
                for index, (handle, _) in enumerate(self._devices)
            }
        samples = tuple(
            self._sample_device(index, handle, name)
            for index, (handle, name) in enumerate(self._devices)
        )
        return samples if self._absence is None else ()

    def close(self) -> None:
        """Shut NVML down. May be called twice."""
        self._devices = []
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._nvml.nvmlShutdown()
        except (self._nvml.NVMLError, OSError) as error:
            # Not `_ask`: a driver that is gone says so here, which is no reason to wait again.
            self._on_fault("nvml.nvmlShutdown", str(error))

    def _sample_device(self, index: int, handle: object, name: str) -> GpuSample:
        memory = self._ask("nvmlDeviceGetMemoryInfo", handle)
        use = self._ask("nvmlDeviceGetUtilizationRates", handle)
        return GpuSample(
            index=index,
            name=name,
            memory_used_bytes=None if memory is None else int(memory.used),
            memory_total_bytes=None if memory is None else int(memory.total),
            process_memory_bytes=self._process_memory.get(index),
            utilization_ratio=None if use is None else use.gpu / 100,
            power_mw=self._ask("nvmlDeviceGetPowerUsage", handle),
            power_limit_mw=self._ask("nvmlDeviceGetEnforcedPowerLimit", handle),
            temperature_c=self._ask(
                "nvmlDeviceGetTemperature", handle, self._nvml.NVML_TEMPERATURE_GPU
            ),
            energy_mj=self._ask("nvmlDeviceGetTotalEnergyConsumption", handle),
            throttled=self._throttled(handle),
        )

    def _throttled(self, handle: object) -> tuple[ThrottleReason, ...] | None:
        bits = self._ask("nvmlDeviceGetCurrentClocksThrottleReasons", handle)
        if bits is None:
            return None
        return tuple(reason for reason, mask in _THROTTLE_BITS.items() if bits & mask)

    def _memory_of(self, handle: object, pid: int | None) -> int | None:
        if pid is None:
            return None
        lists = [
            self._ask(name, handle)
            for name in (
                "nvmlDeviceGetComputeRunningProcesses",
                "nvmlDeviceGetGraphicsRunningProcesses",
            )
        ]
        if all(found is None for found in lists):
            return None
        # A process that computes and draws is in both lists, with the same memory.
        held = [entry.usedGpuMemory for found in lists for entry in found or () if entry.pid == pid]
        known = [int(value) for value in held if value is not None]
        if known:
            return max(known)
        return 0 if self._knows_all_pids and not held else None

    def _ask(self, name: str, *args: object) -> Any:  # noqa: ANN401 - what NVML gives
        try:
            return getattr(self._nvml, name)(*args)
        except self._nvml.NVMLError as error:
            self._on_fault(f"nvml.{name}", str(error))
            if self._is_lost(error):
                self._schedule_retry()
        except (AttributeError, OSError, ValueError) as error:
            self._on_fault(f"nvml.{name}", str(error))
        return None

    def _note_failed_init(self, error: Exception) -> None:
        if getattr(error, "value", None) in (
            self._nvml.NVML_ERROR_LIBRARY_NOT_FOUND,
            self._nvml.NVML_ERROR_DRIVER_NOT_LOADED,
        ):
            self._absence = GpuAbsence.NO_DRIVER
            return
        self._on_fault("nvml.nvmlInit", str(error))
        self._schedule_retry()

    def _is_lost(self, error: Exception) -> bool:
        return getattr(error, "value", None) in (
            self._nvml.NVML_ERROR_UNINITIALIZED,
            self._nvml.NVML_ERROR_DRIVER_NOT_LOADED,
            self._nvml.NVML_ERROR_GPU_IS_LOST,
            self._nvml.NVML_ERROR_RESET_REQUIRED,
        )

    def _schedule_retry(self) -> None:
        if self._retry_ns is None:
            self._absence = GpuAbsence.DRIVER_FAILED
            self._retry_ns = self._clock_ns() + self._pause_ns
            self._pause_ns = min(2 * self._pause_ns, _LAST_RETRY_NS)
