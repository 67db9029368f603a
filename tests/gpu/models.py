"""Models with random weights, and how they are loaded here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoModelForCausalLM, LlamaConfig, MistralConfig, PreTrainedTokenizerFast

from engine.backends.torch_hf.backend import TorchBackend
from engine.values import Dtype, LoadOptions, SamplingParams

if TYPE_CHECKING:
    from pathlib import Path

N_VOCAB = 49_152
GREEDY = SamplingParams(temperature=0)


class QuietLog:
    """Prints what the backend writes."""

    def write(self, text: str) -> None:
        print(f"   {text.rstrip()}", flush=True)

    def tail(self, max_lines: int = 40) -> str:
        del max_lines
        return ""


def starter_like(folder: Path, *, is_small: bool) -> Path:
    """A folder with a model in the shape of SmolLM2-135M, or a tenth of it."""
    config = LlamaConfig(
        vocab_size=N_VOCAB,
        hidden_size=192 if is_small else 576,
        intermediate_size=512 if is_small else 1536,
        num_hidden_layers=6 if is_small else 30,
        num_attention_heads=3 if is_small else 9,
        num_key_value_heads=1 if is_small else 3,
        max_position_embeddings=8192,
        rope_theta=100_000.0,
        tie_word_embeddings=True,
        bos_token_id=1,
        eos_token_id=2,
    )
    torch.manual_seed(0)
    AutoModelForCausalLM.from_config(config).save_pretrained(str(folder))
    save_tokenizer(folder)
    return folder


def windowed(folder: Path) -> Path:
    """A folder with a small model whose layers see the last 64 tokens only."""
    config = MistralConfig(
        vocab_size=N_VOCAB,
        hidden_size=256,
        intermediate_size=512,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=8192,
        sliding_window=64,
        tie_word_embeddings=True,
        bos_token_id=1,
        eos_token_id=2,
    )
    torch.manual_seed(0)
    AutoModelForCausalLM.from_config(config).save_pretrained(str(folder))
    save_tokenizer(folder)
    return folder


def save_tokenizer(folder: Path) -> None:
    """A tokenizer of single bytes: what a text becomes does not matter here."""
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer = Tokenizer(models.BPE({char: 3 + i for i, char in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(str(folder))


def options(model: Path, device: str, **changes: Any) -> LoadOptions:  # noqa: ANN401
    """How the checks load a model."""
    chosen: dict[str, Any] = {
        "dtype": Dtype.FLOAT32 if device == "cpu" else Dtype.BFLOAT16,
        "n_ctx": 4096,
    }
    return LoadOptions(model_path=str(model), backend="torch", device=device, **(chosen | changes))


def load(model: Path, device: str, **changes: Any) -> TorchBackend:  # noqa: ANN401
    """A backend in this process."""
    backend = TorchBackend(QuietLog())
    backend.load(options(model, device, **changes), lambda _stage, _fraction: True)
    return backend


def prompt_tokens(count: int) -> list[int]:
    """The same tokens each time, spread over the vocabulary."""
    return [index * 7919 % N_VOCAB for index in range(1, count + 1)]


def prefill(backend: TorchBackend, prompt: list[int], *, reuse_cache: bool = False) -> None:
    """Compute a prompt in whole batches."""
    n_done = backend.begin(prompt, GREEDY, reuse_cache=reuse_cache)
    while n_done < len(prompt):
        n_done += backend.prefill(prompt[n_done : n_done + 2048], lambda _n: True)
