"""torch is installed when it is asked for, tells how far it is, and leaves nothing half-done."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

import env_install
import env_progress
import env_stamp
from env_progress import Work
from tests.torch_tree import ROOT, TorchTree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TORCH = {"torch", "torch-2.13.0.dist-info"}


@pytest.fixture
def tree(tmp_path: Path) -> TorchTree:
    return TorchTree(tmp_path)


def start(
    tree: TorchTree, fake_pip: str, *, progress: str = "json", python: str | None = None
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [python or tree.python, tree.bootstrap, "install-torch", "--progress", progress],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "FAKE_PIP": fake_pip},
        text=True,
    )


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def until(process: subprocess.Popen[str], stage: str) -> dict[str, Any]:
    """Read until it says that `stage` goes on, the download with bytes."""
    assert process.stdout is not None
    for line in process.stdout:
        said: dict[str, Any] = json.loads(line)
        if said["stage"] == stage and (stage != "download" or said["done_bytes"]):
            return said
    _, errors = process.communicate()
    raise AssertionError(errors)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for the end, holding its input open until then."""
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        said, errors = process.stdout.read(), process.stderr.read()
    return process.wait(), said, errors


@pytest.mark.parametrize("inside", [True, False])
def test_it_is_installed_from_inside_the_environment_and_from_outside(
    tree: TorchTree, inside: bool
) -> None:
    process = start(tree, "works", progress="text", python=None if inside else sys.executable)

    code, said, errors = finish(process)

    assert (code, errors) == (0, "")
    assert said.splitlines() == [
        env_install._TITLES[env_stamp.LOCKS["torch"][0]],
        "torch is installed.",
    ]
    assert tree.packages() == TORCH
    assert tree.missing("run", "torch") == []


def test_a_program_is_told_what_is_done(tree: TorchTree) -> None:
    code, said, _ = finish(start(tree, "works"))

    assert code == 0
    assert lines(said)[0] == asdict(Work(stage="prepare"))


def test_a_download_is_told_in_bytes(tree: TorchTree) -> None:
    process = start(tree, "hang in download")

    said = until(process, "download")

    whole = Work(stage="download", package="torch", done_bytes=4_000_000, total_bytes=8_000_000)
    assert said == asdict(whole)
    process.communicate()


def _terminate(process: subprocess.Popen[str]) -> None:
    process.terminate()
    finish(process)


def _leave(process: subprocess.Popen[str]) -> None:
    """As a program does that dies: its end of both pipes closes."""
    process.communicate()


@pytest.mark.skipif(os.name == "nt", reason="SIGTERM")
@pytest.mark.parametrize("end", [_terminate, _leave])
@pytest.mark.parametrize("stage", ["download", "install"])
def test_cut_off_it_leaves_the_environment_as_it_was(
    tree: TorchTree, stage: str, end: Callable[[subprocess.Popen[str]], None]
) -> None:
    whole = {path.name for path in tree.venv.iterdir()}
    process = start(tree, f"hang in {stage}")
    until(process, stage)
    if stage == "install":
        assert tree.packages() == TORCH

    end(process)

    assert process.returncode == 130
    assert not tree.pip_runs()
    assert tree.packages() == set()
    assert {path.name for path in tree.venv.iterdir()} - whole == {"oscillama-install.log"}
    assert tree.missing("run") == []
    assert tree.missing("run", "torch") == ["torch"]


@pytest.mark.skipif(os.name == "nt", reason="SIGINT")
def test_it_ends_with_its_program_where_a_shell_started_that_in_the_background(
    tree: TorchTree,
) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = start(tree, "hang in download")
    finally:
        signal.signal(signal.SIGINT, before)
    until(process, "download")
    _leave(process)
    assert process.returncode == 130
    assert not tree.pip_runs()


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_killed_it_is_taken_up_again_with_nothing_thrown_away(tree: TorchTree) -> None:
    process = start(tree, "hang in install")
    until(process, "install")
    process.kill()
    os.kill(int((tree.root / "pip.pid").read_text()), signal.SIGKILL)
    finish(process)
    assert tree.missing("run") == []
    assert tree.missing("run", "torch") == ["torch"]

    code, _, _ = finish(start(tree, "works"))

    assert code == 0
    assert (tree.site / "torch" / "__init__.py").read_text() == ""
    assert not (tree.venv / "oscillama-unpacking").exists()
    assert tree.missing("run", "torch") == []


