"""The reader brings samples to the main thread and outlives its process."""

import logging
import multiprocessing
import multiprocessing.process
import os
import signal
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import SignalInstance
from pytestqt.qtbot import QtBot

from app.marks import MarkKind
from app.sampling import _NOT_STARTED, SamplerReader, _reap
from engine.nvml import NvmlLoader
from engine.samples import ClockFault, GpuAbsence, Sample
from tests.engine import fake_nvml
from tests.waiting import WAIT_MS


def _heard(source: SignalInstance) -> list[Any]:
    """What a signal of another thread says from now on.

    Not `qtbot.waitSignal`: it disconnects while more is queued, for an object that is then gone.
    """
    values: list[Any] = []
    source.connect(lambda value: values.append(value))
    return values


def _reader(load_nvml: NvmlLoader) -> SamplerReader:
    reader = SamplerReader(load_nvml=load_nvml, back_off_s=(0.01,))
    reader.set_interval_ms(50)
    return reader


@pytest.fixture
def reader(qapp: object) -> Iterator[SamplerReader]:
    reader = _reader(fake_nvml.load_one_gpu)
    yield reader
    reader.close()


def test_samples_arrive_in_the_main_thread(qtbot: QtBot, reader: SamplerReader) -> None:
    threads: list[threading.Thread] = []
    reader.sample_arrived.connect(lambda _sample: threads.append(threading.current_thread()))
    reader.set_engine_pid(os.getpid())
    samples: list[Sample] = _heard(reader.sample_arrived)
    reader.start()

    def is_complete() -> bool:
        return any(sample.engine_rss_bytes and sample.gpus for sample in samples)

    qtbot.waitUntil(is_complete, timeout=WAIT_MS)
    sample = samples[-1]
    assert sample.engine_pid == os.getpid()
    assert "sampler-reader" in [thread.name for thread in threading.enumerate()]


def test_a_killed_sampler_starts_again_with_what_it_was_told(
    qtbot: QtBot, reader: SamplerReader, caplog: pytest.LogCaptureFixture
) -> None:
    reader.set_engine_pid(os.getpid())
    samples, restarts = _heard(reader.sample_arrived), _heard(reader.restarted)
    reader.start()
    qtbot.waitUntil(lambda: bool(samples), timeout=WAIT_MS)
    first_pid = reader.pid
    assert first_pid is not None
    with caplog.at_level(logging.WARNING):
        os.kill(first_pid, signal.SIGKILL)
        qtbot.waitUntil(lambda: restarts == [-signal.SIGKILL], timeout=WAIT_MS)
    samples.clear()
    qtbot.waitUntil(
        lambda: bool(samples and samples[-1].engine_pid == os.getpid() and samples[-1].gpus),
        timeout=WAIT_MS,
    )
    assert reader.pid != first_pid
    assert "starting it again" in caplog.text


def test_a_crash_in_nvml_brings_it_back_without_gpus(qtbot: QtBot) -> None:
    reader = _reader(fake_nvml.load_aborting)
    samples, restarts = _heard(reader.sample_arrived), _heard(reader.restarted)
    marks = _heard(reader.marked)
    try:
        reader.start()
        qtbot.waitUntil(
            lambda: bool(samples) and samples[-1].gpu_absence is GpuAbsence.SAMPLER_CRASHED,
            timeout=WAIT_MS,
        )
        assert samples[-1].machine_total_bytes > 0
        assert restarts == [-signal.SIGABRT]
        assert [(mark.kind, mark.detail) for mark in marks] == [
            (MarkKind.SAMPLER_RESTARTED, (-signal.SIGABRT,))
        ]
        assert marks[0].t_ns < samples[-1].t_ns
    finally:
        reader.close()


def test_close_ends_process_and_thread_even_during_the_back_off(qtbot: QtBot) -> None:
    reader = SamplerReader(load_nvml=fake_nvml.load_one_gpu, back_off_s=(3600.0,))
    samples, restarts = _heard(reader.sample_arrived), _heard(reader.restarted)
    reader.start()
    qtbot.waitUntil(lambda: bool(samples), timeout=WAIT_MS)
    assert reader.pid is not None
    os.kill(reader.pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: bool(restarts), timeout=WAIT_MS)
    reader.close()
    reader.close()
    assert "sampler-reader" not in [thread.name for thread in threading.enumerate()]


def test_close_does_not_wait_for_samples_that_come_together(qtbot: QtBot) -> None:
    reader = SamplerReader(load_nvml=fake_nvml.load_one_gpu)
    reader.set_pause_s(3600.0)
    samples = _heard(reader.sample_arrived)
    reader.start()
    qtbot.waitUntil(lambda: bool(samples), timeout=WAIT_MS)
    reader.close()
    assert "sampler-reader" not in [thread.name for thread in threading.enumerate()]


def hang(connection: Connection, load_nvml: NvmlLoader | None, _powercap: Path) -> None:
    """With GPUs it says nothing after its first sample, as where a driver does not answer."""
    crashed = None if load_nvml is not None else GpuAbsence.SAMPLER_CRASHED
    connection.send(Sample(t_ns=time.perf_counter_ns(), gpu_absence=crashed))
    while True:
        try:
            connection.recv()
        except (EOFError, OSError):
            return


