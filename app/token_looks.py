"""The tokens of an answer: which text they became, what each took, how each was chosen.

All of it is of this session: stamps and probabilities are not kept with a conversation.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.tint import LATENCY_BOUNDS, PROBABILITY_BOUNDS, Tint
from engine.figures import percentile
from engine.inspection import probability_of, unpack, watch_ns_of

if TYPE_CHECKING:
    from app.transcript import Answer
    from engine.inspection import TokenInspection


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLook:
    """A token of an answer; None is not known.

    Attributes:
        step: Engine step that sampled it, from 0.
        text: What became readable with that step; empty for part of a character.
        latency_ns: Since the step before (ITL), or since the end of the prefill for the first; None
            where the machine slept in between.
        n_step_tokens: Tokens of that step: they share its latency.
        n_context_tokens: Tokens in the KV cache when it was chosen.
        kv_bytes: Bytes of the KV cache in use then.
        inspection: How it was chosen; None where that was not asked for.
    """

    step: int
    text: str
    latency_ns: int | None
    n_step_tokens: int
    n_context_tokens: int | None
    kv_bytes: int | None
    inspection: TokenInspection | None


def has_steps(answer: Answer) -> bool:
    """Whether the stamps of an answer are there: it is of this session, and has begun."""
    return bool(answer.step_ends) and len(answer.trace.step_t_ns) == len(answer.step_ends)


def steps_at(answer: Answer, begin: int, end: int) -> range:
    """The engine steps that characters `begin` to `end` of the text came with.

    A step whose bytes were held back until a later one made them readable counts to that one.
    None are known of the text before a continuation.
    """
    ends = answer.step_ends
    begun = answer.continued_from
    begin = max(begin, begun)
    if not has_steps(answer) or end <= begin:
        return range(0)
    visible = bisect_right(ends, begin)
    before = ends[visible - 1] if visible else begun
    # Steps that ended where the text already was are the beginning of what came next.
    first = bisect_left(ends, before) + 1 if before > begun else 0
    last = min(bisect_left(ends, end), len(ends) - 1)
    return range(min(first, last), last + 1)


def look_at(answer: Answer, step: int) -> tuple[TokenLook, ...]:
    """The tokens of a step; one for all of them where they were not inspected."""
    trace = answer.trace
    stamps = trace.step_t_ns
    before_ns = stamps[step - 1] if step else trace.t_prefill_end_ns
    n_context = None
    if trace.n_prompt_tokens is not None:
        n_context = trace.n_prompt_tokens + sum(trace.step_n_tokens[:step])
    kv_bytes = None
    if n_context is not None and answer.kv is not None:
        kv_bytes = answer.kv.used_bytes(n_context)
    packed = answer.inspected[step] if step < len(answer.inspected) else ()
    return tuple(
        TokenLook(
            step=step,
            text=text_of_step(answer, step),
            latency_ns=trace.span_ns(stamps[step], before_ns),
            n_step_tokens=trace.step_n_tokens[step],
            n_context_tokens=n_context,
            kv_bytes=kv_bytes,
            inspection=inspection,
        )
        for inspection in (map(unpack, packed) if packed else (None,))
    )


def text_of_step(answer: Answer, step: int) -> str:
    """What became readable with a step."""
    ends = answer.step_ends
    return answer.text[ends[step - 1] if step else answer.continued_from : ends[step]]


def watch_share(answer: Answer) -> float | None:
    """What inspecting took, as a ratio to the decode time it was part of.

    None where nothing was inspected, or the machine slept.
    """
    watched = [watch_ns_of(packed) for step in answer.inspected[1:] for packed in step]
    stamps = answer.trace.step_t_ns
    decode_ns = answer.trace.span_ns(stamps[-1], stamps[0]) if stamps else None
    return sum(watched) / decode_ns if watched and decode_ns else None


def levels_of(answer: Answer, tint: Tint) -> bytes:
    """The level of each character of the text, from 1 to `N_LEVELS`; 0 is not known."""
    if tint is Tint.NONE or not has_steps(answer):
        return b""
    by_step = _latency_levels(answer) if tint is Tint.LATENCY else _probability_levels(answer)
    made = bytearray(answer.continued_from)
    level = 0
    for step, end in enumerate(answer.step_ends):
        # Of steps that became readable together, the strongest.
        level = max(level, by_step[step])
        if end > len(made):
            made += bytes((level,)) * (end - len(made))
            level = 0
    return bytes(made)


def _latency_levels(answer: Answer) -> list[int]:
    taken_ns = answer.trace.itl().interval_ns
    usual_ns = percentile(sorted(taken for taken in taken_ns if taken is not None), 50) or 1
    levels = [
        0 if taken is None else 1 + bisect_left(LATENCY_BOUNDS, taken / usual_ns)
        for taken in taken_ns
    ]
    # The first token has no step before it.
    return [0, *levels]


def _probability_levels(answer: Answer) -> list[int]:
    return [
        1 + sum(min(map(probability_of, packed)) < bound for bound in PROBABILITY_BOUNDS)
        if packed
        else 0
        for packed in answer.inspected
    ]
