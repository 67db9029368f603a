"""What a record of a measurement says: the machine, the load, the request, the stamps.

Shared by the file of `main.py bench --json` and by recorded runs, so that the two use the same
names. Nothing here has a path, a prompt or an answer in it.
"""

import platform
import statistics
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from engine.events import Loaded
from engine.figures import RequestTrace
from engine.machine import cpu_name, usable_cores
from engine.values import GenerateRequest, LoadOptions, Notice

if TYPE_CHECKING:
    from array import array

Spread = tuple[float | None, float | None, float | None]


def machine() -> dict[str, str | int]:
    """The machine, without what would identify its owner."""
    cores = usable_cores()
    return {
        "cpu": cpu_name(),
        "physical_cores": cores.physical,
        "logical_cores": cores.logical,
        "memory_bytes": int(psutil.virtual_memory().total),
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "python": sys.version.split()[0],
    }


def load_record(loaded: Loaded, options: LoadOptions | None) -> dict[str, object]:
    """What was loaded and how; of paths only the last part, and no chat template.

    Of notices the reasons are left out: what a system or a library says has paths in it.
    """
    model = asdict(loaded.model) | {"path": Path(loaded.model.path).name, "chat_template": None}
    return {
        "options": None
        if options is None
        else asdict(options) | {"model_path": Path(options.model_path).name, "cache_dir": None},
        "model": model,
        "engine": asdict(loaded.engine)
        | {"notices": [_notice(notice) for notice in loaded.engine.notices]},
        "kv": asdict(loaded.kv),
        "memory": asdict(loaded.memory),
        "predicted_memory": None if loaded.predicted is None else asdict(loaded.predicted),
        "load_ns": None if loaded.slept else loaded.t_ns - loaded.t_start_ns,
    }


def _notice(notice: Notice) -> dict[str, object]:
    details = [[name, value] for name, value in notice.details if name != "reason"]
    return {"code": notice.code.value, "details": details}


def request_record(request: GenerateRequest) -> dict[str, object]:
    """How the answer was asked for; of messages and stop strings only how many there were."""
    return {
        "sampling": asdict(request.sampling),
        "max_tokens": request.max_tokens,
        "ignore_end": request.ignore_end,
        "reuse_cache": request.reuse_cache,
        "drop_oldest": request.drop_oldest,
        "continues": request.continues,
        "inspect": request.inspect,
        "n_messages": len(request.messages),
        "n_stop": len(request.stop),
    }


def stamps(trace: RequestTrace) -> dict[str, int | None]:
    """When each phase of a request began and ended."""
    return {
        "t_submit_ns": trace.t_submit_ns,
        "t_start_ns": trace.t_start_ns,
        "t_rendered_ns": trace.t_rendered_ns,
        "t_tokenized_ns": trace.t_tokenized_ns,
        "t_prompt_ready_ns": trace.t_prompt_ready_ns,
        "t_prefill_end_ns": trace.t_prefill_end_ns,
        "t_end_ns": trace.t_end_ns,
    }


def series(trace: RequestTrace) -> "dict[str, array[int]]":
    """When each engine step and each part of the prefill ended, and what it had done."""
    return {
        "step_t_ns": trace.step_t_ns,
        "step_n_tokens": trace.step_n_tokens,
        "prefill_t_ns": trace.prefill_t_ns,
        "prefill_n_done_tokens": trace.prefill_n_done_tokens,
    }


def spread(values: Iterable[float | None]) -> Spread:
    """Median, least and most of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    if not known:
        return (None, None, None)
    return (statistics.median(known), min(known), max(known))
