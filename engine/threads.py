"""How many threads decode and prefill run on: measured once per machine and model, then kept."""

from __future__ import annotations

import hashlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError, ErrorCode
from engine.foreign_json import json_value

if TYPE_CHECKING:
    from engine.log import EngineLog
    from engine.machine import Cores
    from engine.values import LoadOptions

# A count that takes every core must win by this factor in an idle machine, since the window takes
# its part of one of them. Measured on two cores beside a process that works 4 of every 16 ms: two
# threads keep 0.66 to 0.73 of their rate, one keeps 0.96 and more; 1 / 0.66 and the noise of a
# measurement. See tests/benchmarks/bench_engine_threads.py.
FULL_MACHINE_MARGIN = 1.6
# Fewer threads leave more to everybody else: more must buy at least this.
_WORTHWHILE = 1.03
_BUDGET_NS = 400_000_000
_ROUNDS = 2
_TIMED_STEPS = 4
_SCHEMA = 1

Step = Callable[[int], bool]
"""Computes one decode step with so many threads; False stops the measurement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadChoice:
    """Threads for decode and for prefill."""

    decode: int
    prefill: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadKey:
    """What a measured choice holds for."""

    cpu: str
    physical: int
    logical: int
    library: str
    architecture: str
    model_bytes: int
    quantization: str
    kv_type: str
    flash_attention: bool
    n_gpu_layers: int


def decode_candidates(cores: Cores) -> tuple[int, ...]:
    """Thread counts worth a measurement, smallest first: a short ladder on big machines."""
    full = cores.physical
    ladder = {full, full - 1, full * 3 // 4, full // 2, full // 4 if full >= 16 else 0}
    return tuple(sorted(count for count in ladder if count >= 1))


def prefill_threads(cores: Cores) -> int:
    """Prefill is compute-bound: a whole core more is worth more than what the window takes of it.

    The second thread of a core shares its arithmetic units and only adds to the barriers.
    """
    return cores.physical


def measure_decode(candidates: tuple[int, ...], step: Step) -> dict[int, float] | None:
    """Median time of a step in nanoseconds by thread count; None if `step` said stop.

    Counts take turns, so that a slow moment of the machine hits all of them. Stops early when the
    steps of a large model have used up the time; every count is timed at least once.
    """
    times: dict[int, list[int]] = {count: [] for count in candidates}
    deadline = time.perf_counter_ns() + _BUDGET_NS
    for round_index in range(_ROUNDS):
        for count in candidates:
            if round_index and time.perf_counter_ns() > deadline:
                break
            # The first step with another count starts its threads.
            if not step(count):
                return None
            for _ in range(_TIMED_STEPS):
                started = time.perf_counter_ns()
                if not step(count):
                    return None
                times[count].append(time.perf_counter_ns() - started)
                if time.perf_counter_ns() > deadline:
                    break
    return {count: statistics.median(found) for count, found in times.items()}


def choose_decode(step_ns: Mapping[int, float], cores: Cores) -> int:
    """The count to decode with, given the time of a step with each.

    The fastest, but fewer threads where more gain next to nothing, and all cores only where they
    win clearly.
    """
    chosen = min(step_ns)
    for count in sorted(step_ns):
        takes_all = count >= cores.physical and count > 1
        factor = FULL_MACHINE_MARGIN if takes_all else _WORTHWHILE
        if step_ns[count] * factor < step_ns[chosen]:
            chosen = count
    return chosen


def chosen_threads(
    options: LoadOptions,
    cache: ThreadCache | None,
    key: ThreadKey,
    cores: Cores,
    step: Step,
    log: EngineLog,
) -> ThreadChoice:
    """The threads asked for, else those kept for `key`, else those that `step` measures fastest.

    Raises:
        EngineError: LOAD_CANCELLED when `step` said stop.
    """
    prefill = options.n_threads_prefill or prefill_threads(cores)
    if options.n_threads is not None:
        return ThreadChoice(decode=options.n_threads, prefill=prefill)
    kept = cache.get(key) if cache is not None else None
    if kept is not None:
        return ThreadChoice(decode=kept.decode, prefill=options.n_threads_prefill or kept.prefill)
    step_ns = measure_decode(decode_candidates(cores), step)
    if step_ns is None:
        raise EngineError(ErrorCode.LOAD_CANCELLED, "cancelled while measuring threads")
    choice = ThreadChoice(decode=choose_decode(step_ns, cores), prefill=prefill)
    log.write(f"oscillama: decode step by threads, ns: {step_ns}; chose {choice}\n")
    if cache is not None:
        try:
            cache.put(key, choice, step_ns)
        except OSError as error:
            log.write(f"oscillama: the thread choice was not kept: {error}\n")
    return choice


class ThreadCache:
    """Keeps measured choices in a folder, one file each; an unreadable one counts as absent."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`, which need not exist yet."""
        self._folder = folder

    def get(self, key: ThreadKey) -> ThreadChoice | None:
        """The choice kept for `key`; None where there is none that can be used."""
        try:
            kept = json_value(self._path(key).read_text(encoding="utf-8"))
            if kept["schema"] != _SCHEMA or kept["key"] != asdict(key):
                return None
            choice = ThreadChoice(decode=kept["decode"], prefill=kept["prefill"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        counts = (choice.decode, choice.prefill)
        fits = all(type(count) is int and 1 <= count <= key.logical for count in counts)
        return choice if fits else None

    def put(self, key: ThreadKey, choice: ThreadChoice, step_ns: Mapping[int, float]) -> None:
        """Keep `choice` with the times it was made from.

        Raises:
            OSError: The folder cannot be written.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(
            {
                "schema": _SCHEMA,
                "key": asdict(key),
                **asdict(choice),
                "step_ns": {str(count): round(found) for count, found in step_ns.items()},
            },
            indent=1,
        )
        handle, temporary = tempfile.mkstemp(dir=self._folder, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(temporary).replace(self._path(key))
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _path(self, key: ThreadKey) -> Path:
        digest = hashlib.sha256(json.dumps(asdict(key), sort_keys=True).encode()).hexdigest()
        return self._folder / f"threads-{digest[:20]}.json"
