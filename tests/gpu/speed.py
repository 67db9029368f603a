"""The engine process as the window uses it: figures, memory, and `generate()` for comparison."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoModelForCausalLM

from engine.values import NoticeCode
from tests.benchmarks.engine_support import engine, median
from tests.gpu.driver import process_bytes
from tests.gpu.models import options, prompt_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gpu.results import Results

N_PROMPT, N_OUTPUT, N_RUNS = 512, 128, 5
_MIB = 1 << 20


def check(results: Results, model: Path, device: str, cache: Path) -> None:
    """Measure the engine, then eager `generate()` of the same weights."""
    is_gpu = device != "cpu"
    free_before = _free_bytes(device)
    started = time.monotonic()
    with engine(options(model, device, cache_dir=str(cache))) as ours:
        results.tell("load with compiling, first", f"{time.monotonic() - started:.1f} s")
        loaded = ours.loaded
        if is_gpu:
            failures = [
                str(dict(notice.details).get("reason", ""))
                for notice in loaded.engine.notices
                if notice.code is NoticeCode.COMPILE_FAILED
            ]
            results.holds("decode is compiled", is_true=not failures, found="; ".join(failures))
        figures = []
        for _ in range(1 + N_RUNS):
            request = ours.send(prompt_tokens(N_PROMPT), max_tokens=N_OUTPUT)
            figures.append(ours.finish(request).figures())
        figures = figures[1:]
        results.tell("device", f"{loaded.engine.device}, {loaded.engine.dtype}")
        results.tell("build", loaded.engine.build)
        results.tell("TTFT", f"{median([(f.ttft_ns or 0) / 1e6 for f in figures]):.1f} ms")
        rates = [f.prefill_rate_tok_per_s or 0 for f in figures]
        results.tell("prefill rate", f"{median(rates):.0f} tok/s")
        decode = median([f.decode_rate_tok_per_s or 0 for f in figures])
        results.tell("decode rate", f"{decode:.1f} tok/s")
        memory = loaded.memory
        parts = (memory.weights_bytes, memory.kv_bytes, memory.compute_bytes)
        shown = ", ".join("—" if n is None else f"{n / _MIB:.0f}" for n in parts)
        results.tell("weights, KV, compute", f"{shown} MiB")
        if is_gpu:
            taken = free_before - _free_bytes(device)
            least = (memory.weights_bytes or 0) + (memory.kv_bytes or 0)
            results.at_least("taken from the device", taken / _MIB, least / _MIB, "MiB")
            held = process_bytes(ours.process.pid or 0)
            if held is None:
                results.tell("the driver's view of the process", "unknown")
            else:
                known = sum(n for n in parts if n is not None)
                results.tell("the driver's view of the process", f"{held / _MIB:.0f} MiB")
                # CUDA's own context is the driver's, some hundred MiB.
                results.at_most("beyond what torch counts", (held - known) / _MIB, 1500, "MiB")
    if is_gpu:
        left = (free_before - _free_bytes(device)) / _MIB
        results.at_most("device memory not given back by unloading", left, 64, "MiB")
        started = time.monotonic()
        with engine(options(model, device, cache_dir=str(cache))):
            results.tell("load with compiling, again", f"{time.monotonic() - started:.1f} s")
    eager = _generate_rate(model, device)
    results.tell("decode rate of eager generate()", f"{eager:.1f} tok/s")
    results.at_least("decode to eager generate()", decode / eager, 5.0 if is_gpu else 0.9)


def _free_bytes(device: str) -> int:
    """Free memory of a GPU, whoever takes it, less what this process only keeps; 0 on the CPU."""
    if device == "cpu":
        return 0
    torch.cuda.empty_cache()
    return int(torch.cuda.mem_get_info(device)[0])


def _generate_rate(model: Path, device: str) -> float:
    dtype = torch.float32 if device == "cpu" else torch.bfloat16
    module: Any = AutoModelForCausalLM.from_pretrained(str(model), dtype=dtype)
    module = module.to(device).eval()
    ids = torch.tensor([prompt_tokens(N_PROMPT)], device=device)

    def seconds(n_output: int) -> float:
        started = time.perf_counter()
        module.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            min_new_tokens=n_output,
            max_new_tokens=n_output,
        )
        if device != "cpu":
            torch.cuda.synchronize()
        return time.perf_counter() - started

    seconds(8)
    # The prefill is in both, and leaves with the difference.
    rates = [(N_OUTPUT - 1) / (seconds(N_OUTPUT) - seconds(1)) for _ in range(3)]
    return statistics.median(rates)
