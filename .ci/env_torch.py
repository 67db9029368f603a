"""Install torch into the environment that is there: `python env_torch.py [--progress json]`.

With `--progress json` standard output has one JSON object a line: what is being done, with the
fields of `env_progress.Work`, or at last `{"failed": CAUSE, "text": WORDS}`. Whoever reads it
keeps standard input open: its end ends the install.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from _thread import interrupt_main
from pathlib import Path
from typing import TYPE_CHECKING

import env_install
import env_missing
import env_progress
import env_stamp
from env_pip import InstallError

if TYPE_CHECKING:
    from env_progress import Report

ROOT = Path(__file__).resolve().parent.parent
STEP = "torch"


def main(arguments: list[str]) -> int:
    """Install it; returns 0, 1 when it failed, 130 when it was to end early."""
    parser = argparse.ArgumentParser(prog="bootstrap.py install-torch")
    parser.add_argument("--progress", choices=["text", "json"], default="text")
    for_program = parser.parse_args(arguments).progress == "json"
    # Where a shell starts this in the background, Python leaves SIGINT ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    report: Report = env_progress.TerminalReport()
    try:
        if for_program:
            report = env_progress.JsonReport()
            threading.Thread(target=_interrupt_at_end_of_input, daemon=True).start()
        install(ROOT / ".venv", report)
    except InstallError as error:
        if for_program:
            print(json.dumps({"failed": error.cause, "text": str(error)}), flush=True)
        print(f"oscillama: {error}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, BrokenPipeError):
        print("\noscillama: interrupted; torch is not installed", file=sys.stderr)
        return 130
    if not for_program:
        print("torch is installed.")
    return 0


def install(venv: Path, report: Report) -> None:
    """Install the step, whatever its stamp says: packages that are there stay as they are.

    Raises:
        InstallError: There is no whole environment here, no room on the disk, or pip failed.
    """
    held = env_install.hold(ROOT / ".ci", report)
    report.show(env_progress.Work(stage="prepare"))
    python = env_stamp.python_of(str(venv))
    if env_stamp.is_installing(str(venv)) or not env_install.serves(python):
        raise InstallError("there is no whole environment in .venv: make one with `make run`")
    missing = env_missing.find_missing([STEP], ROOT, os.environ)
    if missing:
        raise InstallError("; ".join(missing.advice), "disk_full")
    env_install.install(venv, STEP, held, report)


def _interrupt_at_end_of_input() -> None:
    while os.read(0, 4096):
        pass
    interrupt_main()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
