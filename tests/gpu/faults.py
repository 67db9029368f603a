"""A stop in prefill and in decode, and memory that runs out with the engine still usable."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import torch

from engine.errors import EngineError, ErrorCode
from engine.events import FinishReason, PrefillProgress, Step
from tests.benchmarks.engine_support import engine
from tests.gpu.models import GREEDY, load, options, prefill, prompt_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from engine.events import Event
    from tests.gpu.results import Results


def check_stops(results: Results, model: Path, device: str, cache: Path) -> None:
    """Cancel at the first sign of progress, and time until the engine is idle."""
    n_ctx = 8192 if device != "cpu" else 4096
    with engine(options(model, device, n_ctx=n_ctx, cache_dir=str(cache))) as ours:
        for name, kind, n_prompt, most_ms in (
            ("prefill", PrefillProgress, n_ctx - 100, 300.0),
            ("decode", Step, 64, 100.0),
        ):
            stopped_ns = 0
            request = ours.send(prompt_tokens(n_prompt), max_tokens=n_ctx)
            request_id = request.request_id

            def stop(event: Event, kind: Any = kind, request_id: int = request_id) -> None:  # noqa: ANN401
                nonlocal stopped_ns
                if isinstance(event, kind) and not stopped_ns:
                    stopped_ns = time.perf_counter_ns()
                    ours.process.cancel(request_id)

            trace = ours.finish(request, stop)
            is_cancelled = trace.finish_reason is FinishReason.CANCELLED
            results.holds(f"a stop in {name} ends the answer", is_true=is_cancelled)
            idle_ms = ((trace.t_end_ns or 0) - stopped_ns) / 1e6
            results.at_most(f"idle after a stop in {name}", idle_ms, most_ms, "ms")
        after = ours.finish(ours.send(prompt_tokens(32), max_tokens=4))
        results.holds("answers after the stops", is_true=after.n_output_tokens == 4)


def check_out_of_memory(results: Results, model: Path, device: str) -> None:
    """Fill the device but for a little, read a long prompt, then make room and answer."""
    if device == "cpu":
        results.tell("out of memory", "not on the processor")
        return
    backend = load(model, device, n_ubatch=4096, n_batch=4096)
    try:
        prefill(backend, prompt_tokens(16))
        before = tuple(backend.step(lambda: True))
        torch.cuda.empty_cache()
        free, _ = torch.cuda.mem_get_info()
        filler: Any = torch.empty(max(free - (8 << 20), 0), dtype=torch.uint8, device=device)
        code = None
        prompt = prompt_tokens(4000)
        try:
            backend.begin(prompt, GREEDY, reuse_cache=False)
            backend.prefill(prompt, lambda _n: True)
        except EngineError as error:
            code = error.info.code
        results.holds(
            "out of memory in a prefill is an error",
            is_true=code is ErrorCode.NOT_ENOUGH_MEMORY,
            found=str(code),
        )
        del filler
        torch.cuda.empty_cache()
        prefill(backend, prompt_tokens(16))
        results.holds(
            "and the engine answers as before",
            is_true=tuple(backend.step(lambda: True)) == before,
        )
    finally:
        backend.close()
    results.at_most(
        "device memory held after closing", torch.cuda.memory_allocated() / (1 << 20), 64, "MiB"
    )
