from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.library import ChatLibrary
from app.store.thread import StoreThread
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
