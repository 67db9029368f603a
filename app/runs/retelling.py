"""A recorded run as what was said and sampled while it ran, to be told again."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from app.marks import Mark
from app.runs.record import RunRecord
from app.sample_row import SAMPLE_COLUMNS
from engine.events import (
    CellsFound,
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
# Of no store: who tells it again says what it is called there.
_REQUEST_ID = 0
_WHOLE = ("_bytes", "_mw", "_mj", "_c")


@dataclass(frozen=True, slots=True)
class Paint:
    """The first text was painted."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class StepBlock:
    """Engine steps with nothing but samples between them: stamps, and output tokens of each."""

    t_ns: NDArray[np.int64]
    n_tokens: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SampleBlock:
    """Samples with nothing but steps between them: which of the record's."""

    indexes: NDArray[np.intp]


Item = Event | Sample | Mark | Paint


class Items(Sequence[Item]):
    """What was said, sampled and marked in a run, in the order of time from the send on.

    Each item is made when it is asked for: a run may have 100,000 steps.

    Attributes:
        t_ns: When each was.
    """

    def __init__(self, record: RunRecord) -> None:
        """Those of `record`."""
        self._record = record
        trace = record.trace
        end = end_of(record)
        paints = [] if record.felt_ttft_ns is None else [Paint(record.felt_ttft_ns)]
        self._before = events_before_steps(record)
        self._after: list[Item] = [end, *record.marks, *paints]
        # Of the same moment, what was said comes before what was sampled, and that before marks.
        self._samples = np.flatnonzero(is_shown(record))
        self._step_t_ns = np.array(trace.step_t_ns, np.int64)
        self._step_n_tokens = np.array(trace.step_n_tokens, np.int64)
        n_steps, n_samples = len(self._step_t_ns), len(self._samples)
        self._first_step = len(self._before)
        self._first_end = self._first_step + n_steps
        self._first_sample = self._first_end + 1
        self._first_mark = self._first_sample + n_samples
        found_ns = np.concatenate(
            (
                _stamps(self._before),
                self._step_t_ns,
                [end.t_ns],
                np.array(record.samples.t_ns, np.int64)[self._samples],
                _stamps(self._after[1:]),
            )
        )
        self._order = np.argsort(found_ns, kind="stable")
        self.t_ns: NDArray[np.int64] = found_ns[self._order]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.t_ns)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        """One of them, or some."""
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        place = int(self._order[index])
        if place < self._first_step:
            return self._before[place]
        if place < self._first_end:
            trace, step = self._record.trace, place - self._first_step
            return Step(
                request_id=_REQUEST_ID,
                t_ns=trace.step_t_ns[step],
                n_tokens=trace.step_n_tokens[step],
                text="",
            )
        if place == self._first_end:
            return self._after[0]
        if place < self._first_mark:
            return sample_of(self._record, int(self._samples[place - self._first_sample]))
        return self._after[place - self._first_mark + 1]

    def parts(
        self, first: int, last: int
    ) -> Iterator[Event | Mark | Paint | StepBlock | SampleBlock]:
        """Those from `first` to before `last`, steps and samples between others as blocks."""
        places = self._order[first:last]
        is_step = (places >= self._first_step) & (places < self._first_end)
        is_sample = (places >= self._first_sample) & (places < self._first_mark)
        begin = 0
        for index in (*np.flatnonzero(~(is_step | is_sample)).tolist(), len(places)):
            stretch = slice(begin, index)
            steps = places[stretch][is_step[stretch]] - self._first_step
            samples = places[stretch][is_sample[stretch]] - self._first_sample
            if len(steps):
                yield StepBlock(self._step_t_ns[steps], self._step_n_tokens[steps])
            if len(samples):
                yield SampleBlock(self._samples[samples])
            if index < len(places):
                item = self[first + index]
                assert not isinstance(item, Sample), "those are in blocks"
                yield item
            begin = index + 1


def events_before_steps(record: RunRecord) -> list[Event]:
    """What the engine said besides steps and end, as far as it was recorded."""
    trace = record.trace
    # Each comes before the event with the same stamp. How long it slept is told by a mark.
    found: list[Event] = [
        Suspended(request_id=_REQUEST_ID, t_ns=t_ns, asleep_ns=0) for t_ns in trace.suspended_t_ns
    ]
    if trace.t_start_ns is not None:
        found.append(Started(request_id=_REQUEST_ID, t_ns=trace.t_start_ns))
    if trace.t_prompt_ready_ns is not None:
        found.append(
            PromptReady(
                request_id=_REQUEST_ID,
                t_ns=trace.t_prompt_ready_ns,
                n_prompt_tokens=trace.n_prompt_tokens or 0,
                n_cached_tokens=trace.n_cached_tokens or 0,
                n_dropped_messages=record.n_dropped_messages,
                answer_number=record.answer_number,
                t_rendered_ns=trace.t_rendered_ns,
                t_tokenized_ns=trace.t_tokenized_ns,
            )
        )
        if record.prompt_cells:
            # It was found after the end, and is known from the begin now.
            found.append(
                CellsFound(
                    request_id=_REQUEST_ID, t_ns=trace.t_prompt_ready_ns, cells=record.prompt_cells
                )
            )
    found += [
        PrefillProgress(request_id=_REQUEST_ID, t_ns=t_ns, n_done_tokens=n_done)
        for t_ns, n_done in zip(trace.prefill_t_ns, trace.prefill_n_done_tokens, strict=True)
    ]
    if trace.t_prefill_end_ns is not None:
        found.append(PrefillDone(request_id=_REQUEST_ID, t_ns=trace.t_prefill_end_ns))
    found += [
        MemoryChanged(request_id=_REQUEST_ID, t_ns=mark.t_ns, memory=mark.memory)
        for mark in record.memory
    ]
    return found


def end_of(record: RunRecord) -> Event:
    """How it ended."""
    trace = record.trace
    t_end_ns = trace.t_end_ns or 0
    if trace.error is not None:
        return Failed(request_id=_REQUEST_ID, t_ns=t_end_ns, error=trace.error)
    return Finished(
        request_id=_REQUEST_ID,
        t_ns=t_end_ns,
        reason=trace.finish_reason or FinishReason.END,
        text="",
        n_output_tokens=trace.n_output_tokens,
    )


def is_shown(record: RunRecord) -> NDArray[np.bool_]:
    """Of each sample, whether it was taken from a second before the request on."""
    return np.array(record.samples.t_ns, np.int64) >= -_LONGEST_LEAD_NS


def sample_of(record: RunRecord, index: int) -> Sample:
    """What was sampled, as the sampler said it."""
    track, n_columns = record.samples, len(SAMPLE_COLUMNS)
    values = track.values[index * n_columns : (index + 1) * n_columns]
    row = {
        name: None if math.isnan(value) else round(value) if name.endswith(_WHOLE) else value
        for name, value in zip(SAMPLE_COLUMNS.values(), values, strict=True)
    }
    return _sample(track.t_ns[index], row, track.constants)


def _stamps(items: Sequence[Item]) -> NDArray[np.int64]:
    return np.array([item.t_ns for item in items], np.int64)


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
