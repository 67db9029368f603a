"""Runs as a Parquet table, for notebooks and databases: one row a run, with every stamp and sample.

The columns are those of the CSV (`app.runs.export.COLUMNS`), and after them lists: the series of
`engine.record.series` (`step_t_ns`, `step_n_tokens`, `prefill_t_ns`, `prefill_n_done_tokens`), and
`sample_t_ns` and `sample_` with the name of each column of the samples. Stamps are nanoseconds
since the request was sent. Unknown is null, in samples too. The metadata of the file has `schema`
"oscillama.runs" and `version` "1".
"""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.runs.export import COLUMNS, row_of, samples_of, series_of
from app.runs.record import RunRecord
from app.sample_row import SAMPLE_COLUMNS

if TYPE_CHECKING:
    import pyarrow

_METADATA = {"schema": "oscillama.runs", "version": "1"}
_SERIES = ("step_t_ns", "step_n_tokens", "prefill_t_ns", "prefill_n_done_tokens")
_TEXTS = (
    *("label", "model", "quantization", "cpu", "backend", "build", "device"),
    *("kv_type", "dtype", "outcome", "energy_source"),
)
_FLAGS = ("flash_attention", "inspect")
_FLOATS = ("_tok_per_s", "_mj", "tpot_ns", "temperature")


def parquet_bytes(runs: Sequence[RunRecord]) -> bytes:
    """The file. Loads pyarrow, which takes a moment the first time."""
    import pyarrow
    import pyarrow.parquet

    schema = _schema(pyarrow)
    table = pyarrow.Table.from_pylist([_row(run) for run in runs], schema=schema)
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _row(run: RunRecord) -> dict[str, Any]:
    from datetime import datetime

    row: dict[str, Any] = row_of(run) | series_of(run)
    row["created_utc"] = datetime.fromisoformat(str(row["created_utc"]))
    # NaN is not equal to itself.
    return row | {
        f"sample_{name}": [None if value != value else value for value in values]
        for name, values in samples_of(run).items()
    }


def _schema(arrow: Any) -> "pyarrow.Schema":  # noqa: ANN401 - the module
    fields = [(name, _kind(arrow, name)) for name in COLUMNS]
    fields += [(name, arrow.list_(arrow.int64())) for name in _SERIES]
    fields.append(("sample_t_ns", arrow.list_(arrow.int64())))
    fields += [(f"sample_{name}", arrow.list_(arrow.float64())) for name in SAMPLE_COLUMNS.values()]
    return arrow.schema(fields, metadata=_METADATA)


def _kind(arrow: Any, name: str) -> Any:  # noqa: ANN401 - types of pyarrow
    if name == "created_utc":
        return arrow.timestamp("ms", tz="UTC")
    if name in _TEXTS:
        return arrow.string()
    if name in _FLAGS:
        return arrow.bool_()
    return arrow.float64() if name.endswith(_FLOATS) else arrow.int64()
