"""What the KV cache holds, cell by cell, and what a token costs: for somebody who looks at it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from app.memory_map import DeviceMap, Part
from app.turns import CELL_TURNS, Turn
from engine.events import CellKind, CellSpan, Loaded
from engine.samples import GpuSample
from engine.values import MemoryUse

if TYPE_CHECKING:
    from app.telemetry import TelemetryStore

NEXT_TOKENS = 1000


class Origin(StrEnum):
    """How cells came to hold what they hold, in the last request."""

    REUSED = "reused"
    READ = "read"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRun:
    """The cells from `begin` up to `end`, alike in what they hold and how that came.

    `number` is as in `CellSpan`.
    """

    kind: CellKind
    number: int
    begin: int
    end: int
    origin: Origin


def turns_of(
    turns: Sequence[Turn], loaded: Loaded | None, *, with_lost: bool = False
) -> list[Turn]:
    """The last that the loaded model has answered, or whose prompt it has begun to read.

    `with_lost`: also those that a measurement has taken the cache from.
    """
    return [
        turn
        for turn in turns[-CELL_TURNS:]
        if loaded is not None
        and turn.loaded is loaded
        and (turn.in_cache or with_lost)
        and turn.n_prompt_tokens is not None
    ]


def tokens_held(store: "TelemetryStore") -> int | None:
    """Tokens that the cache holds; those of the last answer where it was measured with since.

    See `are_lost`.
    """
    tokens, turn = store.kv.last("tokens"), store.turn
    if tokens is not None:
        return int(tokens)
    is_of_model = turn is not None and turn.loaded is not None and turn.loaded is store.loaded
    return turn.context_used_tokens if turn is not None and is_of_model else None


def are_lost(store: "TelemetryStore") -> bool:
    """Whether the `tokens_held` were held before a measurement took the cache."""
    return store.kv.last("tokens") is None and tokens_held(store) is not None


def cell_runs(turns: Sequence[Turn]) -> list[CellRun]:
    """What the last of `turns_of` left in the cache, or has put there so far; in order.

    While it runs, what is new in its prompt is UNKNOWN: the engine tells that at its end. It stays
    so where the engine never told, as in an older recorded run.
    """
    return CellHistory().runs(turns)


class CellHistory:
    """`cell_runs` for somebody who asks often: what was found of a prompt is kept."""

    def __init__(self) -> None:
        """Remember nothing."""
        self._key: tuple[int, int, int] | None = None
        self._prompt: list[CellRun] = []

    def runs(self, turns: Sequence[Turn]) -> list[CellRun]:
        """What the last turn holds."""
        if not turns:
            return []
        turn = turns[-1]
        n_prompt, n_read = turn.n_prompt_tokens or 0, turn.n_prefilled_tokens or 0
        key = (turn.request_id, n_read, len(turn.prompt_cells))
        if key != self._key:
            self._key, self._prompt = key, _prompt_runs(turns, n_prompt, n_read)
        # The last counts, as in “KV used”, though it is put there with the one after it, or never.
        n_written = turn.n_output_tokens
        if not n_written:
            return self._prompt
        answer = CellRun(
            kind=CellKind.ANSWER,
            number=turn.answer_number,
            begin=n_prompt,
            end=n_prompt + n_written,
            origin=Origin.WRITTEN,
        )
        return [*self._prompt, answer]


def _prompt_runs(turns: Sequence[Turn], n_prompt: int, n_read: int) -> list[CellRun]:
    turn = turns[-1]
    n_cached = turn.n_cached_tokens or 0
    runs: list[CellRun] = []
    for span in turn.prompt_cells or _known_so_far(turns[:-1], n_cached, n_prompt):
        for begin, end, origin in (
            (span.begin, min(span.end, n_cached), Origin.REUSED),
            (max(span.begin, n_cached), min(span.end, n_read), Origin.READ),
        ):
            if begin < end:
                runs.append(
                    CellRun(kind=span.kind, number=span.number, begin=begin, end=end, origin=origin)
                )
    return runs


def _known_so_far(earlier: Sequence[Turn], n_cached: int, n_prompt: int) -> list[CellSpan]:
    """A prompt of which only what was reused is known: it is what was there before."""
    spans = [
        CellSpan(kind=run.kind, number=run.number, begin=run.begin, end=min(run.end, n_cached))
        for run in (cell_runs(earlier) if n_cached else [])
        if run.begin < n_cached
    ]
    known = spans[-1].end if spans else 0
    if known < n_prompt:
        spans.append(CellSpan(kind=CellKind.UNKNOWN, begin=known, end=n_prompt))
    return spans


def joined(runs: Sequence[CellRun]) -> list[CellRun]:
    """The same with neighbours that hold the same thing in one, whatever their origin."""
    found: list[CellRun] = []
    for run in runs:
        if found and (found[-1].kind, found[-1].number) == (run.kind, run.number):
            found[-1] = replace(found[-1], end=run.end)
        else:
            found.append(run)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class KvFacts:
    """What a conversation costs in the cache; None is unknown.

    Attributes:
        n_tokens: Tokens held.
        used_bytes: Bytes that hold them.
        token_bytes: What the next token adds.
        n_next_tokens: How many more are looked at: fewer than 1,000 where the context ends.
        next_bytes: What they add.
        free_bytes: Free memory of the device that the cache is on.
        n_like_this: How many conversations of this length that would hold.
        n_full: How many with a full context.
    """

    n_tokens: int
    used_bytes: int
    token_bytes: int
    n_next_tokens: int
    next_bytes: int
    free_bytes: int | None
    n_like_this: int | None
    n_full: int | None


def kv_facts(loaded: Loaded, n_tokens: int, free_bytes: int | None) -> KvFacts:
    """The facts about a conversation of `n_tokens` tokens."""
    kv = loaded.kv
    used = kv.used_bytes(n_tokens)
    begin = max(n_tokens, 1)
    n_next = min(NEXT_TOKENS, max(kv.reserved_tokens - n_tokens, 0))
    return KvFacts(
        n_tokens=n_tokens,
        used_bytes=used,
        token_bytes=kv.used_bytes(begin + 1) - kv.used_bytes(begin),
        n_next_tokens=n_next,
        next_bytes=kv.used_bytes(n_tokens + n_next) - used,
        free_bytes=free_bytes,
        n_like_this=free_bytes // used if free_bytes is not None and used else None,
        n_full=None
        if free_bytes is None or not kv.reserved_bytes
        else free_bytes // kv.reserved_bytes,
    )


def free_bytes(
    maps: Sequence[DeviceMap], memory: MemoryUse | None, gpu: GpuSample | None
) -> int | None:
    """Free memory of the device that the KV cache is on, as the memory map has it."""
    if memory is None or (memory.on_gpu and gpu is None):
        return None
    index = gpu.index if gpu is not None and memory.on_gpu else None
    device = next((found for found in maps if found.gpu_index == index), None)
    return None if device is None else device.of(Part.FREE).held_bytes
