"""What the sampler process says about the machine, and what it is told to look at."""

from dataclasses import dataclass
from enum import StrEnum


class GpuAbsence(StrEnum):
    """Why there are no GPU figures."""

    NO_DRIVER = "no_driver"
    NO_DEVICE = "no_device"
    DRIVER_FAILED = "driver_failed"
    SAMPLER_CRASHED = "sampler_crashed"


class CpuEnergyAbsence(StrEnum):
    """Why the energy of the CPU is not known."""

    NO_COUNTER = "no_counter"
    NOT_ALLOWED = "not_allowed"
    FAILED = "failed"


class ThrottleReason(StrEnum):
    """Why a device runs slower than it could."""

    POWER = "power"
    HEAT = "heat"
    HARDWARE = "hardware"


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuSample:
    """One GPU at one moment; None where its driver does not say.

    Attributes:
        index: As NVML counts.
        name: The device's name.
        memory_used_bytes: Of the whole device.
        memory_total_bytes: Of the whole device.
        process_memory_bytes: Of the engine process; 0 when it holds none.
        utilization_ratio: Share of time a kernel ran, 0 to 1.
        power_mw: Power drawn, milliwatts.
        power_limit_mw: Power it is limited to, milliwatts.
        temperature_c: Of the chip, degrees Celsius.
        energy_mj: Energy counter since the driver was loaded, millijoules.
        throttled: Why it slows itself down; empty where it does not.
    """

    index: int
    name: str
    memory_used_bytes: int | None = None
    memory_total_bytes: int | None = None
    process_memory_bytes: int | None = None
    utilization_ratio: float | None = None
    power_mw: int | None = None
    power_limit_mw: int | None = None
    temperature_c: int | None = None
    energy_mj: int | None = None
    throttled: tuple[ThrottleReason, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The machine at `t_ns` (`time.perf_counter_ns()`); None where unknown.

    CPU figures are of the time since the sample before, where 1 is one core fully busy; the
    first sample of a process has none.

    Attributes:
        t_ns: When it was taken.
        engine_pid: The engine process looked at, None when there is none.
        engine_rss_bytes: Its resident memory; pages of a mapped model file that are in
            memory count.
        engine_cpu_cores: Cores it kept busy.
        window_cpu_cores: Cores the window's process kept busy.
        machine_used_bytes: Memory that is not available to a new process.
        machine_total_bytes: Memory of the machine.
        machine_cpu_cores: Cores the whole machine kept busy.
        n_cores: Logical cores of the machine.
        cpu_energy_mj: Energy that all CPU packages took since their counters were first read,
            millijoules. Not comparable over a sample in which it is unknown.
        cpu_power_mw: The mean of it since the sample before, milliwatts.
        cpu_energy_absence: Why `cpu_energy_mj` is unknown, where it is for longer.
        cpu_throttle_count: How often the CPU was slowed down by heat since the machine started.
        gpus: One entry a GPU.
        gpu_absence: Why `gpus` is empty.
    """

    t_ns: int
    engine_pid: int | None = None
    engine_rss_bytes: int | None = None
    engine_cpu_cores: float | None = None
    window_cpu_cores: float | None = None
    machine_used_bytes: int | None = None
    machine_total_bytes: int | None = None
    machine_cpu_cores: float | None = None
    n_cores: int | None = None
    cpu_energy_mj: int | None = None
    cpu_power_mw: int | None = None
    cpu_energy_absence: CpuEnergyAbsence | None = None
    cpu_throttle_count: int | None = None
    gpus: tuple[GpuSample, ...] = ()
    gpu_absence: GpuAbsence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorFault:
    """A sensor failed for the first time; its figures are blank from now on, or for a while."""

    sensor: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Look at these processes from now on."""

    engine_pid: int | None
    window_pid: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Take a sample every `interval_ms` milliseconds from now on."""

    interval_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFault:
    """A clock did not go on as time does, noticed at `t_ns`.

    Attributes:
        t_ns: When it was noticed, `time.perf_counter_ns()`.
        asleep_ns: How long the machine was suspended since the last look; 0 where it was not.
        jump_ns: How far the time of day was put forward, or back where negative.
    """

    t_ns: int
    asleep_ns: int = 0
    jump_ns: int = 0


SamplerMessage = Sample | SensorFault | ClockFault
SamplerCommand = Watch | Interval
