"""Reaches into a running decode: says how far it is, and stops it.

llama.cpp calls the abort callback on its first thread after each node of the graph, some 500
times a micro-batch. It works on the CPU only.
"""

import time
from collections.abc import Callable
from typing import Any

# A Python callback costs 1 to 2 us, 500 of them 6 % of a 17 ms step. Steps longer than this pay
# less than 3 % for a stop that does not wait for their end; shorter ones end soon enough.
LONG_STEP_NS = 40_000_000
# How often the question is passed on: well within what a stop and a progress bar may take.
_PERIOD_NS = 4_000_000


class Watch:
    """Owns the abort callback of one context.

    Exceptions of what it calls stop the decode and are raised by `check`.
    """

    def __init__(self, llama: Any, context: Any) -> None:  # noqa: ANN401
        """Prepare for `context`, with nothing set yet."""
        self._llama = llama
        self._context = context
        self._callback = llama.ggml_abort_callback(self._called)
        self._none = llama.ggml_abort_callback()
        self._ask: Callable[[int], bool] | None = None
        self._is_set = False
        self._count = 0
        self._next_ns = 0
        self._stopped = False
        self._error: BaseException | None = None

    @property
    def stopped(self) -> bool:
        """Whether the last answer was to stop."""
        return self._stopped

    @property
    def count(self) -> int:
        """Callbacks since `start`."""
        return self._count

    def start(self, ask: Callable[[int], bool]) -> None:
        """Ask `ask` with the number of callbacks so far, from now on; False stops the decode."""
        self._ask = ask
        self._count = 0
        self._next_ns = 0
        self._stopped = False
        if not self._is_set:
            self._llama.llama_set_abort_callback(self._context, self._callback, None)
            self._is_set = True

    def stop(self) -> None:
        """Ask no more; the callback is not called until the next `start`."""
        if self._is_set:
            self._llama.llama_set_abort_callback(self._context, self._none, None)
            self._is_set = False
        self._ask = None

    def check(self) -> None:
        """Raise what the asked function raised, once."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _called(self, _data: int | None) -> bool:
        self._count += 1
        if self._stopped:
            return True
        now = time.perf_counter_ns()
        if now < self._next_ns or self._ask is None:
            return False
        self._next_ns = now + _PERIOD_NS
        try:
            self._stopped = not self._ask(self._count)
        except BaseException as error:  # noqa: BLE001 - native frames are below: keep, then raise
            self._error = error
            self._stopped = True
        return self._stopped


class UbatchProgress:
    """Estimates tokens done in a decode of several micro-batches from the callbacks so far."""

    def __init__(self, n_ubatch: int, callbacks_per_ubatch: int) -> None:
        """Start from the callbacks that a micro-batch was seen to make."""
        self._n_ubatch = n_ubatch
        self._per_ubatch = max(callbacks_per_ubatch, 1)

    def tokens(self, count: int, n_tokens: int) -> int:
        """Tokens of a chunk of `n_tokens` done after `count` callbacks: never more than it has."""
        whole, part = divmod(count, self._per_ubatch)
        done = whole * self._n_ubatch
        left = max(n_tokens - done, 0)
        return min(done, n_tokens) + min(left, self._n_ubatch) * part // self._per_ubatch

    def learn(self, count: int, n_tokens: int) -> None:
        """Take over how many callbacks a whole chunk made."""
        n_ubatches = -(-n_tokens // self._n_ubatch)
        self._per_ubatch = max(round(count / n_ubatches), 1)
