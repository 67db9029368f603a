"""The torch engine against transformers' own `generate()`: same weights, threads and format.

`generate()` runs in this process with its dynamic and with its static cache, the engine in a
process of its own as always; they take turns.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.values import Dtype, LoadOptions
from tests.benchmarks.engine_support import Goals, engine, median, model_path, prompt_tokens, spread

if TYPE_CHECKING:
    from collections.abc import Callable

N_PROMPT, N_OUTPUT = 512, 64
Rates = tuple[float, float]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--dtype", type=Dtype, default=Dtype.FLOAT32)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        options = LoadOptions(
            model_path=model_path(),
            backend="torch",
            device="cpu",
            dtype=arguments.dtype,
            n_ctx=1024,
            n_threads=arguments.threads,
            n_threads_prefill=arguments.threads,
            cache_dir=cache,
        )
        with engine(options) as ours:
            (folder,) = (Path(cache) / "weights").glob("weights-*")
            generate = generator(folder, arguments.dtype, arguments.threads)

            def ask() -> Rates:
                request = ours.send(prompt_tokens(N_PROMPT), max_tokens=N_OUTPUT)
                figures = ours.finish(request).figures()
                # generate() has no stamp between prefill and the first token.
                return (
                    N_PROMPT / ((figures.ttft_ns or 0) / 1e9),
                    figures.decode_rate_tok_per_s or 0.0,
                )

            arms: dict[str, Callable[[], Rates]] = {
                "ours": ask,
                "generate, dynamic cache": lambda: generate({}),
                "generate, static cache": lambda: generate(
                    {"cache_implementation": "static", "disable_compile": True}
                ),
            }
            found: dict[str, list[Rates]] = {name: [] for name in arms}
            for arm in arms.values():
                arm()
            for _ in range(arguments.rounds):
                for name, arm in arms.items():
                    found[name].append(arm())
    for name, rates in found.items():
        spread(f"{name}: prefill", [prefill for prefill, _ in rates], "tok/s")
        spread(f"{name}: decode", [decode for _, decode in rates], "tok/s")
    goals = Goals()
    best = [name for name in found if name != "ours"]
    for index, (figure, goal) in enumerate((("prefill", 0.95), ("decode", 1.0))):
        medians = {name: median([rate[index] for rate in found[name]]) for name in found}
        goals.at_least(
            f"{figure} to the better generate()",
            medians["ours"] / max(medians[name] for name in best),
            goal,
        )
    goals.exit()


def generator(folder: Path, dtype: Dtype, n_threads: int) -> Callable[[dict[str, Any]], Rates]:
    """Runs `generate()` on the weights the engine uses; gives prefill and decode rates."""
    import torch
    from transformers import AutoModelForCausalLM
    from transformers.generation.streamers import BaseStreamer

    torch.set_num_threads(n_threads)
    model = AutoModelForCausalLM.from_pretrained(str(folder), dtype=getattr(torch, dtype.value))
    model.eval()
    ids = torch.tensor([prompt_tokens(N_PROMPT)])

    class Stamps(BaseStreamer):  # type: ignore[misc]  # transformers has no types here
        def __init__(self) -> None:
            self.t_s: list[float] = []

        def put(self, _tokens: object) -> None:
            self.t_s.append(time.perf_counter())

        def end(self) -> None:
            pass

    def generate(options: dict[str, Any]) -> Rates:
        stamps = Stamps()
        t_start_s = time.perf_counter()
        model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            max_new_tokens=N_OUTPUT,
            min_new_tokens=N_OUTPUT,
            streamer=stamps,
            **options,
        )
        # What it streams first is the prompt.
        _, first_s, *_, last_s = stamps.t_s
        return N_PROMPT / (first_s - t_start_s), (N_OUTPUT - 1) / (last_s - first_s)

    return generate


if __name__ == "__main__":
    main()
