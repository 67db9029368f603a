"""What is predicted of a forward pass is what the same pass takes with real tensors."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    Gemma3TextConfig,
    GPT2Config,
    LlamaConfig,
    MambaConfig,
)

from engine.backends.torch_hf.compute_need import predicted_bytes
from engine.backends.torch_hf.devices import cpu, torch_dtype
from engine.backends.torch_hf.kv_cache import KvCache
from engine.backends.torch_hf.model import wrap
from engine.backends.torch_hf.runner import Runner
from engine.values import Dtype
from tests.engine.backends.torch_hf.tiny_files import SHAPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.engine.backends.torch_hf.conftest import Loader

N_CTX, N_TOKENS = 2048, 256
WIDE = {**SHAPE, "hidden_size": 64, "intermediate_size": 512}
CONFIGS: dict[str, Callable[[], Any]] = {
    "grouped heads": lambda: LlamaConfig(**WIDE),
    "many layers": lambda: LlamaConfig(**{**WIDE, "num_hidden_layers": 12}),
    "windows": lambda: Gemma3TextConfig(**WIDE, head_dim=16, sliding_window=32),
    "learned positions": lambda: GPT2Config(
        vocab_size=SHAPE["vocab_size"], n_embd=64, n_layer=3, n_head=4, n_positions=N_CTX
    ),
    "large vocabulary": lambda: LlamaConfig(**{**WIDE, "vocab_size": 200_000}),
}
# A kernel of attention has working memory of its own in each thread.
_THREAD_BYTES = 256 << 10


def taken_bytes(module: Any) -> int:  # noqa: ANN401
    """Most memory at once of a real pass, as the allocator of torch tells its profiler."""
    model = wrap(module, Path())
    kv = KvCache(model.config, N_CTX)
    runner = Runner(model, kv, cpu())
    runner.compute([0])
    for layer in kv.filled_layers():
        layer.n_tokens = N_CTX - N_TOKENS
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True
    ) as profile:
        runner.compute([0] * N_TOKENS)
    events = profile.profiler.kineto_results.events()
    changes = [event for event in events if event.name() == "[memory]"]
    changes.sort(key=lambda event: event.start_ns())
    return max(itertools.accumulate(int(event.nbytes()) for event in changes))


@pytest.mark.parametrize(
    ("name", "dtype"),
    [*((name, Dtype.FLOAT32) for name in CONFIGS), ("grouped heads", Dtype.BFLOAT16)],
)
def test_the_prediction_is_what_a_real_pass_takes(name: str, dtype: Dtype) -> None:
    """Within 1 %, but for what a kernel takes inside."""
    config = CONFIGS[name]()
    predicted = predicted_bytes(config, dtype, n_ctx=N_CTX, n_tokens=N_TOKENS)
    module = AutoModelForCausalLM.from_config(config, dtype=torch_dtype(dtype)).eval()
    taken = taken_bytes(module)
    assert taken > 1 << 20
    assert predicted is not None
    assert -_THREAD_BYTES * torch.get_num_threads() <= predicted - taken * 0.99
    assert predicted <= taken * 1.01


def test_a_longer_piece_of_a_longer_context_takes_more() -> None:
    def predicted(n_ctx: int, n_tokens: int) -> int:
        config = LlamaConfig(**WIDE)
        found = predicted_bytes(config, Dtype.FLOAT32, n_ctx=n_ctx, n_tokens=n_tokens)
        assert found is not None
        return found

    # Keys and values of two heads are there once more for the other two.
    assert predicted(4096, 64) - predicted(2048, 64) >= 2 * 2048 * 64 * 4
    # Gate, up and their product of each token.
    assert predicted(512, 512) >= 3 * 512 * 512 * 4


def test_of_a_model_that_computes_token_by_token_nothing_is_predicted() -> None:
    config = MambaConfig(vocab_size=300, hidden_size=32, num_hidden_layers=2)
    assert predicted_bytes(config, Dtype.FLOAT32, n_ctx=64, n_tokens=16) is None


def test_a_load_predicts_it(tiny_folder: Path, open_tiny: Loader) -> None:
    backend, loaded = open_tiny(tiny_folder, n_ctx=256)
    predicted = backend.predicted()
    assert predicted is not None
    assert predicted.kv_bytes == loaded.memory.kv_bytes
    assert predicted.compute_bytes == predicted_bytes(
        LlamaConfig(**SHAPE),
        Dtype.FLOAT32,
        n_ctx=256,
        n_tokens=min(loaded.engine.n_ubatch, 256),
    )
    assert predicted.compute_bytes
    # The weights that were loaded are numbers still.
    assert not any(
        type(parameter) is not torch.nn.Parameter
        for parameter in backend._ready().model.module.parameters()
    )
