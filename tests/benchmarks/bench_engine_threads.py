"""Decode with every core against one less, alone and beside a process as busy as the window.

The margin by which all cores must win in an idle machine (`engine.threads`) comes from here.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from typing import TYPE_CHECKING

from engine.machine import usable_cores
from engine.values import LoadOptions
from tests.benchmarks.engine_support import engine, median, model_path, prompt_tokens

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

FRAME_S = 0.016
BUSY_MS = (0, 2, 4, 8)


def busy(ms: int, stop: Event) -> None:
    """Python work for `ms` of every 16."""
    while not stop.is_set():
        started = time.perf_counter()
        while time.perf_counter() - started < ms / 1000:
            sum(range(200))
        stop.wait(max(FRAME_S - (time.perf_counter() - started), 0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    full = usable_cores().physical
    counts = sorted({max(full - 1, 1), full})
    rates: dict[tuple[int, int], list[float]] = {(n, ms): [] for n in counts for ms in BUSY_MS}
    context = multiprocessing.get_context("spawn")
    for _ in range(arguments.rounds):
        for n in counts:
            options = LoadOptions(
                model_path=model_path(), n_ctx=768, n_threads=n, n_threads_prefill=full
            )
            with engine(options) as ours:
                ours.finish(ours.send(prompt_tokens(64), max_tokens=16))
                for ms in BUSY_MS:
                    stop = context.Event()
                    process = context.Process(target=busy, args=(ms, stop))
                    process.start()
                    trace = ours.finish(ours.send(prompt_tokens(64), max_tokens=64))
                    stop.set()
                    process.join()
                    rates[n, ms].append(trace.figures().decode_rate_tok_per_s or 0)
    alone = {n: median(rates[n, 0]) for n in counts}
    for (n, ms), values in rates.items():
        rate = median(values)
        print(
            f"{n} threads, {ms} of 16 ms busy: {rate:.1f} tok/s, {rate / alone[n]:.2f} of alone"
            f", {rate / median(rates[counts[0], ms]):.2f} of {counts[0]} threads"
        )


if __name__ == "__main__":
    main()
