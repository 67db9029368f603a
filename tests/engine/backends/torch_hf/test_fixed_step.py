"""The decode step of fixed shape, which CUDA records: the same logits as the step that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    BartConfig,
    FalconH1Config,
    Gemma3TextConfig,
    LlamaConfig,
    MistralConfig,
    Phi3Config,
)

from engine.backends.torch_hf.devices import cpu
from engine.backends.torch_hf.fixed_step import CannotFixError, FixedStep, buckets, check_steps
from engine.backends.torch_hf.folder import read_folder
from engine.backends.torch_hf.kv_cache import KvCache
from engine.backends.torch_hf.model import load_folder, wrap
from engine.backends.torch_hf.runner import Runner
from engine.values import Dtype
from tests.engine.backends.torch_hf.conftest import go_on
from tests.engine.backends.torch_hf.tiny import SMALL, save_model

if TYPE_CHECKING:
    from pathlib import Path

    from engine.backends.torch_hf.model import Model

_CONFIGS = {
    "full": LlamaConfig(**SMALL),
    "sliding": Gemma3TextConfig(
        **SMALL,
        head_dim=8,
        sliding_window=16,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
    ),
    # Every layer slides, and no list of layers says so.
    "all sliding": MistralConfig(**SMALL, sliding_window=16),
    "all sliding, fused": Phi3Config(**SMALL, sliding_window=16),
}


def opened(config: Any, folder: Path, n_ctx: int) -> tuple[Model, KvCache, Runner]:  # noqa: ANN401
    save_model(config, folder, None)
    device = cpu()
    model = load_folder(read_folder(folder), device, Dtype.FLOAT32, go_on)
    kv = KvCache(model.config, n_ctx, n_spare=1)
    return model, kv, Runner(model, kv, device)


@pytest.mark.parametrize("compiles", [False, True], ids=["as it is", "compiled"])
@pytest.mark.parametrize("kind", list(_CONFIGS))
def test_every_bucket_gives_the_logits_of_the_growing_step(
    kind: str, compiles: bool, tmp_path: Path
) -> None:
    model, kv, runner = opened(_CONFIGS[kind], tmp_path, 256)
    prompt = [index * 7919 % 49_152 for index in range(40)]
    runner.compute(prompt)
    step = FixedStep(model, kv, "cpu")
    if compiles:
        # The compiler's own pass over the graph, without the minutes of a C++ build.
        step.compile(backend="aot_eager")
    for token, n_cells in ((11, 64), (5, 128), (300, 256), (7, 64)):
        step.token.fill_(token)
        step.position.fill_(len(prompt))
        found = step.compute(n_cells).clone()
        right = runner.compute([token])
        prompt.append(token)
        assert torch.allclose(found, right, rtol=1e-4, atol=1e-4 * float(right.abs().max()))


@pytest.mark.parametrize("kind", ["full", "sliding"])
def test_one_compiled_step_serves_all_buckets(kind: str, tmp_path: Path) -> None:
    from torch._dynamo.utils import counters

    model, kv, runner = opened(_CONFIGS[kind], tmp_path, 2048)
    runner.compute([1, 2, 3])
    step = FixedStep(model, kv, "cpu")
    # An engine process compiles one model; here others went before.
    torch.compiler.reset()
    counters.clear()
    step.compile(backend="aot_eager")
    for size in reversed(buckets(2048)):
        step.compute(size)
    assert counters["stats"]["unique_graphs"] == 1


def test_buckets_double_up_to_the_context() -> None:
    assert buckets(3000) == [512, 1024, 2048, 3000]
    assert buckets(512) == [512]
    assert buckets(100) == [100]


def test_a_model_with_recurrent_layers_is_not_fixed(tmp_path: Path) -> None:
    config = FalconH1Config(
        **SMALL, head_dim=8, mamba_d_ssm=32, mamba_n_heads=4, mamba_d_head=8, mamba_d_state=8
    )
    model, kv, runner = opened(config, tmp_path, 64)
    runner.compute([1, 2, 3])
    with pytest.raises(CannotFixError):
        FixedStep(model, kv, "cpu")


class DirectSteps:
    """A fixed step at positions, as a graph of it would be."""

    def __init__(self, step: FixedStep, n_cells: int) -> None:
        self._step = step
        self._n_cells = n_cells

    def compute_one(self, token: int, position: int) -> Any:  # noqa: ANN401
        self._step.token.fill_(token)
        self._step.position.fill_(position)
        return self._step.compute(self._n_cells)


def checked(model: Model, kv: KvCache, runner: Runner, step: FixedStep) -> None:
    check_steps(
        DirectSteps(step, 128),
        runner,
        kv,
        n_vocab=model.n_tokens,
        positions=[40, 100],
        most=1e-3,
    )


def test_steps_that_agree_pass_the_check(tmp_path: Path) -> None:
    model, kv, runner = opened(_CONFIGS["sliding"], tmp_path, 128)
    runner.compute([1])
    checked(model, kv, runner, FixedStep(model, kv, "cpu"))


def test_steps_that_forget_the_window_are_found(tmp_path: Path) -> None:
    model, kv, runner = opened(_CONFIGS["all sliding"], tmp_path, 128)
    runner.compute([1])
    for layer in kv.filled_layers():
        layer.window = None
    with pytest.raises(CannotFixError, match="differ"):
        checked(model, kv, runner, FixedStep(model, kv, "cpu"))


def test_a_model_that_counts_positions_itself_is_not_fixed(tmp_path: Path) -> None:
    config = BartConfig(
        vocab_size=1000, d_model=32, decoder_layers=2, decoder_attention_heads=4,
        decoder_ffn_dim=64, max_position_embeddings=128, is_encoder_decoder=False,
    )  # fmt: skip
    torch.manual_seed(0)
    model = wrap(AutoModelForCausalLM.from_config(config).eval(), tmp_path)
    kv = KvCache(model.config, 64, n_spare=1)
    Runner(model, kv, cpu()).compute([1])
    with pytest.raises(CannotFixError, match="positions"):
        FixedStep(model, kv, "cpu")
