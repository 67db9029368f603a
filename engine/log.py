"""The engine process's log: a file that grows to a bound, and the last lines in memory."""

from collections import deque
from pathlib import Path
from typing import Protocol


class EngineLog(Protocol):
    """Where a backend writes what its native library says. Called from the engine thread."""

    def write(self, text: str) -> None:
        """Append text as it comes; it need not end at a line."""
        ...

    def tail(self, max_lines: int = 40) -> str:
        """The last lines."""
        ...


class FileLog:
    """Keeps the log of one engine process in a file, started anew past `max_bytes`."""

    def __init__(self, path: Path, *, max_bytes: int = 4 << 20) -> None:
        """Open `path` for appending, creating its folder."""
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = "ab" if path.exists() and path.stat().st_size < max_bytes else "wb"
        self._file = path.open(mode, buffering=0)
        self._lines: deque[str] = deque(maxlen=200)
        self._partial = ""

    def fileno(self) -> int:
        """Descriptor of the file, for what native code writes to stderr."""
        return self._file.fileno()

    def write(self, text: str) -> None:
        """Append text to the file and to the lines in memory."""
        self._file.write(text.encode("utf-8", "replace"))
        *lines, self._partial = (self._partial + text).split("\n")
        self._lines.extend(lines)

    def tail(self, max_lines: int = 40) -> str:
        """The last lines written through `write`."""
        lines = [*self._lines, self._partial] if self._partial else list(self._lines)
        return "\n".join(lines[-max_lines:])

    def close(self) -> None:
        """Close the file."""
        self._file.close()
