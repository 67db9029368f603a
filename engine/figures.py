"""The figures of one request, computed from its stamps and outside the hot loop.

Definitions are those of the project's table of figures: `t_submit` the person sends, `t_start`
the engine takes the request, `t_first` and `t_last` the engine has sampled the first and the last
output token, p prompt tokens of which c came from the KV cache, n output tokens. Every duration
is in nanoseconds, every stamp `time.perf_counter_ns()`. Unknown is None, never 0.
"""

from __future__ import annotations

import itertools
import operator
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.events import (
    Event,
    Failed,
    Finished,
    FinishReason,
    PrefillDone,
    PrefillProgress,
    PromptReady,
    Started,
    Step,
    Suspended,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.errors import ErrorInfo

_NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ItlSeries:
    """Inter-token latencies, one entry an engine step from the second step on.

    Attributes:
        t_ns: When the step ended.
        interval_ns: `t_i - t_{i-1}`: since the step before ended; None where the machine slept.
        n_tokens: Output tokens of the step.
    """

    t_ns: Sequence[int]
    interval_ns: Sequence[int | None]
    n_tokens: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What is known about a request so far; None where it is not known, or not defined.

    What spans a moment in which the machine slept is not known: neither with the sleep nor without
    is it how long the work took. Percentiles leave such intervals out.

    Attributes:
        ttft_ns: Time to first token as the engine sees it, `t_first - t_start`.
        queue_ns: `t_start - t_submit`.
        prepare_ns: Template, tokenizer and search of the cache, `t_prompt_ready - t_start`.
        prefill_ns: `t_prefill_end - t_prompt_ready`.
        first_token_ns: Sampling of the first token, `t_first - t_prefill_end`.
        prefill_rate_tok_per_s: `(p - c) / prefill`: tokens from the cache are not counted.
        tpot_ns: Time per output token, `(t_last - t_first) / (n - 1)`; None for n < 2.
        decode_rate_tok_per_s: `(n - 1) / (t_last - t_first)`; None for n < 2.
        latency_ns: Of the whole request, `t_last - t_submit`.
        itl_p50_ns: Median of the ITL series, by nearest rank (see `percentile`).
        itl_p95_ns: 95th percentile of the ITL series.
        itl_p99_ns: 99th percentile of the ITL series.
        n_prompt_tokens: p.
        n_cached_tokens: c.
        n_output_tokens: n.
        n_prefilled_tokens: Prompt tokens in the KV cache so far, those from the cache included.
        context_used_tokens: `p + n`.
    """

    ttft_ns: int | None
    queue_ns: int | None
    prepare_ns: int | None
    prefill_ns: int | None
    first_token_ns: int | None
    prefill_rate_tok_per_s: float | None
    tpot_ns: float | None
    decode_rate_tok_per_s: float | None
    latency_ns: int | None
    itl_p50_ns: int | None
    itl_p95_ns: int | None
    itl_p99_ns: int | None
    n_prompt_tokens: int | None
    n_cached_tokens: int | None
    n_output_tokens: int
    n_prefilled_tokens: int | None
    context_used_tokens: int | None


def percentile(ordered: Sequence[int], percent: int) -> int | None:
    """The nearest-rank percentile of values in ascending order; None where there are none.

    It is the smallest value that at least `percent` % of the values do not exceed, so it is
    always a value that occurred: `ordered[ceil(percent / 100 * len) - 1]`.
    """
    if not ordered:
        return None
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]


class RequestTrace:
    """Collects the events of one request. Used from one thread at a time.

    `add` costs under a microsecond a step; `figures` sorts only what came since it was
    last called.

    Attributes:
        request_id: Of the request.
        t_submit_ns: When the person sent it.
        t_start_ns: When the engine took it.
        t_rendered_ns: When its template was rendered; None for a prompt of tokens.
        t_tokenized_ns: When it was tokenized; None for a prompt of tokens.
        t_prompt_ready_ns: When the cache was searched for the prompt; prefill starts here.
        t_prefill_end_ns: When the whole prompt was in the KV cache.
        t_first_ns: When the first output token was sampled.
        t_last_ns: When the last output token was sampled.
        t_end_ns: When the engine was idle again.
        n_prompt_tokens: p.
        n_cached_tokens: c.
        n_prefilled_tokens: Prompt tokens in the KV cache so far, those from the cache included.
        n_output_tokens: n.
        step_t_ns: When each engine step ended.
        step_n_tokens: Output tokens of each engine step.
        prefill_t_ns: When each reported part of the prefill ended.
        prefill_n_done_tokens: `n_prefilled_tokens` then.
        suspended_t_ns: The events before which the machine slept, by their stamps.
        finish_reason: How the answer ended.
        error: Why it failed.
    """

    def __init__(self, request_id: int, t_submit_ns: int) -> None:
        """Begin with nothing known but when the request was sent."""
        self.request_id = request_id
        self.t_submit_ns = t_submit_ns
        self.t_start_ns: int | None = None
        self.t_rendered_ns: int | None = None
        self.t_tokenized_ns: int | None = None
        self.t_prompt_ready_ns: int | None = None
        self.t_prefill_end_ns: int | None = None
        self.t_first_ns: int | None = None
        self.t_last_ns: int | None = None
        self.t_end_ns: int | None = None
        self.n_prompt_tokens: int | None = None
        self.n_cached_tokens: int | None = None
        self.n_prefilled_tokens: int | None = None
        self.n_output_tokens = 0
        self.step_t_ns = array("q")
        self.step_n_tokens = array("q")
        self.prefill_t_ns = array("q")
        self.prefill_n_done_tokens = array("q")
        self.suspended_t_ns = array("q")
        self.finish_reason: FinishReason | None = None
        self.error: ErrorInfo | None = None
        self._sorted_itl_ns: list[int] = []
        self._n_sorted = 0

    def add(self, event: Event) -> None:
        """Take an event of this request; those of a load are ignored."""
        match event:
            case Step():
                if self.t_first_ns is None:
                    self.t_first_ns = event.t_ns
                self.t_last_ns = event.t_ns
                self.n_output_tokens += event.n_tokens
                self.step_t_ns.append(event.t_ns)
                self.step_n_tokens.append(event.n_tokens)
            case PrefillProgress():
                self.n_prefilled_tokens = event.n_done_tokens
                self.prefill_t_ns.append(event.t_ns)
                self.prefill_n_done_tokens.append(event.n_done_tokens)
            case Started():
                self.t_start_ns = event.t_ns
            case PromptReady():
                self.t_rendered_ns = event.t_rendered_ns
                self.t_tokenized_ns = event.t_tokenized_ns
                self.t_prompt_ready_ns = event.t_ns
                self.n_prompt_tokens = event.n_prompt_tokens
                self.n_cached_tokens = event.n_cached_tokens
                self.n_prefilled_tokens = event.n_cached_tokens
            case PrefillDone():
                self.t_prefill_end_ns = event.t_ns
                self.n_prefilled_tokens = self.n_prompt_tokens
            case Suspended():
                self.suspended_t_ns.append(event.t_ns)
            case Finished():
                self.t_end_ns = event.t_ns
                self.finish_reason = event.reason
            case Failed():
                self.t_end_ns = event.t_ns
                self.error = event.error
            case _:
                pass

    def add_steps(self, t_ns: Sequence[int], n_tokens: Sequence[int]) -> None:
        """As `add` of a `Step` for each."""
        if not t_ns:
            return
        if self.t_first_ns is None:
            self.t_first_ns = t_ns[0]
        self.t_last_ns = t_ns[-1]
        self.n_output_tokens += sum(n_tokens)
        self.step_t_ns.extend(t_ns)
        self.step_n_tokens.extend(n_tokens)

    @property
    def ended(self) -> bool:
        """Whether the request has had its `Finished` or `Failed`."""
        return self.t_end_ns is not None

    @property
    def context_used_tokens(self) -> int | None:
        """`p + n` so far."""
        p = self.n_prompt_tokens
        return None if p is None else p + self.n_output_tokens

    def forget_steps(self) -> None:
        """Let the stamps of the steps go. Percentiles of the ITL are not known any more."""
        self.step_t_ns = array("q")
        self.step_n_tokens = array("q")
        self._sorted_itl_ns = []
        self._n_sorted = 0

    def span_ns(self, later_ns: int | None, earlier_ns: int | None) -> int | None:
        """`later - earlier`; None where one is unknown, or the machine slept in between."""
        if later_ns is None or earlier_ns is None:
            return None
        if any(earlier_ns < t_ns <= later_ns for t_ns in self.suspended_t_ns):
            return None
        return later_ns - earlier_ns

    def itl(self, first_step: int = 1) -> ItlSeries:
        """The ITL series from engine step `first_step` on, counted from 0; step 0 has none."""
        begin = max(1, first_step)
        t_ns = self.step_t_ns[begin - 1 :]
        interval_ns: Sequence[int | None] = array("q", map(operator.sub, t_ns[1:], t_ns))
        if self.suspended_t_ns:
            interval_ns = [self.span_ns(b, a) for a, b in itertools.pairwise(t_ns)]
        return ItlSeries(
            t_ns=t_ns[1:],
            interval_ns=interval_ns,
            n_tokens=self.step_n_tokens[begin:],
        )

    def figures(self) -> Figures:
        """What is known now."""
        n = self.n_output_tokens
        p = self.n_prompt_tokens
        c = self.n_cached_tokens
        decode_ns = self.span_ns(self.t_last_ns, self.t_first_ns)
        if n < 2 or not decode_ns:
            decode_ns = None
        prefill_ns = self.span_ns(self.t_prefill_end_ns, self.t_prompt_ready_ns)
        prefill_rate = None
        if prefill_ns and p is not None and c is not None:
            prefill_rate = (p - c) * _NS_PER_S / prefill_ns
        itl_ns = self._update_sorted_itl()
        return Figures(
            ttft_ns=self.span_ns(self.t_first_ns, self.t_start_ns),
            queue_ns=self.span_ns(self.t_start_ns, self.t_submit_ns),
            prepare_ns=self.span_ns(self.t_prompt_ready_ns, self.t_start_ns),
            prefill_ns=prefill_ns,
            first_token_ns=self.span_ns(self.t_first_ns, self.t_prefill_end_ns),
            prefill_rate_tok_per_s=prefill_rate,
            tpot_ns=None if decode_ns is None else decode_ns / (n - 1),
            decode_rate_tok_per_s=None if decode_ns is None else (n - 1) * _NS_PER_S / decode_ns,
            latency_ns=self.span_ns(self.t_last_ns, self.t_submit_ns),
            itl_p50_ns=percentile(itl_ns, 50),
            itl_p95_ns=percentile(itl_ns, 95),
            itl_p99_ns=percentile(itl_ns, 99),
            n_prompt_tokens=p,
            n_cached_tokens=c,
            n_output_tokens=n,
            n_prefilled_tokens=self.n_prefilled_tokens,
            context_used_tokens=self.context_used_tokens,
        )

    def _update_sorted_itl(self) -> list[int]:
        # Sorting a sorted list with a short tail is one merge, O(n).
        new = self.itl(self._n_sorted + 1).interval_ns
        if new:
            self._n_sorted += len(new)
            self._sorted_itl_ns.extend(value for value in new if value is not None)
            self._sorted_itl_ns.sort()
        return self._sorted_itl_ns
