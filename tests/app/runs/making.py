"""Recorded runs with known figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.runs.recorder import RunRecorder
from engine.events import (
    Event,
    Finished,
    FinishReason,
    Loaded,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
)
from engine.samples import GpuAbsence, GpuSample, Sample
from engine.values import ChatMessage, GenerateRequest, LoadOptions, Role, SamplingParams
from tests.ui.fakes import loaded_model

if TYPE_CHECKING:
    from app.runs.record import RunRecord

MS = 1_000_000
T0 = 5_000_000_000_000
SECRET = "the prompt nobody else may read"
OPTIONS = LoadOptions(
    model_path="/home/somebody/models/SmolLM2.gguf", n_ctx=2048, cache_dir="/home/somebody/cache"
)


def request(request_id: int = 2, t_submit_ns: int = T0) -> GenerateRequest:
    return GenerateRequest(
        request_id=request_id,
        t_submit_ns=t_submit_ns,
        messages=(ChatMessage(role=Role.USER, content=SECRET),),
        sampling=SamplingParams(temperature=0.25, seed=7),
        max_tokens=99,
        stop=(SECRET,),
    )


def sample(t_ns: int, *, energy_mj: int | None = None, power_mw: int | None = None) -> Sample:
    gpu = GpuSample(
        index=0,
        name="Fake GPU",
        memory_used_bytes=3 << 30,
        memory_total_bytes=8 << 30,
        process_memory_bytes=1 << 30,
        energy_mj=energy_mj,
        power_mw=power_mw,
    )
    has_gpu = energy_mj is not None or power_mw is not None
    return Sample(
        t_ns=t_ns,
        engine_pid=7,
        engine_rss_bytes=421 << 20,
        engine_cpu_cores=1.84,
        machine_used_bytes=5 << 30,
        machine_total_bytes=16 << 30,
        n_cores=2,
        gpus=(gpu,) if has_gpu else (),
        gpu_absence=None if has_gpu else GpuAbsence.NO_DRIVER,
    )


def answer(
    request_id: int = 2, t0_ns: int = T0, *, n_steps: int = 11, step_ms: int = 20
) -> list[Event]:
    """Taken after 10 ms, prompt ready at 15 (60 of 100 cached), read at 115, first token at 117."""
    events: list[Event] = [
        Started(request_id=request_id, t_ns=t0_ns + 10 * MS),
        PromptReady(
            request_id=request_id, t_ns=t0_ns + 15 * MS, n_prompt_tokens=100, n_cached_tokens=60
        ),
        PrefillProgress(request_id=request_id, t_ns=t0_ns + 65 * MS, n_done_tokens=80),
        PrefillProgress(request_id=request_id, t_ns=t0_ns + 115 * MS, n_done_tokens=100),
        PrefillDone(request_id=request_id, t_ns=t0_ns + 115 * MS),
    ]
    t_first_ns = t0_ns + 117 * MS
    events += [
        Step(request_id=request_id, t_ns=t_first_ns + i * step_ms * MS, n_tokens=1, text=SECRET)
        for i in range(n_steps)
    ]
    t_end_ns = t_first_ns + (n_steps - 1) * step_ms * MS + MS
    events.append(
        Finished(
            request_id=request_id,
            t_ns=t_end_ns,
            reason=FinishReason.END,
            text=SECRET,
            n_output_tokens=n_steps,
        )
    )
    return events


def recorded(
    *,
    n_steps: int = 11,
    step_ms: int = 20,
    loaded: Loaded | None = None,
    samples: tuple[Sample, ...] = (),
) -> RunRecord:
    """What the recorder makes of an answer."""
    recorder = RunRecorder()
    found: list[RunRecord] = []
    recorder.recorded.connect(found.append)
    recorder.on_options(OPTIONS)
    recorder.on_events((loaded or loaded_model(),))
    recorder.on_requested(request())
    for taken in samples:
        recorder.on_sample(taken)
    recorder.on_events(tuple(answer(n_steps=n_steps, step_ms=step_ms)))
    return found[-1]
