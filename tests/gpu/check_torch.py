"""Checks the torch backend on a machine with a GPU: `python -m tests.gpu.check_torch`.

Needs torch, transformers, psutil and, for what the driver says, NVML; no Qt, no llama.cpp, and no
model file: the weights are random, in the shape of the starter model and of a large one. What is
found stands in a table at the end; the exit code is 1 where something is wrong or too slow.
`--device cpu` runs the same on the processor, with small models: a check of the script itself.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from engine.backends.torch_hf.libraries import import_libraries
from tests.gpu.results import Results

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--large-gib", type=float, default=8.0, help="weights of the large model")
    arguments = parser.parse_args()
    import_libraries(lambda _stage, _fraction: True)

    from tests.gpu import correctness, faults, large, speed
    from tests.gpu.models import starter_like, windowed

    device: str = arguments.device
    results = Results()
    with tempfile.TemporaryDirectory(prefix="oscillama-gpu-") as folder:
        model = starter_like(Path(folder) / "starter-like", is_small=device == "cpu")
        sliding = windowed(Path(folder) / "windowed")
        cache = Path(folder) / "cache"
        sections: tuple[tuple[str, Callable[[], None]], ...] = (
            ("correctness", lambda: correctness.check(results, model, device)),
            ("sliding window", lambda: correctness.check(results, sliding, device)),
            ("speed and memory", lambda: speed.check(results, model, device, cache)),
            ("stops", lambda: faults.check_stops(results, model, device, cache)),
            ("out of memory", lambda: faults.check_out_of_memory(results, model, device)),
            ("large model", lambda: large.check(results, device, arguments.large_gib)),
        )
        for name, section in sections:
            started = time.monotonic()
            print(f"== {name}", flush=True)
            try:
                section()
            except Exception:  # noqa: BLE001  # the other sections are worth their time
                traceback.print_exc()
                results.broke(name)
            gc.collect()
            print(f"   {time.monotonic() - started:.0f} s", flush=True)
    results.print_table()
    return 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main())
