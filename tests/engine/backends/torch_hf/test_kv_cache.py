"""Caches of every kind of layer: answers are those of `generate()`, and prefixes are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    FalconH1Config,
    Gemma2Config,
    Gemma3TextConfig,
    GPT2Config,
    Lfm2Config,
    LlamaConfig,
    MambaConfig,
    Qwen3NextConfig,
)

from engine.backends.torch_hf import watch
from engine.backends.torch_hf.kv_cache import KvCache, bytes_per_token
from engine.errors import EngineError, ErrorCode
from engine.values import NoticeCode
from tests.engine.backends.torch_hf.conftest import GREEDY, answer
from tests.engine.backends.torch_hf.tiny_files import N_VOCAB, SHAPE, save_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.engine.backends.torch_hf.conftest import Loader

N_PROMPT, N_ANSWER = 50, 24
PROMPT = [(index * 37 + 11) % 256 for index in range(N_PROMPT)]
# Smaller than the prompt, so that it slides.
WINDOW = 16

CONFIGS: dict[str, Callable[[], Any]] = {
    "llama": lambda: LlamaConfig(**SHAPE),
    "gemma2": lambda: Gemma2Config(
        **{**SHAPE, "num_hidden_layers": 4, "head_dim": 8, "sliding_window": WINDOW}
    ),
    "gemma3": lambda: Gemma3TextConfig(
        **{**SHAPE, "num_hidden_layers": 6, "head_dim": 8, "sliding_window": WINDOW},
        query_pre_attn_scalar=8,
    ),
    "gpt2": lambda: GPT2Config(
        vocab_size=N_VOCAB,
        n_positions=512,
        n_embd=32,
        n_layer=2,
        n_head=4,
        bos_token_id=256,
        eos_token_id=258,
    ),
    "mamba": lambda: MambaConfig(
        vocab_size=N_VOCAB, hidden_size=32, state_size=8, num_hidden_layers=2
    ),
    "lfm2": lambda: Lfm2Config(
        **{**SHAPE, "num_hidden_layers": 4}, layer_types=["conv", "full_attention"] * 2
    ),
    "qwen3_next": lambda: Qwen3NextConfig(
        **{**SHAPE, "num_hidden_layers": 4, "head_dim": 8},
        linear_num_value_heads=4,
        linear_num_key_heads=2,
        linear_key_head_dim=8,
        linear_value_head_dim=8,
        num_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=16,
        shared_expert_intermediate_size=16,
    ),
    "falcon_h1": lambda: FalconH1Config(
        **SHAPE,
        mamba_d_ssm=64,
        mamba_n_heads=8,
        mamba_d_head=8,
        mamba_n_groups=1,
        mamba_d_state=8,
        mamba_chunk_size=16,
    ),
}
# Bytes of K and V per token, and those of states, from the shapes above in float32.
LAYOUTS = {
    "llama": (2 * 3 * 2 * 8 * 4, 0),
    "gemma2": (2 * 4 * 2 * 8 * 4, 0),
    "gemma3": (2 * 6 * 2 * 8 * 4, 0),
    "gpt2": (2 * 2 * 4 * 8 * 4, 0),
    # 64 channels: a convolution over 4 tokens and 8 numbers of state each.
    "mamba": (0, 2 * 64 * (4 + 8) * 4),
    # 32 channels: a convolution over 3 tokens.
    "lfm2": (2 * 2 * 2 * 8 * 4, 2 * 32 * 3 * 4),
    "qwen3_next": (2 * 1 * 2 * 8 * 4, 3 * ((2 * 16 + 32) * 4 + 4 * 8 * 8) * 4),
    # 64 + 2 * 8 channels over 4 tokens, 8 heads of 8 by 8.
    "falcon_h1": (2 * 3 * 2 * 8 * 4, 3 * (80 * 4 + 8 * 8 * 8) * 4),
}
RECURRENT = {"mamba", "lfm2", "qwen3_next", "falcon_h1"}
ATTENTION = set(CONFIGS) - RECURRENT


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A folder for each of `CONFIGS`, made when it is asked for."""
    made: dict[str, Path] = {}

    def folder_of(name: str) -> Path:
        if name not in made:
            made[name] = save_folder(tmp_path_factory.mktemp(name), CONFIGS[name]())
        return made[name]

    return folder_of


def generated(folder: Path) -> tuple[list[int], Any]:
    """What transformers itself answers, greedily, and its logits after all but the last token."""
    model = AutoModelForCausalLM.from_pretrained(str(folder), dtype=torch.float32).eval()
    tokens = model.generate(
        torch.tensor([PROMPT]),
        attention_mask=torch.ones((1, N_PROMPT), dtype=torch.long),
        do_sample=False,
        max_new_tokens=N_ANSWER,
        eos_token_id=None,
        pad_token_id=0,
    )
    with torch.inference_mode():
        logits = model(tokens[:, :-1]).logits[0, -1]
    return list(tokens[0, N_PROMPT:].tolist()), logits


