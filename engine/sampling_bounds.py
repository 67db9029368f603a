"""Checks how tokens are to be chosen: values that a sampler would reject or misread."""

import math

from engine.errors import EngineError, ErrorCode
from engine.values import SamplingParams

MAX_SEED = 0xFFFF_FFFF
_MAX_LAST_N = 1 << 20


def check(sampling: SamplingParams) -> None:
    """Raise INVALID_OPTION with option, value, minimum and maximum for the first bad value."""
    bounds: tuple[tuple[str, float, float, float], ...] = (
        ("temperature", sampling.temperature, 0.0, 100.0),
        ("top_k", sampling.top_k, 0, 0x7FFF_FFFF),
        ("top_p", sampling.top_p, 0.0, 1.0),
        ("min_p", sampling.min_p, 0.0, 1.0),
        ("repeat_penalty", sampling.repeat_penalty, 1e-3, 100.0),
        ("presence_penalty", sampling.presence_penalty, -100.0, 100.0),
        ("frequency_penalty", sampling.frequency_penalty, -100.0, 100.0),
        ("penalty_last_n", sampling.penalty_last_n, 0, _MAX_LAST_N),
        ("seed", 0 if sampling.seed is None else sampling.seed, 0, MAX_SEED),
    )
    for option, value, minimum, maximum in bounds:
        if not (math.isfinite(value) and minimum <= value <= maximum):
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                f"{option} is {value}, not from {minimum} to {maximum}",
                option=option,
                value=value if math.isfinite(value) else str(value),
                minimum=minimum,
                maximum=maximum,
            )
