"""Runs pip in the environment, and says in words why it failed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import env_progress
import env_stamp

if TYPE_CHECKING:
    from env_progress import Report

ROOT = Path(__file__).resolve().parent.parent

COMPILING = "Compiling llama.cpp (4 to 8 minutes on 2 cores)"

_NO_NETWORK = "no_network"
# What pip writes, what it means, and the words for it. The first that is found counts.
_REASONS = (
    ("No space left on device", "disk_full", "the disk is full"),
    (
        "DO NOT MATCH THE HASHES",
        "wrong_hash",
        "a downloaded file is not the one that the lock file names",
    ),
    (
        "NewConnectionError",
        _NO_NETWORK,
        "the package index cannot be reached; check the network",
    ),
    (
        "NameResolutionError",
        _NO_NETWORK,
        "the package index cannot be found; check the network",
    ),
    (
        "ConnectTimeoutError",
        _NO_NETWORK,
        "the package index does not answer; check the network",
    ),
    (
        "ReadTimeoutError",
        _NO_NETWORK,
        "the package index stopped answering; check the network",
    ),
    (
        "No matching distribution found",
        "no_build",
        "the package index has no build for this Python and this system",
    ),
    ("Failed building wheel", "compiler", "the compiler stopped; its words are above"),
)
UNKNOWN_CAUSE = "unknown"


class InstallError(Exception):
    """An install step failed; the message says what to do next.

    Attributes:
        cause: One word for programs: "disk_full", "no_network", "wrong_hash", "no_build",
            "compiler" or "unknown".
    """

    def __init__(self, message: str, cause: str = UNKNOWN_CAUSE) -> None:
        super().__init__(message)
        self.cause = cause


def pip_arguments(lock: str, cmake_args: str | None) -> list[str]:
    """How pip installs one lock file."""
    arguments = ["install", "--requirement", str(ROOT / lock)]
    if lock == "requirements-torch.lock":
        # torch names the exact CUDA libraries that go with it itself.
        return arguments
    arguments += ["--no-deps", "--require-hashes", "--no-build-isolation"]
    if cmake_args:
        # pip's cache knows a compiled wheel by its version, not by how it was compiled.
        arguments.append("--no-cache-dir")
    return arguments


def follow_pip(
    venv: Path,
    title: str,
    arguments: list[str],
    held: tuple[int, ...],
    report: Report,
    *,
    temporary: Path | None = None,
) -> None:
    """Run pip and say what goes on; its own words go to a log.

    Args:
        venv: The environment.
        title: What this is, for people.
        arguments: For pip.
        held: Descriptors that pip keeps open as long as it lives.
        report: Told what goes on.
        temporary: Where pip unpacks. The caller removes it, so that an interrupted pip need
            not clean up and is ended at once.

    Raises:
        InstallError: pip failed.
        KeyboardInterrupt: The install is to end; pip has ended.
    """
    log = venv / "oscillama-install.log"
    python = env_stamp.python_of(str(venv))
    with log.open("wb") as output:
        pip = subprocess.Popen(
            [python, "-m", "pip", *arguments, *report.pip_arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=_environ(Path(python).parent, temporary),
            pass_fds=held,
        )
        try:
            text = _follow(pip, title, log, report)
        except BaseException:
            if temporary is not None:
                pip.terminate()
            pip.wait()
            raise
    if pip.returncode != 0:
        lines = env_progress.without_progress(text).splitlines()
        print("\n".join(lines[-25:]), file=sys.stderr)
        cause, words = reason(text)
        raise InstallError(f"{title} failed: {words}. All that pip said: {log}", cause)


def _follow(pip: subprocess.Popen[bytes], title: str, log: Path, report: Report) -> str:
    """Tell what pip does until it ends; returns its log."""
    report.begin(title)
    compiles = False
    text = ""
    while pip.returncode is None:
        try:
            pip.wait(timeout=report.interval_s)
        except subprocess.TimeoutExpired:
            text = log.read_text(encoding="utf-8", errors="replace")
            work = env_progress.read_work(text)
            if work.stage == "compile" and not compiles:
                compiles = True
                report.end()
                report.begin(COMPILING)
            report.show(work)
    report.end()
    return log.read_text(encoding="utf-8", errors="replace")


def _environ(binaries: Path, temporary: Path | None) -> dict[str, str]:
    environ = {
        **os.environ,
        "PATH": os.pathsep.join([str(binaries), os.environ.get("PATH", "")]),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PYTHONUNBUFFERED": "1",
    }
    if temporary is not None:
        environ |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    return environ


def reason(text: str) -> tuple[str, str]:
    """Why pip failed, as one word for programs and in words, as far as its log tells."""
    for sign, cause, words in _REASONS:
        if sign in text:
            return cause, words
    return UNKNOWN_CAUSE, "what pip said last is above"
