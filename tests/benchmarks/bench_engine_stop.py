"""How soon the engine is idle after a stop, how smoothly prefill reports, and what that costs."""

from __future__ import annotations

import argparse
import itertools
import time
from typing import TYPE_CHECKING

from engine.backends.llama.backend import LlamaBackend
from engine.events import PrefillProgress, PromptReady, Step
from engine.values import LoadOptions
from tests.benchmarks.bench_engine_host import NoLog
from tests.benchmarks.engine_support import (
    GREEDY,
    Engine,
    Goals,
    engine,
    median,
    model_path,
    prompt_tokens,
    spread,
)

if TYPE_CHECKING:
    from engine.events import Event

N_PROMPT = 4000


def stop_latency_ms(
    ours: Engine, n_prompt: int, after: type[Event], count: int, delay_ms: float
) -> float:
    """Cancel `delay_ms` after the `count`-th event of a kind; time from there to idle."""
    request = ours.send(prompt_tokens(n_prompt), max_tokens=1000)
    seen = 0
    cancelled_ns = 0

    def look(event: Event) -> None:
        nonlocal seen, cancelled_ns
        seen += isinstance(event, after)
        if seen == count and not cancelled_ns:
            # Just after an event the engine looks anyway; what counts is the midst of its work.
            time.sleep(delay_ms / 1000)
            cancelled_ns = time.perf_counter_ns()
            ours.process.cancel(request.request_id)

    trace = ours.finish(request, look)
    return ((trace.t_end_ns or 0) - cancelled_ns) / 1e6


def progress_gaps_ms(ours: Engine) -> list[float]:
    """Time between reports of one whole prefill."""
    stamps: list[int] = []

    def look(event: Event) -> None:
        if isinstance(event, PromptReady | PrefillProgress):
            stamps.append(event.t_ns)

    trace = ours.finish(ours.send(prompt_tokens(N_PROMPT), max_tokens=1), look)
    stamps.append(trace.t_prefill_end_ns or 0)
    return [(b - a) / 1e6 for a, b in itertools.pairwise(stamps)]


def callback_cost(threads: int, rounds: int) -> float:
    """Prefill with the callback over prefill without, taking turns; median of the ratios."""
    backend = LlamaBackend(NoLog())
    options = LoadOptions(
        model_path=model_path(), n_ctx=1024, n_threads=1, n_threads_prefill=threads
    )
    backend.load(options, lambda stage, fraction: True)
    parts = backend._parts
    assert parts is not None
    prompt = prompt_tokens(512)
    ratios = []
    for _ in range(rounds):
        backend.begin(prompt, GREEDY, reuse_cache=False)
        started = time.perf_counter_ns()
        backend.prefill(prompt, lambda done: True)
        with_ns = time.perf_counter_ns() - started
        parts.context.clear()
        started = time.perf_counter_ns()
        parts.context.decode(prompt)
        parts.context.synchronize()
        ratios.append(with_ns / (time.perf_counter_ns() - started))
    backend.close()
    return median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2, help="of prefill")
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    goals = Goals()
    options = LoadOptions(model_path=model_path(), n_threads=1, n_threads_prefill=arguments.threads)
    with engine(options) as ours:
        in_prefill = [
            stop_latency_ms(ours, N_PROMPT, PrefillProgress, count, 7 * count)
            for count in range(1, 1 + arguments.rounds)
        ]
        in_decode = [
            stop_latency_ms(ours, 64, Step, 3 + count, 0.7 * count)
            for count in range(arguments.rounds)
        ]
        gaps = progress_gaps_ms(ours)
    spread("stop in prefill", in_prefill, "ms")
    spread("stop in decode", in_decode, "ms")
    spread("gap between reports of prefill", gaps, "ms")
    goals.at_most("stop in prefill, longest, ms", max(in_prefill), 150)
    goals.at_most("stop in decode, longest, ms", max(in_decode), 50)
    goals.at_most("gap between reports, longest, ms", max(gaps), 300)
    cost = callback_cost(arguments.threads, arguments.rounds)
    goals.at_most("prefill with the callback over without", cost, 1.03)
    goals.exit()


if __name__ == "__main__":
    main()
