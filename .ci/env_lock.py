"""Renew the lock files from pyproject.toml (`make lock`), or check that they agree (`--check`)."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

RESOLVER = "uv==0.13.9"

_HEADER = "# Made from pyproject.toml by `make lock`; not edited by hand. Inputs: {inputs}\n"
_PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^\s;\\]+)", re.MULTILINE)

# Each lock file: what it resolves, and the lock files whose versions it keeps to.
_LOCKS = {
    "requirements-build.lock": (["--group", "build"], []),
    "requirements.lock": (["pyproject.toml"], ["requirements-build.lock"]),
    "requirements-dev.lock": (
        ["--group", "dev"],
        ["requirements-build.lock", "requirements.lock"],
    ),
}
_TORCH = "requirements-torch.lock"


def main(arguments: list[str]) -> int:
    """Renew or check."""
    if arguments == ["--check"]:
        problems = disagreements(ROOT)
        for problem in problems:
            print(problem, file=sys.stderr)
        return 1 if problems else 0
    renew()
    return 0


def inputs(pyproject: dict[str, Any]) -> str:
    """A digest of everything in pyproject.toml that the lock files are made from."""
    project = pyproject["project"]
    made_from = [
        project["requires-python"],
        project["dependencies"],
        project["optional-dependencies"],
        pyproject["dependency-groups"],
        pyproject["tool"]["uv"],
    ]
    return hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()[:16]


def disagreements(root: Path) -> list[str]:
    """What is wrong with the lock files of a tree, one line each."""
    expected = _HEADER.format(inputs=inputs(_pyproject(root)))
    problems = []
    for name in [*_LOCKS, _TORCH]:
        text = (root / name).read_text(encoding="utf-8")
        if not text.startswith(expected):
            problems.append(f"{name} is not made from this pyproject.toml: run `make lock`")
        if "://" in text:
            problems.append(f"{name} names an address")
        if name != _TORCH:
            problems += [f"{name}: {pin} has no hash" for pin in unhashed(text)]
    return problems


def unhashed(text: str) -> list[str]:
    """The pins of a lock file that no hash follows."""
    entries = re.split(r"\n(?=\S)", text)
    return [
        entry.split()[0] for entry in entries if _PIN.match(entry) and "--hash=sha256:" not in entry
    ]


def renew() -> None:
    """Resolve everything anew for all supported Pythons and systems."""
    header = _HEADER.format(inputs=inputs(_pyproject(ROOT)))
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        binaries = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        pip = [str(binaries / "python"), "-m", "pip", "--quiet"]
        _run([*pip, "install", RESOLVER])
        for name, (sources, constraints) in _LOCKS.items():
            command = [str(binaries / "uv"), "pip", "compile", "--quiet", "--universal"]
            command += ["--python-version", "3.11", "--generate-hashes"]
            command += ["--no-header", "--no-annotate"]
            for constraint in constraints:
                command += ["--constraint", constraint]
            _write(name, header + _run([*command, *sources]))
        _write(_TORCH, header + _torch_pins(pip))


def _torch_pins(pip: list[str]) -> str:
    """The pins of torch and of what it needs besides requirements.lock.

    Without hashes, and resolved by pip: which build of torch is right depends on the machine, and
    torch itself pins the CUDA libraries that go with it.
    """
    torch = _pyproject(ROOT)["project"]["optional-dependencies"]["torch"]
    report = _run([*pip, "install", "--dry-run", "--ignore-installed", "--report", "-", *torch])
    locked = {name for name, _ in _PIN.findall((ROOT / "requirements.lock").read_text("utf-8"))}
    pins = {line + "\n" for line in torch}
    for item in json.loads(report)["install"]:
        name = item["metadata"]["name"].lower().replace("_", "-")
        if name not in locked and not re.match("torch$|triton|nvidia|cuda", name):
            pins.add(f"{name}=={item['metadata']['version']}\n")
    return "".join(sorted(pins))


def _pyproject(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def _run(command: list[str]) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def _write(name: str, text: str) -> None:
    (ROOT / name).write_text(text, encoding="utf-8")
    print(f"wrote {name}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
