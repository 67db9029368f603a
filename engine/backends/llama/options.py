"""Checks what a load is asked for, before llama.cpp would abort on it."""

from engine.errors import EngineError, ErrorCode
from engine.values import FlashAttention, KvType, LoadOptions

# llama.cpp caps the batch at the context, and decoding more than the batch aborts the process: a
# context of one token dies at the first prompt. Below this no chat template fits.
MIN_CTX = 64
# Positions are 32-bit; beyond this the padding overflows.
MAX_CTX = 1 << 30
MIN_BATCH = 8
MAX_BATCH = 1 << 16
MAX_THREADS = 512
MAX_LAYERS = 100_000


def check(options: LoadOptions) -> None:
    """Raise INVALID_OPTION with option, value, minimum and maximum for the first bad one."""
    bounds = (
        ("n_ctx", options.n_ctx, MIN_CTX, MAX_CTX),
        ("n_batch", options.n_batch, MIN_BATCH, MAX_BATCH),
        ("n_ubatch", options.n_ubatch, MIN_BATCH, MAX_BATCH),
        ("n_threads", options.n_threads, 1, MAX_THREADS),
        ("n_threads_prefill", options.n_threads_prefill, 1, MAX_THREADS),
        ("n_gpu_layers", options.n_gpu_layers, 0, MAX_LAYERS),
    )
    for option, value, minimum, maximum in bounds:
        if value is not None and not minimum <= value <= maximum:
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                f"{option} is {value}, not from {minimum} to {maximum}",
                option=option,
                value=value,
                minimum=minimum,
                maximum=maximum,
            )
    if options.kv_type is not KvType.F16 and options.flash_attention is FlashAttention.OFF:
        raise EngineError(
            ErrorCode.INVALID_OPTION,
            f"a KV cache in {options.kv_type} needs flash attention, which is off",
            option="kv_type",
            value=options.kv_type.value,
            reason="needs_flash_attention",
        )
