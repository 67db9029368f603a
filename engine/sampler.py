"""The sampler: a process of its own that reads what the machine does.

Its own process because NVML can crash the one it runs in, and because reading must neither wait
for the window nor make it wait.
"""

import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple, TypeVar

import psutil

from engine.cpu_throttle import CpuThrottle
from engine.nvml import GpuSensors, NvmlLoader, sees_host_pids
from engine.rapl import POWERCAP, CpuEnergy, RaplSensors
from engine.samples import (
    GpuAbsence,
    GpuSample,
    Interval,
    Sample,
    SamplerCommand,
    SensorFault,
    Watch,
)
from engine.sleep import ClockWatch

IDLE_INTERVAL_MS = 1000
_SHORTEST_INTERVAL_MS = 20

_T = TypeVar("_T")


def run_sampler(
    connection: Connection, load_nvml: NvmlLoader | None, powercap: Path = POWERCAP
) -> None:
    """Run the sampler until the other end of `connection` is closed. Target of the process.

    Takes `SamplerCommand`s and sends `SamplerMessage`s. Without `load_nvml` GPUs are not read,
    because an earlier sampler crashed in NVML. `powercap` has the counters of the CPU's energy.
    """
    # Ctrl+C in a terminal reaches every process of its group; the pipe says when to leave.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sampler = _Sampler(connection, load_nvml, RaplSensors(powercap), ClockWatch())
    try:
        sampler.run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    finally:
        sampler.close()


class Resident(NamedTuple):
    """Resident memory of a process, and those bytes of it that are pages of mapped files."""

    rss_bytes: int | None
    file_bytes: int | None


_NOTHING = Resident(None, None)


class ProcessSensor:
    """Memory and CPU of one process; None once it has ended."""

    def __init__(self, pid: int) -> None:
        """Remember the process, so that a later one with the same id is not taken for it."""
        self.pid = pid
        self._process: psutil.Process | None = None
        self._had_cpu = False
        self._is_there = True
        try:
            self._process = psutil.Process(pid)
        except psutil.Error:
            return
        self.cpu_cores()

    def memory(self) -> Resident:
        """Resident memory, and the pages of files in it, both of one moment."""
        self._is_there = False
        if self._process is None:
            return _NOTHING
        try:
            found = self._process.memory_info()
        except psutil.Error:
            return _NOTHING
        # A process that has ended and that nobody has waited for yet has 0.
        if not found.rss:
            return _NOTHING
        self._is_there = True
        shared = getattr(found, "shared", None)
        return Resident(int(found.rss), None if shared is None else int(shared))

    def cpu_cores(self) -> float | None:
        """Cores kept busy since the last call; None at the first, and where `memory` found none."""
        if self._process is None or not self._is_there:
            return None
        try:
            cores = self._process.cpu_percent(None) / 100
        except psutil.Error:
            return None
        had_cpu, self._had_cpu = self._had_cpu, True
        return cores if had_cpu else None


