"""The file of a recorded run, version 2.

A zip archive that `numpy.load` opens, with these members:

- `run.json` (UTF-8): `schema` is "oscillama.run", `version` 2; `run_id`, `created_ms` (Unix time),
  `label`, `app_version`, `machine`, `model_name`, `options`, `model`, `engine`, `kv`, `memory`,
  `predicted_memory` (absent from older files), `load_ns` (null where the machine slept meanwhile),
  `request` (see `engine.record`),
  `n_prompt_tokens`, `n_cached_tokens`, `n_dropped_messages`, `stamps` (nanoseconds since the
  request was sent), `felt_ttft_ns`, `suspended_t_ns` (what ended then was interrupted by a sleep of
  the machine), `finish_reason`, `error` (a code), `memory_marks` (`t_ns` and the fields of
  `MemoryUse`),
  `marks` (`kind`, `t_ns`, `detail`, see `app.marks`), `load_span_ns` (begin and end of the load
  that it waited for), `answer_number` (which answer of its conversation it is, from 1) and
  `prompt_cells` (what the tokens of the prompt are, in order: `[kind, number, end]`, see
  `engine.events.CellSpan`; each begins where the one before ends), both absent from older files,
  `sample_columns` and `sample_constants`. Names end in their units.
- `steps.npy`: int64, 2 x engine steps: when each ended (ns since the request was sent), and its
  output tokens.
- `prefill.npy`: int64, 2 x reports of the prefill: when, and prompt tokens done, cached ones too.
- `samples.npy`: float64, one row for each of `sample_columns`; NaN is unknown. The first is `t_ns`.
- `SHA256SUMS`: of each of the others, as `sha256sum` writes them.

All numbers are finite, save NaN in samples; stamps and samples are at most 2**60, counts 10**9;
stamps, steps and reports are in the order of time. What is not so is refused.

No text of a prompt or an answer is in it, and of paths the last part only. There are at most as
many samples as half the tokens, or 64: of more, every second, third, ... is kept. There are at
most as many stretches of cells as an eighth of the tokens, or 64: of more, the first are one, of
kind "unknown".

Version 1 had no `marks`, no `load_span_ns`, and in `stamps` no `t_rendered_ns` and no
`t_tokenized_ns`; it is read as well.
"""

import hashlib
import io
import json
import zipfile
from array import array
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.files import replace_file
from app.runs import decode
from app.runs.record import MemoryMark, RunFault, RunRecord, SampleTrack
from app.sample_row import SAMPLE_COLUMNS
from engine.events import (
    CellKind,
    CellSpan,
    Failed,
    Finished,
    FinishReason,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Suspended,
)
from engine.figures import RequestTrace
from engine.record import load_record, stamps

SCHEMA_NAME = "oscillama.run"
SCHEMA_VERSION = 2
SUFFIX = ".npz"

_JSON, _SUMS = "run.json", "SHA256SUMS"
_ARRAYS = ("steps.npy", "prefill.npy", "samples.npy")
_LEAST_SAMPLES = _LEAST_CELLS = 64
# Of the members. The format has none before 1980, where a clock may stand; `created_ms` counts.
_MEMBER_DATE = (1980, 1, 1, 0, 0, 0)
# A million steps are 16 MiB; what is larger unpacked is no run.
_MOST_BYTES = 256 << 20

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class RunFileError(Exception):
    """A file that is refused; `fault` says why, the text says it in technical English."""

    def __init__(self, fault: RunFault, technical: str) -> None:
        """Keep both."""
        super().__init__(technical)
        self.fault = fault


def write_run(path: Path, record: RunRecord) -> int:
    """Write a run, whole or not at all; returns the bytes of the file.

    Raises:
        OSError: It cannot be written. A file of that name is as it was.
    """
    packed = pack(record)
    replace_file(path, packed)
    return len(packed)


