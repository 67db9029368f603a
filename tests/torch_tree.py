"""A copy of the set-up scripts with an environment of its own, and a pip that only pretends."""

from __future__ import annotations

import shutil
import sys
import venv
from importlib.resources import files
from pathlib import Path

import psutil

import env_cut_off
import env_stamp

ROOT = Path(__file__).parents[1]

# What FAKE_PIP names: how far it gets.
_FAKE_PIP = """
import os, pathlib, sys, threading

site = pathlib.Path(__file__).parents[1]
root = site
while not (root / ".ci").exists():
    root = root.parent
(root / "pip.pid").write_text(str(os.getpid()))
mode = os.environ["FAKE_PIP"]


def say(text):
    print(text, flush=True)


def give_up(text):
    say(text)
    sys.exit(1)


def hang():
    threading.Event().wait()


say("Collecting torch==2.13.0")
if mode == "no network":
    give_up("WARNING: Retrying after connection broken by 'NameResolutionError(...)'")
say("  Downloading torch-2.13.0-cp311-cp311-linux_x86_64.whl (8.0 MB)")
if "raw" in sys.argv:
    say("Progress 0 of 8000000")
    say("Progress 4000000 of 8000000")
pathlib.Path(os.environ["TMPDIR"], "torch.whl").write_bytes(b"half a wheel")
if mode == "hang in download":
    hang()
say("Installing collected packages: torch")
package, metadata = site / "torch", site / "torch-2.13.0.dist-info"
package.mkdir(exist_ok=True)
(package / "__init__.py").write_text("raise RuntimeError('half a package')")
metadata.mkdir(exist_ok=True)
(metadata / "METADATA").write_text("Name: torch\\nVersion: 2.13.0\\n")
if mode == "hang in install":
    hang()
if mode == "disk full":
    give_up("ERROR: Could not install: [Errno 28] No space left on device")
(package / "__init__.py").write_text("")
(metadata / "INSTALLER").write_text("pip\\n")
(metadata / "RECORD").write_text("torch/__init__.py,,\\ntorch-2.13.0.dist-info/RECORD,,\\n")
say("Successfully installed torch-2.13.0")
"""


class TorchTree:
    """A folder with `.ci`, lock files, and a `.venv` where only "run" is installed.

    Args:
        root: An empty folder.
        with_pip: Have pip itself, the one that runs these tests.
    """

    def __init__(self, root: Path, *, with_pip: bool = False) -> None:
        self.root = root
        self.venv = root / ".venv"
        shutil.copytree(ROOT / ".ci", root / ".ci", ignore=shutil.ignore_patterns("__pycache__"))
        for lock in ROOT.glob("requirements*.lock"):
            shutil.copy(lock, root)
        venv.create(self.venv, symlinks=sys.platform != "win32")
        self.site = env_cut_off.site_packages(self.venv)
        pip = self.site / "pip"
        if with_pip:
            shutil.copytree(str(files("pip")), pip)
        else:
            pip.mkdir()
            (pip / "__init__.py").touch()
            (pip / "__main__.py").write_text(_FAKE_PIP)
        self.mark_done("run")

    @property
    def python(self) -> str:
        """The environment's Python."""
        return env_stamp.python_of(str(self.venv))

    @property
    def bootstrap(self) -> Path:
        """The way in."""
        return self.root / ".ci" / "bootstrap.py"

    def mark_done(self, step: str) -> None:
        """Stamp a step."""
        env_stamp.mark_done(str(self.root), str(self.venv), step, sys.version_info[:2])

    def missing(self, *steps: str) -> list[str]:
        """What the next start would install."""
        version = sys.version_info[:2]
        return env_stamp.missing_steps(str(self.root), str(self.venv), steps, version)

    def packages(self) -> set[str]:
        """What is in the environment, pip aside."""
        return {path.name for path in self.site.iterdir()} - {"pip"}

    def pip_runs(self) -> bool:
        """Whether the pip that was started last is still there."""
        pid = int((self.root / "pip.pid").read_text())
        return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
