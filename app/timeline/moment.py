"""What is known of one moment: the answer, the stretch, the engine step, the KV cache."""

from collections.abc import Callable
from dataclasses import dataclass

from app.telemetry import TelemetryStore
from app.timeline.stretches import Stage, Stretch, stretches_of
from app.turns import Turn

TokenTexts = Callable[[int], Callable[[int], str | None]]
"""By request id, what gives the text that each step of it made readable, by step from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAt:
    """The engine step that a moment belongs to: the first that ended at or after it.

    Attributes:
        index: From 0, within its answer.
        t_s: When it ended.
        itl_ns: Since the step before; None for the first.
        n_tokens: Its output tokens.
    """

    index: int
    t_s: float
    itl_ns: float | None
    n_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What is known of a moment; None is unknown, or there is none.

    Attributes:
        turn: The answer that was under way.
        number: Which of the answers that are kept, from 1.
        since_submit_ns: Since that was sent; None where the machine slept in between.
        stretch: What it was doing.
        step: While it decoded.
        way_to_screen_ns: While the first text was on its way to the screen, how long that took.
        kv_tokens: Tokens in the KV cache.
        kv_bytes: Bytes of it in use.
    """

    turn: Turn | None
    number: int | None
    since_submit_ns: int | None
    stretch: Stretch | None
    step: StepAt | None
    way_to_screen_ns: int | None
    kv_tokens: float | None
    kv_bytes: float | None


def no_texts(_request_id: int) -> Callable[[int], str | None]:
    """The `TokenTexts` where no text is known."""
    return lambda _step: None


def moment_at(store: TelemetryStore, t_s: float) -> Moment:
    """What is known of a moment on the store's clock."""
    t_ns = store.to_ns(t_s)
    number, turn = turn_at(store, t_ns)
    stretch = None
    if turn is not None:
        under_way = [
            each
            for each in stretches_of(turn.trace)
            if each.t0_ns <= t_ns and (each.t1_ns is None or t_ns <= each.t1_ns)
        ]
        stretch = under_way[-1] if under_way else None
    way_s = None if turn is None else way_to_screen_s(store, turn)
    is_on_way = way_s is not None and way_s[0] <= t_s <= way_s[1]
    has_step = stretch is not None and stretch.stage in (Stage.DECODE, Stage.FIRST_TOKEN)
    return Moment(
        turn=turn,
        number=number,
        since_submit_ns=None if turn is None else turn.trace.span_ns(t_ns, turn.t_submit_ns),
        stretch=stretch,
        step=step_at(store, turn, t_s) if turn is not None and has_step else None,
        way_to_screen_ns=round((way_s[1] - way_s[0]) * 1e9) if way_s and is_on_way else None,
        kv_tokens=store.kv.at(t_s, "tokens"),
        kv_bytes=store.kv.at(t_s, "bytes"),
    )


def turn_at(store: TelemetryStore, t_ns: int) -> tuple[int | None, Turn | None]:
    """The answer under way at a stamp, with its number; the one sent last where two are."""
    turns = store.turns
    for index in range(len(turns) - 1, -1, -1):
        turn = turns[index]
        if turn.t_submit_ns <= t_ns and (turn.t_end_ns is None or t_ns <= turn.t_end_ns):
            return index + 1, turn
    return None, None


def way_to_screen_s(store: TelemetryStore, turn: Turn) -> tuple[float, float] | None:
    """From the first token until its text was painted; None where that is not known."""
    first_ns, felt_ns = turn.trace.t_first_ns, turn.felt_ttft_ns
    if first_ns is None or felt_ns is None:
        return None
    return store.to_s(first_ns), store.to_s(turn.t_submit_ns + felt_ns)


def step_at(store: TelemetryStore, turn: Turn, t_s: float) -> StepAt | None:
    """The step of an answer that a moment belongs to; None where steps are not kept one by one."""
    first_ns, last_ns = turn.trace.t_first_ns, turn.trace.t_last_ns
    if first_ns is None or last_ns is None:
        return None
    first_s, last_s = store.to_s(first_ns), store.to_s(last_ns)
    since_s = store.steps.full_since_s
    if (since_s is not None and first_s < since_s) or t_s > last_s:
        return None
    at_s = max(t_s, first_s)
    times, itl, tokens = store.steps.between(at_s, at_s, "itl", "tokens")
    place = int(times.searchsorted(at_s))
    if place >= len(times):
        return None
    itl_ns = float(itl[place])
    return StepAt(
        index=store.steps.count(first_s, float(times[place])),
        t_s=float(times[place]),
        itl_ns=None if itl_ns != itl_ns else itl_ns,
        n_tokens=int(tokens[place]),
    )


def next_step_s(store: TelemetryStore, t_s: float, direction: int) -> float | None:
    """The end of the step after (1) or before (-1) a moment; None where there is none."""
    # The row on either side of a moment comes with it, however far away.
    (times,) = store.steps.between(t_s, t_s)
    ahead = times[times > t_s] if direction > 0 else times[times < t_s]
    if not len(ahead):
        return None
    return float(ahead[0] if direction > 0 else ahead[-1])
