from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.library import ChatLibrary
from app.store.database import Database
from app.store.import_reader import ImportReader
from app.store.import_source import Report
from app.store.importing import ImportedFile, read_file
from app.store.thread import StoreThread
from tests.app.store.watched import Watch, Watched
from tests.waiting import WAIT_MS

OpenLibrary = Callable[[], ChatLibrary]


@pytest.fixture
def database_file(tmp_path: Path) -> Path:
    """The database of one test; not there yet."""
    return tmp_path / "data" / "oscillama.sqlite3"


@pytest.fixture
def open_library(qtbot: QtBot, database_file: Path) -> Iterator[OpenLibrary]:
    """Opens the library on the test's database, as the application does when it starts."""
    opened: list[ChatLibrary] = []

    def open_it() -> ChatLibrary:
        store = StoreThread(database_file)
        library = ChatLibrary(store)
        store.setParent(library)
        with qtbot.waitSignal(store.opened, timeout=WAIT_MS):
            store.start()
        opened.append(library)
        return library

    yield open_it
    for library in opened:
        library.close()


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports are read without a process of their own, which takes a second to start."""

    def read(_: ImportReader, path: Path, report: Report) -> ImportedFile:
        return read_file(path, report)

    monkeypatch.setattr(ImportReader, "read", read)


@pytest.fixture
def watch(qapp: object, database_file: Path) -> Iterator[Watch]:
    made: list[Watched] = []

    def watch_it(
        open_database: Callable[[Path], Database] = Database,
        *,
        path: Path = database_file,
        check_after_s: float = 60,
    ) -> Watched:
        store = StoreThread(
            path, open_database=open_database, retry_s=0.05, check_after_s=check_after_s
        )
        made.append(Watched(store))
        store.start()
        return made[-1]

    yield watch_it
    for watched in made:
        watched.library.close()