class _Sampler:
    """The loop of the process."""

    def __init__(
        self,
        connection: Connection,
        load_nvml: NvmlLoader | None,
        rapl: RaplSensors,
        clocks: ClockWatch,
    ) -> None:
        self._connection = connection
        self._rapl = rapl
        self._clocks = clocks
        self._faults: set[str] = set()
        self._interval_ns = IDLE_INTERVAL_MS * 1_000_000
        self._due_ns = time.perf_counter_ns()
        self._engine: ProcessSensor | None = None
        self._window: ProcessSensor | None = None
        self._self = ProcessSensor(os.getpid())
        self._n_cores = os.cpu_count()
        self._gpus = (
            None
            if load_nvml is None
            else GpuSensors(load_nvml, self._report, knows_all_pids=sees_host_pids())
        )
        self._had_machine_cpu = False
        self._throttle = CpuThrottle()

    def run(self) -> None:
        # A machine with a sick GPU still shows its other figures while NVML opens.
        self._connection.send(self._take(with_gpus=False))
        if self._gpus is not None:
            self._read("nvml", self._gpus.open)
        while True:
            wait_ns = self._due_ns - time.perf_counter_ns()
            if self._connection.poll(max(0, wait_ns) / 1e9):
                self._obey(self._connection.recv())
            elif time.perf_counter_ns() >= self._due_ns:
                self._look_at_clocks()
                self._connection.send(self._take(with_gpus=True))
                self._due_ns = time.perf_counter_ns() + self._interval_ns

    def _look_at_clocks(self) -> None:
        fault = self._clocks.look()
        if fault is None:
            return
        if fault.asleep_ns:
            self._rapl.skip()
        self._connection.send(fault)

    def close(self) -> None:
        if self._gpus is not None:
            self._gpus.close()
        self._connection.close()

    def _obey(self, command: SamplerCommand) -> None:
        match command:
            case Interval(interval_ms=interval_ms):
                interval_ns = max(interval_ms, _SHORTEST_INTERVAL_MS) * 1_000_000
                # Also when it is longer: whoever asks for none wants none from now on.
                if interval_ns != self._interval_ns:
                    self._interval_ns = interval_ns
                    self._due_ns = time.perf_counter_ns() + interval_ns
            case Watch(engine_pid=engine_pid, window_pid=window_pid):
                self._engine = _sensor(self._engine, engine_pid)
                self._window = _sensor(self._window, window_pid)

    def _take(self, *, with_gpus: bool) -> Sample:
        engine, window = self._engine, self._window
        memory = self._read("memory", psutil.virtual_memory)
        engine_memory = (None if engine is None else self._read("rss", engine.memory)) or _NOTHING
        window_memory = (None if window is None else self._read("rss", window.memory)) or _NOTHING
        own_memory = self._read("rss", self._self.memory) or _NOTHING
        gpus = self._gpus if with_gpus else None
        gpu_samples = () if gpus is None else self._read_gpus(gpus)
        # Last, at the time of the stamp: a sick driver may have kept the reading waiting.
        energy = self._read("rapl", self._rapl.read) or CpuEnergy()
        return Sample(
            t_ns=time.perf_counter_ns(),
            engine_pid=None if engine is None else engine.pid,
            engine_rss_bytes=engine_memory.rss_bytes,
            engine_file_bytes=engine_memory.file_bytes,
            engine_cpu_cores=None if engine is None else self._read("cpu", engine.cpu_cores),
            window_rss_bytes=window_memory.rss_bytes,
            window_file_bytes=window_memory.file_bytes,
            sampler_rss_bytes=own_memory.rss_bytes,
            sampler_file_bytes=own_memory.file_bytes,
            window_cpu_cores=None if window is None else self._read("cpu", window.cpu_cores),
            machine_used_bytes=None if memory is None else memory.total - memory.available,
            machine_total_bytes=None if memory is None else memory.total,
            machine_cpu_cores=self._machine_cpu_cores(),
            n_cores=self._n_cores,
            cpu_energy_mj=energy.energy_mj,
            cpu_power_mw=energy.power_mw,
            cpu_energy_absence=self._rapl.absence,
            cpu_throttle_count=self._read("throttle", self._throttle.count),
            gpus=gpu_samples,
            gpu_absence=self._gpu_absence(with_gpus=with_gpus),
        )

    def _read_gpus(self, gpus: GpuSensors) -> tuple[GpuSample, ...]:
        pid = None if self._engine is None else self._engine.pid
        return self._read("gpu", lambda: gpus.sample(pid)) or ()

    def _gpu_absence(self, *, with_gpus: bool) -> GpuAbsence | None:
        if self._gpus is None:
            return GpuAbsence.SAMPLER_CRASHED
        return self._gpus.absence if with_gpus else None

    def _machine_cpu_cores(self) -> float | None:
        share = self._read("machine cpu", lambda: psutil.cpu_percent(None) / 100)
        had_cpu, self._had_machine_cpu = self._had_machine_cpu, True
        if share is None or self._n_cores is None or not had_cpu:
            return None
        return share * self._n_cores

    def _read(self, sensor: str, read: Callable[[], _T]) -> _T | None:
        # The boundary of this process: whatever a sensor raises costs its own figure only.
        try:
            return read()
        except Exception as error:  # noqa: BLE001
            self._report(sensor, f"{type(error).__name__}: {error}")
            return None

    def _report(self, sensor: str, text: str) -> None:
        if sensor not in self._faults:
            self._faults.add(sensor)
            self._connection.send(SensorFault(sensor=sensor, text=text))


def _sensor(current: ProcessSensor | None, pid: int | None) -> ProcessSensor | None:
    if pid is None:
        return None
    if current is not None and current.pid == pid:
        return current
    return ProcessSensor(pid)
