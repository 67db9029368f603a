"""The KV cache: room for the whole context taken once, of which attention sees what is filled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from transformers.cache_utils import (
    CacheLayerMixin,
    DynamicCache,
    DynamicLayer,
    DynamicSlidingWindowLayer,
)

from engine.values import KvGroup, KvLayout

if TYPE_CHECKING:
    from collections.abc import Iterator

# A layer without a state of its own: it uses that of another one, or does not look back.
_DUMMY = "DummyLayer"


class FilledLayer(CacheLayerMixin):  # type: ignore[misc]  # transformers has no types here
    """Keys and values of one layer: shape [1, KV heads, n_ctx, head size], filled from the left.

    A dynamic cache copies everything at each token; a static one attends to cells that hold
    nothing. This one does neither: tokens are written in place, and attention gets a view of the
    filled part. A layer with a sliding window keeps every token, and the mask does the sliding, so
    that the cache can be cut anywhere.
    """

    is_sliding = False

    def __init__(self, n_ctx: int, n_spare: int, window: int | None) -> None:
        """Take no memory before the shape is known; then for `n_spare` tokens more than `n_ctx`.

        `window` is how many tokens attention looks back, None for all.
        """
        super().__init__()
        self.n_ctx = n_ctx
        self.window = window
        self.n_cells = n_ctx + n_spare
        self.n_tokens = 0

    def lazy_initialization(self, key_states: Any, value_states: Any) -> None:  # noqa: ANN401
        """Take the memory for all cells, shaped as these tokens."""
        self.keys = _room(key_states, self.n_cells)
        self.values = _room(value_states, self.n_cells)
        self.is_initialized = True

    def update(
        self,
        key_states: Any,  # noqa: ANN401
        value_states: Any,  # noqa: ANN401
        *_args: Any,  # noqa: ANN401
        **_kwargs: Any,  # noqa: ANN401
    ) -> tuple[Any, Any]:
        """Append tokens; returns views of all keys and values."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        begin, count = self.n_tokens, key_states.shape[-2]
        end = begin + count
        self.keys.narrow(-2, begin, count).copy_(key_states)
        self.values.narrow(-2, begin, count).copy_(value_states)
        self.n_tokens = end
        return self.keys.narrow(-2, 0, end), self.values.narrow(-2, 0, end)

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Cells that attention sees, and where they begin."""
        return self.n_tokens + query_length, 0

    def get_seq_length(self) -> int:
        """Tokens held."""
        return self.n_tokens

    def get_max_length(self) -> int:
        """Most tokens held."""
        return self.n_ctx

    def reset(self) -> None:
        """Forget every token; the memory stays."""
        self.n_tokens = 0


class KvCache:
    """The cache of one sequence, whatever kinds of layers the model has.

    Attributes:
        n_ctx: Most tokens it holds.
        handle: What the model's forward takes.
        can_go_back: Whether it can be cut: a recurrent state has no past.
    """

    def __init__(self, config: Any, n_ctx: int, *, n_spare: int = 0) -> None:  # noqa: ANN401
        """Prepare for a model; no memory is taken before the first token.

        `n_spare` cells more than the context are allocated, and never used.
        """
        self._config = config
        self._n_spare = n_spare
        self.n_ctx = n_ctx
        self.handle = self._made()
        self.can_go_back = all(
            isinstance(layer, FilledLayer) or type(layer).__name__ == _DUMMY
            for layer in self.handle.layers
        )

    def keep(self, n_tokens: int, n_held: int) -> int:
        """Cut to the first `n_tokens` of `n_held`; returns how many are left."""
        return n_held if n_tokens == n_held else self.cut(n_tokens)

    def cut(self, n_tokens: int) -> int:
        """Cut every layer to `n_tokens`; returns how many are left, none if it cannot go back."""
        if not (self.can_go_back and n_tokens):
            self.clear()
            return 0
        for layer in self.filled_layers():
            layer.n_tokens = n_tokens
        return n_tokens

    def append_one(self) -> None:
        """Count a token whose keys and values were written from outside."""
        for layer in self.filled_layers():
            layer.n_tokens += 1

    def clear(self) -> None:
        """Forget every token; memory of filled layers stays."""
        layers = self.handle.layers
        if not self.can_go_back:
            self.handle = self._made()
            for index, layer in enumerate(layers):
                if isinstance(layer, FilledLayer):
                    self.handle.layers[index] = layer
        for layer in self.filled_layers():
            layer.reset()

    def wipe(self) -> None:
        """Forget every token, and write zeros over what it left in memory."""
        self.clear()
        with torch.inference_mode():
            for layer in self.filled_layers():
                layer.keys.zero_()
                layer.values.zero_()

    def allocated_bytes(self) -> int:
        """Bytes of the cache's tensors."""
        return sum(_n_bytes(tensor) for layer in self.handle.layers for tensor in _tensors(layer))

    def states(self) -> list[list[Any]]:
        """What each recurrent layer keeps of all tokens before, keys and values apart."""
        return [
            [tensor for tensor in _tensors(layer) if not _is_key_or_value(layer, tensor)]
            for layer in self.handle.layers
            if not isinstance(layer, FilledLayer) and type(layer).__name__ != _DUMMY
        ]

    def layout(self, type_name: str) -> KvLayout:
        """How the tensors store tokens, read off the cache while it holds some.

        Layers that grow by the token are counted at their full length as well: what is reserved
        is what the cache takes when the context is full.
        """
        per_token = fixed = 0
        is_reserved = True
        windows: dict[int, int] = {}
        sizes: list[tuple[int, int, int, int] | None] = []
        for layer in self.handle.layers:
            if isinstance(layer, FilledLayer):
                per_token += sum(_n_bytes(t) for t in _tensors(layer)) // layer.n_cells
                keys, values = layer.keys, layer.values
                sizes.append((keys.shape[1], keys.shape[-1], values.shape[-1], keys.itemsize))
                continue
            keys = getattr(layer, "keys", None)
            own = [keys, layer.values] if isinstance(keys, torch.Tensor) else []
            held = keys.shape[-2] if own and keys is not None and keys.dim() > 1 else 0
            grows = sum(_n_bytes(tensor) for tensor in own) // held if held else 0
            is_reserved = is_reserved and not grows
            window = getattr(layer, "sliding_window", None)
            if window is None:
                per_token += grows
                sizes += [None] if grows else []
            else:
                windows[int(window)] = windows.get(int(window), 0) + grows
            fixed += sum(_n_bytes(tensor) for tensor in _tensors(layer)) - sum(map(_n_bytes, own))
        alike = sizes[0] if sizes and len(set(sizes)) == 1 else None
        groups = [_group(per_token, len(sizes), alike)] if per_token else []
        groups += [
            KvGroup(bytes_per_token=n_bytes, max_tokens=window)
            for window, n_bytes in windows.items()
        ]
        used = KvLayout(
            groups=tuple(groups),
            fixed_bytes=fixed,
            reserved_bytes=0,
            reserved_tokens=self.n_ctx,
            type_name=type_name,
            block_values=None if alike is None else 1,
            block_bytes=None if alike is None else alike[3],
            is_reserved=is_reserved,
        )
        return replace(used, reserved_bytes=used.used_bytes(self.n_ctx + self._n_spare))

    def filled_layers(self) -> list[FilledLayer]:
        """The layers with room for the whole context."""
        return [layer for layer in self.handle.layers if isinstance(layer, FilledLayer)]

    def _made(self) -> Any:  # noqa: ANN401
        handle = DynamicCache(config=self._config)
        layers = handle.layers
        for index, layer in enumerate(layers):
            if type(layer) in (DynamicLayer, DynamicSlidingWindowLayer):
                window = getattr(layer, "sliding_window", None)
                layers[index] = FilledLayer(self.n_ctx, self._n_spare, window)
        return handle


