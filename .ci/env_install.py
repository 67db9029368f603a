"""Make the environment, or what it lacks: `python env_install.py STEP...`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import env_missing
import env_stamp

ROOT = Path(__file__).resolve().parent.parent

_TITLES = {
    "requirements-build.lock": "Installing build tools",
    "requirements.lock": "Installing the libraries and the starter model (350 MB)",
    "requirements-dev.lock": "Installing what the tests and checks need",
    "requirements-torch.lock": "Installing torch (without CUDA 0.4 GB, with CUDA several GB)",
}
_COMPILING = "Compiling llama.cpp for this processor (4 to 8 minutes on 2 cores)"
_REASONS = {
    "No space left on device": "the disk is full",
    "DO NOT MATCH THE HASHES": "a downloaded file is not the one that the lock file names",
    "NewConnectionError": "the package index cannot be reached; check the network",
    "ConnectTimeoutError": "the package index does not answer; check the network",
    "Failed building wheel": "the compiler stopped; its words are above",
}
_PIP_COMPILES = "Building wheel for llama"


class InstallError(Exception):
    """An install step failed; the message says what to do next."""


def main(steps: list[str]) -> int:
    """Bring the environment to the state that the steps ask for."""
    venv = ROOT / ".venv"
    try:
        held = hold(ROOT / ".ci")
        prepare(venv)
        version = sys.version_info[:2]
        needed = env_stamp.missing_steps(str(ROOT), str(venv), steps, version)
        missing = env_missing.find_missing(needed, ROOT, os.environ)
        if missing:
            print(env_missing.report(missing), file=sys.stderr)
            return 1
        make_environment(venv, held)
        for step in needed:
            install(venv, step, held)
            env_stamp.mark_done(str(ROOT), str(venv), step, version)
    except InstallError as error:
        print(f"oscillama: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\noscillama: interrupted; the next run starts the install again", file=sys.stderr)
        return 130
    return 0


def hold(folder: Path) -> tuple[int, ...]:
    """Keep others from installing here until this process and its pip have ended.

    The lock is the folder's own, so nothing is left behind, and a pip that outlives a killed
    parent still holds it. Returns the descriptors to hand to pip; none where Windows has no such
    lock.
    """
    if sys.platform == "win32":
        return ()
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Another install is running here: waiting until it ends.", flush=True)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    return (descriptor,)


def prepare(venv: Path) -> None:
    """Remove an environment that an interrupted install left, or that another Python made."""
    python = env_stamp.python_of(str(venv))
    if env_stamp.is_installing(str(venv)):
        print("The last install was interrupted: starting afresh.", flush=True)
        shutil.rmtree(venv)
    elif venv.exists() and not serves(python):
        print("The environment does not fit this Python: making a new one.", flush=True)
        shutil.rmtree(venv)


def serves(python: str) -> bool:
    """Whether an environment's Python runs, has pip, and is of the version running this."""
    check = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    try:
        done = subprocess.run([python, "-I", "-c", check], capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def make_environment(venv: Path, held: tuple[int, ...]) -> None:
    """Make the environment where there is none."""
    if venv.exists():
        return
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"Making an environment in .venv with Python {version}", flush=True)
    env_stamp.begin_installing(str(venv))
    done = subprocess.run(
        [sys.executable, "-m", "venv", str(venv)], capture_output=True, text=True, pass_fds=held
    )
    if done.returncode != 0:
        raise InstallError(f"making .venv failed: {(done.stderr or done.stdout).strip()}")
    env_stamp.end_installing(str(venv))


def install(venv: Path, step: str, held: tuple[int, ...]) -> None:
    """Install the lock files of one step; the marker stays when this is interrupted."""
    env_stamp.begin_installing(str(venv))
    for lock in env_stamp.LOCKS[step]:
        arguments = pip_arguments(lock, os.environ.get("CMAKE_ARGS"))
        follow_pip(venv, _TITLES[lock], arguments, held)
    env_stamp.end_installing(str(venv))


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


def follow_pip(venv: Path, title: str, arguments: list[str], held: tuple[int, ...]) -> None:
    """Run pip and say what goes on; its own words go to a log.

    Raises:
        InstallError: pip failed. It has then undone what it did, so the environment is usable.
    """
    log = venv / "oscillama-install.log"
    python = env_stamp.python_of(str(venv))
    path = os.pathsep.join([str(Path(python).parent), os.environ.get("PATH", "")])
    environ = {
        **os.environ,
        "PATH": path,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PYTHONUNBUFFERED": "1",
    }
    with log.open("wb") as output:
        pip = subprocess.Popen(
            [python, "-m", "pip", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environ,
            pass_fds=held,
        )
        progress = Progress(title)
        while pip.returncode is None:
            try:
                pip.wait(timeout=1.0)
            except subprocess.TimeoutExpired:
                text = log.read_text(encoding="utf-8", errors="replace")
                if _PIP_COMPILES in text and progress.title != _COMPILING:
                    progress.end()
                    progress = Progress(_COMPILING)
                progress.show()
            except KeyboardInterrupt:
                pip.wait()
                raise
    progress.end()
    if pip.returncode != 0:
        env_stamp.end_installing(str(venv))
        text = log.read_text(encoding="utf-8", errors="replace")
        print("\n".join(text.splitlines()[-25:]), file=sys.stderr)
        raise InstallError(f"{progress.title} failed: {reason(text)}. All that pip said: {log}")


def reason(text: str) -> str:
    """Why pip failed, in words, as far as its log tells."""
    for sign, words in _REASONS.items():
        if sign in text:
            return words
    return "what pip said last is above"


class Progress:
    """A title and the time since it began; on a terminal in place, else a line a minute."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._began_s = time.monotonic()
        self._minutes = 0
        self._in_place = sys.stdout.isatty()
        print(title, end="" if self._in_place else "\n", flush=True)

    def show(self) -> None:
        """Say that the work goes on."""
        elapsed_s = int(time.monotonic() - self._began_s)
        minutes, seconds = divmod(elapsed_s, 60)
        if self._in_place:
            print(f"\r{self.title} … {minutes}:{seconds:02d}", end="", flush=True)
        elif minutes > self._minutes:
            self._minutes = minutes
            print(f"  {minutes} min", flush=True)

    def end(self) -> None:
        """End the line."""
        if self._in_place:
            print(flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
