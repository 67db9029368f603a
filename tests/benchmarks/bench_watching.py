"""Measures by hand what watching costs: every panel open, and minimised, against headless.

    python tests/benchmarks/bench_watching.py [--rounds N]

Needs a display with a window manager (Xvfb with openbox will do): without one a minimised window
still counts as seen. Leave the machine alone while it runs. The arms take turns in one run, with
one window and one engine; what counts is the median of the costs of the rounds.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

MOST_WATCHED, MOST_MINIMISED = 5.0, 2.0


def main(rounds: int) -> int:
    from tests.benchmarks.watching_run import Arm, costs, spread

    driver = Path(__file__).with_name("window_driver.py")
    command = [sys.executable, str(driver), "watching", str(time.perf_counter_ns()), str(rounds)]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr)
    result = json.loads(done.stdout.splitlines()[-1])
    rates = result["rates"]
    _, alone, _ = spread(rates[Arm.HEADLESS])
    print(f"headless {alone:.1f} tok/s, {result['n_threads']} threads, {rounds} rounds")
    for arm in Arm:
        _, cores, _ = spread(result["cores"][arm])
        print(f"{arm.value:12} window and sampler keep {100 * cores:.1f} % of a core busy")
    is_reached = True
    for arm, most in ((Arm.WATCHED, MOST_WATCHED), (Arm.MINIMISED, MOST_MINIMISED)):
        first, middle, third = spread(costs(rates, arm))
        is_reached = is_reached and middle <= most
        print(
            f"{arm.value:12} costs {middle:5.1f} % of the decode rate  "
            f"(half of the rounds {first:.1f} to {third:.1f})  goal <= {most:g}"
        )
    return 0 if is_reached else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    sys.exit(main(parser.parse_args().rounds))
