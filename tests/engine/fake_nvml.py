"""NVML as a driver with one GPU, with every fault, and one that crashes its process.

Module-level functions, so that a spawned sampler process can be given them.
"""

import os
from collections.abc import Callable
from types import SimpleNamespace


class NVMLError(Exception):
    def __init__(self, value: int) -> None:
        super().__init__(f"NVML error {value}")
        self.value = value


UNINITIALIZED, NOT_SUPPORTED, DRIVER_NOT_LOADED, LIBRARY_NOT_FOUND = 1, 3, 9, 12
GPU_IS_LOST, RESET_REQUIRED, UNKNOWN = 15, 16, 999


class FakeNvml:
    """One GPU. `errors` maps a function's name to the NVML error it raises.

    `n_open` counts as NVML does: it opens the driver at 1 and lets go of it at 0.
    """

    NVMLError = NVMLError
    NVML_ERROR_UNINITIALIZED = UNINITIALIZED
    NVML_ERROR_DRIVER_NOT_LOADED = DRIVER_NOT_LOADED
    NVML_ERROR_LIBRARY_NOT_FOUND = LIBRARY_NOT_FOUND
    NVML_ERROR_GPU_IS_LOST = GPU_IS_LOST
    NVML_ERROR_RESET_REQUIRED = RESET_REQUIRED
    NVML_TEMPERATURE_GPU = 0

    def __init__(self, errors: dict[str, int] | None = None, n_devices: int = 1) -> None:
        self.errors = errors or {}
        self.calls: list[str] = []
        self.n_open = 0
        self.processes = [SimpleNamespace(pid=42, usedGpuMemory=700 << 20)]
        self.answers: dict[str, object] = {
            "nvmlInit": None,
            "nvmlShutdown": None,
            "nvmlDeviceGetCount": n_devices,
            "nvmlDeviceGetHandleByIndex": "handle",
            "nvmlDeviceGetName": "Fake GPU",
            "nvmlDeviceGetMemoryInfo": SimpleNamespace(used=3 << 30, total=8 << 30),
            "nvmlDeviceGetUtilizationRates": SimpleNamespace(gpu=63, memory=20),
            "nvmlDeviceGetPowerUsage": 123_400,
            "nvmlDeviceGetEnforcedPowerLimit": 300_000,
            "nvmlDeviceGetTemperature": 61,
            "nvmlDeviceGetTotalEnergyConsumption": 9_000_000,
            # Idle, by its own word, and with its clocks set by somebody: no reason to worry.
            "nvmlDeviceGetCurrentClocksThrottleReasons": 0x03,
            "nvmlDeviceGetGraphicsRunningProcesses": [],
        }

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name == "nvmlDeviceGetComputeRunningProcesses":
            self.answers[name] = self.processes
        if name not in self.answers:
            raise AttributeError(name)

        def call(*_args: object) -> object:
            self.calls.append(name)
            if name in self.errors:
                raise NVMLError(self.errors[name])
            self.n_open += {"nvmlInit": 1, "nvmlShutdown": -1}.get(name, 0)
            return self.answers[name]

        return call


def load_one_gpu() -> FakeNvml:
    return FakeNvml()


def load_unsupporting() -> FakeNvml:
    return FakeNvml(
        {
            "nvmlDeviceGetPowerUsage": NOT_SUPPORTED,
            "nvmlDeviceGetTotalEnergyConsumption": NOT_SUPPORTED,
        }
    )


class AbortingNvml(FakeNvml):
    """Crashes the process as native code does, once it is asked for a temperature."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name == "nvmlDeviceGetTemperature":
            os.abort()
        return super().__getattr__(name)


def load_aborting() -> AbortingNvml:
    return AbortingNvml()
