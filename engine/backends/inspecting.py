"""Watches a sampler choose a token, whatever library the logits come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.inspection import N_ALTERNATIVES, Candidate, SamplerStage, TokenInspection

if TYPE_CHECKING:
    from collections.abc import Callable


class ChoiceWatch:
    """Sees the logits first, then what each part of the sampler left, then the choice.

    Args:
        logits: Of the whole vocabulary, before any sampler; float32, not kept after `finish`.
        is_penalized: Whether penalties change them.
    """

    def __init__(self, logits: Any, *, is_penalized: bool) -> None:  # noqa: ANN401
        self._logits = logits
        self._largest = float(logits.max())
        self._sum = float(np.exp(logits - self._largest).sum(dtype=np.float64))
        count = min(N_ALTERNATIVES + 1, len(logits))
        top = _largest_places(logits, self._largest, count)
        self._top = top[np.argsort(-logits[top], kind="stable")][:count]
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
        gone = self._top[~(self._top[:, None] == ids).any(axis=1)]
        for token in gone.tolist():
            self._removed_by.setdefault(token, stage)

    def finish(
        self,
        token: int,
        ids: Any,  # noqa: ANN401
        probabilities: Any,  # noqa: ANN401
        piece: Callable[[int], bytes],
    ) -> TokenInspection:
        """How `token` was chosen among `ids`, drawn with `probabilities` that sum to 1."""
        wanted = [token, *(other for other in self._top.tolist() if other != token)]
        wanted = wanted[: N_ALTERNATIVES + 1]
        places = np.flatnonzero((ids == np.array(wanted)[:, None]).any(axis=0))
        drawn = dict(zip(ids[places].tolist(), probabilities[places].tolist(), strict=True))
        shares = np.exp(self._logits[wanted].astype(np.float64) - self._largest) / self._sum
        candidates = [
            Candidate(
                token=other,
                piece=piece(other),
                probability=share,
                drawn_probability=drawn.get(other, 0.0),
                removed_by=self._removed_by.get(other),
            )
            for other, share in zip(wanted, shares.tolist(), strict=True)
        ]
        return TokenInspection(
            chosen=candidates[0],
            rank=1 + int(np.count_nonzero(self._logits > self._logits[token])),
            alternatives=tuple(candidates[1:]),
            stages=tuple(self._stages),
            is_penalized=self._is_penalized,
        )


def softmax(logits: Any) -> Any:  # noqa: ANN401
    """Probabilities (float64) of logits in any order."""
    shares = np.exp(logits.astype(np.float64) - logits.max())
    return shares / shares.sum()


def _largest_places(logits: Any, largest: float, count: int) -> Any:  # noqa: ANN401
    """Places of at least the `count` largest."""
    # A few logits stand out; looking for them costs a fraction of a partial sort of all.
    for distance in (4.0, 8.0, 12.0):
        near = np.flatnonzero(logits >= largest - distance)
        if len(near) >= count:
            return near
    return np.argpartition(logits, len(logits) - count)[len(logits) - count :]
