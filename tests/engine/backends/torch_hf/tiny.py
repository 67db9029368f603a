"""Small models with random weights, saved as a person's folder of safetensors would be."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoModelForCausalLM

if TYPE_CHECKING:
    from pathlib import Path

SMALL: dict[str, Any] = {
    "vocab_size": 49_152,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 2,
}


def save_model(config: Any, folder: Path, tokenizer_of: Path | None) -> Path:  # noqa: ANN401
    """A model of this configuration in `folder`, with the tokenizer of another one."""
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            # What is drawn for training gives logits that are all but equal.
            parameter.mul_(4)
    model.save_pretrained(str(folder))
    if tokenizer_of is not None:
        for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
            shutil.copy(tokenizer_of / name, folder / name)
    return folder
