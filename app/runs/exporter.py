"""Reads chosen runs and writes them to a file, outside the main thread."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.files import replace_file
from app.runs.library import RunLibrary
from app.runs.record import RunRecord

_log = logging.getLogger(__name__)

Make = Callable[[Sequence[RunRecord]], str | bytes]


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
            made = make([read_run(self._library.folder / name) for name in names])
            content = made.encode() if isinstance(made, str) else made
        except RunFileError as error:
            self.done.emit(str(path), str(error))
        # Whoever asked is told, whatever is odd in a run.
        except Exception as error:  # noqa: BLE001
            _log.exception("%s is not written", path.name)
            self.done.emit(str(path), f"{type(error).__name__}: {error}")
        else:
            self._write(path, content)

    def _write(self, path: Path, content: bytes) -> None:
        try:
            replace_file(path, content)
        except OSError as error:
            self.done.emit(str(path), error.strerror or str(error))
        else:
            self.done.emit(str(path), "")
