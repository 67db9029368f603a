"""How the next token is chosen from the logits, with the meaning that llama.cpp's chain gives."""

from __future__ import annotations

import math
import secrets
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from engine.errors import EngineError, ErrorCode
from engine.inspection import SamplerStage
from engine.sampling_bounds import MAX_SEED, check

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.values import SamplingParams

    OnStage = Callable[[SamplerStage, Any], None]


class Sampler:
    """Penalties, top-k, top-p, min-p, temperature, a draw: in this order, as llama.cpp has it.

    The logits stay on their device until few are left. The same seed gives the same answer here,
    and another than in llama.cpp, whose random numbers are others.
    """

    def __init__(self, sampling: SamplingParams, prompt: Sequence[int]) -> None:
        """Begin an answer; `prompt` is what the penalties have seen before the first token.

        Raises:
            EngineError: INVALID_OPTION.
        """
        check(sampling)
        self._sampling = sampling
        penalized = sampling.penalty_last_n > 0 and (
            sampling.repeat_penalty != 1.0
            or sampling.presence_penalty != 0.0
            or sampling.frequency_penalty != 0.0
        )
        last_n = sampling.penalty_last_n if penalized else 0
        self._recent: deque[int] = deque(prompt[-last_n:] if last_n else (), maxlen=last_n)
        seed = secrets.randbelow(MAX_SEED) if sampling.seed is None else sampling.seed
        self._random = np.random.Generator(np.random.PCG64(seed))
        # The tokens that the last one was drawn from, and their probabilities.
        self.drawn_from: tuple[Any, Any] = (np.empty(0, np.int64), np.empty(0))

    @property
    def is_penalized(self) -> bool:
        """Whether penalties change the logits."""
        return bool(self._recent.maxlen)

    def sample(self, logits: Any, on_stage: OnStage | None = None) -> int:  # noqa: ANN401
        """Choose a token; `logits` has shape [vocabulary]. Waits for the device.

        `on_stage` is told what each part that takes candidates away has left.

        Raises:
            EngineError: DECODE_FAILED for logits that are no numbers.
        """
        if self._recent.maxlen:
            logits = self._penalized(logits)
        if self._sampling.temperature == 0:
            # Both in one transfer from the device.
            largest, at = logits.max(dim=-1)
            value, index = torch.stack((largest.double(), at.double())).tolist()
            _check(value)
            token = int(index)
            if on_stage is not None:
                self.drawn_from = np.array([token]), np.ones(1)
                on_stage(SamplerStage.GREEDY, self.drawn_from[0])
        else:
            tokens, probabilities = self.candidates(logits, on_stage)
            self.drawn_from = tokens, probabilities
            drawn = self._random.random() * probabilities.sum()
            place = int(np.searchsorted(np.cumsum(probabilities), drawn, side="right"))
            token = int(tokens[min(place, len(tokens) - 1)])
        self._recent.append(token)
        return token

    def candidates(self, logits: Any, on_stage: OnStage | None = None) -> tuple[Any, Any]:  # noqa: ANN401
        """What may be drawn, most likely first: tokens and their probabilities (float64)."""
        sampling = self._sampling
        logits = logits.float()
        count = min(sampling.top_k, len(logits)) if sampling.top_k else len(logits)
        if count < len(logits):
            values, tokens = torch.topk(logits, count)
        else:
            values, tokens = torch.sort(logits, descending=True)
        kept = values.cpu().numpy().astype(np.float64)
        ids = tokens.cpu().numpy()
        _check(kept[0])
        if on_stage is not None and sampling.top_k:
            on_stage(SamplerStage.TOP_K, ids)
        if sampling.top_p < 1:
            sums = np.cumsum(_softmax(kept))
            n_kept = int(np.searchsorted(sums, sampling.top_p, side="left")) + 1
            kept, ids = kept[:n_kept], ids[:n_kept]
            if on_stage is not None:
                on_stage(SamplerStage.TOP_P, ids)
        if sampling.min_p > 0:
            n_kept = int(np.count_nonzero(kept >= kept[0] + np.log(sampling.min_p)))
            kept, ids = kept[: max(n_kept, 1)], ids[: max(n_kept, 1)]
            if on_stage is not None:
                on_stage(SamplerStage.MIN_P, ids)
        return ids, _softmax(kept / sampling.temperature)

    def _penalized(self, logits: Any) -> Any:  # noqa: ANN401
        """Penalties as in llama.cpp: divide by (or multiply) once, then subtract by the count."""
        if not self._recent:
            return logits
        sampling, counts = self._sampling, Counter(self._recent)
        device = logits.device
        ids = torch.tensor(list(counts), device=device)
        n_seen = torch.tensor(list(counts.values()), device=device, dtype=torch.float32)
        logits = logits.float().clone()
        seen = logits[ids]
        seen = torch.where(
            seen <= 0, seen * sampling.repeat_penalty, seen / sampling.repeat_penalty
        )
        seen -= n_seen * sampling.frequency_penalty + sampling.presence_penalty
        logits[ids] = seen
        return logits


def _check(largest: float) -> None:
    # What is not a number counts as the largest one.
    if not math.isfinite(largest):
        raise EngineError(
            ErrorCode.DECODE_FAILED,
            f"the largest logit is {largest}: the weights are damaged, or their number format "
            "overflows; bfloat16 and float32 hold larger numbers than float16",
        )


def _softmax(logits: Any) -> Any:  # noqa: ANN401
    shares = np.exp(logits - logits[0])
    return shares / shares.sum()
