"""The sampler chain: how the next token is chosen from the logits."""

import math
import secrets
from collections.abc import Sequence
from typing import Any

from engine.errors import EngineError, ErrorCode
from engine.values import SamplingParams

_MAX_SEED = 0xFFFF_FFFF
_MAX_LAST_N = 1 << 20


def check(sampling: SamplingParams) -> None:
    """Raise INVALID_OPTION for a value that llama.cpp would reject or misread."""
    bounds: tuple[tuple[str, float, float, float], ...] = (
        ("temperature", sampling.temperature, 0.0, 100.0),
        ("top_k", sampling.top_k, 0, 0x7FFF_FFFF),
        ("top_p", sampling.top_p, 0.0, 1.0),
        ("min_p", sampling.min_p, 0.0, 1.0),
        ("repeat_penalty", sampling.repeat_penalty, 1e-3, 100.0),
        ("presence_penalty", sampling.presence_penalty, -100.0, 100.0),
        ("frequency_penalty", sampling.frequency_penalty, -100.0, 100.0),
        ("penalty_last_n", sampling.penalty_last_n, 0, _MAX_LAST_N),
        ("seed", 0 if sampling.seed is None else sampling.seed, 0, _MAX_SEED),
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


class SamplerChain:
    """Owns one `llama_sampler` chain."""

    def __init__(
        self,
        llama: Any,  # noqa: ANN401
        n_vocab: int,
        sampling: SamplingParams,
        prompt: Sequence[int],
    ) -> None:
        """Build the chain in the order of llama.cpp's `common_sampler_init`.

        `prompt` is what the penalties have seen before the first token.

        Raises:
            EngineError: INVALID_OPTION.
        """
        check(sampling)
        self._llama = llama
        parameters = llama.llama_sampler_chain_default_params()
        parameters.no_perf = True
        self.handle: Any = llama.llama_sampler_chain_init(parameters)
        penalized = sampling.penalty_last_n > 0 and (
            sampling.repeat_penalty != 1.0
            or sampling.presence_penalty != 0.0
            or sampling.frequency_penalty != 0.0
        )
        if penalized:
            self._add(
                llama.llama_sampler_init_penalties(
                    n_vocab,
                    sampling.penalty_last_n,
                    sampling.repeat_penalty,
                    sampling.frequency_penalty,
                    sampling.presence_penalty,
                )
            )
        if sampling.temperature == 0:
            self._add(llama.llama_sampler_init_greedy())
        else:
            self._add_random(sampling)
        if penalized:
            for token in prompt[-sampling.penalty_last_n :]:
                llama.llama_sampler_accept(self.handle, token)

    def close(self) -> None:
        """Free the chain and what is in it. May be called twice."""
        if self.handle is not None:
            self._llama.llama_sampler_free(self.handle)
            self.handle = None

    def _add_random(self, sampling: SamplingParams) -> None:
        llama = self._llama
        if sampling.top_k > 0:
            self._add(llama.llama_sampler_init_top_k(sampling.top_k))
        if sampling.top_p < 1:
            self._add(llama.llama_sampler_init_top_p(sampling.top_p, 1))
        if sampling.min_p > 0:
            self._add(llama.llama_sampler_init_min_p(sampling.min_p, 1))
        self._add(llama.llama_sampler_init_temp(sampling.temperature))
        # The last seed value tells llama.cpp to draw one itself.
        seed = secrets.randbelow(_MAX_SEED) if sampling.seed is None else sampling.seed
        self._add(llama.llama_sampler_init_dist(seed))

    def _add(self, sampler: Any) -> None:  # noqa: ANN401
        self._llama.llama_sampler_chain_add(self.handle, sampler)
