"""The engine against native llama-bench: same libraries, depth, threads and flash attention.

Prefill of 512 tokens and decode at a depth of 512, taking turns. Decode is timed in windows of 16
tokens on both sides, and the best window of each side counts as much as the median: on a machine
with other work the best is what the work itself takes.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from engine.values import FlashAttention, LoadOptions
from tests.benchmarks import native_llama_bench
from tests.benchmarks.engine_support import (
    Goals,
    engine,
    median,
    model_path,
    prompt_tokens,
    spread,
)

if TYPE_CHECKING:
    from engine.figures import RequestTrace

N_PROMPT = 512
WINDOW = 16


def window_rates(trace: RequestTrace) -> list[float]:
    """Decode rate of each whole window of an answer, tokens per second."""
    stamps = trace.step_t_ns
    return [
        WINDOW * 1e9 / (stamps[start + WINDOW] - stamps[start])
        for start in range(0, len(stamps) - WINDOW, WINDOW)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--windows", type=int, default=8, help="of decode in each round")
    arguments = parser.parse_args()
    program = native_llama_bench.build()
    n_output = arguments.windows * WINDOW + 1
    # Ours is on the way from the end of the prompt to the end of the answer.
    depth = N_PROMPT + n_output // 2
    options = LoadOptions(
        model_path=model_path(),
        n_ctx=N_PROMPT + n_output,
        n_threads=arguments.threads,
        n_threads_prefill=arguments.threads,
        flash_attention=FlashAttention.ON,
    )
    rates: dict[str, list[float]] = {
        name: [] for name in ("ours prefill", "native prefill", "ours decode", "native decode")
    }

    def native(n_prompt: int, n_output: int, depth: int, repeat: int) -> list[float]:
        return native_llama_bench.run(
            program,
            options.model_path,
            n_prompt=n_prompt,
            n_output=n_output,
            depth=depth,
            n_threads=arguments.threads,
            flash=True,
            repeat=repeat,
        )

    with engine(options) as ours:
        prompt = prompt_tokens(N_PROMPT)
        ours.finish(ours.send(prompt, max_tokens=8))
        for _ in range(arguments.rounds):
            rates["native prefill"] += native(N_PROMPT, 0, 0, 1)
            trace = ours.finish(ours.send(prompt, max_tokens=n_output))
            rates["native decode"] += native(0, WINDOW, depth, arguments.windows)
            rates["ours prefill"].append(trace.figures().prefill_rate_tok_per_s or 0)
            rates["ours decode"] += window_rates(trace)
    for name, values in rates.items():
        spread(name, values, "tok/s")
    goals = Goals()
    for phase, goal in (("decode", 0.96), ("prefill", 0.95)):
        a, b = rates[f"ours {phase}"], rates[f"native {phase}"]
        print(f"{phase}, median to native: {median(a) / median(b):.3f}")
        goals.at_least(f"{phase}, best to native", max(a) / max(b), goal)
    goals.exit()


if __name__ == "__main__":
    main()
