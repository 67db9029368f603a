"""A recorded run as what was said and sampled while it ran, to be told again."""

import math
from dataclasses import dataclass

from app.marks import Mark
from app.runs.record import RunRecord
from app.sample_row import SAMPLE_COLUMNS
from engine.events import (
    Event,
    Failed,
    Finished,
    FinishReason,
    MemoryChanged,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
    Suspended,
)
from engine.samples import CpuEnergyAbsence, GpuAbsence, GpuSample, Sample

# Samples from before the request show where the machine stood.
_LONGEST_LEAD_NS = 1_000_000_000
_WHOLE = ("_bytes", "_mw", "_mj", "_c")


@dataclass(frozen=True, slots=True)
class Paint:
    """The first text was painted."""

    t_ns: int


Item = Event | Sample | Mark | Paint


def items_of(record: RunRecord, request_id: int = 0) -> list[Item]:
    """What was said of `request_id`, sampled and marked, in the order of time from the send on."""
    found: list[Item] = [*events_of(record, request_id), *samples_of(record), *record.marks]
    if record.felt_ttft_ns is not None:
        found.append(Paint(record.felt_ttft_ns))
    return sorted(found, key=lambda item: item.t_ns)


def events_of(record: RunRecord, request_id: int) -> list[Event]:
    """What the engine said, as far as it was recorded."""
    trace = record.trace
    # Each comes before the event with the same stamp. How long it slept is told by a mark.
    found: list[Event] = [
        Suspended(request_id=request_id, t_ns=t_ns, asleep_ns=0) for t_ns in trace.suspended_t_ns
    ]
    if trace.t_start_ns is not None:
        found.append(Started(request_id=request_id, t_ns=trace.t_start_ns))
    if trace.t_prompt_ready_ns is not None:
        found.append(
            PromptReady(
                request_id=request_id,
                t_ns=trace.t_prompt_ready_ns,
                n_prompt_tokens=trace.n_prompt_tokens or 0,
                n_cached_tokens=trace.n_cached_tokens or 0,
                n_dropped_messages=record.n_dropped_messages,
                t_rendered_ns=trace.t_rendered_ns,
                t_tokenized_ns=trace.t_tokenized_ns,
            )
        )
    found += [
        PrefillProgress(request_id=request_id, t_ns=t_ns, n_done_tokens=n_done)
        for t_ns, n_done in zip(trace.prefill_t_ns, trace.prefill_n_done_tokens, strict=True)
    ]
    if trace.t_prefill_end_ns is not None:
        found.append(PrefillDone(request_id=request_id, t_ns=trace.t_prefill_end_ns))
    found += [
        MemoryChanged(request_id=request_id, t_ns=mark.t_ns, memory=mark.memory)
        for mark in record.memory
    ]
    found += [
        Step(request_id=request_id, t_ns=t_ns, n_tokens=n_tokens, text="")
        for t_ns, n_tokens in zip(trace.step_t_ns, trace.step_n_tokens, strict=True)
    ]
    t_end_ns = trace.t_end_ns or 0
    if trace.error is not None:
        found.append(Failed(request_id=request_id, t_ns=t_end_ns, error=trace.error))
    else:
        reason, n_output = trace.finish_reason or FinishReason.END, trace.n_output_tokens
        found.append(
            Finished(
                request_id=request_id,
                t_ns=t_end_ns,
                reason=reason,
                text="",
                n_output_tokens=n_output,
            )
        )
    return found


def samples_of(record: RunRecord) -> list[Sample]:
    """What was sampled, from a second before it was sent on."""
    track, n_columns = record.samples, len(SAMPLE_COLUMNS)
    found = []
    for index, t_ns in enumerate(track.t_ns):
        if t_ns < -_LONGEST_LEAD_NS:
            continue
        values = track.values[index * n_columns : (index + 1) * n_columns]
        row = {
            name: None if math.isnan(value) else round(value) if name.endswith(_WHOLE) else value
            for name, value in zip(SAMPLE_COLUMNS.values(), values, strict=True)
        }
        found.append(_sample(t_ns, row, track.constants))
    return found


def _sample(
    t_ns: int, row: dict[str, float | int | None], constants: dict[str, str | int | None]
) -> Sample:
    n_cores, total = constants.get("n_cores"), constants.get("machine_total_bytes")
    own = {name: value for name, value in row.items() if not name.startswith("gpu_")}
    of_gpu = {name[4:]: value for name, value in row.items() if name.startswith("gpu_")}
    name = constants.get("gpu_name")
    absence = constants.get("gpu_absence")
    gpus: tuple[GpuSample, ...] = ()
    if isinstance(name, str) and any(value is not None for value in of_gpu.values()):
        gpu_total = constants.get("gpu_memory_total_bytes")
        limit = constants.get("gpu_power_limit_mw")
        gpus = (
            GpuSample(
                index=0,
                name=name,
                memory_total_bytes=gpu_total if isinstance(gpu_total, int) else None,
                power_limit_mw=limit if isinstance(limit, int) else None,
                **of_gpu,  # type: ignore[arg-type] # whole numbers where the field is one
            ),
        )
    cpu_absence = constants.get("cpu_energy_absence")
    is_known_cpu = cpu_absence in [member.value for member in CpuEnergyAbsence]
    is_known_absence = absence in [member.value for member in GpuAbsence]
    return Sample(
        t_ns=t_ns,
        n_cores=n_cores if isinstance(n_cores, int) else None,
        machine_total_bytes=total if isinstance(total, int) else None,
        gpus=gpus,
        cpu_energy_absence=CpuEnergyAbsence(str(cpu_absence)) if is_known_cpu else None,
        gpu_absence=GpuAbsence(str(absence)) if is_known_absence and not gpus else None,
        **own,  # type: ignore[arg-type] # whole numbers where the field is one
    )
