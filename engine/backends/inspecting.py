"""Watches a sampler choose a token, whatever library the logits come from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.inspection import N_ALTERNATIVES, Candidate, SamplerStage, TokenInspection

if TYPE_CHECKING:
    from collections.abc import Callable


# Arrays up to this length are quicker as Python's own numbers.
_FEW = 256
_PIECE = 8_192


class ChoiceWatch:
    """Sees the logits first, then what each part of the sampler left, then the choice.

    Args:
        logits: Of the whole vocabulary, before any sampler; float32, not kept after `finish`.
        is_penalized: Whether penalties change them.
    """

    def __init__(self, logits: Any, *, is_penalized: bool) -> None:  # noqa: ANN401
        self._logits = logits
        self._largest = float(logits.max())
        self._sum = _sum_of_exp(logits, self._largest)
        count = min(N_ALTERNATIVES + 1, len(logits))
        near = _largest_places(logits, self._largest, count)
        # Of all that are as large as the least of these.
        self._near = logits[near]
        self._top: list[int] = near[np.argsort(-self._near, kind="stable")[:count]].tolist()
        self._is_penalized = is_penalized
        self._stages: list[tuple[SamplerStage, int]] = []
        self._removed_by: dict[int, SamplerStage] = {}
        self._n_left = len(logits)

    def stage(self, stage: SamplerStage, ids: Any) -> None:  # noqa: ANN401
        """A part of the sampler left the tokens `ids`, an array of integers in any order."""
        self._stages.append((stage, len(ids)))
        if len(ids) == self._n_left:
            return
        self._n_left = len(ids)
        for token in _without(self._top, ids):
            self._removed_by.setdefault(token, stage)

    def finish(
        self,
        token: int,
        ids: Any,  # noqa: ANN401
        probabilities: Any,  # noqa: ANN401
        piece: Callable[[int], bytes],
    ) -> TokenInspection:
        """How `token` was chosen among `ids`, drawn with `probabilities` that sum to 1."""
        wanted = [token, *(other for other in self._top if other != token)]
        wanted = wanted[: N_ALTERNATIVES + 1]
        if len(ids) > _FEW:
            places = np.flatnonzero((ids == np.array(wanted)[:, None]).any(axis=0))
            ids, probabilities = ids[places], probabilities[places]
        drawn = dict(zip(ids.tolist(), probabilities.tolist(), strict=True))
        logits = self._logits[wanted].tolist()
        shares = [math.exp(logit - self._largest) / self._sum for logit in logits]
        candidates = [
            Candidate(
                token=other,
                piece=piece(other),
                probability=share,
                drawn_probability=drawn.get(other, 0.0),
                removed_by=self._removed_by.get(other),
            )
            for other, share in zip(wanted, shares, strict=True)
        ]
        return TokenInspection(
            chosen=candidates[0],
            rank=1 + self._n_larger(self._logits[token]),
            alternatives=tuple(candidates[1:]),
            stages=tuple(self._stages),
            is_penalized=self._is_penalized,
        )

    def _n_larger(self, logit: Any) -> int:  # noqa: ANN401
        is_near = logit >= self._near.min()
        return int(np.count_nonzero((self._near if is_near else self._logits) > logit))


def softmax(logits: Any) -> Any:  # noqa: ANN401
    """Probabilities (float64) of logits in any order."""
    shares = np.exp(logits.astype(np.float64) - logits.max())
    return shares / shares.sum()


def _sum_of_exp(logits: Any, largest: float) -> float:  # noqa: ANN401
    """Sum of `exp(logits - largest)`, a piece at a time, which stays in the processor's cache."""
    room = np.empty(min(_PIECE, len(logits)), np.float32)
    total = 0.0
    for begin in range(0, len(logits), _PIECE):
        piece = logits[begin : begin + _PIECE]
        shares = np.exp(np.subtract(piece, largest, out=room[: len(piece)]), out=room[: len(piece)])
        total += float(shares.sum(dtype=np.float64))
    return total


def _without(tokens: list[int], ids: Any) -> list[int]:  # noqa: ANN401
    """Those tokens that are not among `ids`."""
    if len(ids) > _FEW:
        return [token for token in tokens if not (ids == token).any()]
    left = set(ids.tolist())
    return [token for token in tokens if token not in left]


def _largest_places(logits: Any, largest: float, count: int) -> Any:  # noqa: ANN401
    """Places of at least the `count` largest."""
    # A few logits stand out; looking for them costs a fraction of a partial sort of all.
    for distance in (4.0, 8.0, 12.0):
        near = np.flatnonzero(logits >= largest - distance)
        if len(near) >= count:
            return near
    return np.argpartition(logits, len(logits) - count)[len(logits) - count :]
