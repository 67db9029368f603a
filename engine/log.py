"""The log of an engine process: one file a process, bounded, read for the last lines."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

_TAIL_BYTES = 32 << 10
_LINE_CHARS = 500
_PREFIX = "engine-"
_SUFFIX = ".log"


class EngineLog(Protocol):
    """Where a backend writes what its native library says. Called from the engine thread."""

    def write(self, text: str) -> None:
        """Append text as it comes; it need not end at a line."""
        ...

    def tail(self, max_lines: int = 40) -> str:
        """The last lines."""
        ...


class FileLog:
    """Keeps the log of one engine process in a file that starts over past `max_bytes`.

    Native code may write to `fileno()` at the same time: the file is opened for appending, and
    `tail` reads what reached it from either side.
    """

    def __init__(self, path: Path, *, max_bytes: int = 4 << 20) -> None:
        """Open `path` for appending, creating its folder."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._max_bytes = max_bytes
        self._file = path.open("ab", buffering=0)

    def fileno(self) -> int:
        """Descriptor of the file, for what native code writes to stderr."""
        return self._file.fileno()

    def write(self, text: str) -> None:
        """Append text; a lone surrogate becomes a question mark."""
        data = text.encode("utf-8", "replace")
        if os.fstat(self._file.fileno()).st_size + len(data) > self._max_bytes:
            self._file.truncate(0)
        self._file.write(data)

    def tail(self, max_lines: int = 40) -> str:
        """The last lines, those of native code included."""
        return read_tail(self._path, max_lines)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._file.close()


def read_tail(path: Path, max_lines: int = 40) -> str:
    """The last lines of a log file; empty where there is none to read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(line[:_LINE_CHARS] for line in text.splitlines()[-max_lines:])


def new_log_path(folder: Path, *, keep: int = 10) -> Path:
    """A file name in `folder` for the log of a new engine process.

    Makes the folder, and removes all but the latest `keep - 1` logs there; one that another
    system holds open stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    logs = sorted(folder.glob(f"{_PREFIX}*{_SUFFIX}"), key=lambda path: path.name)
    for path in logs[: max(0, len(logs) - keep + 1)]:
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue
    while True:
        now = datetime.now().astimezone()
        path = folder / f"{_PREFIX}{now:%Y%m%d-%H%M%S-%f}-{os.getpid()}{_SUFFIX}"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        return path
