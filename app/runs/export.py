"""Runs written for other programs: CSV, one line a run, and JSON with every stamp and sample.

Parquet, with both in one table, is in `app.runs.parquet`.

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
COLUMNS = (
    *("created_utc", "label", "model", "quantization", "cpu", *_ENGINE, "temperature"),
    *("inspect", "outcome", *_FIGURES, "felt_ttft_ns", *_ENERGY),
)
"""What a table has of each run."""

# With these a cell is a formula for a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(runs: Sequence[RunRecord]) -> str:
    """One line a run: when, what, on which machine, and every figure. Unknown is empty."""
    buffer = io.StringIO()
    table = csv.writer(buffer, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([_cell(value) for value in row_of(run).values()] for run in runs)
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


def row_of(run: RunRecord) -> dict[str, object]:
    """One value for each of `COLUMNS`; None is unknown."""
    loaded, sampling = run.loaded, run.request.get("sampling")
    engine = {} if loaded is None else asdict(loaded.engine)
    figures = asdict(run.trace.figures())
    reason = run.trace.finish_reason
    created = datetime.fromtimestamp(run.created_ms / 1000, UTC)
    return {
        "created_utc": created.isoformat(timespec="milliseconds"),
        "label": run.label,
        "model": run.model_name,
        "quantization": None if loaded is None else loaded.model.quantization,
        "cpu": run.machine.get("cpu"),
        **{name: engine.get(name) for name in _ENGINE},
        "temperature": sampling.get("temperature") if isinstance(sampling, dict) else None,
        "inspect": run.request.get("inspect"),
        "outcome": "failed" if reason is None else reason.value,
        **{name: figures[name] for name in _FIGURES},
        "felt_ttft_ns": run.felt_ttft_ns,
        **_energy(run),
    }


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
    stamps = document["stamps"]
    assert isinstance(stamps, dict)
    samples = {
        name: [None if math.isnan(value) else value for value in values]
        for name, values in samples_of(run).items()
    }
    figures = asdict(run.trace.figures()) | _energy(run)
    return document | {"figures": figures, "stamps": stamps | series_of(run), "samples": samples}


def series_of(run: RunRecord) -> dict[str, list[int]]:
    """The series of `engine.record.series`, stamps since the request was sent."""
    t0_ns = run.trace.t_submit_ns
    return {
        name: [value - t0_ns if name.endswith("_t_ns") else value for value in values]
        for name, values in series(run.trace).items()
    }


def samples_of(run: RunRecord) -> dict[str, list[int] | list[float]]:
    """A list for each column of the samples, `t_ns` since the request was sent; NaN is unknown."""
    n_columns, t0_ns = len(SAMPLE_COLUMNS), run.trace.t_submit_ns
    found: dict[str, list[int] | list[float]] = {
        "t_ns": [t_ns - t0_ns for t_ns in run.samples.t_ns]
    }
    for index, column in enumerate(SAMPLE_COLUMNS.values()):
        found[column] = list(run.samples.values[index::n_columns])
    return found