@pytest.mark.parametrize(
    ("fake_pip", "cause", "words"),
    [
        ("disk full", "disk_full", "the disk is full"),
        ("no network", "no_network", "check the network"),
    ],
)
def test_a_failure_has_a_cause_and_leaves_nothing_half_done(
    tree: TorchTree, fake_pip: str, cause: str, words: str
) -> None:
    code, said, errors = finish(start(tree, fake_pip))

    assert code == 1
    last = lines(said)[-1]
    assert last["failed"] == cause
    assert words in last["text"]
    assert words in errors
    assert "Progress 4000000" not in errors
    assert tree.packages() == set()
    assert tree.missing("run", "torch") == ["torch"]


def test_what_was_removed_by_hand_is_installed_in_spite_of_its_stamp(tree: TorchTree) -> None:
    tree.mark_done("torch")

    finish(start(tree, "works"))

    assert tree.packages() == TORCH


def test_an_environment_that_is_not_whole_is_left_alone(tree: TorchTree) -> None:
    env_stamp.begin_installing(str(tree.venv))

    code, said, _ = finish(start(tree, "works"))

    assert code == 1
    assert "make run" in lines(said)[-1]["text"]
    assert tree.packages() == set()
    assert tree.missing("run") == ["run"]


def test_without_an_environment_it_says_how_to_make_one(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    for name in ("bootstrap.py", "env_stamp.py"):
        shutil.copy(ROOT / ".ci" / name, tmp_path / ".ci")

    done = subprocess.run(
        [sys.executable, tmp_path / ".ci" / "bootstrap.py", "install-torch"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "make run" in done.stderr


def test_pip_itself_leaves_a_package_whole_or_not_at_all(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    tree = TorchTree(tmp_path_factory.mktemp("tree"), with_pip=True)
    (tree.root / "requirements-torch.lock").write_text("tiny-torch==1.0\n")

    _write_wheel(tmp_path, is_whole=False)
    code, _, errors = finish(start(tree, "unused"))
    assert code == 1
    assert "CRC" in errors
    assert tree.packages() == set()
    assert tree.missing("run", "torch") == ["torch"]

    _write_wheel(tmp_path, is_whole=True)
    code, _, errors = finish(start(tree, "unused"))
    assert (code, errors) == (0, "")
    assert tree.packages() == {"tiny_torch", "tiny_torch-1.0.dist-info"}
    assert tree.missing("run", "torch") == []


def _write_wheel(folder: Path, *, is_whole: bool) -> None:
    name = "tiny_torch"
    info = f"{name}-1.0.dist-info"
    files = {
        f"{name}/__init__.py": "VALUE = 1\n",
        f"{name}/last.py": "VALUE = 2\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: tiny-torch\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in files.items():
            wheel.writestr(file, text)
    if not is_whole:
        # The second file no longer fits its checksum: pip stops there.
        path.write_bytes(path.read_bytes().replace(b"VALUE = 2", b"VALUE = 3", 1))


class TestReading:
    LOG = (
        "Collecting torch==2.13.0\n"
        "  Downloading https://download.example/whl/torch-2.13.0-cp311-linux_x86_64.whl.metadata\n"
        "Collecting nvidia-cublas\n"
    )

    def test_it_prepares_while_pip_reads_metadata(self) -> None:
        assert env_progress.read_work("") == Work(stage="prepare")
        assert env_progress.read_work(self.LOG) == Work(stage="prepare")

    def test_the_file_in_hand_is_named_with_its_bytes(self) -> None:
        log = self.LOG + "Downloading nvidia_cublas-13.1-py3-none-any.whl (571.0 MB)\n"
        assert env_progress.read_work(log) == Work(stage="download", package="nvidia-cublas")
        log += "Progress 0 of 571000000\nProgress 262144 of 571000000\nProgress 5242"
        assert env_progress.read_work(log) == Work(
            stage="download", package="nvidia-cublas", done_bytes=262_144, total_bytes=571_000_000
        )

    def test_a_size_that_is_not_told_is_unknown(self) -> None:
        log = "Downloading torch-2.13.0-cp311-linux_x86_64.whl\nProgress 900 of 0\n"
        assert env_progress.read_work(log) == Work(
            stage="download", package="torch", done_bytes=900, total_bytes=None
        )

    def test_after_the_downloads_it_installs(self) -> None:
        log = self.LOG + "Installing collected packages: mpmath, torch\n"
        assert env_progress.read_work(log) == Work(stage="install")
