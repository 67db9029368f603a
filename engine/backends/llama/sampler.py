"""The sampler chain: how the next token is chosen from the logits."""

import secrets
from collections.abc import Sequence
from typing import Any

from engine.inspection import SamplerStage
from engine.sampling_bounds import MAX_SEED, check
from engine.values import SamplingParams


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
        # The samplers in order, and what each takes away; they belong to the chain.
        self.stages: list[tuple[Any, SamplerStage | None]] = []
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
        self.is_penalized = penalized
        if sampling.temperature == 0:
            self._add(llama.llama_sampler_init_greedy(), SamplerStage.GREEDY)
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
            self.stages = []

    def _add_random(self, sampling: SamplingParams) -> None:
        llama = self._llama
        if sampling.top_k > 0:
            self._add(llama.llama_sampler_init_top_k(sampling.top_k), SamplerStage.TOP_K)
        if sampling.top_p < 1:
            self._add(llama.llama_sampler_init_top_p(sampling.top_p, 1), SamplerStage.TOP_P)
        if sampling.min_p > 0:
            self._add(llama.llama_sampler_init_min_p(sampling.min_p, 1), SamplerStage.MIN_P)
        self._add(llama.llama_sampler_init_temp(sampling.temperature))
        # The last seed value tells llama.cpp to draw one itself.
        seed = secrets.randbelow(MAX_SEED) if sampling.seed is None else sampling.seed
        self._add(llama.llama_sampler_init_dist(seed))

    def _add(self, sampler: Any, stage: SamplerStage | None = None) -> None:  # noqa: ANN401
        self._llama.llama_sampler_chain_add(self.handle, sampler)
        self.stages.append((sampler, stage))
