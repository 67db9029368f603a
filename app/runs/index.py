"""The index of recorded runs: what a list shows of each, so that it need not open the files.

The files are what counts: the index is made from them, and made again where it is lost, damaged
or of another version.
"""

import logging
import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from app.runs.file import SUFFIX, RunFileError, read_run
from app.runs.record import RunFault, RunSummary
from app.runs.summary import summary_of

_VERSION = 3
_log = logging.getLogger(__name__)
_FIELDS = tuple(field.name for field in fields(RunSummary))
_COLUMNS = ", ".join(("changed_ns", *_FIELDS))
_MARKS = ", ".join("?" * (1 + len(_FIELDS)))
_TABLE = f"CREATE TABLE run ({_COLUMNS.replace('name,', 'name PRIMARY KEY,', 1)}) WITHOUT ROWID"


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """By this a file is known to be the one that was read."""

    n_bytes: int
    changed_ns: int


class RunIndex:
    """The index of one folder, which is made. One thread at a time.

    Raises:
        OSError: The folder cannot be made.
        sqlite3.Error: SQLite refuses; also from every method.
    """

    def __init__(self, folder: Path) -> None:
        """Open the index of `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError:
            (folder / "index.sqlite3").unlink(missing_ok=True)
            self._connection = self._open()

    def close(self) -> None:
        """Close it."""
        self._connection.close()

    def known(self) -> tuple[list[RunSummary], list[str]]:
        """Runs in the folder that the index knows, and names of files that are to be read."""
        on_disk = self._files()
        found: list[RunSummary] = []
        gone: list[tuple[str]] = []
        for changed_ns, *values in self._connection.execute(f"SELECT {_COLUMNS} FROM run"):
            run = _summary(values)
            state = on_disk.get(run.name)
            if state is None:
                gone.append((run.name,))
            elif state == _State(n_bytes=run.n_bytes, changed_ns=changed_ns):
                del on_disk[run.name]
                found.append(run)
        if gone:
            with self._connection:
                self._connection.executemany("DELETE FROM run WHERE name = ?", gone)
        return found, sorted(on_disk, reverse=True)

    def read(self, names: Sequence[str]) -> list[RunSummary]:
        """Runs whose files are new or changed."""
        with self._connection:
            return [run for name in names if (run := self._read(name)) is not None]

    def totals(self) -> tuple[int, int]:
        """How many runs are in the index, and the bytes of their files."""
        row = self._connection.execute("SELECT count(*), sum(n_bytes) FROM run").fetchone()
        return int(row[0]), int(row[1] or 0)

    def label(self, name: str) -> str | None:
        """The label of a run; None where no such run is known."""
        row = self._connection.execute("SELECT label FROM run WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, summary: RunSummary) -> None:
        """Take a run whose file has just been written."""
        state = _state((self._folder / summary.name).stat())
        with self._connection:
            self._keep(summary, state)

    def remove(self, name: str) -> None:
        """Forget a run whose file is gone."""
        with self._connection:
            self._connection.execute("DELETE FROM run WHERE name = ?", (name,))

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._folder / "index.sqlite3", isolation_level="IMMEDIATE")
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version != _VERSION:
                with connection:
                    connection.execute("DROP TABLE IF EXISTS run")
                    connection.execute(_TABLE)
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
            connection.execute("SELECT count(*) FROM run").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _files(self) -> dict[str, _State]:
        found: dict[str, _State] = {}
        with os.scandir(self._folder) as entries:
            for entry in entries:
                # Just gone, a link to itself, a name that is no text: none of these costs others.
                with suppress(OSError, UnicodeEncodeError):
                    entry.name.encode()
                    if entry.name.endswith(SUFFIX) and entry.is_file():
                        found[entry.name] = _state(entry.stat())
        return found

    def _read(self, name: str) -> RunSummary | None:
        """The run in a file; None where it is gone."""
        path = self._folder / name
        try:
            state = _state(path.stat())
        except OSError:
            return None
        try:
            summary = summary_of(read_run(path), name, state.n_bytes)
            self._keep(summary, state)
        except RunFileError as error:
            fault = error.fault
        except sqlite3.OperationalError:
            raise
        # One odd file must not cost the list of all the others.
        except Exception:  # noqa: BLE001
            _log.exception("%s is not read", name)
            fault = RunFault.DAMAGED
        else:
            return summary
        summary = RunSummary(
            name=name,
            n_bytes=state.n_bytes,
            fault=fault,
            created_ms=state.changed_ns // 1_000_000,
        )
        self._keep(summary, state)
        return summary

    def _keep(self, summary: RunSummary, state: _State) -> None:
        row = (state.changed_ns, *(getattr(summary, name) for name in _FIELDS))
        self._connection.execute(f"INSERT OR REPLACE INTO run({_COLUMNS}) VALUES ({_MARKS})", row)


def _state(found: os.stat_result) -> _State:
    return _State(n_bytes=found.st_size, changed_ns=found.st_mtime_ns)


def _summary(values: list[Any]) -> RunSummary:
    row = dict(zip(_FIELDS, values, strict=True))
    if row["fault"] is not None:
        row["fault"] = RunFault(row["fault"])
    row["is_inspected"] = bool(row["is_inspected"])
    return RunSummary(**row)
