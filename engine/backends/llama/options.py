"""Checks what a load is asked for, before llama.cpp would abort on it."""

from engine.errors import EngineError, ErrorCode
from engine.option_bounds import check_bounds
from engine.values import FlashAttention, KvType, LoadOptions


def check(options: LoadOptions) -> None:
    """Raise INVALID_OPTION for the first option that is bad, or goes badly with another."""
    check_bounds(options)
    if options.kv_type is not KvType.F16 and options.flash_attention is FlashAttention.OFF:
        raise EngineError(
            ErrorCode.INVALID_OPTION,
            f"a KV cache in {options.kv_type} needs flash attention, which is off",
            option="kv_type",
            value=options.kv_type.value,
            reason="needs_flash_attention",
        )
