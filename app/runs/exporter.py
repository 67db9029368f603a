"""Reads chosen runs and writes them to a file, outside the main thread."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.runs.library import RunLibrary
from app.runs.record import RunRecord

Make = Callable[[Sequence[RunRecord]], str]


class RunExporter(QObject):
    """Writes files of runs, whole or not at all.

    Signals:
        done(str, str): The file, and why it was not written; empty when it was.
    """

    done = Signal(str, str)

    def __init__(self, library: RunLibrary, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library

    def export(self, path: str, names: Sequence[str], make: Make) -> None:
        """Write what `make` makes of the runs in the files called `names`; `done` says how."""
        self._library.run_later(partial(self._export, Path(path), tuple(names), make))

    def write(self, path: str, content: bytes) -> None:
        """Write `content`; `done` says how."""
        self._library.run_later(partial(self._write, Path(path), content))

    def _export(self, path: Path, names: tuple[str, ...], make: Make) -> None:
        from app.runs.file import RunFileError, read_run

        try:
            runs = [read_run(self._library.folder / name) for name in names]
        except RunFileError as error:
            self.done.emit(str(path), str(error))
            return
        self._write(path, make(runs).encode())

    def _write(self, path: Path, content: bytes) -> None:
        # Beside the target, so that it can take its place.
        partial_path = path.with_name(f".{path.name}.{os.getpid()}.partial")
        try:
            partial_path.write_bytes(content)
            partial_path.replace(path)
        except OSError as error:
            with suppress(OSError):
                partial_path.unlink()
            self.done.emit(str(path), error.strerror or str(error))
        else:
            self.done.emit(str(path), "")
