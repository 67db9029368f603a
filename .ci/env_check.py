"""Run every check, and fail when any of them does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPED = ["main.py", "app", "engine", "ui", "tests", ".ci"]

CHECKS = {
    "ruff": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy", *TYPED],
    "import-linter": ["lint-imports"],
    "codespell": ["codespell"],
    "lock files": ["python", ".ci/env_lock.py", "--check"],
}


def main() -> int:
    """Run all checks in turn and name those that failed."""
    failed = []
    for name, (tool, *arguments) in CHECKS.items():
        print(f"== {name}", flush=True)
        command = [str(Path(sys.executable).with_name(tool)), *arguments]
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            failed.append(name)
    print("checks failed: " + ", ".join(failed) if failed else "all checks passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
