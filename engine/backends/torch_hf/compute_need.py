"""What a forward pass takes beside weights and KV cache, before either is there."""

from __future__ import annotations

import copy
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from transformers import AutoModelForCausalLM

from engine.backends.torch_hf.devices import cpu, torch_dtype
from engine.backends.torch_hf.kv_cache import KvCache
from engine.backends.torch_hf.model import wrap
from engine.backends.torch_hf.refusals import LOAD_ERRORS
from engine.backends.torch_hf.runner import Runner

if TYPE_CHECKING:
    from engine.values import Dtype

# One layer is computed after the other, in the same memory. As many as hold every kind of layer
# that known models take turns with.
_MOST_LAYERS = 8
_ATTENTION = (torch.ops.aten.scaled_dot_product_attention.default,)


def predicted_bytes(config: Any, dtype: Dtype, *, n_ctx: int, n_tokens: int) -> int | None:  # noqa: ANN401
    """Most bytes of tensors at once while the last `n_tokens` of `n_ctx` are computed on a CPU.

    The model computes with tensors that have a shape and no memory, so every operation of its own
    is counted, and the mask that attention makes numbers of. What else a kernel takes inside, and
    gives back before it ends, is not: a few hundred KB a thread.

    None for a model that cannot be computed so, and for one that is not attention throughout: a
    recurrent one takes a step for each token, which takes too long.
    """
    short = copy.deepcopy(config)
    text = short.get_text_config(decoder=True)
    try:
        if text.num_hidden_layers > _MOST_LAYERS:
            text.num_hidden_layers = _MOST_LAYERS
            if getattr(text, "layer_types", None):
                text.layer_types = text.layer_types[:_MOST_LAYERS]
        with FakeTensorMode():
            module = AutoModelForCausalLM.from_config(
                short, dtype=torch_dtype(dtype), trust_remote_code=False
            )
            return _most_bytes(module.eval(), n_ctx, n_tokens)
    except LOAD_ERRORS:
        return None


def _most_bytes(module: Any, n_ctx: int, n_tokens: int) -> int | None:  # noqa: ANN401
    model = wrap(module, Path())
    kv = KvCache(model.config, n_ctx)
    if not kv.can_go_back:
        return None
    runner = Runner(model, kv, cpu())
    # Takes the cache, which is no part of it.
    runner.compute([0])
    for layer in kv.filled_layers():
        layer.n_tokens = n_ctx - n_tokens
    counter = _Counter()
    with counter:
        runner.compute([0] * n_tokens)
    return counter.most_bytes


class _Counter(TorchDispatchMode):  # type: ignore[misc] # torch tells mypy no types
    """Counts the memory of tensors that operations make, as long as somebody holds it.

    Attributes:
        most_bytes: At once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.most_bytes = 0
        self._held: dict[int, int] = {}

    def __torch_dispatch__(
        self,
        func: Any,  # noqa: ANN401
        types: Any,  # noqa: ANN401
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401
        result = func(*args, **(kwargs or {}))
        # A view has the memory of what it was made of.
        given = {memory._cdata for memory in _memories((args, kwargs))}
        for memory in _memories(result):
            key = memory._cdata
            if key not in given and key not in self._held:
                self._held[key] = memory.nbytes()
                weakref.finalize(memory, self._held.pop, key)
        inside = _mask_bytes(args, kwargs) if func in _ATTENTION else 0
        self.most_bytes = max(self.most_bytes, sum(self._held.values()) + inside)
        return result


def _mask_bytes(args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> int:
    """A mask of yes and no, as the numbers that attention makes of it before it begins."""
    mask = args[3] if len(args) > 3 else (kwargs or {}).get("attn_mask")
    if mask is None or mask.dtype is not torch.bool:
        return 0
    return int(mask.numel() * args[0].itemsize)


def _memories(values: Any) -> list[Any]:  # noqa: ANN401
    return [
        value.untyped_storage() for value in tree_leaves(values) if isinstance(value, torch.Tensor)
    ]