def pack(record: RunRecord) -> bytes:
    """The bytes of the file."""
    trace, t0_ns = record.trace, record.trace.t_submit_ns
    members = {
        _JSON: json.dumps(document_of(record), ensure_ascii=False, indent=1).encode(),
        "steps.npy": _npy(_since(trace.step_t_ns, trace.step_n_tokens, t0_ns)),
        "prefill.npy": _npy(_since(trace.prefill_t_ns, trace.prefill_n_done_tokens, t0_ns)),
        "samples.npy": _npy(_samples(record, t0_ns)),
    }
    sums = "".join(
        f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in members.items()
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (members | {_SUMS: sums.encode()}).items():
            info = zipfile.ZipInfo(name, _MEMBER_DATE)
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def read_run(path: Path) -> RunRecord:
    """Read a run.

    Raises:
        RunFileError: It is none, or is refused; says why.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(archive)
    except OSError as error:
        raise RunFileError(RunFault.UNREADABLE, str(error)) from error
    except RunFileError:
        raise
    # A damaged archive fails in any way, by its compression.
    except Exception as error:
        raise RunFileError(RunFault.DAMAGED, _technical(error)) from error
    document = _checked_document(members)
    try:
        return _record(
            document,
            *(np.load(io.BytesIO(members[name]), allow_pickle=False) for name in _ARRAYS),
        )
    # What was made by hand fails in any way, and is refused in one.
    except Exception as error:
        raise RunFileError(RunFault.DAMAGED, _technical(error)) from error


def relabel(path: Path, label: str) -> RunRecord:
    """Give the run in a file another label; returns it.

    Raises:
        RunFileError: The file is refused.
        OSError: It cannot be written.
    """
    record = replace(read_run(path), label=label)
    write_run(path, record)
    return record


def _technical(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _members(archive: zipfile.ZipFile) -> dict[str, bytes]:
    wanted = (_JSON, *_ARRAYS, _SUMS)
    infos = {info.filename: info for info in archive.infolist()}
    if _JSON not in infos:
        raise RunFileError(RunFault.NOT_A_RUN, f"no {_JSON} in it")
    if sum(infos[name].file_size for name in wanted if name in infos) > _MOST_BYTES:
        raise RunFileError(RunFault.NOT_A_RUN, "larger than any run")
    return {name: archive.read(name) for name in wanted if name in infos}


def _checked_document(members: dict[str, bytes]) -> dict[str, object]:
    """The JSON, once it is known to be of this version and as it was written."""
    try:
        document = decode.parsed(members[_JSON])
    except (ValueError, TypeError) as error:
        raise RunFileError(RunFault.DAMAGED, str(error)) from error
    if document.get("schema") != SCHEMA_NAME:
        raise RunFileError(RunFault.NOT_A_RUN, f"schema {document.get('schema')!r:.80}")
    version = document.get("version")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise RunFileError(RunFault.NEWER, f"version {version!r:.80}, known up to {SCHEMA_VERSION}")
    sums: dict[str, str] = {}
    for line in members.get(_SUMS, b"").decode(errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        sums[name] = digest
    for name in (_JSON, *_ARRAYS):
        if name not in members:
            raise RunFileError(RunFault.DAMAGED, f"no {name} in it")
        if hashlib.sha256(members[name]).hexdigest() != sums.get(name):
            raise RunFileError(RunFault.EDITED, f"{name} is not what it was")
    return document


def document_of(record: RunRecord) -> dict[str, object]:
    """What `run.json` has."""
    trace, t0_ns = record.trace, record.trace.t_submit_ns
    loaded = record.loaded
    load = {"model": None} if loaded is None else load_record(loaded, record.options)
    return {
        "schema": SCHEMA_NAME,
        "version": SCHEMA_VERSION,
        "run_id": record.run_id,
        "created_ms": record.created_ms,
        "label": record.label,
        "app_version": record.app_version,
        "machine": record.machine,
        "model_name": record.model_name,
        **load,
        "request": record.request,
        "n_prompt_tokens": trace.n_prompt_tokens,
        "n_cached_tokens": trace.n_cached_tokens,
        "n_dropped_messages": record.n_dropped_messages,
        "stamps": {
            name: None if t_ns is None else t_ns - t0_ns for name, t_ns in stamps(trace).items()
        },
        "suspended_t_ns": [t_ns - t0_ns for t_ns in trace.suspended_t_ns],
        "felt_ttft_ns": record.felt_ttft_ns,
        "finish_reason": trace.finish_reason.value if trace.finish_reason is not None else None,
        "error": trace.error.code.value if trace.error is not None else None,
        "memory_marks": [
            {"t_ns": mark.t_ns - t0_ns, **asdict(mark.memory)} for mark in record.memory
        ],
        "marks": [
            {"kind": mark.kind.value, "t_ns": mark.t_ns - t0_ns, "detail": list(mark.detail)}
            for mark in record.marks
        ],
        "load_span_ns": None
        if record.load_span_ns is None
        else [t_ns - t0_ns for t_ns in record.load_span_ns],
        "answer_number": record.answer_number,
        "prompt_cells": [[span.kind.value, span.number, span.end] for span in _cells(record)],
        "sample_columns": ["t_ns", *SAMPLE_COLUMNS.values()],
        "sample_constants": record.samples.constants,
    }


def _record(document: dict[str, object], steps: Ints, prefill: Ints, samples: Floats) -> RunRecord:
    marks = document["memory_marks"]
    if not isinstance(marks, list):
        raise TypeError("memory_marks is a list")
    trace = _trace(document, steps, prefill)
    return RunRecord(
        run_id=decode.text(document["run_id"]),
        created_ms=decode.date_ms(document["created_ms"]),
        label=decode.text(document["label"]),
        app_version=decode.text(document["app_version"]),
        machine=decode.machine_of(document["machine"]),
        model_name=decode.text(document["model_name"]),
        options=decode.options_of(document.get("options")),
        loaded=decode.loaded_of(document),
        request=decode.request_of(document["request"]),
        n_dropped_messages=decode.count(document["n_dropped_messages"]),
        felt_ttft_ns=decode.stamp_or_none(document["felt_ttft_ns"]),
        trace=trace,
        memory=tuple(
            MemoryMark(t_ns=decode.stamp_ns(mark["t_ns"]), memory=decode.memory_of(mark))
            for mark in map(decode.mapping, marks)
        ),
        samples=_track(document, samples),
        marks=decode.marks_of(document.get("marks")),
        load_span_ns=decode.span_of(document.get("load_span_ns")),
        answer_number=decode.count(document.get("answer_number", 0)),
        prompt_cells=_cells_of(document, trace),
    )


def _cells_of(document: dict[str, object], trace: RequestTrace) -> tuple[CellSpan, ...]:
    """What its prompt is, not in more stretches than are written."""
    cells = decode.cells_of(document.get("prompt_cells", []), trace.n_prompt_tokens)
    if len(cells) > _most_cells(trace):
        raise ValueError(f"more prompt_cells than are kept: {len(cells)}")
    return cells


def _trace(document: dict[str, object], steps: Ints, prefill: Ints) -> RequestTrace:
    """The trace that the same events would have made."""
    for rows in (steps, prefill):
        if rows.dtype != np.int64 or len(rows) != 2:
            raise ValueError("steps and prefill are two rows of int64 each")
        _check_range(rows[0], -decode.MOST_NS, decode.MOST_NS)
        _check_range(rows[1], 0, decode.MOST_COUNT)
        _check_range(np.diff(rows[0]), 0, 2 * decode.MOST_NS)
    decode.count(sum(steps[1].tolist()))
    given = decode.mapping(document["stamps"])
    at = {name: decode.stamp_or_none(t_ns) for name, t_ns in given.items()}
    trace = RequestTrace(1, 0)
    for slept_ns in decode.stamp_list(document.get("suspended_t_ns", [])):
        trace.add(Suspended(request_id=1, t_ns=slept_ns, asleep_ns=0))
    if (t_ns := at["t_start_ns"]) is not None:
        trace.add(Started(request_id=1, t_ns=t_ns))
    if (t_ns := at["t_prompt_ready_ns"]) is not None:
        trace.add(
            PromptReady(
                request_id=1,
                t_ns=t_ns,
                n_prompt_tokens=decode.count(document["n_prompt_tokens"]),
                n_cached_tokens=decode.count(document["n_cached_tokens"]),
                n_dropped_messages=decode.count(document["n_dropped_messages"]),
                t_rendered_ns=at.get("t_rendered_ns"),
                t_tokenized_ns=at.get("t_tokenized_ns"),
            )
        )
    for t_ns, n_done in prefill.T.tolist():
        trace.add(PrefillProgress(request_id=1, t_ns=t_ns, n_done_tokens=n_done))
    if (t_ns := at["t_prefill_end_ns"]) is not None:
        trace.add(PrefillDone(request_id=1, t_ns=t_ns))
    trace.add_steps(*steps.tolist())
    t_end_ns = decode.stamp_ns(at["t_end_ns"])
    error = decode.error_of(document["error"])
    if error is not None:
        trace.add(Failed(request_id=1, t_ns=t_end_ns, error=error))
    else:
        reason = decode.finish_reason_of(document["finish_reason"]) or FinishReason.END
        n_output = trace.n_output_tokens
        trace.add(
            Finished(request_id=1, t_ns=t_end_ns, reason=reason, text="", n_output_tokens=n_output)
        )
    decode.check_order(trace)
    return trace


def _track(document: dict[str, object], samples: Floats) -> SampleTrack:
    names = document["sample_columns"]
    if not isinstance(names, list) or samples.dtype != np.float64 or len(samples) != len(names):
        raise ValueError("samples are one row of float64 for each column")
    rows = {decode.text(name): samples[index] for index, name in enumerate(names)}
    unknown = np.full(samples.shape[1], np.nan)
    table = np.stack([rows.get(name, unknown) for name in SAMPLE_COLUMNS.values()], axis=1)
    t_ns = rows["t_ns"]
    _check_range(t_ns, -decode.MOST_NS, decode.MOST_NS)
    _check_range(table[~np.isnan(table)], -decode.MOST_NS, decode.MOST_NS)
    return SampleTrack(
        t_ns=array("q", t_ns.astype(np.int64).tolist()),
        values=array("d", table.ravel().tolist()),
        constants=decode.constants_of(document["sample_constants"]),
    )


def _check_range(values: Ints | Floats, least: int, most: int) -> None:
    # NaN is in no range.
    if not ((values >= least) & (values <= most)).all():
        raise ValueError(f"not from {least} to {most}")


def _since(t_ns: "array[int]", values: "array[int]", t0_ns: int) -> Ints:
    return np.array([np.array(t_ns, np.int64) - t0_ns, np.array(values, np.int64)])


def _samples(record: RunRecord, t0_ns: int) -> Floats:
    """One row a column, of so many samples that they take no more room than the steps."""
    t_ns = np.array(record.samples.t_ns, np.int64) - t0_ns
    table = np.array(record.samples.values).reshape(len(t_ns), len(SAMPLE_COLUMNS))
    most = max(_LEAST_SAMPLES, _n_computed(record.trace) // 2)
    every = max(1, -(-len(t_ns) // most))
    # The last one tells where the energy counter stood at the end.
    # Where nothing is known is kept as well: nothing may be summed over it.
    blank = np.flatnonzero(np.isnan(table).all(axis=1))
    kept = np.union1d(np.union1d(np.arange(0, len(t_ns), every), blank), np.arange(len(t_ns))[-1:])
    return np.concatenate((t_ns[None, kept].astype(np.float64), table[kept].T))


def _cells(record: RunRecord) -> tuple[CellSpan, ...]:
    """What its prompt is, of a conversation of many short messages the last part only."""
    cells = record.prompt_cells
    most = _most_cells(record.trace)
    if len(cells) <= most:
        return cells
    first = CellSpan(kind=CellKind.UNKNOWN, begin=0, end=cells[-most].end)
    return (first, *cells[1 - most :])


def _most_cells(trace: RequestTrace) -> int:
    return max(_LEAST_CELLS, _n_computed(trace) // 8)


def _n_computed(trace: RequestTrace) -> int:
    """Tokens that were computed, which what is kept may grow with."""
    return (trace.n_prompt_tokens or 0) - (trace.n_cached_tokens or 0) + trace.n_output_tokens


def _npy(values: Ints | Floats) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=False)
    return buffer.getvalue()
