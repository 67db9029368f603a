"""The engine against native llama-bench: same libraries, depth, threads and flash attention.

Prefill of 512 tokens and decode at a depth of 512, taking turns; the ratio of each pair counts.
"""

from __future__ import annotations

import argparse

from engine.values import FlashAttention, LoadOptions
from tests.benchmarks import native_llama_bench
from tests.benchmarks.engine_support import Goals, engine, median, model_path, prompt_tokens, spread

N_PROMPT = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--output-tokens", type=int, default=128)
    arguments = parser.parse_args()
    program = native_llama_bench.build()
    options = LoadOptions(
        model_path=model_path(),
        n_ctx=N_PROMPT + arguments.output_tokens,
        n_threads=arguments.threads,
        n_threads_prefill=arguments.threads,
        flash_attention=FlashAttention.ON,
    )
    rates: dict[str, list[float]] = {
        name: [] for name in ("ours prefill", "native prefill", "ours decode", "native decode")
    }

    def native(n_prompt: int, n_output: int, depth: int) -> float:
        return native_llama_bench.run(
            program,
            options.model_path,
            n_prompt=n_prompt,
            n_output=n_output,
            depth=depth,
            n_threads=arguments.threads,
            flash=True,
        )

    with engine(options) as ours:
        prompt = prompt_tokens(N_PROMPT)
        ours.finish(ours.send(prompt, max_tokens=8))
        for _ in range(arguments.rounds):
            rates["native prefill"].append(native(N_PROMPT, 0, 0))
            figures = ours.finish(ours.send(prompt, max_tokens=arguments.output_tokens)).figures()
            rates["native decode"].append(native(0, arguments.output_tokens, N_PROMPT))
            rates["ours prefill"].append(figures.prefill_rate_tok_per_s or 0)
            rates["ours decode"].append(figures.decode_rate_tok_per_s or 0)
    for name, values in rates.items():
        spread(name, values, "tok/s")
    goals = Goals()
    for phase, goal in (("decode", 0.96), ("prefill", 0.95)):
        ratios = [
            a / b for a, b in zip(rates[f"ours {phase}"], rates[f"native {phase}"], strict=True)
        ]
        goals.at_least(f"{phase}, median of ratios to native", median(ratios), goal)
    goals.exit()


if __name__ == "__main__":
    main()
