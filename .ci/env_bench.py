"""Run the benchmarks: `make bench` all of them, `make bench ARGS="loop"` one with its arguments."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    """Run each benchmark in a process of its own; the first failure ends it."""
    names = sorted(path.stem for path in (ROOT / "tests" / "benchmarks").glob("bench_*.py"))
    if arguments:
        chosen = f"bench_{arguments[0]}"
        if chosen not in names:
            known = ", ".join(name.removeprefix("bench_") for name in names)
            print(f"no benchmark named {arguments[0]}; there are: {known}", file=sys.stderr)
            return 2
        names = [chosen]
    for name in names:
        print(f"== {name}", flush=True)
        command = [sys.executable, "-m", f"tests.benchmarks.{name}", *arguments[1:]]
        if (code := subprocess.run(command, cwd=ROOT).returncode) != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
