"""Runs written for other programs: CSV, one line a run, and JSON with every stamp and sample.

The JSON has `schema` "oscillama.runs", `version` 1, and `runs`: each has what `run.json` of its
file has (see `app.runs.file`), and beside that `figures` (the fields of `engine.figures.Figures`,
`energy_per_token_mj`, `energy_mj`, and `energy_source`: "gpu" or "cpu"), in `stamps` the series
too, and `samples`, a list for each column.
"""

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime

from app.runs.file import document_of
from app.runs.record import RunRecord
from app.runs.summary import computing_energy
from app.sample_row import SAMPLE_COLUMNS
from engine.figures import Figures
from engine.record import series

_ENGINE = (
    "backend",
    "build",
    "device",
    "n_ctx",
    "n_batch",
    "n_ubatch",
    "n_threads",
    "n_threads_prefill",
    "kv_type",
    "flash_attention",
    "n_gpu_layers",
    "dtype",
)
_ENERGY = ("energy_per_token_mj", "energy_mj", "energy_source")
_FIGURES = tuple(field.name for field in fields(Figures))
# With these a cell is a formula for a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(runs: Sequence[RunRecord]) -> str:
    """One line a run: when, what, on which machine, and every figure. Unknown is empty."""
    names = ["created_utc", "label", "model", "quantization", "cpu", *_ENGINE, "temperature"]
    names += ["inspect", "outcome", *_FIGURES, "felt_ttft_ns", *_ENERGY]
    buffer = io.StringIO()
    table = csv.writer(buffer, lineterminator="\n")
    table.writerow(names)
    table.writerows([_cell(value) for value in _line(run)] for run in runs)
    return buffer.getvalue()


def json_text(runs: Sequence[RunRecord]) -> str:
    """Everything about the runs."""
    document = {
        "schema": "oscillama.runs",
        "version": 1,
        "created_utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "runs": [_whole(run) for run in runs],
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _line(run: RunRecord) -> list[object]:
    loaded, sampling = run.loaded, run.request.get("sampling")
    engine = {} if loaded is None else asdict(loaded.engine)
    figures = asdict(run.trace.figures())
    reason = run.trace.finish_reason
    return [
        datetime.fromtimestamp(run.created_ms / 1000, UTC).isoformat(timespec="milliseconds"),
        run.label,
        run.model_name,
        None if loaded is None else loaded.model.quantization,
        run.machine.get("cpu"),
        *(engine.get(name) for name in _ENGINE),
        sampling.get("temperature") if isinstance(sampling, dict) else None,
        run.request.get("inspect"),
        "failed" if reason is None else reason.value,
        *(figures[name] for name in _FIGURES),
        run.felt_ttft_ns,
        *_energy(run).values(),
    ]


def _energy(run: RunRecord) -> dict[str, object]:
    found = computing_energy(run)
    if found is None:
        return dict.fromkeys(_ENERGY)
    values = (found.per_token_mj, found.total_mj, found.source.value)
    return dict(zip(_ENERGY, values, strict=True))


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return value


def _whole(run: RunRecord) -> dict[str, object]:
    document = document_of(run)
    t0_ns = run.trace.t_submit_ns
    stamps = document["stamps"]
    assert isinstance(stamps, dict)
    lists: dict[str, list[int]] = {
        name: [value - t0_ns if name.endswith("_t_ns") else value for value in values]
        for name, values in series(run.trace).items()
    }
    n_columns = len(SAMPLE_COLUMNS)
    samples: dict[str, list[float | None]] = {
        "t_ns": [t_ns - t0_ns for t_ns in run.samples.t_ns],
        **{
            column: [None if math.isnan(value) else value for value in values]
            for index, column in enumerate(SAMPLE_COLUMNS.values())
            for values in (run.samples.values[index::n_columns],)
        },
    }
    figures = asdict(run.trace.figures()) | _energy(run)
    return document | {"figures": figures, "stamps": stamps | lists, "samples": samples}
