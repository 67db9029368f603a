"""From when until when a telemetry store has something to show."""

from app.telemetry import TelemetryStore


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
