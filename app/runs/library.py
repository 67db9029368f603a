"""The recorded runs of the person: written, listed, labelled and deleted outside the main thread.

Runs without a label take at most 256 MiB, and are at most 10,000; beyond that the oldest go.
A run with a label stays until it is deleted.
"""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.runs.record import RunFault, RunRecord, RunSummary

if TYPE_CHECKING:
    from app.runs.index import RunIndex

MOST_BYTES = 256 << 20
MOST_RUNS = 10_000
# Making room goes below the most, so that it is not made after every answer.
_ROOM_RATIO = 0.95
# So many files are read before those are listed.
_PART = 200

_log = logging.getLogger(__name__)


class RunLibrary(QObject):
    """Owns the folder of runs, and the thread that works on it.

    The public methods belong to the main thread and never block, save `close`. What they ask
    for is done in order.

    Signals:
        changed(): Other runs are listed, or something about them is different.
        deleted(int): So many runs can be brought back; 0 when that is over.
        read(int, object): The `RunRecord` of a file, or the `RunFault` for which it is refused;
            with the number of the question.
        failed(str): Runs cannot be written or read, as the system says why; empty when they can
            again.
    """

    changed = Signal()
    deleted = Signal(int)
    read = Signal(int, object)
    failed = Signal(str)
    _listed = Signal(object)
    _put = Signal(object)
    _gone = Signal(object)

    def __init__(
        self,
        folder: Path,
        *,
        most_bytes: int = MOST_BYTES,
        most_runs: int = MOST_RUNS,
        parent: QObject | None = None,
    ) -> None:
        """Begin with nothing listed; `refresh` lists what is in `folder`."""
        super().__init__(parent)
        self._folder = folder
        self._most = (most_bytes, most_runs)
        self._executor: ThreadPoolExecutor | None = None
        self._is_closed = False
        self._runs: dict[str, RunSummary] = {}
        self._is_listed = False
        self._hidden: dict[str, RunSummary] = {}
        self._machine: dict[str, object] | None = None
        self._deleted: set[str] = set()
        self._n_asked = 0
        # Below: touched by the running thread only.
        self._failure = ""
        self._index: RunIndex | None = None
        self._listed.connect(self._on_listed)
        self._put.connect(self._on_put)
        self._gone.connect(self._on_gone)

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self._folder

    @property
    def runs(self) -> list[RunSummary]:
        """The runs, the newest first; those that wait to be deleted are not among them."""
        shown = [run for run in self._runs.values() if run.name not in self._hidden]
        return sorted(shown, key=_newest, reverse=True)

    @property
    def n_runs(self) -> int:
        """How many `runs` there are."""
        return len(self._runs.keys() - self._hidden.keys())

    @property
    def is_listed(self) -> bool:
        """Whether what is in the folder is known."""
        return self._is_listed

    @property
    def n_bytes(self) -> int:
        """Bytes that all files take."""
        return sum(run.n_bytes for run in self._runs.values())

    def refresh(self) -> None:
        """List what is in the folder."""
        self._do(self._list)

    @Slot(object)
    def record(self, record: RunRecord) -> None:
        """Write a run; over an earlier state of the same one, whose label it keeps."""
        name = file_name(record)
        if name not in self._deleted and name not in self._hidden:
            self._do(partial(self._write, record))

    def label(self, names: Sequence[str], label: str) -> None:
        """Call these runs `label`; empty takes labels away."""
        self._do(partial(self._relabel, tuple(names), label.strip()))

    def ask(self, name: str) -> int:
        """Read a run; `read` brings it. Returns the number of the question."""
        self._n_asked += 1
        self._do(partial(self._read, self._n_asked, name))
        return self._n_asked

    def run_later(self, work: Callable[[], None]) -> None:
        """Run `work`, which handles its own errors, in the thread of the library."""
        self._do(work)

    def delete(self, names: Sequence[str]) -> None:
        """Take runs away; `undo_delete` brings these back, `finish_delete` ends that."""
        self.finish_delete()
        self._hidden = {name: self._runs[name] for name in names if name in self._runs}
        self.changed.emit()
        self.deleted.emit(len(self._hidden))

    def undo_delete(self) -> None:
        """Bring back what was deleted last."""
        self._hidden = {}
        self.changed.emit()
        self.deleted.emit(0)

    def finish_delete(self) -> None:
        """Delete the files of what was taken away."""
        if self._hidden:
            names = tuple(self._hidden)
            self._deleted.update(names)
            for name in names:
                self._runs.pop(name, None)
            self._hidden = {}
            self._do(partial(self._unlink, names))
            self.deleted.emit(0)

    def close(self) -> None:
        """Finish what was asked for, and join the thread. May be called twice."""
        if self._is_closed:
            return
        self.finish_delete()
        self._is_closed = True
        if self._executor is not None:
            self._executor.submit(self._let_go)
            self._executor.shutdown(wait=True)

    def _do(self, work: Callable[[], None]) -> None:
        if self._is_closed:
            return
        if self._executor is None:
            self._executor = ThreadPoolExecutor(1, thread_name_prefix="runs")
        self._executor.submit(self._guarded, work)

    # What follows up to the next such line runs in the thread of the library.

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except (OSError, sqlite3.Error) as error:
            _log.warning("recorded runs: %s", error)
            self._set_failure(str(error))
            self._let_go()
        # The boundary of this thread: a fault costs this piece of work only, and is in the log.
        except Exception as error:  # noqa: BLE001
            _log.exception("recorded runs")
            self._set_failure(f"{type(error).__name__}: {error}")
            self._let_go()

    def _open(self) -> "RunIndex":
        from app.runs.index import RunIndex

        if self._index is None:
            self._index = RunIndex(self._folder)
        return self._index

    def _let_go(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None

    def _list(self) -> None:
        index = self._open()
        found, unread = index.known()
        # All of them only where the index was lost.
        new = list(found)
        while unread and not self._is_closed:
            self._put.emit(new)
            new = index.read(unread[:_PART])
            found += new
            unread = unread[_PART:]
        self._listed.emit(found)
        self._make_room()
        self._set_failure("")

    def _write(self, record: RunRecord) -> None:
        from app.runs.file import write_run
        from app.runs.summary import summary_of
        from engine.record import machine

        index = self._open()
        if self._machine is None:
            self._machine = dict(machine())
        name = file_name(record)
        # Here, where labels are given: what the main thread knows may be older.
        label = index.label(name)
        record = replace(
            record, machine=self._machine, label=record.label if label is None else label
        )
        n_bytes = write_run(self._folder / name, record)
        summary = summary_of(record, name, n_bytes)
        index.put(summary)
        self._put.emit([summary])
        self._make_room()
        self._set_failure("")

    def _relabel(self, names: tuple[str, ...], label: str) -> None:
        from app.runs.file import RunFileError, relabel
        from app.runs.summary import summary_of

        index = self._open()
        for name in names:
            path = self._folder / name
            try:
                record = relabel(path, label)
            except RunFileError as error:
                _log.warning("%s cannot be labelled: %s", name, error)
                continue
            summary = summary_of(record, name, path.stat().st_size)
            index.put(summary)
            self._put.emit([summary])

    def _read(self, number: int, name: str) -> None:
        from app.runs.file import RunFileError, read_run

        answer: RunRecord | RunFault
        try:
            answer = read_run(self._folder / name)
        except RunFileError as error:
            _log.warning("%s is not read: %s", name, error)
            answer = error.fault
        # Who asked waits for the answer.
        except Exception:  # noqa: BLE001
            _log.exception("%s is not read", name)
            answer = RunFault.DAMAGED
        self.read.emit(number, answer)

    def _unlink(self, names: tuple[str, ...]) -> None:
        index = self._open()
        for name in names:
            (self._folder / name).unlink(missing_ok=True)
            index.remove(name)
        self._gone.emit(names)

    def _make_room(self) -> None:
        """Delete the oldest runs without a label where they are more than they may be."""
        index = self._open()
        most_bytes, most_runs = self._most
        n_runs, n_bytes = index.totals()
        if n_runs <= most_runs and n_bytes <= most_bytes:
            return
        n_bytes = n_runs = 0
        too_many: list[str] = []
        is_over = False
        for run in sorted(index.known()[0], key=_newest, reverse=True):
            if run.label or run.fault:
                continue
            n_runs, n_bytes = n_runs + 1, n_bytes + run.n_bytes
            is_over = is_over or n_runs > most_runs or n_bytes > most_bytes
            if n_runs > most_runs * _ROOM_RATIO or n_bytes > most_bytes * _ROOM_RATIO:
                too_many.append(run.name)
        if is_over and too_many:
            self._unlink(tuple(too_many))

    def _set_failure(self, text: str) -> None:
        if text != self._failure:
            self._failure = text
            self.failed.emit(text)

    # The main thread again.

    def _on_listed(self, runs: list[RunSummary]) -> None:
        self._runs = {run.name: run for run in runs}
        self._is_listed = True
        self.changed.emit()

    def _on_put(self, runs: list[RunSummary]) -> None:
        self._runs |= {run.name: run for run in runs}
        self.changed.emit()

    def _on_gone(self, names: tuple[str, ...]) -> None:
        for name in names:
            self._runs.pop(name, None)
        self.changed.emit()


def _newest(run: RunSummary) -> tuple[int, str]:
    return run.created_ms, run.name


def file_name(record: RunRecord) -> str:
    """The name of the file of a run: when it was sent, in UTC, and its id."""
    sent = datetime.fromtimestamp(record.created_ms / 1000, UTC)
    return f"{sent:%Y%m%d-%H%M%S}-{record.run_id}.npz"
