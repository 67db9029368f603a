"""Measures by hand how well the ceilings of the CPU repeat, each time in a fresh process.

    python tests/benchmarks/bench_ceilings.py [--repeat N]

Leave the machine alone while it runs: what else runs is told for each, and may not count.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

MOST_PERCENT = 5.0


def measure() -> dict[str, Any]:
    """One measurement, as the window has it made."""
    command = [sys.executable, "-m", "engine.ceilings.measure", "CPU"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main(repeat: int) -> int:
    from engine.ceilings.values import MOST_OTHERS_RATIO

    rates: dict[str, list[float]] = {}
    all_rates: dict[str, list[float]] = {}
    n_disturbed = 0
    for _ in range(repeat):
        found = measure()
        others = found["others_ratio"]
        is_disturbed = others is None or others > MOST_OTHERS_RATIO
        n_disturbed += is_disturbed
        run = {"read GB/s": found["read_bytes_per_s"] / 1e9}
        run |= {f"{name} GFLOP/s": rate / 1e9 for name, rate in found["matrix_flop_per_s"]}
        told = "  ".join(f"{name} {rate:.1f}" for name, rate in run.items())
        busy = "?" if others is None else f"{100 * others:.0f} %"
        print(f"{told}  threads {found['read_threads']}  others {busy}", flush=True)
        for name, rate in run.items():
            all_rates.setdefault(name, []).append(rate)
            if not is_disturbed:
                rates.setdefault(name, []).append(rate)
    print(f"{n_disturbed} of {repeat} runs say that they were disturbed")
    is_reached = bool(rates)
    for name, every_rate in all_rates.items():
        print(f"{name:16} every run: {spread_words(every_rate)}")
        if name not in rates:
            continue
        middle = statistics.median(rates[name])
        off = 100 * max(abs(rate / middle - 1) for rate in rates[name])
        is_reached = is_reached and off <= MOST_PERCENT
        print(
            f"{'':16} undisturbed: {spread_words(rates[name])}, furthest from it {off:.1f} %  "
            f"goal <= {MOST_PERCENT:g} %: {'shown' if off <= MOST_PERCENT else 'missed'}"
        )
    return 0 if is_reached else 1


def spread_words(rates: list[float]) -> str:
    """Median, and from the least to the most as a share of it."""
    middle = statistics.median(rates)
    spread = 100 * (max(rates) - min(rates)) / middle
    return f"median {middle:.1f}, spread {spread:.1f} % ({len(rates)} runs)"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=12)
    sys.exit(main(parser.parse_args().repeat))
