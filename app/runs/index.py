"""The index of recorded runs: what a list shows of each, so that it need not open the files.

The files are what counts: the index is made from them, and made again where it is lost, damaged
or of another version.
"""

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from app.runs.file import SUFFIX, RunFileError, read_run
from app.runs.record import RunFault, RunSummary
from app.runs.summary import summary_of

_VERSION = 1
_TABLE = (
    "CREATE TABLE run (name TEXT PRIMARY KEY, n_bytes INTEGER NOT NULL, "
    "changed_ns INTEGER NOT NULL, summary TEXT NOT NULL) WITHOUT ROWID"
)
_NAMES = {field.name for field in fields(RunSummary)}


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

    def summaries(self) -> list[RunSummary]:
        """All runs in the folder now, the newest first. Reads files that are new or changed."""
        on_disk = self._files()
        known: dict[str, _State] = {}
        found: list[RunSummary] = []
        for name, n_bytes, changed_ns, text in self._connection.execute("SELECT * FROM run"):
            state = _State(n_bytes=n_bytes, changed_ns=changed_ns)
            if on_disk.get(name) == state:
                known[name] = state
                found.append(_summary(text))
        gone = [(name,) for name in self._names() if name not in on_disk]
        with self._connection:
            self._connection.executemany("DELETE FROM run WHERE name = ?", gone)
            for name, state in on_disk.items():
                if name not in known:
                    found.append(self._read(name, state))
        return sorted(found, key=lambda run: (run.created_ms, run.name), reverse=True)

    def totals(self) -> tuple[int, int]:
        """How many runs are in the index, and the bytes of their files."""
        row = self._connection.execute("SELECT count(*), sum(n_bytes) FROM run").fetchone()
        return int(row[0]), int(row[1] or 0)

    def put(self, summary: RunSummary) -> None:
        """Take a run whose file has just been written."""
        state = _state(self._folder / summary.name)
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
        return {
            path.name: _state(path)
            for path in self._folder.iterdir()
            if path.suffix == SUFFIX and path.is_file()
        }

    def _names(self) -> list[str]:
        with closing(self._connection.execute("SELECT name FROM run")) as rows:
            return [name for (name,) in rows]

    def _read(self, name: str, state: _State) -> RunSummary:
        path = self._folder / name
        try:
            summary = summary_of(read_run(path), name, state.n_bytes)
        except RunFileError as error:
            summary = RunSummary(
                name=name,
                n_bytes=state.n_bytes,
                fault=error.fault,
                created_ms=state.changed_ns // 1_000_000,
            )
        self._keep(summary, state)
        return summary

    def _keep(self, summary: RunSummary, state: _State) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?)",
            (summary.name, state.n_bytes, state.changed_ns, json.dumps(asdict(summary))),
        )


def _state(path: Path) -> _State:
    found = path.stat()
    return _State(n_bytes=found.st_size, changed_ns=found.st_mtime_ns)


def _summary(text: str) -> RunSummary:
    values = {name: value for name, value in json.loads(text).items() if name in _NAMES}
    if values["fault"] is not None:
        values["fault"] = RunFault(values["fault"])
    return RunSummary(**values)
