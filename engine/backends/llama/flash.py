"""Whether AUTO means flash attention on or off: whichever decodes faster here."""

from engine.values import FlashAttention, KvType, LoadOptions

# Without flash attention, the scores of a micro-batch against the whole context exist at once.
# More memory than this is not worth the speed.
_MAX_SCORES_BYTES = 512 << 20


def scores_bytes(*, n_heads: int, n_ctx: int, n_ubatch: int) -> int:
    """Bytes of the f32 attention scores of one layer, which flash attention never stores."""
    return 4 * n_heads * n_ctx * n_ubatch


def resolve(
    options: LoadOptions, features: str, *, n_heads: int, n_ctx: int, n_gpu_layers: int
) -> FlashAttention:
    """What to ask of llama.cpp. Its own AUTO is on wherever the device can.

    Measured decode rates with flash attention over without, f16 cache, one thread. With AVX512, at
    a depth of 1,024: 1.08. With AVX2 only, at depths of 0, 512 and 1,536: 1.1, 1.0, 0.66 (the
    kernel widens f16 to f32 number by number). Prefill is the same or faster with it.
    """
    if options.flash_attention is not FlashAttention.AUTO:
        return options.flash_attention
    is_slow = "SSE3" in features and "AVX512" not in features
    n_ubatch = min(options.n_ubatch, options.n_batch, n_ctx)
    scores = scores_bytes(n_heads=n_heads, n_ctx=n_ctx, n_ubatch=n_ubatch)
    if (
        is_slow
        and options.kv_type is KvType.F16
        and n_gpu_layers == 0
        and scores <= _MAX_SCORES_BYTES
    ):
        return FlashAttention.OFF
    return FlashAttention.AUTO
