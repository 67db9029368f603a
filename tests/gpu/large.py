"""Decode of a large model against the limit that the memory bandwidth sets."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoModelForCausalLM, LlamaConfig

from engine.backends.torch_hf.compiling import record_steps
from engine.backends.torch_hf.devices import choose_device
from engine.backends.torch_hf.kv_cache import KvCache
from engine.backends.torch_hf.model import release, wrap
from engine.backends.torch_hf.runner import Runner
from engine.values import Dtype
from tests.gpu.models import N_VOCAB, QuietLog, prompt_tokens

if TYPE_CHECKING:
    from tests.gpu.results import Results

N_PROMPT, N_STEPS = 512, 64
_LAYER_PARAMETERS = 4096 * 4096 * 2 + 2 * 4096 * 1024 + 3 * 4096 * 14_336
_COPIED_BYTES = 4 << 30


def check(results: Results, device: str, weights_gib: float) -> None:
    """Build a Llama of that size on the device, and time its steps."""
    if device == "cpu":
        results.tell("large model", "not on the processor")
        return
    n_layers = max(round((weights_gib * 2**30 / 2 - N_VOCAB * 4096) / _LAYER_PARAMETERS), 1)
    config = LlamaConfig(
        vocab_size=N_VOCAB,
        hidden_size=4096,
        intermediate_size=14_336,
        num_hidden_layers=n_layers,
        num_attention_heads=32,
        num_key_value_heads=8,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
    )
    chosen = choose_device(device, 0)
    bandwidth = measured_bandwidth(device)
    results.tell("measured memory bandwidth", f"{bandwidth / 1e9:.0f} GB/s")
    with torch.device(device):
        module: Any = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval()
    model = wrap(module, Path("large"))
    kv = KvCache(model.config, 4096, n_spare=1)
    runner = Runner(model, kv, chosen)
    runner.compute([1])
    layout = kv.layout("bfloat16")
    kv.clear()
    started = time.monotonic()
    recorded, notice = record_steps(
        model,
        kv,
        runner,
        chosen,
        Dtype.BFLOAT16,
        None,
        lambda _stage, _fraction: True,
        QuietLog(),
    )
    results.tell("compiling the large model", f"{time.monotonic() - started:.1f} s")
    if recorded is None or notice is not None:
        results.holds("the large model is compiled", is_true=False, found=str(notice))
    if recorded is None:
        return
    runner.compute(prompt_tokens(N_PROMPT))
    token = 1
    times = []
    for index in range(N_STEPS):
        torch.cuda.synchronize()
        step_started = time.perf_counter()
        token = int(recorded.compute_one(token, N_PROMPT + index).argmax())
        times.append(time.perf_counter() - step_started)
    step_s = sorted(times)[len(times) // 2]
    read = model.weights_bytes + layout.used_bytes(N_PROMPT + N_STEPS // 2)
    results.tell("weights of the large model", f"{model.weights_bytes / 2**30:.2f} GiB")
    results.tell("decode rate of the large model", f"{1 / step_s:.1f} tok/s")
    results.at_least("share of the limit", read / step_s / bandwidth, 0.65)
    del module, model, kv, runner, recorded
    release(chosen)


def measured_bandwidth(device: str) -> float:
    """Bytes a second that a large copy reads and writes, the best of some."""
    source = torch.empty(_COPIED_BYTES, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    best_s = float("inf")
    for _ in range(10):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        target.copy_(source)
        end.record()
        torch.cuda.synchronize()
        best_s = min(best_s, begin.elapsed_time(end) / 1e3)
    return 2 * _COPIED_BYTES / best_s
