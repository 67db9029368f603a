"""A real sampler process reads real processes, obeys its commands and leaves with its parent."""

import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import psutil
import pytest

from engine.nvml import NvmlLoader
from engine.rapl import RaplSensors
from engine.sampler import ProcessSensor, _Sampler, run_sampler
from engine.samples import ClockFault, GpuAbsence, Interval, Sample, SensorFault, Watch
from engine.sleep import ClockWatch
from tests.engine import fake_nvml
from tests.engine.test_rapl import Machine
from tests.engine.test_sleep import Clocks

_PATIENCE_S = 60.0


@dataclass
class Running:
    connection: Connection
    process: SpawnProcess

    def until(self, wanted: Callable[[Sample | SensorFault], bool]) -> Sample | SensorFault:
        """Messages up to the first wanted one, which is given back."""
        deadline_s = time.monotonic() + _PATIENCE_S
        while self.connection.poll(max(0.0, deadline_s - time.monotonic())):
            message: Sample | SensorFault = self.connection.recv()
            if wanted(message):
                return message
        raise AssertionError("the sampler did not say it in time")

    def sample(self, wanted: Callable[[Sample], bool]) -> Sample:
        found = self.until(lambda message: isinstance(message, Sample) and wanted(message))
        assert isinstance(found, Sample)
        return found


@contextmanager
def running(load_nvml: NvmlLoader | None) -> Iterator[Running]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=run_sampler, args=(theirs, load_nvml), daemon=True)
    process.start()
    theirs.close()
    ours.send(Interval(interval_ms=50))
    try:
        yield Running(ours, process)
    finally:
        ours.close()
        process.join(_PATIENCE_S)


@pytest.fixture
def busy_process() -> Iterator[subprocess.Popen[bytes]]:
    code = "held = bytearray(64 << 20)\nprint(flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        # It holds all of it then.
        process.stdout.readline()
        yield process
        process.kill()


def test_a_longer_interval_puts_off_the_next_sample(tmp_path: Path) -> None:
    ours, theirs = multiprocessing.Pipe()
    sampler = _Sampler(theirs, None, RaplSensors(tmp_path), ClockWatch())
    hour_ms = 3_600_000
    begin_ns = time.perf_counter_ns()
    sampler._obey(Interval(interval_ms=hour_ms))
    due_ns = sampler._due_ns
    assert due_ns - begin_ns >= hour_ms * 1_000_000
    # Asking again for the same puts nothing off.
    sampler._obey(Interval(interval_ms=hour_ms))
    assert sampler._due_ns == due_ns
    sampler._obey(Interval(interval_ms=50))
    assert sampler._due_ns < due_ns
    ours.close()
    theirs.close()


def test_the_power_of_the_first_sample_after_a_sleep_is_unknown(tmp_path: Path) -> None:
    clocks, machine = Clocks(), Machine(tmp_path)
    machine.put("intel-rapl:0", "package-0", 0)
    ours, theirs = multiprocessing.Pipe()
    rapl = RaplSensors(tmp_path, lambda: clocks.now_ns)
    sampler = _Sampler(theirs, None, rapl, clocks.watch())
    sampler._take(with_gpus=False)
    clocks.pass_s(1)
    machine.put("intel-rapl:0", "package-0", 10_000_000)
    sampler._look_at_clocks()
    assert sampler._take(with_gpus=False).cpu_power_mw == 10_000
    clocks.sleep_s(600)
    clocks.pass_s(0.25)
    machine.put("intel-rapl:0", "package-0", 110_000_000)
    sampler._look_at_clocks()
    assert ours.poll(_PATIENCE_S)
    fault = ours.recv()
    assert isinstance(fault, ClockFault)
    assert fault.asleep_ns == 600_000_000_000
    sample = sampler._take(with_gpus=False)
    assert (sample.cpu_power_mw, sample.cpu_energy_mj) == (None, 10_000)
    ours.close()
    theirs.close()


def test_a_busy_process_is_seen_and_its_end_is_unknown(
    busy_process: subprocess.Popen[bytes],
) -> None:
    with running(None) as sampler:
        sampler.connection.send(Watch(engine_pid=busy_process.pid, window_pid=os.getpid()))
        sample = sampler.sample(lambda sample: (sample.engine_cpu_cores or 0) > 0.2)
        assert sample.engine_pid == busy_process.pid
        assert sample.engine_cpu_cores is not None
        assert sample.engine_cpu_cores < 1.5
        assert sample.engine_rss_bytes is not None
        assert 64 << 20 < sample.engine_rss_bytes < 200 << 20
        assert sample.window_cpu_cores is not None
        assert sample.machine_total_bytes == psutil.virtual_memory().total
        assert sample.machine_used_bytes is not None
        assert 0 < sample.machine_used_bytes < sample.machine_total_bytes
        assert sample.n_cores == os.cpu_count()
        assert sample.machine_cpu_cores is not None
        assert 0 <= sample.machine_cpu_cores <= (os.cpu_count() or 0)
        before_ns = time.perf_counter_ns()
        assert sample.t_ns < before_ns
        busy_process.kill()
        busy_process.wait()
        sample = sampler.sample(lambda sample: sample.engine_rss_bytes is None)
        assert sample.engine_cpu_cores is None
        assert sample.t_ns > before_ns


