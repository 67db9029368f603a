"""What a benchmark shows: a table for people, and a file with every stamp for programs."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from engine.counted import counted
from engine.events import Loaded
from engine.figures import Figures, RequestTrace
from engine.machine import cpu_name, usable_cores
from engine.model_name import display_name
from engine.record import load_record, machine, series, spread, stamps
from engine.titles import engine_title
from engine.values import LoadOptions

SCHEMA_NAME = "oscillama.bench"
SCHEMA_VERSION = 1

_MIB = 1 << 20
# Name, unit, key in the file, and the figure in that unit.
_ROWS: tuple[tuple[str, str, str, Callable[[Figures], float | None]], ...] = (
    ("TTFT", "ms", "ttft_ms", lambda f: _ms(f.ttft_ns)),
    ("prefill rate", "tok/s", "prefill_rate_tok_per_s", lambda f: f.prefill_rate_tok_per_s),
    ("TPOT", "ms", "tpot_ms", lambda f: _ms(f.tpot_ns)),
    ("decode rate", "tok/s", "decode_rate_tok_per_s", lambda f: f.decode_rate_tok_per_s),
)


def table(loaded: Loaded, traces: Sequence[RequestTrace], rss_bytes: int | None) -> str:
    """The report as text: the engine, then median, least and most of each figure."""
    engine, last = loaded.engine, traces[-1]
    flash = {True: "on", False: "off", None: "unknown"}[engine.flash_attention]
    p, n = last.n_prompt_tokens or 0, last.n_output_tokens
    lines = [
        f"model    {display_name(loaded.model)}, {loaded.model.quantization or 'unknown'}",
        f"build    {engine.build}",
        f"machine  {cpu_name()}, {counted(usable_cores().physical, 'core')}; "
        f"computes on {engine.device}",
        f"engine   {engine_title(engine.backend)}; threads {_count(engine.n_threads)} decode, "
        f"{_count(engine.n_threads_prefill)} prefill; flash attention {flash}; "
        f"KV {engine.kv_type}; context {engine.n_ctx}; GPU layers {engine.n_gpu_layers}",
        f"work     {counted(p, 'prompt token')}, {counted(n, 'output token')}, "
        f"{counted(len(traces), 'run')}, cold cache",
        "",
        f"{'':<14}{'median':>12}{'min':>12}{'max':>12}",
    ]
    for name, unit, _, figure in _ROWS:
        found = spread(figure(trace.figures()) for trace in traces)
        cells = "".join(f"{'—' if value is None else f'{value:.2f}':>12}" for value in found)
        lines.append(f"{name:<14}{cells}  {unit}")
    sizes = (
        ("KV used", loaded.kv.used_bytes(p + n)),
        ("KV reserved", loaded.kv.reserved_bytes),
        ("weights", loaded.memory.weights_bytes),
        ("compute", loaded.memory.compute_bytes),
        ("engine RSS", rss_bytes),
    )
    for name, n_bytes in sizes:
        lines.append(f"{name:<14}{'—' if n_bytes is None else f'{n_bytes / _MIB:.1f}':>12}  MiB")
    return "\n".join(lines) + "\n"


def write_json(
    path: Path,
    loaded: Loaded,
    options: LoadOptions,
    traces: Sequence[RequestTrace],
    rss_bytes: int | None,
) -> None:
    """Write the machine, the build, the options and every stamp.

    Raises:
        OSError: The file cannot be written.
    """
    load = load_record(loaded, options)
    document = {
        "schema": SCHEMA_NAME,
        "version": SCHEMA_VERSION,
        "created_utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        **load,
        "memory": asdict(loaded.memory) | {"rss_bytes": rss_bytes},
        "summary": {
            key: dict(
                zip(
                    ("median", "min", "max"),
                    spread(figure(trace.figures()) for trace in traces),
                    strict=True,
                )
            )
            for _, _, key, figure in _ROWS
        },
        "runs": [_run(trace) for trace in traces],
    }
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _run(trace: RequestTrace) -> dict[str, object]:
    return {
        "figures": asdict(trace.figures()),
        "stamps": {
            **stamps(trace),
            **{name: list(values) for name, values in series(trace).items()},
        },
    }


def _count(value: int | None) -> str:
    return "—" if value is None else str(value)


def _ms(n_ns: float | None) -> float | None:
    return None if n_ns is None else n_ns / 1e6
