"""What inspecting tokens costs: the decode rate with it against without, and bytes of the pipe."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from engine.events import Step
from engine.inspection import watch_ns_of
from engine.values import LoadOptions, SamplingParams
from tests.benchmarks.engine_support import engine, median, model_path, prompt_tokens, spread

if TYPE_CHECKING:
    from engine.events import Event


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    options = LoadOptions(
        model_path=model_path(),
        n_ctx=1024,
        n_threads=arguments.threads,
        n_threads_prefill=arguments.threads,
    )
    rates: dict[bool, list[float]] = {False: [], True: []}
    best_ns: dict[bool, list[int]] = {False: [], True: []}
    watched_us: list[float] = []
    sizes: list[int] = []

    def look(event: Event) -> None:
        if isinstance(event, Step):
            watched_us.extend(watch_ns_of(packed) / 1e3 for packed in event.inspected)
            sizes.extend(len(packed) for packed in event.inspected)

    with engine(options) as ours:
        prompt = prompt_tokens(64)
        ours.finish(ours.send(prompt, max_tokens=16, inspect=True))
        for _ in range(arguments.rounds):
            for inspects in (False, True):
                sampling = SamplingParams(seed=1)
                request = ours.send(
                    prompt,
                    max_tokens=arguments.tokens,
                    sampling=sampling,
                    reuse_cache=True,
                    inspect=inspects,
                )
                trace = ours.finish(request, look)
                rates[inspects].append(trace.figures().decode_rate_tok_per_s or 0)
                best_ns[inspects].append(min(filter(None, trace.itl().interval_ns)))
    spread("without", rates[False], "tok/s")
    spread("with", rates[True], "tok/s")
    ratios = [one / other for one, other in zip(rates[True], rates[False], strict=True)]
    spread("with, of without", ratios, "")
    spread("watching one token", watched_us, "µs")
    spread("one token in the pipe and in memory", sizes, "bytes")
    # On a busy machine the shortest step is the one that was disturbed least.
    shortest = min(best_ns[True]) / 1e6, min(best_ns[False]) / 1e6
    print(f"shortest step: with {shortest[0]:.2f}, without {shortest[1]:.2f} ms")
    print(f"median of the shortest: {median(best_ns[True]) / median(best_ns[False]):.3f}")


if __name__ == "__main__":
    main()
