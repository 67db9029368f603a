"""What a loaded torch model is, in the engine's own terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import transformers

from engine.step_cost import Weight, step_cost
from engine.values import MemoryUse, ModelInfo

if TYPE_CHECKING:
    from pathlib import Path

    from engine.backends.torch_hf.devices import Device
    from engine.backends.torch_hf.folder import ModelFolder
    from engine.backends.torch_hf.kv_cache import KvCache
    from engine.backends.torch_hf.model import Model
    from engine.backends.torch_hf.vocab import Vocab
    from engine.gguf import GgufHeader
    from engine.values import StepCost

# What configurations call the number of experts of a mixture.
_EXPERT_COUNTS = ("num_local_experts", "num_experts", "n_routed_experts")
# Shown for the weights of a folder, as safetensors names formats.
_FORMATS = {"BF16": "bfloat16", "F16": "float16", "F32": "float32"}


def memory_use(model: Model, kv: KvCache, device: Device, *, mapped_bytes: int) -> MemoryUse:
    """What is allocated now: of tensors, and of the device's allocator where it counts.

    `mapped_bytes` of the weights are in a mapped file.
    """
    weights_bytes, kv_bytes = model.weights_bytes, kv.allocated_bytes()
    reserved = device.reserved_bytes()
    return MemoryUse(
        weights_bytes=weights_bytes,
        kv_bytes=kv_bytes,
        compute_bytes=None if reserved is None else max(reserved - weights_bytes - kv_bytes, 0),
        on_gpu=device.is_gpu,
        mapped_bytes=mapped_bytes,
    )


def n_parameters(folder: ModelFolder | None, header: GgufHeader | None) -> int:
    """Numbers in all tensors, by the headers of the files."""
    if folder is not None:
        return folder.n_parameters
    assert header is not None
    return sum(tensor.n_elements for tensor in header.tensors)


def model_info(
    model: Model,
    vocab: Vocab,
    path: Path,
    folder: ModelFolder | None,
    header: GgufHeader | None,
) -> ModelInfo:
    """What the files and the configuration say of the model."""
    text = model.text_config
    n_heads = getattr(text, "num_attention_heads", None)
    own_name = None if header is None else header.metadata.get("general.name")
    file_name = path.name if header is None else path.stem
    quantization = None if header is None else header.quantization
    if folder is not None:
        quantization = _FORMATS.get(folder.dtype_name, folder.dtype_name or None)
    return ModelInfo(
        path=str(path),
        name=own_name if isinstance(own_name, str) and own_name else file_name,
        architecture=str(model.config.model_type),
        n_parameters=model.n_parameters,
        size_bytes=model.weights_bytes,
        quantization=quantization,
        n_layers=model.n_layers or None,
        n_heads=n_heads,
        n_kv_heads=getattr(text, "num_key_value_heads", None) or n_heads,
        n_embd=getattr(text, "hidden_size", None),
        n_vocab=getattr(text, "vocab_size", None),
        n_ctx_train=model.n_ctx_train,
        chat_template=vocab.chat_template,
        step_cost=model_step_cost(model),
    )


def model_step_cost(model: Model) -> StepCost | None:
    """What a token costs, from the modules of the model."""
    module, text = model.module, model.text_config
    output = module.get_output_embeddings()
    tables = {id(part.weight) for part in module.modules() if isinstance(part, torch.nn.Embedding)}
    weights = [
        Weight(
            n_elements=int(parameter.numel()),
            n_bytes=int(parameter.nbytes),
            n_dimensions=parameter.dim(),
            # Routers and experts that always work have other names.
            is_expert=".experts." in name,
            is_looked_up=id(parameter) in tables,
            is_output=output is not None and parameter is output.weight,
        )
        for name, parameter in module.named_parameters()
    ]
    n_experts = next((n for key in _EXPERT_COUNTS if (n := getattr(text, key, None))), None)
    n_used = getattr(text, "num_experts_per_tok", None)
    return step_cost(weights, expert_ratio=n_used / n_experts if n_used and n_experts else None)


def build_text(device: Device) -> str:
    """Versions of the libraries, and what the processor's kernels are built for."""
    version = f"torch {torch.__version__}, transformers {transformers.__version__}"
    if device.is_gpu:
        return version
    return f"{version} ({torch.backends.cpu.get_cpu_capability()})"
