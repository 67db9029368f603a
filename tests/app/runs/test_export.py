"""Exports have every figure, with units in the names, and nothing a spreadsheet would run."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

from app.runs.export import csv_text, json_text
from tests.app.runs.making import MS, SECRET, T0, recorded, sample


def test_csv_has_a_line_for_each_run() -> None:
    runs = [recorded(), replace(recorded(step_ms=10), label="=HYPERLINK(1)")]
    first, second = csv.DictReader(csv_text(runs).splitlines())
    assert first["decode_rate_tok_per_s"] == "50.0"
    assert second["decode_rate_tok_per_s"] == "100.0"
    assert first["ttft_ns"] == str(107 * MS)
    assert first["quantization"] == "Q4_1"
    assert first["n_ctx"] == "8192"
    assert first["temperature"] == "0.25"
    assert first["inspect"] == "False"
    assert first["energy_per_token_mj"] == ""
    assert second["label"] == "'=HYPERLINK(1)"


def test_json_has_every_stamp_and_sample() -> None:
    run = recorded(samples=(sample(T0 + 200 * MS),))
    text = json_text([run])
    (found,) = json.loads(text)["runs"]
    assert found["stamps"]["t_submit_ns"] == 0
    assert found["stamps"]["step_t_ns"][:2] == [117 * MS, 137 * MS]
    assert found["stamps"]["step_n_tokens"] == [1] * 11
    assert found["stamps"]["prefill_n_done_tokens"] == [80, 100]
    assert found["figures"]["itl_p95_ns"] == 20 * MS
    assert found["samples"]["t_ns"] == [200 * MS]
    assert found["samples"]["engine_rss_bytes"] == [421 << 20]
    assert found["samples"]["gpu_power_mw"] == [None]
    assert SECRET not in text
