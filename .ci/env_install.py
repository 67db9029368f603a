"""Make the environment, or what it lacks: `python env_install.py STEP...`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import env_cut_off
import env_missing
import env_pip
import env_progress
import env_stamp
from env_pip import InstallError

if TYPE_CHECKING:
    from env_progress import Report

ROOT = Path(__file__).resolve().parent.parent

_TITLES = {
    "requirements-build.lock": "Installing build tools",
    "requirements.lock": "Installing the libraries and the starter model (350 MB)",
    "requirements-dev.lock": "Installing what the tests and checks need",
    "requirements-torch.lock": "Installing torch (without CUDA 0.4 GB, with CUDA several GB)",
}
_LOCK_POLL_S = 0.2


def main(steps: list[str]) -> int:
    """Bring the environment to the state that the steps ask for."""
    venv = ROOT / ".venv"
    report = env_progress.TerminalReport()
    try:
        held = hold(ROOT / ".ci", report)
        prepare(venv)
        version = sys.version_info[:2]
        needed = env_stamp.missing_steps(str(ROOT), str(venv), steps, version)
        missing = env_missing.find_missing(needed, ROOT, os.environ)
        if missing:
            print(env_missing.report(missing), file=sys.stderr)
            return 1
        make_environment(venv, held)
        for step in needed:
            install(venv, step, held, report)
    except InstallError as error:
        print(f"oscillama: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\noscillama: interrupted; the next run starts the install again", file=sys.stderr)
        return 130
    return 0


def hold(folder: Path, report: Report) -> tuple[int, ...]:
    """Keep others from installing here until this process and its pip have ended.

    The lock is the folder's own, so nothing is left behind, and a pip that outlives a killed
    parent still holds it. Returns the descriptors to hand to pip; none where Windows has no such
    lock.
    """
    if sys.platform == "win32":
        return ()
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    waits = False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not waits:
                waits = True
                report.show(env_progress.Work(stage="wait"))
            time.sleep(_LOCK_POLL_S)
        else:
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


def install(venv: Path, step: str, held: tuple[int, ...], report: Report) -> None:
    """Install one step and stamp it.

    Where a step that everything needs is interrupted, a marker stays and the next run starts
    afresh. An optional one takes back what it left half-done: the rest stays whole, and the stamp
    that is not there says that the step is still to be done.

    Raises:
        InstallError: pip failed; the environment is usable as far as it was before.
    """
    version = sys.version_info[:2]
    env_stamp.forget(str(venv), step)
    if step in env_stamp.OPTIONAL:
        with env_cut_off.undone(venv) as temporary:
            _install_locks(venv, step, held, report, temporary)
    else:
        env_stamp.begin_installing(str(venv))
        try:
            _install_locks(venv, step, held, report, None)
        except InstallError:
            env_stamp.end_installing(str(venv))
            raise
        env_stamp.end_installing(str(venv))
    if step == "run":
        compile_sources(env_stamp.python_of(str(venv)), ROOT)
    env_stamp.mark_done(str(ROOT), str(venv), step, version)


def compile_sources(python: str, root: Path) -> None:
    """Compile the files of the application, as pip does with what it installs.

    The first start would do it as well, and take twice its time. main.py is not among them: a
    script is compiled at every start.
    """
    command = [python, "-m", "compileall", "-q", "app", "engine", "ui"]
    # Where nothing can be written a start compiles what it needs.
    subprocess.run(command, cwd=root, capture_output=True, check=False)


def _install_locks(
    venv: Path, step: str, held: tuple[int, ...], report: Report, temporary: Path | None
) -> None:
    for lock in env_stamp.LOCKS[step]:
        arguments = env_pip.pip_arguments(lock, os.environ.get("CMAKE_ARGS"))
        env_pip.follow_pip(venv, _TITLES[lock], arguments, held, report, temporary=temporary)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
