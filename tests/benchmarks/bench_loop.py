"""What the decode loop and the pipe cost per token, with a backend that does nothing.

Host time per step at 100, 1,000 and 4,000 output tokens. The aim is less than 40 microseconds,
and the same at each position.
"""

from __future__ import annotations

import itertools
import multiprocessing
import statistics
from typing import TYPE_CHECKING

from engine.backends.scripted import Script
from engine.events import Event, Step
from engine.values import GenerateRequest
from engine.wire import encode
from tests.engine.scripting import LoopDriver

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

N_TOKENS = 4000
POSITIONS = (100, 1000, N_TOKENS - 100)
AROUND = 80
REPEAT = 5


def drain(connection: Connection) -> None:
    """Read until the other side closes."""
    while True:
        try:
            connection.recv_bytes()
        except EOFError:
            return


def step_times_us(driver: LoopDriver, emit: Callable[[Event], None]) -> list[float]:
    """Time from each step to the next."""
    stamps_ns: list[int] = []

    def emit_and_keep(event: Event) -> None:
        emit(event)
        if isinstance(event, Step):
            stamps_ns.append(event.t_ns)

    request = GenerateRequest(
        request_id=1,
        t_submit_ns=0,
        prompt_tokens=(7,) * 10,
        max_tokens=N_TOKENS,
        ignore_end=True,
        stop=("never said",),
    )
    driver.loop.run(request, emit=emit_and_keep, is_cancelled=lambda: False)
    return [(b - a) / 1000 for a, b in itertools.pairwise(stamps_ns)]


def medians_at_positions(driver: LoopDriver, emit: Callable[[Event], None]) -> list[float]:
    """Median time of the steps around each of `POSITIONS`, microseconds."""
    runs = [step_times_us(driver, emit) for _ in range(REPEAT)]
    return [
        statistics.median(t for run in runs for t in run[at - AROUND : at + AROUND])
        for at in POSITIONS
    ]


def main() -> None:
    """Print the medians."""
    driver = LoopDriver(Script(answer=" word", bytes_per_token=5, n_ctx=2 * N_TOKENS))
    token = driver.backend.tokenize("w", add_special=False)
    driver.backend.step = lambda keep_going: tuple(token)  # type: ignore[method-assign]  # no-op
    ours, theirs = multiprocessing.Pipe()
    reader = multiprocessing.get_context("spawn").Process(target=drain, args=(theirs,))
    reader.start()
    theirs.close()

    def send(event: Event) -> None:
        ours.send_bytes(encode(event))

    medians_us = {
        "loop": medians_at_positions(driver, lambda _event: None),
        "loop, encode and send": medians_at_positions(driver, send),
    }
    ours.close()
    reader.join()

    for name, values in medians_us.items():
        row = "   ".join(f"{at}: {us:5.1f} us" for at, us in zip(POSITIONS, values, strict=True))
        print(f"{name:24} {row}   goal < 40")


if __name__ == "__main__":
    main()
