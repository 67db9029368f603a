"""GPU figures come from NVML, and nothing a driver does stops the rest."""

import pytest

from engine.nvml import GpuSensors
from engine.samples import GpuAbsence, ThrottleReason
from tests.engine import fake_nvml
from tests.engine.fake_nvml import FakeNvml


class Clock:
    now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


def _open(
    nvml: FakeNvml, clock: Clock | None = None, *, knows_all_pids: bool = True
) -> tuple[GpuSensors, list[str]]:
    faults: list[str] = []
    sensors = GpuSensors(
        lambda: nvml,
        lambda name, _text: faults.append(name),
        clock or Clock(),
        knows_all_pids=knows_all_pids,
    )
    sensors.open()
    return sensors, faults


def test_every_figure_of_a_gpu() -> None:
    sensors, faults = _open(FakeNvml())
    (gpu,) = sensors.sample(42)
    assert (gpu.name, gpu.index) == ("Fake GPU", 0)
    assert gpu.memory_used_bytes == 3 << 30
    assert gpu.memory_total_bytes == 8 << 30
    assert gpu.process_memory_bytes == 700 << 20
    assert gpu.utilization_ratio == pytest.approx(0.63)
    assert (gpu.power_mw, gpu.power_limit_mw) == (123_400, 300_000)
    assert (gpu.temperature_c, gpu.energy_mj) == (61, 9_000_000)
    assert sensors.absence is None
    assert faults == []


@pytest.mark.parametrize(
    ("bits", "reasons"),
    [
        (0x00, ()),
        (0x01 | 0x02, ()),
        (0x04, (ThrottleReason.POWER,)),
        (0x20 | 0x01, (ThrottleReason.HEAT,)),
        (0x40 | 0x80, (ThrottleReason.POWER, ThrottleReason.HEAT)),
        (0x08, (ThrottleReason.HARDWARE,)),
    ],
)
def test_why_a_gpu_is_slower_than_it_could_be(
    bits: int, reasons: tuple[ThrottleReason, ...]
) -> None:
    nvml = FakeNvml()
    nvml.answers["nvmlDeviceGetCurrentClocksThrottleReasons"] = bits
    sensors, _ = _open(nvml)
    assert sensors.sample(42)[0].throttled == reasons


def test_a_process_without_memory_there_holds_none_and_no_process_is_unknown() -> None:
    sensors, _ = _open(FakeNvml())
    assert sensors.sample(7)[0].process_memory_bytes == 0
    assert sensors.sample(None)[0].process_memory_bytes is None


def test_where_process_ids_are_of_another_namespace_none_listed_is_unknown() -> None:
    sensors, _ = _open(FakeNvml(), knows_all_pids=False)
    assert sensors.sample(7)[0].process_memory_bytes is None
    assert sensors.sample(42)[0].process_memory_bytes == 700 << 20


@pytest.mark.parametrize(
    ("function", "figure"),
    [
        ("nvmlDeviceGetMemoryInfo", "memory_used_bytes"),
        ("nvmlDeviceGetUtilizationRates", "utilization_ratio"),
        ("nvmlDeviceGetPowerUsage", "power_mw"),
        ("nvmlDeviceGetEnforcedPowerLimit", "power_limit_mw"),
        ("nvmlDeviceGetTemperature", "temperature_c"),
        ("nvmlDeviceGetTotalEnergyConsumption", "energy_mj"),
    ],
)
@pytest.mark.parametrize("error", [fake_nvml.NOT_SUPPORTED, fake_nvml.UNKNOWN])
def test_what_a_driver_refuses_is_blank_alone(function: str, figure: str, error: int) -> None:
    sensors, faults = _open(FakeNvml({function: error}))
    (gpu,) = sensors.sample(42)
    assert getattr(gpu, figure) is None
    known = [gpu.memory_used_bytes, gpu.utilization_ratio, gpu.power_mw, gpu.temperature_c]
    assert sum(value is not None for value in known) >= 3
    assert faults == [f"nvml.{function}"]


def test_no_driver_no_bindings_and_no_device_say_so() -> None:
    without_driver, faults = _open(FakeNvml({"nvmlInit": fake_nvml.LIBRARY_NOT_FOUND}))
    assert without_driver.absence is GpuAbsence.NO_DRIVER
    assert without_driver.sample(None) == ()
    without_device, _ = _open(FakeNvml(n_devices=0))
    assert without_device.absence is GpuAbsence.NO_DEVICE
    assert faults == []

    def refuse() -> FakeNvml:
        raise ImportError

    without_bindings = GpuSensors(refuse, lambda _name, _text: None, knows_all_pids=True)
    without_bindings.open()
    assert without_bindings.absence is GpuAbsence.NO_DRIVER


def test_a_lost_gpu_comes_back_after_a_pause() -> None:
    clock = Clock()
    nvml = FakeNvml()
    sensors, _ = _open(nvml, clock)
    nvml.errors = {"nvmlDeviceGetMemoryInfo": fake_nvml.GPU_IS_LOST}
    assert sensors.sample(42) == ()
    assert sensors.absence is GpuAbsence.DRIVER_FAILED
    nvml.errors = {}
    nvml.calls.clear()
    clock.now_ns = 9_000_000_000
    sensors.sample(42)
    assert "nvmlInit" not in nvml.calls
    clock.now_ns = 11_000_000_000
    assert sensors.sample(42)[0].memory_used_bytes == 3 << 30
    # Once open means that the driver of before was let go of.
    assert nvml.n_open == 1
    assert sensors.absence is None


def test_a_driver_that_is_gone_when_it_is_let_go_of_is_opened_again() -> None:
    clock = Clock()
    nvml = FakeNvml()
    sensors, _ = _open(nvml, clock)
    nvml.errors = {"nvmlDeviceGetMemoryInfo": fake_nvml.UNINITIALIZED}
    sensors.sample(42)
    nvml.errors = {"nvmlShutdown": fake_nvml.UNINITIALIZED}
    clock.now_ns = 11_000_000_000
    assert sensors.sample(42)[0].memory_used_bytes == 3 << 30
    assert sensors.absence is None


def test_a_gpu_lost_while_it_is_counted_is_looked_for_again() -> None:
    clock = Clock()
    nvml = FakeNvml({"nvmlDeviceGetCount": fake_nvml.GPU_IS_LOST})
    sensors, _ = _open(nvml, clock)
    assert sensors.absence is GpuAbsence.DRIVER_FAILED
    nvml.errors = {}
    clock.now_ns = 11_000_000_000
    assert sensors.sample(42)[0].memory_used_bytes == 3 << 30


def test_processes_are_asked_for_once_a_second() -> None:
    clock = Clock()
    nvml = FakeNvml()
    sensors, _ = _open(nvml, clock)
    for now_ms in (0, 250, 500, 750, 1000):
        clock.now_ns = now_ms * 1_000_000
        sensors.sample(42)
    assert nvml.calls.count("nvmlDeviceGetComputeRunningProcesses") == 2


def test_close_shuts_down_once() -> None:
    nvml = FakeNvml()
    sensors, _ = _open(nvml)
    sensors.close()
    sensors.close()
    assert nvml.calls.count("nvmlShutdown") == 1


def test_close_shuts_down_without_a_device() -> None:
    nvml = FakeNvml(n_devices=0)
    sensors, _ = _open(nvml)
    sensors.close()
    assert nvml.n_open == 0
