"""Every request is recorded: real sessions with the scripted engine, and the real model."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING

import pytest

from app.chat_settings import ChatSettings
from app.runs.file import read_run
from app.runs.record import SampleTrack
from app.runs.recorder import RunRecorder
from app.runs.recording import Recording
from app.sample_row import SAMPLE_COLUMNS
from engine.backends.scripted import Script
from engine.errors import ErrorCode
from engine.events import CellKind, CellsFound, CellSpan, FinishReason, MemoryChanged, PromptReady
from engine.samples import GpuSample, Sample
from engine.values import LoadOptions, MemoryUse, SamplingParams
from tests.app.runs.making import MS, T0, answer, request, sample
from tests.ui.fakes import loaded_model
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.inference import InferenceThread
    from app.runs.record import RunRecord
    from app.session import ChatSession


@pytest.fixture
def recording(
    session: ChatSession, inference: InferenceThread, tmp_path: Path
) -> Iterator[Recording]:
    recording = Recording(session, inference, tmp_path / "data" / "runs")
    yield recording
    recording.close()


def files(recording: Recording) -> list[RunRecord]:
    """What is on disk when everything is written, the oldest first."""
    recording.close()
    return sorted(
        (read_run(path) for path in recording.library.folder.glob("*.npz")),
        key=lambda run: run.created_ms,
    )


def send(session: ChatSession, qtbot: QtBot, text: str) -> None:
    session.send(text)
    qtbot.waitUntil(lambda: session.running_answer is None, timeout=WAIT_MS)


def test_every_answer_is_on_disk_with_the_figures_of_the_window(
    recording: Recording,
    session: ChatSession,
    load: Callable[[Script], None],
    qtbot: QtBot,
) -> None:
    load(Script(tok_per_s=500))
    send(session, qtbot, "one")
    first = session.current_chat.turns[-1]
    send(session, qtbot, "two")
    second = session.current_chat.turns[-1]
    found = files(recording)
    assert [run.trace.figures() for run in found] == [first.figures, second.figures]  # type: ignore[union-attr] # answers
    assert [run.request["n_messages"] for run in found] == [1, 3]
    assert all(run.options is not None and run.options.backend == "scripted" for run in found)
    assert all(run.machine["logical_cores"] for run in found)


def test_stopped_failed_and_unfinished_answers_are_recorded(
    recording: Recording,
    session: ChatSession,
    load: Callable[[Script], None],
    qtbot: QtBot,
) -> None:
    load(Script(tok_per_s=20, answer="word " * 500))
    with qtbot.waitSignal(session.events_arrived, timeout=WAIT_MS):
        session.send("stop me")
    session.stop()
    qtbot.waitUntil(lambda: session.running_answer is None, timeout=WAIT_MS)
    load(Script(fault="raise", at="decode", after=3, tok_per_s=500))
    send(session, qtbot, "fail")
    load(Script(tok_per_s=20, answer="word " * 500))
    session.send("still running when the window closes")
    qtbot.waitUntil(
        lambda: (
            session.running_answer is not None and session.running_answer.trace.n_output_tokens > 1
        ),
        timeout=WAIT_MS,
    )
    stopped, failed, unfinished = files(recording)
    assert stopped.trace.finish_reason is FinishReason.CANCELLED
    assert failed.trace.error is not None
    assert failed.trace.error.code is ErrorCode.INTERNAL
    assert failed.trace.n_output_tokens == 3
    assert unfinished.trace.finish_reason is FinishReason.CANCELLED
    assert unfinished.trace.n_output_tokens > 1


@pytest.mark.model
def test_the_real_model_is_described(
    recording: Recording, session: ChatSession, qtbot: QtBot, starter_model_path: Path
) -> None:
    session.load(LoadOptions(model_path=str(starter_model_path), n_ctx=512, n_threads=1))
    qtbot.waitUntil(lambda: session.engine_state.loaded is not None, timeout=WAIT_MS)
    greedy = ChatSettings(sampling=SamplingParams(temperature=0), max_tokens=3)
    session.set_chat_settings(session.current_chat, greedy)
    send(session, qtbot, "Count to twenty.")
    (run,) = files(recording)
    assert run.loaded is not None
    assert run.loaded.model.quantization == "Q4_1"
    loaded = session.engine_state.loaded
    assert loaded is not None
    model = replace(loaded.model, path=starter_model_path.name, chat_template=None)
    assert run.loaded.model == model
    assert model.step_cost is not None
    assert (run.loaded.engine, run.loaded.kv) == (loaded.engine, loaded.kv)
    assert run.loaded.memory == loaded.memory
    assert run.trace.n_output_tokens == 3
    assert run.trace.finish_reason is FinishReason.LENGTH


def test_samples_from_just_before_to_just_after_are_kept() -> None:
    recorder = RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    for t_ms in (-2900, -1900, -900):
        recorder.on_sample(sample(T0 + t_ms * MS))
    recorder.on_events((loaded_model(),))
    recorder.on_requested(request())
    recorder.on_sample(sample(T0 + 100 * MS))
    # An answer of 317 ms.
    recorder.on_events(tuple(answer()))
    assert len(found) == 1
    recorder.on_sample(sample(T0 + 400 * MS))
    recorder.on_sample(sample(T0 + 1400 * MS))
    assert len(found) == 2
    assert found[0].run_id == found[1].run_id
    assert [t_ns - T0 for t_ns in found[1].samples.t_ns] == [
        -1900 * MS,
        -900 * MS,
        100 * MS,
        400 * MS,
    ]


def test_samples_that_are_told_after_the_end_are_kept() -> None:
    recorder = RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    recorder.on_requested(request())
    recorder.on_events(tuple(answer()))
    for t_ms in (100, 200, 400):
        recorder.on_sample(sample(T0 + t_ms * MS))
    assert [(t_ns - T0) // MS for t_ns in found[-1].samples.t_ns] == [100, 200, 400]


def test_curves_of_two_gpus_do_not_join() -> None:
    track = SampleTrack()
    for t_ms, index in ((0, 0), (100, 1), (200, 1)):
        gpu = GpuSample(index=index, name="GPU", energy_mj=10 + 5000 * index)
        track.add(Sample(t_ns=t_ms * MS, gpus=(gpu,), machine_used_bytes=t_ms))
    column = list(SAMPLE_COLUMNS).index("gpu_energy")
    energies = track.values[column :: len(SAMPLE_COLUMNS)].tolist()
    assert energies == pytest.approx([10, nan, 5010, 5010], nan_ok=True)
    assert list(track.t_ns) == [0, 100 * MS, 100 * MS, 200 * MS]
    memory = track.values[list(SAMPLE_COLUMNS).index("machine_used") :: len(SAMPLE_COLUMNS)]
    assert memory.tolist() == [0, 100, 100, 200]


def test_what_is_painted_and_allocated_is_kept() -> None:
    recorder = RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    recorder.on_requested(request())
    memory = MemoryUse(weights_bytes=1, kv_bytes=2, compute_bytes=3)
    recorder.on_events((MemoryChanged(request_id=2, t_ns=T0 + 20 * MS, memory=memory),))
    recorder.on_events(tuple(answer()))
    recorder.on_first_paint(2, T0 + 130 * MS)
    assert [run.felt_ttft_ns for run in found] == [None, 130 * MS]
    assert [(mark.t_ns - T0, mark.memory) for mark in found[1].memory] == [(20 * MS, memory)]


def test_an_answer_may_be_painted_after_the_first_sample_that_follows_it() -> None:
    recorder = RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    recorder.on_requested(request())
    recorder.on_events(tuple(answer()))
    recorder.on_sample(sample(T0 + 400 * MS))
    recorder.on_first_paint(2, T0 + 500 * MS)
    assert [run.felt_ttft_ns for run in found] == [None, None, 500 * MS]
    assert len({run.run_id for run in found}) == 1


def test_what_the_cells_hold_is_kept_when_it_is_told_late() -> None:
    recorder = RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    recorder.on_events((loaded_model(),))
    recorder.on_requested(request())
    events = [
        replace(event, answer_number=3) if isinstance(event, PromptReady) else event
        for event in answer()
    ]
    recorder.on_events(tuple(events))
    recorder.on_sample(sample(T0 + 400 * MS))
    told = (CellSpan(kind=CellKind.USER, number=3, begin=0, end=100),)
    recorder.on_events((CellsFound(request_id=7, t_ns=T0 + 500 * MS, cells=told),))
    assert not found[-1].prompt_cells
    recorder.on_events((CellsFound(request_id=2, t_ns=T0 + 500 * MS, cells=told),))
    assert found[-1].prompt_cells == told
    assert found[-1].answer_number == 3
    assert found[-1].run_id == found[0].run_id
