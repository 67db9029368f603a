"""The prefill of one request: chunks, progress, and a stop that reaches into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import EngineError, ErrorCode
from engine.events import PrefillProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.backend import Backend
    from engine.events import Event

_NS_PER_MS = 1_000_000
_REPORT_EVERY_NS = 100 * _NS_PER_MS
_TARGET_CHUNK_NS = 150 * _NS_PER_MS
# Each chunk reads all weights: where that alone takes longer than it should, or other programs
# hold it up, fewer tokens take hardly less time, and chunks would come down to one token.
_LEAST_CHUNK = 32
# So long a stop may wait for the least chunk, where a smaller one would be done earlier.
_MOST_LEAST_CHUNK_NS = 1000 * _NS_PER_MS
_MAX_GROWTH = 4


class ChunkSize:
    """How many prompt tokens to hand over at once.

    A backend whose prefill can be interrupted gets whole batches. Else a chunk is sized to take
    about 150 ms, from how long the one before took, and gets no less than 32 tokens: less only
    where those take over a second, and half of them clearly less. What was learned serves the next
    request.
    """

    def __init__(self, n_batch: int, *, is_interruptible: bool) -> None:
        """Begin small where a chunk cannot be interrupted: nothing is known of the device."""
        self._n_batch = n_batch
        self._adapts = not is_interruptible
        self._least = self._usual_least = min(n_batch, _LEAST_CHUNK)
        self._twice_ns: int | None = None
        self._may_halve = True
        self._size = self._least if self._adapts else n_batch

    @property
    def tokens(self) -> int:
        """Size of the next chunk."""
        return self._size

    def took(self, n_tokens: int, duration_ns: int) -> None:
        """Learn from a chunk that took `duration_ns`; a last, smaller one teaches nothing."""
        if not self._adapts or n_tokens < self._size:
            return
        self._fit_least(n_tokens, duration_ns)
        wanted = n_tokens * _TARGET_CHUNK_NS // max(1, duration_ns)
        self._size = max(self._least, min(wanted, n_tokens * _MAX_GROWTH, self._n_batch))

    def _fit_least(self, n_tokens: int, duration_ns: int) -> None:
        twice_ns, self._twice_ns = self._twice_ns, None
        if n_tokens != self._least:
            return
        doubled = min(2 * self._least, self._usual_least)
        if twice_ns is not None and 4 * duration_ns > 3 * twice_ns:
            # Computing is not what takes so long.
            self._least, self._may_halve = doubled, False
        elif duration_ns > _MOST_LEAST_CHUNK_NS:
            if self._may_halve and self._least > 1:
                self._least, self._twice_ns = self._least // 2, duration_ns
        else:
            self._may_halve = True
            if 2 * duration_ns < _MOST_LEAST_CHUNK_NS:
                self._least = doubled


def prefill(
    backend: Backend,
    tokens: Sequence[int],
    n_cached: int,
    *,
    request_id: int,
    chunk_size: ChunkSize,
    emit: Callable[[Event], None],
    is_cancelled: Callable[[], bool],
    clock_ns: Callable[[], int],
) -> bool:
    """Compute all of `tokens` but the first `n_cached`; False where it was cancelled.

    Emits `PrefillProgress` at once, at the end of each chunk but the last, and about every 100 ms
    within one where the backend tells so often; its counts never fall and never exceed the prompt.
    """
    n_done = n_cached
    n_reported = n_cached
    next_report_ns = clock_ns() + _REPORT_EVERY_NS
    emit(PrefillProgress(request_id=request_id, t_ns=clock_ns(), n_done_tokens=n_cached))

    def report(n_tokens: int, *, is_chunk: bool) -> None:
        nonlocal n_reported, next_report_ns
        t_ns = clock_ns()
        if t_ns < next_report_ns and not is_chunk:
            return
        next_report_ns = t_ns + _REPORT_EVERY_NS
        n_reported = max(n_reported, min(n_tokens, len(tokens)))
        emit(PrefillProgress(request_id=request_id, t_ns=t_ns, n_done_tokens=n_reported))

    def on_progress(n_in_chunk: int) -> bool:
        if is_cancelled():
            return False
        report(n_done + n_in_chunk, is_chunk=False)
        return True

    while n_done < len(tokens):
        if is_cancelled():
            return False
        chunk = tokens[n_done : n_done + chunk_size.tokens]
        t_begin_ns = clock_ns()
        n_computed = backend.prefill(chunk, on_progress)
        n_done += n_computed
        if n_computed < len(chunk):
            if is_cancelled():
                return False
            raise EngineError(ErrorCode.DECODE_FAILED, "prefill ended before the prompt did")
        chunk_size.took(n_computed, clock_ns() - t_begin_ns)
        # Of the last one `PrefillDone` tells.
        report(n_done, is_chunk=n_done < len(tokens))
    return True