def _group(bytes_per_token: int, n_layers: int, sizes: tuple[int, int, int, int] | None) -> KvGroup:
    """Layers that keep every token; heads and sizes are of each layer, where all are alike."""
    n_heads, k_size, v_size = (None, None, None) if sizes is None else sizes[:3]
    return KvGroup(
        bytes_per_token=bytes_per_token,
        n_layers=n_layers,
        n_kv_heads=n_heads,
        k_head_size=k_size,
        v_head_size=v_size,
    )


def bytes_per_token(config: Any, itemsize: int) -> int:  # noqa: ANN401
    """K and V of one token in all attention layers, by the model's configuration: an estimate."""
    text = config.get_text_config(decoder=True)
    heads = getattr(text, "num_attention_heads", None) or 1
    kv_heads = getattr(text, "num_key_value_heads", None) or heads
    width = getattr(text, "head_dim", None) or (getattr(text, "hidden_size", 0) or 0) // heads
    n_layers = getattr(text, "num_hidden_layers", 0) or 0
    return int(2 * n_layers * kv_heads * width * itemsize)


def _room(states: Any, n_cells: int) -> Any:  # noqa: ANN401
    batch, heads, _, width = states.shape
    # Zeros, since a masked cell takes part in a product, and NaN times 0 is NaN. Written at once:
    # memory that the system only promises may be missing in the middle of an answer.
    room = torch.empty(batch, heads, n_cells, width, dtype=states.dtype, device=states.device)
    return room.zero_()


def _tensors(layer: Any) -> Iterator[Any]:  # noqa: ANN401
    for value in vars(layer).values():
        parts = value.values() if isinstance(value, dict) else value
        for part in parts if isinstance(value, dict | list | tuple) else (value,):
            if isinstance(part, torch.Tensor):
                yield part


def _is_key_or_value(layer: Any, tensor: Any) -> bool:  # noqa: ANN401
    return tensor is getattr(layer, "keys", None) or tensor is getattr(layer, "values", None)


def _n_bytes(tensor: Any) -> int:  # noqa: ANN401
    return int(tensor.nbytes)
