"""A library and what it says of its database."""

import ctypes
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

from app.library import ChatLibrary
from app.store.thread import StoreThread
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from app.messages import UserMessage

_CAPABILITY_VERSION_3 = 0x20080522
# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
_MAY_PASS_PERMISSIONS = 1 << 1 | 1 << 2


class Watched:
    """A library and what it says."""

    def __init__(self, store: StoreThread) -> None:
        self.store = store
        self.library = ChatLibrary(store)
        store.setParent(self.library)
        self.said: list[UserMessage] = []
        self.unkept: list[UserMessage | None] = []
        self.library.message_raised.connect(self.said.append)
        self.library.unkept_changed.connect(self.unkept.append)


Watch = Callable[..., Watched]


def wait_until_written(watched: Watched, qtbot: QtBot) -> None:
    """Until all that was said so far is in the file."""
    numbers: list[int] = []
    with qtbot.waitSignal(
        watched.store.answered,
        timeout=WAIT_MS,
        # Something else may have been asked before.
        check_params_cb=lambda number, _: number in numbers,
    ):
        numbers.append(watched.store.ask(lambda database: None))


def rows(path: Path, table: str) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        connection.close()


def obey_permissions() -> None:
    """Let permissions hold for the thread that calls, as they do for anybody but root."""
    if os.geteuid() != 0:
        return
    if sys.platform != "linux":
        pytest.skip("permissions do not hold for root")
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    capabilities = (ctypes.c_uint32 * 6)()
    assert libc.capget(header, capabilities) == 0
    capabilities[0] &= ~_MAY_PASS_PERMISSIONS
    assert libc.capset(header, capabilities) == 0
