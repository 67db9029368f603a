"""Logits against a float64 reference on the processor, for each format and kind of step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoModelForCausalLM

from engine.values import Dtype
from tests.gpu.models import load, prefill, prompt_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gpu.results import Results

# The steps cross from the first bucket of a KV cache of fixed size, 512 cells, to the next.
N_PROMPT, N_STEPS = 508, 8
# float32 as demanded; the others round at each layer: 8 and 11 bits of mantissa.
_MOST = {Dtype.FLOAT32: 1e-4, Dtype.BFLOAT16: 5e-2, Dtype.FLOAT16: 1e-2}


def check(results: Results, model: Path, device: str) -> None:
    """Compare the logits of a prompt and of some steps; the table names the kind of the model."""
    # TensorFloat-32 would round the factors of float32 products to 10 bits.
    torch.backends.cuda.matmul.allow_tf32 = False
    prompt = prompt_tokens(N_PROMPT)
    reference = AutoModelForCausalLM.from_pretrained(str(model), dtype=torch.float64).eval()
    kind = str(reference.config.model_type)
    formats = (Dtype.FLOAT32,) if device == "cpu" else tuple(_MOST)
    for dtype in formats:
        backend = load(model, device, dtype=dtype, n_ctx=1024)
        try:
            prefill(backend, prompt)
            found = [backend.logits().double().cpu()]
            tokens: list[int] = []
            for _ in range(N_STEPS):
                tokens.extend(backend.step(lambda: True))
                found.append(backend.logits().double().cpu())
        finally:
            backend.close()
        with torch.inference_mode():
            right = reference(torch.tensor([prompt + tokens])).logits[0]
        # Logits are asked for after each step, before the token it sampled is computed.
        first = right[N_PROMPT - 1]
        results.at_most(
            f"{kind}, logits of a prefill, {dtype}", _error(found[0], first), _MOST[dtype]
        )
        steps = [_error(found[i + 1], right[N_PROMPT - 1 + i]) for i in range(N_STEPS)]
        results.at_most(f"{kind}, logits of a step, {dtype}", max(steps), _MOST[dtype])


def _error(found: Any, right: Any) -> float:  # noqa: ANN401
    return float((found - right).abs().max() / right.abs().max())
