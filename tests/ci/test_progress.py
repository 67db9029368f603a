"""What a person sees while pip compiles llama.cpp, which is most of an install."""

from __future__ import annotations

import io
import sys
import time
from typing import TYPE_CHECKING

import pytest

import env_install
import env_pip
import env_progress
import env_stamp
from env_progress import TerminalReport, Work

if TYPE_CHECKING:
    from pathlib import Path

LOG = """Collecting jinja2==3.1.6
  Downloading jinja2-3.1.6-py3-none-any.whl (134 kB)
Building wheels for collected packages: llama-cpp-python
  Running command Building wheel for llama-cpp-python (pyproject.toml)
  *** Configuring CMake...
"""


class TestReading:
    def test_it_compiles_once_pip_builds_the_wheel(self) -> None:
        assert env_progress.read_work(LOG) == Work(stage="compile")

    def test_files_are_counted(self) -> None:
        log = LOG + "  [46/178] /usr/bin/g++ -c a.cpp\n  [47/178] /usr/bin/g++ -c b.cpp\n  [4"
        assert env_progress.read_work(log) == Work(stage="compile", done_files=47, total_files=178)

    def test_the_few_files_of_a_part_do_not_count(self) -> None:
        log = LOG + "  [47/178] /usr/bin/g++ -c b.cpp\n  [2/3] shaders\n"
        assert env_progress.read_work(log) == Work(stage="compile", done_files=47, total_files=178)

    @pytest.mark.parametrize(
        ("line", "done", "total"),
        [
            ("\x1b[32m[48/178] \x1b[0mg++ -c c.cpp", 48, 178),
            ("[10/3] no step", 47, 178),
            (f"[1/{'9' * 5_000}] no step", 47, 178),
        ],
    )
    def test_colours_do_not_hide_a_step_and_what_is_none_does_not_count(
        self, line: str, done: int, total: int
    ) -> None:
        log = LOG + f"  [47/178] /usr/bin/g++ -c b.cpp\n  {line}\n"
        expected = Work(stage="compile", done_files=done, total_files=total)
        assert env_progress.read_work(log) == expected

    def test_a_size_that_cannot_be_does_not_count(self) -> None:
        log = f"Downloading torch-2.whl\nProgress 1 of 2\nProgress 1 of {'9' * 5_000}\n"
        work = env_progress.read_work(log)
        assert (work.done_bytes, work.total_bytes) == (1, 2)

    def test_all_are_compiled_when_the_wheel_is_there(self) -> None:
        log = LOG + "  [178/178] link\n  Building wheel for llama-cpp-python: finished\n"
        assert env_progress.read_work(log) == Work(stage="compile", done_files=178, total_files=178)

    def test_then_it_installs(self) -> None:
        log = LOG + "  [178/178] link\nInstalling collected packages: llama-cpp-python\n"
        assert env_progress.read_work(log) == Work(stage="install")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


HALF_WAY = Work(stage="compile", done_files=47, total_files=178)


class TestTelling:
    def test_on_a_terminal_the_line_says_how_far_it_is(
        self, clock: list[float], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        terminal = Terminal()
        monkeypatch.setattr(sys, "stdout", terminal)
        report = TerminalReport()
        report.begin(env_pip.COMPILING)
        clock[0] += 125
        report.show(HALF_WAY)
        line = terminal.getvalue().rpartition("\r")[2]
        assert line.startswith("Compiling llama.cpp")
        assert line.endswith(" … 47 of 178 files, 2:05")
        # A line that wraps would be written again and again.
        assert len(line) < 79

    def test_elsewhere_there_is_a_line_a_minute(
        self, clock: list[float], capsys: pytest.CaptureFixture[str]
    ) -> None:
        report = TerminalReport()
        report.begin("Compiling")
        for _ in range(4):
            clock[0] += 31
            report.show(HALF_WAY)
        assert capsys.readouterr().out.splitlines() == [
            "Compiling",
            "  47 of 178 files, 1 min",
            "  47 of 178 files, 2 min",
        ]


class Listener(TerminalReport):
    """Lets the scripted pip go on once it has been heard."""

    interval_s = 0.01

    def __init__(self, heard: Path) -> None:
        super().__init__()
        self.heard = heard

    def show(self, work: Work) -> None:
        super().show(work)
        if work == HALF_WAY:
            self.heard.touch()


@pytest.mark.skipif(sys.platform == "win32", reason="the scripted pip is a shell script")
def test_pip_is_followed_while_it_compiles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bin").mkdir()
    heard = tmp_path / "heard"
    python = tmp_path / "bin" / "python"
    python.write_text(
        f"#!/bin/sh\necho '{LOG}'\necho '  [47/178] g++ -c b.cpp'\n"
        f"n=0; while [ ! -e {heard} ] && [ $n -lt 2000 ]; do sleep 0.01; n=$((n + 1)); done\n"
        'for argument in "$@"; do echo "asked: $argument"; done\n'
    )
    python.chmod(0o755)
    env_pip.follow_pip(tmp_path, "Installing", ["install"], (), Listener(heard))
    assert heard.exists()
    assert capsys.readouterr().out.splitlines() == ["Installing", env_pip.COMPILING]
    assert "asked: --verbose" in (tmp_path / "oscillama-install.log").read_text()


def test_the_first_start_finds_compiled_files(tmp_path: Path) -> None:
    for name in ("app/store.py", "ui/window.py", "engine/loop.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("VALUE = 1\n")
    env_install.compile_sources(sys.executable, tmp_path)
    compiled = {path.name.partition(".")[0] for path in tmp_path.rglob("*.pyc")}
    assert compiled == {"store", "window", "loop"}


def test_an_install_that_is_ended_while_it_compiles_is_not_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".venv").mkdir()
    for lock in env_stamp.LOCKS["run"]:
        (tmp_path / lock).write_text("pins\n")
    compiled: list[bool] = []

    def compile_sources(_python: str, _root: Path) -> None:
        compiled.append(True)
        if len(compiled) == 1:
            raise KeyboardInterrupt

    def missing() -> list[str]:
        version = sys.version_info[:2]
        return env_stamp.missing_steps(str(tmp_path), str(tmp_path / ".venv"), ["run"], version)

    monkeypatch.setattr(env_install, "ROOT", tmp_path)
    monkeypatch.setattr(env_install, "_install_locks", lambda *_arguments: None)
    monkeypatch.setattr(env_install, "compile_sources", compile_sources)
    with pytest.raises(KeyboardInterrupt):
        env_install.install(tmp_path / ".venv", "run", (), TerminalReport())
    assert missing() == ["run"]
    # What pip installed is whole, and need not be thrown away.
    assert not env_stamp.is_installing(str(tmp_path / ".venv"))
    env_install.install(tmp_path / ".venv", "run", (), TerminalReport())
    assert missing() == []
