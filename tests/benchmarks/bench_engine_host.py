"""Host time per token: what the decode loop spends outside llama_decode and the sampler.

Every step of one long answer is taken apart, in this process; the aim is 1 % of a token's time at
most, and no growth from 100 to 4,000 tokens. Native llama-bench does nothing but llama_decode, so
the share of a step that llama_decode takes is the decode ratio to it, free of the machine's noise.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.backends.llama.backend import LlamaBackend
from engine.chat_format import ChatFormat
from engine.events import Step
from engine.loop import DecodeLoop
from engine.values import GenerateRequest, LoadOptions, SamplingParams
from engine.wire import encode
from tests.benchmarks.engine_support import Goals, model_path, prompt_tokens

if TYPE_CHECKING:
    from engine.events import Event

POSITIONS = (100, 1000, 2000, 3900)
AROUND = 90


class NoLog:
    """Takes what llama.cpp says and keeps nothing."""

    def write(self, text: str) -> None: ...

    def tail(self, max_lines: int = 40) -> str:
        return ""


@dataclass(slots=True)
class Stopwatch:
    """Time spent in the native calls that it wraps, since the last step."""

    native_ns: int = 0
    decode_now_ns: int = 0
    decode_ns: list[int] = field(default_factory=list)
    host_ns: list[int] = field(default_factory=list)
    step_ns: list[int] = field(default_factory=list)
    last_ns: int = 0

    def wrap(self, function: Any, *, is_decode: bool) -> Any:  # noqa: ANN401
        def timed(*arguments: Any) -> Any:  # noqa: ANN401
            started = time.perf_counter_ns()
            result = function(*arguments)
            took_ns = time.perf_counter_ns() - started
            self.native_ns += took_ns
            self.decode_now_ns += took_ns if is_decode else 0
            return result

        return timed

    def emit(self, event: Event) -> None:
        encode(event)
        if isinstance(event, Step):
            now = time.perf_counter_ns()
            if self.last_ns:
                self.step_ns.append(now - self.last_ns)
                self.host_ns.append(now - self.last_ns - self.native_ns)
                self.decode_ns.append(self.decode_now_ns)
            self.native_ns, self.decode_now_ns, self.last_ns = 0, 0, now


def main() -> None:
    backend = LlamaBackend(NoLog())
    options = LoadOptions(model_path=model_path(), n_ctx=4608, n_threads=1, n_threads_prefill=1)
    loaded = backend.load(options, lambda stage, fraction: True)
    watch = Stopwatch()
    context: Any = backend._parts.context if backend._parts else None
    context.decode_one = watch.wrap(context.decode_one, is_decode=True)
    context.sample = watch.wrap(context.sample, is_decode=False)
    loop = DecodeLoop(backend, loaded, ChatFormat(None, bos_text="", eos_text=""))
    request = GenerateRequest(
        request_id=1,
        t_submit_ns=0,
        prompt_tokens=tuple(prompt_tokens(16)),
        sampling=SamplingParams(),
        max_tokens=4000,
        ignore_end=True,
        stop=("never said",),
    )
    loop.run(request, emit=watch.emit, is_cancelled=lambda: False)
    backend.close()
    goals = Goals()
    host_us = []
    for at in POSITIONS:
        part = slice(at - AROUND, at + AROUND)
        host = statistics.median(watch.host_ns[part]) / 1000
        step = statistics.median(watch.step_ns[part]) / 1000
        host_us.append(host)
        decode = statistics.median(watch.decode_ns[part]) / 1000
        print(f"at {at}: host {host:.1f} us of {step:.0f} us; llama_decode {decode:.0f} us")
        goals.at_least(f"share of llama_decode at {at}", decode / step, 0.96)
        goals.at_most(f"share of host time at {at}, percent", 100 * host / step, 1.0)
    goals.at_most("host time at the end against the start", host_us[-1] / host_us[0], 1.5)
    goals.exit()


if __name__ == "__main__":
    main()