def test_a_sampler_that_hangs_twice_comes_back_without_gpus(qtbot: QtBot) -> None:
    reader = SamplerReader(sampler=hang, back_off_s=(0.0,), hung_s=0.05)
    reader.set_interval_ms(20)
    samples, marks = _heard(reader.sample_arrived), _heard(reader.marked)
    try:
        reader.start()
        qtbot.waitUntil(
            lambda: bool(samples) and samples[-1].gpu_absence is GpuAbsence.SAMPLER_CRASHED,
            timeout=WAIT_MS,
        )
    finally:
        reader.close()
    restarts = [mark.detail for mark in marks if mark.kind is MarkKind.SAMPLER_RESTARTED]
    assert restarts[:2] == [(-signal.SIGKILL,)] * 2


def test_missed_samples_are_told_once(qtbot: QtBot) -> None:
    reader = SamplerReader(sampler=hang, late_s=0.0)
    reader.set_interval_ms(20)
    heard: list[str] = []
    reader.sample_arrived.connect(lambda _sample: heard.append("sample"))
    reader.samples_missed.connect(lambda: heard.append("missed"))
    try:
        reader.start()
        qtbot.waitUntil(lambda: "missed" in heard, timeout=WAIT_MS)
    finally:
        reader.close()
    assert heard == ["sample", "missed"]


class _Gone(Connection):
    """As on Windows, where even asking for more fails."""

    def poll(self, _timeout: float | None = 0.0) -> bool:
        raise BrokenPipeError


def test_a_pipe_that_breaks_while_it_waits_ends_the_process_only(qtbot: QtBot) -> None:
    reader = SamplerReader()
    reader.set_pause_s(3600.0)
    samples = _heard(reader.sample_arrived)
    ours, theirs = multiprocessing.Pipe()
    with ours, theirs, _Gone(os.dup(ours.fileno())) as gone:
        theirs.send(Sample(t_ns=1))
        assert reader._read(gone)
    reader.close()
    assert [sample.t_ns for sample in samples] == [1]


class _Endless(SpawnProcess):
    """One that a driver keeps from ending."""

    exitcode = None

    def __init__(self) -> None:
        super().__init__()
        self.joined_s: list[float | None] = []

    def kill(self) -> None:
        pass

    def join(self, timeout: float | None = None) -> None:
        self.joined_s.append(timeout)


def test_a_process_that_does_not_end_is_left() -> None:
    process = _Endless()
    children: set[object] = multiprocessing.process._children  # type: ignore[attr-defined]
    children.add(process)
    try:
        assert _reap(process) == _NOT_STARTED
        # At the end of the application nobody waits for it.
        assert process not in children
    finally:
        children.discard(process)
    assert None not in process.joined_s


def test_close_without_start(qapp: object) -> None:
    SamplerReader(load_nvml=fake_nvml.load_one_gpu).close()


def test_energy_of_the_cpu_comes_from_the_folder_of_counters(qtbot: QtBot, tmp_path: Path) -> None:
    counter = tmp_path / "intel-rapl:0"
    counter.mkdir()
    for name, text in (("name", "package-0"), ("max_energy_range_uj", "1000"), ("energy_uj", "5")):
        (counter / name).write_text(text)
    reader = SamplerReader(load_nvml=fake_nvml.load_one_gpu, powercap=tmp_path)
    samples = _heard(reader.sample_arrived)
    try:
        reader.start()
        qtbot.waitUntil(lambda: bool(samples), timeout=WAIT_MS)
        assert samples[0].cpu_energy_mj == 0
        assert samples[0].cpu_energy_absence is None
    finally:
        reader.close()


_T0, _S = 50_000_000_000, 1_000_000_000
_SAID: tuple[Sample | ClockFault, ...] = (
    Sample(t_ns=_T0),
    Sample(t_ns=_T0 + _S),
    # It slept, on a system whose clock goes on meanwhile.
    ClockFault(t_ns=_T0 + 602 * _S, asleep_ns=600 * _S),
    Sample(t_ns=_T0 + 602 * _S),
    ClockFault(t_ns=_T0 + 603 * _S, jump_ns=-7 * _S),
    Sample(t_ns=_T0 + 603 * _S),
    # Stopped by somebody, who let it go on.
    Sample(t_ns=_T0 + 613 * _S),
)


def say_all(connection: Connection, _load_nvml: NvmlLoader | None, _powercap: Path) -> None:
    for message in _SAID:
        connection.send(message)
    # The other end closes it.
    while True:
        try:
            connection.recv()
        except (EOFError, OSError):
            return


@pytest.mark.parametrize("pause_s", [0.0, 0.01], ids=["at once", "together"])
def test_sleep_jumps_and_missing_samples_are_marked_once_and_in_order(
    qtbot: QtBot, pause_s: float
) -> None:
    reader = SamplerReader(sampler=say_all)
    reader.set_pause_s(pause_s)
    heard: list[Any] = []
    reader.sample_arrived.connect(lambda sample: heard.append(sample.t_ns))
    reader.marked.connect(lambda mark: heard.append((mark.kind, mark.t_ns, mark.detail)))
    try:
        reader.start()
        qtbot.waitUntil(lambda: _T0 + 613 * _S in heard, timeout=WAIT_MS)
    finally:
        reader.close()
    assert heard == [
        _T0,
        _T0 + _S,
        (MarkKind.SUSPENDED, _T0 + 602 * _S, (600 * _S,)),
        _T0 + 602 * _S,
        (MarkKind.CLOCK_JUMPED, _T0 + 603 * _S, (-7 * _S,)),
        _T0 + 603 * _S,
        (MarkKind.SAMPLES_MISSING, _T0 + 603 * _S, (10 * _S,)),
        _T0 + 613 * _S,
    ]
