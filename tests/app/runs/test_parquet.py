"""The Parquet table has what the CSV has, and every stamp and sample, with their types."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pyarrow import parquet

from app.runs.export import COLUMNS, csv_text
from app.runs.parquet import parquet_bytes
from tests.app.runs.making import MS, SECRET, T0, recorded, sample


def test_it_reads_back_as_it_was_written() -> None:
    taken = (sample(T0 + 200 * MS), sample(T0 + 450 * MS, power_mw=45_000))
    run = replace(recorded(samples=taken), created_ms=1_700_000_000_123, label="=on battery")
    content = parquet_bytes([run, recorded(step_ms=10)])
    table = parquet.read_table(io.BytesIO(content))
    assert table.schema.metadata[b"schema"] == b"oscillama.runs"
    assert table.column_names[: len(COLUMNS)] == list(COLUMNS)
    first, second = table.to_pylist()
    assert first["created_utc"] == datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC)
    assert first["label"] == "=on battery"
    assert (first["decode_rate_tok_per_s"], second["decode_rate_tok_per_s"]) == (50.0, 100.0)
    assert first["ttft_ns"] == 107 * MS
    assert first["temperature"] == 0.25
    assert first["inspect"] is False
    assert first["energy_per_token_mj"] is None
    assert first["step_t_ns"][:2] == [117 * MS, 137 * MS]
    assert first["step_n_tokens"] == [1] * 11
    assert first["prefill_n_done_tokens"] == [80, 100]
    assert first["sample_t_ns"] == [200 * MS, 450 * MS]
    assert first["sample_gpu_power_mw"] == [None, 45_000]
    assert first["sample_engine_rss_bytes"] == [421 << 20] * 2
    assert SECRET.encode() not in content


def test_it_has_every_figure_of_the_csv() -> None:
    run = recorded()
    (row,) = parquet.read_table(io.BytesIO(parquet_bytes([run]))).to_pylist()
    (line,) = csv.DictReader(csv_text([run]).splitlines())
    for name in COLUMNS:
        if name.endswith(("_ns", "_tok_per_s", "_tokens")):
            expected = float(line[name]) if line[name] else None
            assert row[name] == (None if expected is None else pytest.approx(expected)), name


def test_nobody_waits_for_pyarrow_who_does_not_ask_for_it() -> None:
    code = "import sys, app.runs.parquet; print('pyarrow' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout.strip() == b"False"
