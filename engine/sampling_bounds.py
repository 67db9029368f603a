"""What the numbers may be that say how tokens are chosen: the one source for checks and fields."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.errors import EngineError, ErrorCode
from engine.values import Bounds, SamplingParams

MAX_SEED = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingBounds:
    """The least and the most a number may be, both allowed, and where it usually lies."""

    least: float
    most: float
    usual_least: float
    usual_most: float


# A sampler rejects or misreads what lies beyond; the usual range is where answers stay readable.
SAMPLING_BOUNDS: Mapping[str, SamplingBounds] = MappingProxyType(
    {
        "temperature": SamplingBounds(least=0, most=100, usual_least=0, usual_most=2),
        "top_k": SamplingBounds(least=0, most=0x7FFF_FFFF, usual_least=0, usual_most=200),
        "top_p": SamplingBounds(least=0, most=1, usual_least=0, usual_most=1),
        "min_p": SamplingBounds(least=0, most=1, usual_least=0, usual_most=0.5),
        "repeat_penalty": SamplingBounds(least=1e-3, most=100, usual_least=1, usual_most=2),
        "presence_penalty": SamplingBounds(least=-100, most=100, usual_least=-2, usual_most=2),
        "frequency_penalty": SamplingBounds(least=-100, most=100, usual_least=-2, usual_most=2),
        "penalty_last_n": SamplingBounds(least=0, most=1 << 20, usual_least=0, usual_most=1024),
        "seed": SamplingBounds(least=0, most=MAX_SEED, usual_least=0, usual_most=MAX_SEED),
    }
)

# Longer than any context that can be loaded.
MAX_TOKENS_BOUNDS = Bounds(least=1, most=1 << 30)


def check(sampling: SamplingParams) -> None:
    """Raise INVALID_OPTION with option, value, minimum and maximum for the first bad value."""
    for option, bounds in SAMPLING_BOUNDS.items():
        value: float | None = getattr(sampling, option)
        if value is None:
            continue
        if not (math.isfinite(value) and bounds.least <= value <= bounds.most):
            raise EngineError(
                ErrorCode.INVALID_OPTION,
                f"{option} is {value}, not from {bounds.least} to {bounds.most}",
                option=option,
                value=value if math.isfinite(value) else str(value),
                minimum=bounds.least,
                maximum=bounds.most,
            )
