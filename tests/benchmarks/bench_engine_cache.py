"""Ten turns of a conversation: what comes from the cache, and TTFT against a cold cache."""

from __future__ import annotations

import time

from engine.events import Event, GenerateCommand, Step
from engine.values import ChatMessage, GenerateRequest, LoadOptions, Role
from tests.benchmarks.engine_support import GREEDY, Goals, engine, model_path

TURNS = 10
N_ANSWER = 80


def main() -> None:
    goals = Goals()
    messages: list[ChatMessage] = []
    with engine(LoadOptions(model_path=model_path())) as ours:

        def ask(*, reuse_cache: bool) -> tuple[float, float, str]:
            request = GenerateRequest(
                request_id=ours.next_id,
                t_submit_ns=time.perf_counter_ns(),
                messages=tuple(messages),
                sampling=GREEDY,
                max_tokens=N_ANSWER,
                reuse_cache=reuse_cache,
            )
            ours.next_id += 1
            ours.process.send(GenerateCommand(request=request))
            texts: list[str] = []

            def look(event: Event) -> None:
                if isinstance(event, Step):
                    texts.append(event.text)

            figures = ours.finish(request, look).figures()
            share = (figures.n_cached_tokens or 0) / (figures.n_prompt_tokens or 1)
            return share, (figures.ttft_ns or 0) / 1e6, "".join(texts)

        share = ttft_ms = 0.0
        for turn in range(TURNS):
            question = f"Tell me one more thing about the number {turn}."
            messages.append(ChatMessage(role=Role.USER, content=question))
            share, ttft_ms, text = ask(reuse_cache=True)
            print(f"turn {turn + 1}: {100 * share:.1f} % from the cache, TTFT {ttft_ms:.0f} ms")
            messages.append(ChatMessage(role=Role.ASSISTANT, content=text or "."))
        messages.pop()
        _, cold_ms, _ = ask(reuse_cache=False)
    print(f"turn {TURNS} with a cold cache: TTFT {cold_ms:.0f} ms")
    goals.at_least("share of turn 10 from the cache", share, 0.95)
    goals.at_most("TTFT of turn 10 against a cold cache", ttft_ms / cold_ms, 0.25)
    goals.exit()


if __name__ == "__main__":
    main()
