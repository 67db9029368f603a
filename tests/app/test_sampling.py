"""The reader brings samples to the main thread and outlives its process."""

import logging
import os
import signal
import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.sampling import SamplerReader
from engine.nvml import NvmlLoader
from engine.samples import GpuAbsence, Sample
from tests.engine import fake_nvml

_PATIENCE_MS = 20_000


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
    with qtbot.waitSignal(
        reader.sample_arrived,
        timeout=_PATIENCE_MS,
        check_params_cb=lambda sample: sample.engine_rss_bytes is not None and sample.gpus,
    ) as blocker:
        reader.start()
    assert blocker.args is not None
    sample: Sample = blocker.args[0]
    assert sample.engine_pid == os.getpid()
    assert sample.window_rss_bytes == sample.engine_rss_bytes
    assert "sampler-reader" in [thread.name for thread in threading.enumerate()]


def test_a_killed_sampler_starts_again_with_what_it_was_told(
    qtbot: QtBot, reader: SamplerReader, caplog: pytest.LogCaptureFixture
) -> None:
    reader.set_engine_pid(os.getpid())
    with qtbot.waitSignal(reader.sample_arrived, timeout=_PATIENCE_MS):
        reader.start()
    first_pid = reader.pid
    assert first_pid is not None
    with (
        caplog.at_level(logging.WARNING),
        qtbot.waitSignal(reader.restarted, timeout=_PATIENCE_MS) as restarted,
    ):
        os.kill(first_pid, signal.SIGKILL)
    assert restarted.args == [-signal.SIGKILL]
    with qtbot.waitSignal(
        reader.sample_arrived,
        timeout=_PATIENCE_MS,
        check_params_cb=lambda sample: sample.engine_pid == os.getpid() and sample.gpus,
    ):
        pass
    assert reader.pid != first_pid
    assert "starting it again" in caplog.text


def test_a_crash_in_nvml_brings_it_back_without_gpus(qtbot: QtBot) -> None:
    reader = _reader(fake_nvml.load_aborting)
    restarts: list[int] = []
    reader.restarted.connect(restarts.append)
    try:
        with qtbot.waitSignal(
            reader.sample_arrived,
            timeout=_PATIENCE_MS,
            check_params_cb=lambda sample: sample.gpu_absence is GpuAbsence.SAMPLER_CRASHED,
        ) as blocker:
            reader.start()
        assert blocker.args is not None
        assert blocker.args[0].machine_total_bytes > 0
        assert restarts == [-signal.SIGABRT]
    finally:
        reader.close()


def test_close_ends_process_and_thread_even_during_the_back_off(qtbot: QtBot) -> None:
    reader = SamplerReader(load_nvml=fake_nvml.load_one_gpu, back_off_s=(3600.0,))
    with qtbot.waitSignal(reader.sample_arrived, timeout=_PATIENCE_MS):
        reader.start()
    assert reader.pid is not None
    with qtbot.waitSignal(reader.restarted, timeout=_PATIENCE_MS):
        os.kill(reader.pid, signal.SIGKILL)
    reader.close()
    reader.close()
    assert "sampler-reader" not in [thread.name for thread in threading.enumerate()]


def test_close_without_start(qapp: object) -> None:
    SamplerReader(load_nvml=fake_nvml.load_one_gpu).close()
