"""What the engine's benchmarks share: a loaded engine process, requests, medians, goals."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.events import CellsFound, Failed, GenerateCommand, LoadCommand, Loaded
from engine.figures import RequestTrace
from engine.log import new_log_path
from engine.process import EngineProcess
from engine.values import GenerateRequest, LoadOptions, SamplingParams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine.events import Event

GREEDY = SamplingParams(temperature=0)


@dataclass(slots=True)
class Goals:
    """Prints figures beside what they must reach, and remembers whether all did."""

    missed: list[str] = field(default_factory=list)

    def at_least(self, name: str, value: float, goal: float) -> None:
        self._tell(name, value, f">= {goal}", reached=value >= goal)

    def at_most(self, name: str, value: float, goal: float) -> None:
        self._tell(name, value, f"<= {goal}", reached=value <= goal)

    def exit(self) -> None:
        sys.exit(1 if self.missed else 0)

    def _tell(self, name: str, value: float, goal: str, *, reached: bool) -> None:
        print(f"{name}: {value:.3f} (goal {goal}){'' if reached else '  MISSED'}", flush=True)
        if not reached:
            self.missed.append(name)


@dataclass(slots=True)
class Engine:
    """An engine process with the starter model."""

    process: EngineProcess
    loaded: Loaded
    next_id: int = 2

    def send(
        self,
        prompt: Sequence[int],
        *,
        max_tokens: int,
        sampling: SamplingParams = GREEDY,
        reuse_cache: bool = False,
        inspect: bool = False,
    ) -> GenerateRequest:
        request = GenerateRequest(
            request_id=self.next_id,
            t_submit_ns=time.perf_counter_ns(),
            prompt_tokens=tuple(prompt),
            sampling=sampling,
            max_tokens=max_tokens,
            ignore_end=True,
            reuse_cache=reuse_cache,
            inspect=inspect,
        )
        self.next_id += 1
        self.process.send(GenerateCommand(request=request))
        return request

    def finish(
        self, request: GenerateRequest, look: Callable[[Event], None] = lambda event: None
    ) -> RequestTrace:
        """Read events to the end of `request`, showing each to `look`."""
        trace = RequestTrace(request.request_id, request.t_submit_ns)
        while not trace.ended:
            event = self.process.receive()
            if event is None:
                raise RuntimeError(self.process.death().technical)
            if isinstance(event, CellsFound):
                # Of the request before.
                continue
            trace.add(event)
            look(event)
        if trace.error is not None:
            raise RuntimeError(trace.error.technical)
        return trace


@contextmanager
def engine(options: LoadOptions) -> Iterator[Engine]:
    """Start an engine and load a model."""
    with tempfile.TemporaryDirectory() as folder:
        process = EngineProcess(log_path=new_log_path(Path(folder)))
        try:
            process.start()
            process.send(LoadCommand(request_id=1, options=options))
            while True:
                event = process.receive()
                if isinstance(event, Loaded):
                    break
                if event is None or isinstance(event, Failed):
                    error = process.death() if event is None else event.error
                    raise RuntimeError(error.technical or error.code)
            yield Engine(process=process, loaded=event)
        finally:
            process.close()


def model_path() -> str:
    """The starter model."""
    from app.paths import starter_model_path

    path = starter_model_path()
    if path is None:
        sys.exit("the starter model is not installed")
    return str(path)


def prompt_tokens(n: int, n_vocab: int = 49152) -> list[int]:
    """The same tokens each time, spread over the vocabulary."""
    return [index * 7919 % n_vocab for index in range(1, n + 1)]


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def spread(name: str, values: Sequence[float], unit: str) -> None:
    print(
        f"{name}: median {median(values):.2f}, {min(values):.2f} to {max(values):.2f} {unit}",
        flush=True,
    )
