"""Checks the numbers of a load before a library would abort on one of them."""

from engine.errors import EngineError, ErrorCode
from engine.values import (
    BATCH_BOUNDS,
    CONTEXT_BOUNDS,
    GPU_LAYER_BOUNDS,
    THREAD_BOUNDS,
    LoadOptions,
)


def check_bounds(options: LoadOptions) -> None:
    """Raise INVALID_OPTION with option, value, minimum and maximum for the first bad one."""
    bounds = (
        ("n_ctx", options.n_ctx, CONTEXT_BOUNDS),
        ("n_batch", options.n_batch, BATCH_BOUNDS),
        ("n_ubatch", options.n_ubatch, BATCH_BOUNDS),
        ("n_threads", options.n_threads, THREAD_BOUNDS),
        ("n_threads_prefill", options.n_threads_prefill, THREAD_BOUNDS),
        ("n_gpu_layers", options.n_gpu_layers, GPU_LAYER_BOUNDS),
    )
    for option, value, allowed in bounds:
        if value is not None and not allowed.least <= value <= allowed.most:
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                f"{option} is {value}, not from {allowed.least} to {allowed.most}",
                option=option,
                value=value,
                minimum=allowed.least,
                maximum=allowed.most,
            )