def test_resident_memory_is_that_of_proc(busy_process: subprocess.Popen[bytes]) -> None:
    status = Path(f"/proc/{busy_process.pid}/status")
    if not status.exists():
        pytest.skip("a system without /proc")
    with running(None) as sampler:
        sampler.connection.send(Watch(engine_pid=busy_process.pid, window_pid=os.getpid()))
        sample = sampler.sample(lambda sample: (sample.engine_rss_bytes or 0) > 64 << 20)
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        in_files = int(lines["RssFile"].split()[0]) + int(lines["RssShmem"].split()[0])
        assert sample.engine_rss_bytes == pytest.approx(
            int(lines["VmRSS"].split()[0]) * 1024, rel=0.02
        )
        assert sample.engine_file_bytes == pytest.approx(in_files * 1024, rel=0.02)
        assert sample.window_rss_bytes is not None
        assert sample.window_file_bytes is not None
        assert 0 < sample.window_file_bytes < sample.window_rss_bytes
        own = psutil.Process(sampler.process.pid).memory_info().rss
        assert sample.sampler_rss_bytes == pytest.approx(own, rel=0.1)


def test_without_an_engine_its_figures_are_unknown() -> None:
    with running(None) as sampler:
        sampler.connection.send(Watch(engine_pid=os.getpid(), window_pid=None))
        sampler.sample(lambda sample: sample.engine_rss_bytes is not None)
        sampler.connection.send(Watch(engine_pid=None, window_pid=None))
        sample = sampler.sample(lambda sample: sample.engine_pid is None)
        assert sample.engine_rss_bytes is None
        assert sample.engine_cpu_cores is None
        assert sample.window_cpu_cores is None


def test_the_first_cpu_figure_is_unknown_not_zero() -> None:
    with running(None) as sampler:
        first = sampler.sample(lambda _sample: True)
        assert first.machine_cpu_cores is None
        second = sampler.sample(lambda _sample: True)
        assert second.machine_cpu_cores is not None


def test_interval_is_obeyed() -> None:
    with running(None) as sampler:
        sampler.connection.send(Interval(interval_ms=100))
        stamps = [sampler.sample(lambda _sample: True).t_ns for _ in range(8)][3:]
        gaps_ms = [(b - a) / 1e6 for a, b in itertools.pairwise(stamps)]
        assert min(gaps_ms) > 95


def test_it_leaves_when_the_pipe_closes_and_not_at_ctrl_c() -> None:
    with running(None) as sampler:
        sampler.sample(lambda _sample: True)
        assert sampler.process.pid is not None
        os.kill(sampler.process.pid, signal.SIGINT)
        sampler.sample(lambda _sample: True)
        sampler.sample(lambda _sample: True)
    assert sampler.process.exitcode == 0


def test_gpu_figures_arrive_and_refusals_are_reported_once() -> None:
    with running(fake_nvml.load_unsupporting) as sampler:
        fault = sampler.until(lambda message: isinstance(message, SensorFault))
        assert isinstance(fault, SensorFault)
        assert fault.sensor == "nvml.nvmlDeviceGetPowerUsage"
        seen: list[str] = []

        def third_with_gpu(message: Sample | SensorFault) -> bool:
            seen.append(message.sensor if isinstance(message, SensorFault) else "sample")
            return seen.count("sample") >= 3

        sample = sampler.until(third_with_gpu)
        assert isinstance(sample, Sample)
        assert sample.gpus[0].utilization_ratio == pytest.approx(0.63)
        assert sample.gpus[0].power_mw is None
        assert [name for name in seen if name != "sample"] == [
            "nvml.nvmlDeviceGetTotalEnergyConsumption"
        ]


def test_without_nvml_the_reason_is_given() -> None:
    with running(None) as sampler:
        sample = sampler.sample(lambda _sample: True)
        assert sample.gpus == ()
        assert sample.gpu_absence is GpuAbsence.SAMPLER_CRASHED


def test_importing_the_sampler_loads_neither_nvml_nor_numpy_nor_qt() -> None:
    code = (
        "import sys, engine.sampler; "
        "print([m for m in ('pynvml', 'numpy', 'PySide6', 'llama_cpp') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout.strip() == b"[]"


def test_a_process_that_ended_and_was_not_waited_for_is_unknown_not_zero() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    sensor = ProcessSensor(child.pid)
    assert sensor.memory().rss_bytes
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)

    assert sensor.memory().rss_bytes is None
    assert sensor.cpu_cores() is None
    child.communicate()