@pytest.mark.parametrize("name", CONFIGS)
def test_greedy_answers_are_those_of_generate(
    folders: Callable[[str], Path], open_tiny: Loader, name: str
) -> None:
    backend, _ = open_tiny(folders(name))
    right, logits = generated(folders(name))
    # At once, and in pieces of which the next one finds the last in the cache.
    for chunk in (N_PROMPT, 20):
        assert answer(backend, PROMPT, N_ANSWER, reuse_cache=False, chunk=chunk) == right
        torch.testing.assert_close(backend.logits(), logits, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_next_turn_computes_what_is_new(
    folders: Callable[[str], Path], open_tiny: Loader, name: str
) -> None:
    backend, _ = open_tiny(folders(name))
    tokens = answer(backend, PROMPT, 8)
    # The last token was sampled and not computed.
    longer = [*PROMPT, *tokens[:7], 5, 6, 7]
    assert backend.begin(longer, GREEDY, reuse_cache=True) == N_PROMPT + 7
    warm = answer(backend, longer, 6)
    assert warm == answer(backend, longer, 6, reuse_cache=False)


@pytest.mark.parametrize("name", CONFIGS)
def test_going_back_starts_anew_where_it_must(
    folders: Callable[[str], Path], open_tiny: Loader, name: str
) -> None:
    backend, loaded = open_tiny(folders(name))
    codes = [notice.code for notice in loaded.engine.notices]
    assert codes == ([NoticeCode.CACHE_NOT_REUSABLE] if name in RECURRENT else [])
    answer(backend, PROMPT, 3)
    other = [*PROMPT[:30], 1, 2, 3, 4]
    kept = backend.begin(other, GREEDY, reuse_cache=True)
    assert kept == (0 if name in RECURRENT else 30)
    assert backend.kv_tokens() == kept
    assert answer(backend, other, 6) == answer(backend, other, 6, reuse_cache=False)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_stop_in_a_prefill_leaves_a_cache_that_can_be_used(
    folders: Callable[[str], Path], open_tiny: Loader, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Looks at every layer, so that the second piece is left in its middle.
    monkeypatch.setattr(watch, "_PERIOD_NS", 0)
    backend, loaded = open_tiny(folders(name), n_ubatch=20)
    assert loaded.prefill_is_interruptible
    right = answer(backend, PROMPT, 6)
    seen: list[int] = []

    def stop_in_second(n_done: int) -> bool:
        seen.append(n_done)
        return n_done <= 20

    assert backend.begin(PROMPT, GREEDY, reuse_cache=False) == 0
    assert backend.prefill(PROMPT, stop_in_second) == 20
    assert 20 < seen[-1] < 40
    assert backend.kv_tokens() == (0 if name in RECURRENT else 20)
    assert answer(backend, PROMPT, 6) == right


@pytest.mark.parametrize("name", CONFIGS)
def test_the_layout_is_that_of_the_tensors(
    folders: Callable[[str], Path], open_tiny: Loader, name: str
) -> None:
    backend, loaded = open_tiny(folders(name), n_ctx=128)
    per_token, fixed = LAYOUTS[name]
    assert [group.bytes_per_token for group in loaded.kv.groups] == [per_token] * bool(per_token)
    for group in loaded.kv.groups:
        numbers = (group.k_head_size or 0) + (group.v_head_size or 0)
        product = (group.n_layers or 0) * (group.n_kv_heads or 0) * numbers
        # A layer that is attention and recurrence at once is of no known size.
        is_known = name != "falcon_h1"
        assert product * (loaded.kv.block_bytes or 0) == (per_token if is_known else 0)
    assert loaded.kv.fixed_bytes == fixed
    assert loaded.kv.reserved_tokens == 128
    assert loaded.kv.reserved_bytes == 128 * per_token + fixed
    assert loaded.kv.is_reserved == (name != "falcon_h1")
    answer(backend, PROMPT, 3)
    # A layer that is attention and recurrence at once grows with its tokens.
    held = loaded.kv.used_bytes(backend.kv_tokens())
    allocated = backend.memory().kv_bytes
    assert allocated == (held if name == "falcon_h1" else loaded.kv.reserved_bytes)


@pytest.mark.parametrize("name", sorted(ATTENTION))
def test_a_cache_of_attention_is_taken_when_the_model_is_loaded(
    folders: Callable[[str], Path], open_tiny: Loader, name: str
) -> None:
    backend, loaded = open_tiny(folders(name), n_ctx=128)
    assert loaded.memory.kv_bytes == loaded.kv.reserved_bytes
    answer(backend, PROMPT, 3)
    assert backend.memory() == loaded.memory
    answer(backend, PROMPT[:5], 3, reuse_cache=False)
    assert backend.memory() == loaded.memory


@pytest.mark.parametrize("name", sorted(ATTENTION))
def test_the_estimate_before_a_load_is_what_is_taken(name: str) -> None:
    assert bytes_per_token(CONFIGS[name](), 4) == LAYOUTS[name][0]


def test_a_cache_is_full_at_its_context_and_not_before(
    folders: Callable[[str], Path], open_tiny: Loader
) -> None:
    backend, _ = open_tiny(folders("llama"), n_ctx=64)
    prompt = PROMPT + PROMPT
    tokens = answer(backend, prompt[:60], 5)
    assert len(tokens) == 5
    assert backend.kv_tokens() == 64


def test_steps_before_a_prompt_are_refused(
    folders: Callable[[str], Path], open_tiny: Loader
) -> None:
    backend, _ = open_tiny(folders("llama"))
    with pytest.raises(EngineError) as raised:
        backend.step(lambda: True)
    assert raised.value.info.code is ErrorCode.INTERNAL
    backend.begin(PROMPT, GREEDY, reuse_cache=True)
    with pytest.raises(EngineError, match="before prefill"):
        backend.step(lambda: True)


def test_what_is_cut_is_written_over() -> None:
    cache = KvCache(CONFIGS["llama"](), 8)
    layer = cache.handle.layers[0]
    states = torch.arange(5.0).view(1, 1, 5, 1)
    layer.update(states, -states)
    assert cache.keep(5, 5) == 5
    assert cache.cut(2) == 2
    keys, values = layer.update(states[:, :, 3:], -states[:, :, 3:])
    assert keys.flatten().tolist() == [0, 1, 3, 4]
    assert values.flatten().tolist() == [0, -1, -3, -4]
    assert cache.cut(0) == 0
    assert layer.get_seq_length() == 0
