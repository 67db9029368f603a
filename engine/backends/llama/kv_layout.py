"""How the KV cache stores tokens: arithmetic of the model's layers, settled by the log."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.backends.llama.report import ROUNDING_BYTES, CacheReport, LoadReport
from engine.gguf_types import row_bytes
from engine.values import KvGroup, KvLayout

# llama.cpp pads the context and the sliding window to this many cells.
CELL_PADDING = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerBytes:
    """Bytes one token takes in all layers that keep everything, and in all that keep a window."""

    full: int
    sliding: int


def layer_bytes(report: LoadReport, kv_type: str, *, has_v: bool) -> LayerBytes | None:
    """K and V of one token, layer by layer; None where the log does not give the widths.

    `has_v` is false for models that keep one compressed latent in place of K and V (MLA).
    """
    n_layers = report.n_layers
    k_widths = _each_layer(report.k_widths, n_layers)
    v_widths = _each_layer(report.v_widths, n_layers)
    if k_widths is None or v_widths is None:
        return None
    full = sliding = 0
    for layer, (k_width, v_width) in enumerate(zip(k_widths, v_widths, strict=True)):
        n_bytes = row_bytes(kv_type, k_width) + (row_bytes(kv_type, v_width) if has_v else 0)
        if report.sliding_layers.get(layer, False):
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
    report: LoadReport, layers: LayerBytes | None, *, n_ctx: int, kv_type: str
) -> KvLayout:
    """The layout of the caches that were made, from what the log says about them."""
    candidates = (layers.full, layers.sliding, layers.full + layers.sliding) if layers else ()
    groups = tuple(
        KvGroup(
            bytes_per_token=_bytes_per_token(cache, candidates),
            max_tokens=cache.n_cells if cache.n_cells < n_ctx else None,
        )
        for cache in report.caches
        if cache.n_bytes > 0
    )
    cells = [cache.n_cells for cache in report.caches if cache.n_bytes > 0]
    fixed = round(report.recurrent_bytes)
    return KvLayout(
        groups=groups,
        fixed_bytes=fixed,
        reserved_bytes=fixed
        + sum(g.bytes_per_token * n for g, n in zip(groups, cells, strict=True)),
        reserved_tokens=n_ctx,
        type_name=kv_type,
    )


def _bytes_per_token(cache: CacheReport, candidates: Sequence[int]) -> int:
    # The log rounds; the arithmetic is exact where both agree.
    for candidate in candidates:
        if abs(candidate * cache.n_cells - cache.n_bytes) <= ROUNDING_BYTES:
            return candidate
    return round(cache.n_bytes / cache.n_cells)


def _each_layer(widths: Sequence[int], n_layers: int) -> Sequence[int] | None:
    if len(widths) == 1:
        return tuple(widths) * n_layers
    return widths[:n_layers] if n_layers and len(widths) >= n_layers else None
