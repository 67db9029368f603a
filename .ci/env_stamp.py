"""What an environment holds, remembered so that a second start need not ask pip.

Each step leaves a file in the environment with a digest of its lock files; a marker lies there
while something is being installed, so that an interrupted install is never taken for a whole one.
"""

import contextlib
import hashlib
import os
from typing import Iterable

# The lock files of each step, in the order in which they are installed.
LOCKS = {
    "run": ("requirements-build.lock", "requirements.lock"),
    "dev": ("requirements-dev.lock",),
    "torch": ("requirements-torch.lock",),
}

# Nothing else stands on these: one that is cut off leaves the rest of the environment whole.
OPTIONAL = ("torch",)


def python_of(venv: str) -> str:
    """The path of an environment's Python."""
    if os.name == "nt":
        return os.path.join(venv, "Scripts", "python.exe")
    return os.path.join(venv, "bin", "python")


def digest(root: str, step: str, version: "tuple[int, ...]") -> str:
    """What the stamp of a step says when the step is done for this Python and these lock files."""
    summed = hashlib.sha256(f"{version[0]}.{version[1]}".encode())
    for name in LOCKS[step]:
        with open(os.path.join(root, name), "rb") as lock:
            summed.update(lock.read())
    return summed.hexdigest()


def missing_steps(
    root: str, venv: str, steps: "Iterable[str]", version: "tuple[int, ...]"
) -> "list[str]":
    """The steps that an environment still needs; all of them while an install is unfinished."""
    if is_installing(venv):
        return list(steps)
    return [step for step in steps if _read(_stamp(venv, step)) != digest(root, step, version)]


def mark_done(root: str, venv: str, step: str, version: "tuple[int, ...]") -> None:
    """Stamp a finished step; a stamp is there whole or not at all."""
    written = _stamp(venv, step) + ".new"
    with open(written, "w") as stamp:
        stamp.write(digest(root, step, version))
    os.replace(written, _stamp(venv, step))


def forget(venv: str, step: str) -> None:
    """Take the stamp of a step away: from here on it is not done."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(_stamp(venv, step))


def is_installing(venv: str) -> bool:
    """Whether an install began here and has not ended."""
    return os.path.exists(_marker(venv))


def begin_installing(venv: str) -> None:
    """Leave the marker of an unfinished install; makes the folder of the environment."""
    os.makedirs(venv, exist_ok=True)
    with open(_marker(venv), "w"):
        pass


def end_installing(venv: str) -> None:
    """Take the marker away."""
    os.remove(_marker(venv))


def _stamp(venv: str, step: str) -> str:
    return os.path.join(venv, f"oscillama-{step}.stamp")


def _marker(venv: str) -> str:
    return os.path.join(venv, "oscillama-installing")


def _read(path: str) -> str:
    try:
        with open(path) as stamp:
            return stamp.read()
    except OSError:
        return ""
