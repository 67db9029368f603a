"""Model files that are made in a moment: folders with a tokenizer of bytes, and GGUF files."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gguf
import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import bytes_to_unicode

from app import messages
from engine.backends.torch_hf.backend import TorchBackend
from engine.errors import EngineError
from engine.values import Dtype, LoadOptions
from tests.engine.scripting import ListLog

if TYPE_CHECKING:
    from pathlib import Path

    from engine.errors import ErrorInfo

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}<|im_start|>assistant\n"
)
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
# One more for the merge that a GGUF file must have.
N_VOCAB = 256 + len(SPECIAL) + 1

SHAPE: dict[str, Any] = {
    "vocab_size": N_VOCAB,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
    "bos_token_id": 256,
    "eos_token_id": 258,
    "pad_token_id": 256,
}


def byte_tokenizer() -> Tokenizer:
    """A token for each byte, as GPT-2 writes bytes."""
    vocab = {char: byte for byte, char in bytes_to_unicode().items()}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer


def save_tokenizer(folder: Path, *, template: str | None = TEMPLATE) -> None:
    fast = PreTrainedTokenizerFast(
        tokenizer_object=byte_tokenizer(),
        bos_token=SPECIAL[0],
        eos_token=SPECIAL[2],
        pad_token=SPECIAL[0],
        chat_template=template,
    )
    fast.save_pretrained(str(folder))


def random_model(config: Any, *, seed: int = 0) -> Any:  # noqa: ANN401
    """A model whose logits differ: what is drawn for training gives almost equal ones."""
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(4)
    return model


def save_folder(folder: Path, config: Any = None, *, template: str | None = TEMPLATE) -> Path:  # noqa: ANN401
    """A complete folder; a small Llama unless `config` says otherwise."""
    model = random_model(LlamaConfig(**SHAPE) if config is None else config)
    model.save_pretrained(str(folder))
    save_tokenizer(folder, template=template)
    return folder


def edit_json(path: Path, **changes: Any) -> None:  # noqa: ANN401
    """Change fields of a JSON file; None removes one."""
    value = json.loads(path.read_text(encoding="utf-8"))
    for name, changed in changes.items():
        if changed is None:
            value.pop(name, None)
        else:
            value[name] = changed
    path.write_text(json.dumps(value), encoding="utf-8")


def save_gguf(
    path: Path,
    *,
    architecture: str = "llama",
    seed: int = 0,
    leave_out: str | None = None,
    split_count: int | None = None,
) -> Path:
    """A small Llama with a tokenizer of bytes, as llama.cpp's converter would write it."""
    width, inner, n_layers, heads, kv_heads = 32, 64, 2, 4, 2
    random = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(str(path), architecture)
    writer.add_name("Tiny")
    writer.add_context_length(2048)
    writer.add_embedding_length(width)
    writer.add_block_count(n_layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(N_VOCAB)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    if split_count is not None:
        writer.add_uint16("split.count", split_count)
    tokens = [char for _, char in sorted(bytes_to_unicode().items())]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list([*tokens, *SPECIAL, f"{tokens[0]}{tokens[1]}"])
    writer.add_token_types(
        [gguf.TokenType.NORMAL] * 256
        + [gguf.TokenType.CONTROL] * len(SPECIAL)
        + [gguf.TokenType.NORMAL]
    )
    writer.add_token_merges([f"{tokens[0]} {tokens[1]}"])
    writer.add_bos_token_id(256)
    writer.add_eos_token_id(258)
    writer.add_chat_template(TEMPLATE)
    key_width = width // heads * kv_heads
    shapes = {"token_embd.weight": (N_VOCAB, width), "output_norm.weight": (width,)}
    shapes["output.weight"] = (N_VOCAB, width)
    for layer in range(n_layers):
        shapes |= {
            f"blk.{layer}.attn_norm.weight": (width,),
            f"blk.{layer}.ffn_norm.weight": (width,),
            f"blk.{layer}.attn_q.weight": (width, width),
            f"blk.{layer}.attn_k.weight": (key_width, width),
            f"blk.{layer}.attn_v.weight": (key_width, width),
            f"blk.{layer}.attn_output.weight": (width, width),
            f"blk.{layer}.ffn_gate.weight": (inner, width),
            f"blk.{layer}.ffn_up.weight": (inner, width),
            f"blk.{layer}.ffn_down.weight": (width, inner),
        }
    for name, shape in shapes.items():
        if name != leave_out:
            writer.add_tensor(name, random.normal(0, 0.2, shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def options_for(path: Path, **changes: Any) -> LoadOptions:  # noqa: ANN401
    """Options that measure nothing: float32 on the CPU, one thread, a small context."""
    options = LoadOptions(
        model_path=str(path),
        backend="torch",
        device="cpu",
        dtype=Dtype.FLOAT32,
        n_ctx=256,
        n_threads=1,
        n_threads_prefill=1,
    )
    return replace(options, **changes)


def refusal(path: Path, **changes: Any) -> ErrorInfo:  # noqa: ANN401
    """The error of a load that must fail, whose sentence has every place filled."""
    backend = TorchBackend(ListLog())
    try:
        with pytest.raises(EngineError) as raised:
            backend.load(options_for(path, **changes), lambda _stage, _fraction: True)
    finally:
        backend.close()
    info = raised.value.info
    text = messages.of_error(info).text
    assert not re.search(r"[{}]", text), text
    return info
