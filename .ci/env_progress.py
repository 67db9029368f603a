"""What pip is doing, read from its log, and told to a person or to a program."""

from __future__ import annotations

import json
import re
import sys
import time
from dataclasses import asdict, dataclass
from typing import Literal, Protocol

Stage = Literal["wait", "prepare", "download", "compile", "install"]

_DOWNLOADING = re.compile(r"^ *(?:Downloading|Resuming download) (\S+)", re.MULTILINE)
# What `pip --progress-bar raw` writes.
_PROGRESS = re.compile(r"^ *Progress (\d{1,18}) of (\d{1,18})\n", re.MULTILINE)
# What ninja writes for each file, where pip is told to hand that on.
_COMPILED = re.compile(r"^ *(?:\x1b\[[\d;]*m)*\[(\d{1,9})/(\d{1,9})\] ", re.MULTILINE)
_COMPILING = "Building wheel for llama"
_INSTALLING = "Installing collected packages:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is being done now.

    Attributes:
        stage: "wait" is for another install here, "prepare" is finding out what is needed.
        package: What is downloaded.
        done_bytes: How much of it has arrived; None where pip does not say.
        total_bytes: How much it is; None where the server does not say.
        done_files: How many files are compiled; None before the first is.
        total_files: How many there are.
    """

    stage: Stage
    package: str | None = None
    done_bytes: int | None = None
    total_bytes: int | None = None
    done_files: int | None = None
    total_files: int | None = None


def read_work(log: str) -> Work:
    """What pip is doing, from all that it has written so far."""
    if _INSTALLING in log:
        return Work(stage="install")
    if _COMPILING in log:
        return _read_compile(log[log.index(_COMPILING) :])
    files = list(_DOWNLOADING.finditer(log))
    if not files or ".metadata" in files[-1][1]:
        return Work(stage="prepare")
    package = files[-1][1].rpartition("/")[2].partition("-")[0].replace("_", "-")
    steps = _PROGRESS.findall(log, files[-1].end())
    if not steps:
        return Work(stage="download", package=package)
    done_bytes, total_bytes = map(int, steps[-1])
    return Work(
        stage="download",
        package=package,
        done_bytes=done_bytes,
        total_bytes=total_bytes or None,
    )


def _read_compile(log: str) -> Work:
    found = [(int(done), int(total)) for done, total in _COMPILED.findall(log)]
    # What a compiler says may look like it.
    steps = [(done, total) for done, total in found if done <= total > 0]
    if not steps:
        return Work(stage="compile")
    # A part that is built by itself counts its own few files.
    total_files = max(total for _, total in steps)
    done_files = max(done for done, total in steps if total == total_files)
    return Work(stage="compile", done_files=done_files, total_files=total_files)


def without_progress(log: str) -> str:
    """The log as a person wants it."""
    return _PROGRESS.sub("", log)


class Report(Protocol):
    """Whom an install tells what it does."""

    interval_s: float
    """How often to tell."""

    pip_arguments: tuple[str, ...]
    """What pip is asked for besides, so that there is something to tell."""

    def begin(self, title: str) -> None:
        """Another part of the work begins."""

    def show(self, work: Work) -> None:
        """The work goes on."""

    def end(self) -> None:
        """That part is over."""


class TerminalReport:
    """A title, how far it is and the time since it began.

    On a terminal they stand in one line, else there is a line a minute.
    """

    interval_s = 1.0
    pip_arguments: tuple[str, ...] = ("--verbose",)

    def __init__(self) -> None:
        self._title = ""
        self._began_s = 0.0
        self._minutes = 0
        self._in_place = sys.stdout.isatty()

    def begin(self, title: str) -> None:
        """Write the title."""
        self._title = title
        self._began_s = time.monotonic()
        self._minutes = 0
        print(title, end="" if self._in_place else "\n", flush=True)

    def show(self, work: Work) -> None:
        """Say that the work goes on."""
        if work.stage == "wait":
            print("Another install is running here: waiting until it ends.", flush=True)
        if not self._title:
            return
        minutes, seconds = divmod(int(time.monotonic() - self._began_s), 60)
        share = ""
        if work.done_files is not None:
            share = f"{work.done_files} of {work.total_files} files, "
        if self._in_place:
            print(f"\r{self._title} … {share}{minutes}:{seconds:02d}", end="", flush=True)
        elif minutes > self._minutes:
            self._minutes = minutes
            print(f"  {share}{minutes} min", flush=True)

    def end(self) -> None:
        """End the line."""
        if self._in_place:
            print(flush=True)


class JsonReport:
    """One JSON object a line, with the fields of `Work`, whenever they change."""

    interval_s = 0.2
    pip_arguments: tuple[str, ...] = ("--progress-bar", "raw")

    def __init__(self) -> None:
        self._last: Work | None = None

    def begin(self, title: str) -> None:
        """Titles are for people."""

    def show(self, work: Work) -> None:
        """Write what is new."""
        if work != self._last:
            self._last = work
            print(json.dumps(asdict(work)), flush=True)

    def end(self) -> None:
        """The exit code says it."""
