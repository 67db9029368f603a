"""How the KV cache stores tokens: arithmetic of the model's layers, settled by the log."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.backends.llama.report import ROUNDING_BYTES, CacheReport, LoadReport
from engine.gguf_types import block_of, row_bytes
from engine.values import KvGroup, KvLayout

# llama.cpp pads the context and the sliding window to this many cells.
CELL_PADDING = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerBytes:
    """Bytes one token takes in all layers that keep everything, and in all that keep a window."""

    full: int
    sliding: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    """Numbers in a key and in a value of one token, all heads together."""

    k_width: int
    v_width: int
    is_sliding: bool


def layer_bytes(report: LoadReport, kv_type: str, *, has_v: bool) -> LayerBytes | None:
    """K and V of one token, layer by layer; None where the log does not give the widths.

    `has_v` is false for models that keep one compressed latent in place of K and V (MLA).
    """
    layers = _layers(report, has_v=has_v)
    if layers is None:
        return None
    full = sliding = 0
    for layer in layers:
        n_bytes = row_bytes(kv_type, layer.k_width) + row_bytes(kv_type, layer.v_width)
        if layer.is_sliding:
            sliding += n_bytes
        else:
            full += n_bytes
    return LayerBytes(full=full, sliding=sliding)


def reserved_bytes(layers: LayerBytes, *, n_ctx: int, n_ubatch: int, sliding_window: int) -> int:
    """Bytes a cache of `n_ctx` tokens takes. Source: llama-kv-cache-iswa.cpp."""
    window = min(n_ctx, sliding_window + n_ubatch)
    return layers.full * padded(n_ctx) + layers.sliding * padded(window)


def padded(n_tokens: int) -> int:
    """Cells for `n_tokens`."""
    return -(-n_tokens // CELL_PADDING) * CELL_PADDING


def build_layout(
    report: LoadReport,
    *,
    n_ctx: int,
    kv_type: str,
    has_v: bool,
    kv_heads: Sequence[int] | None = None,
    state_bytes: int = 0,
) -> KvLayout:
    """The layout of the caches that were made, from what the log says about them.

    `kv_heads` are those of each layer, where the file gives them, and `state_bytes` what it says
    of recurrent layers. The log rounds: arithmetic is exact where both agree.
    """
    layers = _layers(report, has_v=has_v) or []
    made = [cache for cache in report.caches if cache.n_bytes > 0]
    groups = tuple(_group(cache, layers, kv_heads, n_ctx=n_ctx, kv_type=kv_type) for cache in made)
    agrees = abs(state_bytes - report.recurrent_bytes) <= ROUNDING_BYTES
    fixed = state_bytes if agrees else round(report.recurrent_bytes)
    block_values, block_bytes = block_of(kv_type)
    return KvLayout(
        groups=groups,
        fixed_bytes=fixed,
        reserved_bytes=fixed
        + sum(g.bytes_per_token * cache.n_cells for g, cache in zip(groups, made, strict=True)),
        reserved_tokens=n_ctx,
        type_name=kv_type,
        block_values=block_values,
        block_bytes=block_bytes,
    )


def _group(
    cache: CacheReport,
    layers: Sequence[_Layer],
    kv_heads: Sequence[int] | None,
    *,
    n_ctx: int,
    kv_type: str,
) -> KvGroup:
    max_tokens = cache.n_cells if cache.n_cells < n_ctx else None
    every = range(len(layers))
    for chosen in (
        [index for index in every if not layers[index].is_sliding],
        [index for index in every if layers[index].is_sliding],
        list(every),
    ):
        n_bytes = sum(
            row_bytes(kv_type, layers[index].k_width) + row_bytes(kv_type, layers[index].v_width)
            for index in chosen
        )
        if chosen and abs(n_bytes * cache.n_cells - cache.n_bytes) <= ROUNDING_BYTES:
            n_heads, k_size, v_size = _head_sizes(chosen, layers, kv_heads)
            return KvGroup(
                bytes_per_token=n_bytes,
                max_tokens=max_tokens,
                n_layers=cache.n_layers,
                n_kv_heads=n_heads,
                k_head_size=k_size,
                v_head_size=v_size,
            )
    return KvGroup(
        bytes_per_token=round(cache.n_bytes / cache.n_cells),
        max_tokens=max_tokens,
        n_layers=cache.n_layers,
    )


def _head_sizes(
    chosen: Sequence[int], layers: Sequence[_Layer], kv_heads: Sequence[int] | None
) -> tuple[int, int, int] | tuple[None, None, None]:
    """KV heads, numbers of a key and of a value, where all layers that have any have the same."""
    if kv_heads is None or len(kv_heads) < len(layers):
        return None, None, None
    found = {
        (kv_heads[index], layers[index].k_width, layers[index].v_width)
        for index in chosen
        if layers[index].k_width
    }
    if len(found) == 1:
        n_heads, k_width, v_width = found.pop()
        if n_heads and not k_width % n_heads and not v_width % n_heads:
            return n_heads, k_width // n_heads, v_width // n_heads
    return None, None, None


def _layers(report: LoadReport, *, has_v: bool) -> list[_Layer] | None:
    n_layers = report.n_layers
    k_widths = _each_layer(report.k_widths, n_layers)
    v_widths = _each_layer(report.v_widths, n_layers)
    if k_widths is None or v_widths is None:
        return None
    return [
        _Layer(
            k_width=k_width,
            v_width=v_width if has_v else 0,
            is_sliding=report.sliding_layers.get(index, False),
        )
        for index, (k_width, v_width) in enumerate(zip(k_widths, v_widths, strict=True))
    ]


def _each_layer(widths: Sequence[int], n_layers: int) -> Sequence[int] | None:
    if len(widths) == 1:
        return tuple(widths) * n_layers
    return widths[:n_layers] if n_layers and len(widths) >= n_layers else None
