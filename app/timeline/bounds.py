"""From when until when a telemetry store has something to show, and whether that changed."""

from bisect import bisect_right
from operator import attrgetter

from app.telemetry import TelemetryStore
from app.timeline.moment import turn_at

# Shown where nothing was said yet.
_UNKNOWN_S = 60.0


def until_s(store: TelemetryStore) -> float:
    """Until when anything is known: now while something runs, else the last that was said."""
    if store.is_running:
        return store.now_s
    ends = [store.to_s(turn.t_end_ns) for turn in store.turns[-1:] if turn.t_end_ns is not None]
    ends += [span.t1_s for span in store.phases.loads[-1:] if span.t1_s is not None]
    return max(ends, default=store.now_s)


def begin_s(store: TelemetryStore, *, of_all: bool) -> float | None:
    """When the last answer was sent; `of_all`, when the first load or answer began.

    Without an answer, when the last load began; None where there is none either.
    """
    turns, loads = store.turns, store.phases.loads
    if of_all:
        begins = [store.to_s(turn.t_submit_ns) for turn in turns[:1]]
        return min([*begins, *(span.t0_s for span in loads[:1])], default=None)
    if turns:
        return store.to_s(turns[-1].t_submit_ns)
    return loads[-1].t0_s if loads else None


def known_s(store: TelemetryStore) -> tuple[float, float]:
    """From when until when there is something to see, samples of now included."""
    end_s = max(until_s(store), store.now_s)
    first_s = begin_s(store, of_all=True)
    return end_s - _UNKNOWN_S if first_s is None else first_s, end_s


def zero_s(store: TelemetryStore, t0_s: float, t1_s: float) -> float:
    """What times in this view count from: the send of the first answer in it, or before it.

    The begin of the last load before the first answer; then of the store.
    """
    turns, t0_ns = store.turns, store.to_ns(t0_s)
    if not turns:
        return begin_s(store, of_all=False) or 0.0
    place = bisect_right(turns, t0_ns, key=attrgetter("t_submit_ns"))
    has_next = place < len(turns) and turns[place].t_submit_ns <= store.to_ns(t1_s)
    if not has_next or turn_at(store, t0_ns)[1] is not None:
        place = max(0, place - 1)
    return store.to_s(turns[place].t_submit_ns)


def shown_between(store: TelemetryStore, t0_s: float, t1_s: float) -> tuple[object, ...]:
    """Something that is equal as long as a picture of this stretch is, while nothing runs."""
    histories = (store.steps, store.kv, store.samples)
    # Curves go on to the first row behind the stretch; after that one nothing is seen of it.
    newest_s = [history.first_after(t1_s) for history in histories]
    return (
        t0_s,
        t1_s,
        min(until_s(store), t1_s),
        newest_s,
        store.marks.between(store.to_ns(t0_s), store.to_ns(t1_s)),
        [(turn.request_id, turn.felt_ttft_ns) for turn in store.turns],
        [(span.t0_s, span.t1_s) for span in store.phases.loads],
        store.memory,
        store.machine.n_cores,
    )
