"""Whether a model and its context fit into memory, before anything is allocated."""

from dataclasses import dataclass

from engine.backends.llama.flash import scores_bytes
from engine.backends.llama.kv_layout import LayerBytes, padded, reserved_bytes
from engine.errors import EngineError, ErrorCode
from engine.gguf import GgufHeader
from engine.machine import available_memory_bytes
from engine.values import FlashAttention, LoadOptions

DEFAULT_CTX = 8192
# A chat with less is over after a few turns: better to say so than to load.
_LEAST_AUTOMATIC_CTX = 1024
# The process itself, the tokenizer and the library.
_PROCESS_BYTES = 150 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextChoice:
    """The context to make, and what was wanted where that is more."""

    n_ctx: int
    wanted: int


def check_weights(weights_bytes: int) -> None:
    """Raise NOT_ENOUGH_MEMORY if the tensors alone are larger than what is free."""
    have = available_memory_bytes()
    if weights_bytes + _PROCESS_BYTES > have:
        raise _not_enough(weights_bytes + _PROCESS_BYTES, have)


def choose_context(
    options: LoadOptions,
    header: GgufHeader,
    layers: LayerBytes | None,
    *,
    n_ctx_train: int,
    sliding_window: int,
    anonymous_weights_bytes: int,
) -> ContextChoice:
    """The context size: what was asked for, else the default made smaller until it fits.

    `anonymous_weights_bytes` are weights already taken from what is free.

    Raises:
        EngineError: NOT_ENOUGH_MEMORY with need_bytes and have_bytes.
    """
    wanted = options.n_ctx or min(n_ctx_train or DEFAULT_CTX, DEFAULT_CTX)
    # Mapped weights are still counted as free, and are needed all the same.
    still_needed = max(header.tensor_bytes - anonymous_weights_bytes, 0)
    have = available_memory_bytes() - still_needed

    def need(n_ctx: int) -> int:
        n_ubatch = min(options.n_ubatch, options.n_batch, n_ctx)
        kv = (
            0
            if layers is None
            else reserved_bytes(
                layers, n_ctx=n_ctx, n_ubatch=n_ubatch, sliding_window=sliding_window
            )
        )
        scores = 0
        if options.flash_attention is FlashAttention.OFF:
            n_heads = max(header.per_layer("attention.head_count", 1) or (0,))
            scores = scores_bytes(n_heads=n_heads, n_ctx=n_ctx, n_ubatch=n_ubatch)
        return kv + scores + _compute_bytes(header, n_ctx, n_ubatch)

    n_ctx = wanted
    if options.n_ctx is None:
        while need(n_ctx) > have and n_ctx > _LEAST_AUTOMATIC_CTX:
            n_ctx = max(padded(n_ctx // 2), _LEAST_AUTOMATIC_CTX)
    if need(n_ctx) > have:
        raise _not_enough(need(n_ctx) + still_needed, have + still_needed)
    return ContextChoice(n_ctx=n_ctx, wanted=wanted)


def _compute_bytes(header: GgufHeader, n_ctx: int, n_ubatch: int) -> int:
    # A few of the widest activations live at once, and the mask covers the context in f16 and f32.
    # Twice what the starter model takes (22 MiB at 8192 x 512): other models are less frugal.
    width = max(header.integer("feed_forward_length") or 0, header.integer("embedding_length") or 0)
    return n_ubatch * (8 * 4 * width + 6 * n_ctx)


def _not_enough(need_bytes: int, have_bytes: int) -> EngineError:
    return EngineError(
        ErrorCode.NOT_ENOUGH_MEMORY,
        f"about {need_bytes >> 20} MiB are needed and {have_bytes >> 20} MiB are free",
        need_bytes=need_bytes,
        have_bytes=have_bytes,
    )
