"""What is known about the choice of one token: its probability, and what else could have come.

A `TokenInspection` crosses the pipe, and is kept, as the bytes of `pack`: about 200 for a token.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

N_ALTERNATIVES = 10

_HEAD = struct.Struct("<fIIBBB")
_LONGEST_NS = (1 << 32) - 1
_STAGE = struct.Struct("<BI")
_CANDIDATE = struct.Struct("<iffBB")
_LONGEST_PIECE = 255
_NOT_REMOVED = 0


class SamplerStage(IntEnum):
    """A part of the sampler that takes candidates away."""

    TOP_K = 1
    TOP_P = 2
    MIN_P = 3
    GREEDY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A token that could come.

    Attributes:
        token: Its id.
        piece: Its bytes, possibly part of a character; the name of a control token.
        probability: As the model gives it: softmax of the logits, before any sampler.
        drawn_probability: With which it could be drawn after all samplers; 0 when removed.
        removed_by: What removed it; None when nothing did.
    """

    token: int
    piece: bytes
    probability: float
    drawn_probability: float
    removed_by: SamplerStage | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenInspection:
    """How one token was chosen.

    Attributes:
        chosen: The token.
        rank: How many tokens are as likely or likelier for the model, itself included: 1 is the
            most likely.
        alternatives: The most likely other tokens, at most `N_ALTERNATIVES`, in this order.
        stages: Parts of the sampler in order, and how many candidates each left.
        is_penalized: Whether penalties changed the logits before those parts.
        watch_ns: What it took to find this out, beside choosing the token.
    """

    chosen: Candidate
    rank: int
    alternatives: tuple[Candidate, ...]
    stages: tuple[tuple[SamplerStage, int], ...]
    is_penalized: bool
    watch_ns: int = 0


def pack(inspection: TokenInspection) -> bytes:
    """The bytes of an inspection; probabilities keep 7 digits, pieces 255 bytes."""
    candidates = (inspection.chosen, *inspection.alternatives)
    parts = [
        _HEAD.pack(
            inspection.chosen.probability,
            inspection.rank,
            min(inspection.watch_ns, _LONGEST_NS),
            len(candidates),
            len(inspection.stages),
            inspection.is_penalized,
        )
    ]
    parts += [_STAGE.pack(stage, n_left) for stage, n_left in inspection.stages]
    for candidate in candidates:
        piece = candidate.piece[:_LONGEST_PIECE]
        removed_by = candidate.removed_by or _NOT_REMOVED
        numbers = (candidate.token, candidate.probability, candidate.drawn_probability)
        parts += (_CANDIDATE.pack(*numbers, removed_by, len(piece)), piece)
    return b"".join(parts)


def unpack(data: bytes) -> TokenInspection:
    """The inspection that `pack` made these bytes of."""
    _, rank, watch_ns, n_candidates, n_stages, is_penalized = _HEAD.unpack_from(data)
    place = _HEAD.size
    stages: list[tuple[SamplerStage, int]] = []
    for _ in range(n_stages):
        stage, n_left = _STAGE.unpack_from(data, place)
        stages.append((SamplerStage(stage), n_left))
        place += _STAGE.size
    candidates: list[Candidate] = []
    for _ in range(n_candidates):
        token, probability, drawn, removed_by, length = _CANDIDATE.unpack_from(data, place)
        place += _CANDIDATE.size
        candidates.append(
            Candidate(
                token=token,
                piece=data[place : place + length],
                probability=probability,
                drawn_probability=drawn,
                removed_by=SamplerStage(removed_by) if removed_by else None,
            )
        )
        place += length
    return TokenInspection(
        chosen=candidates[0],
        rank=rank,
        alternatives=tuple(candidates[1:]),
        stages=tuple(stages),
        is_penalized=bool(is_penalized),
        watch_ns=watch_ns,
    )


def probability_of(data: bytes) -> float:
    """The model's probability of the token that was chosen, without unpacking the rest."""
    probability: float = _HEAD.unpack_from(data)[0]
    return probability


def watch_ns_of(data: bytes) -> int:
    """What it took to find the inspection out, without unpacking the rest."""
    watch_ns: int = _HEAD.unpack_from(data)[2]
    return watch_ns
