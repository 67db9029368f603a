"""Work that leaves a turn of the event loop to what was done in it already."""

from __future__ import annotations

from time import thread_time
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QObject, QTimer

from tests.waiting import WAIT_MS
from ui.loop_turn import LoopTurn

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def work_hard(seconds: float) -> None:
    """Use the processor for so long, however many others use it too."""
    end_s = thread_time() + seconds
    while thread_time() < end_s:
        pass


def let_turns_pass() -> None:
    """So many that what was done before them counts no more."""
    for _ in range(10):
        QCoreApplication.processEvents()


def test_work_is_done_at_once_where_there_is_room(qtbot: QtBot) -> None:
    done: list[str] = []
    owner = QObject()
    turn = LoopTurn(lambda: done.append("work"), owner)
    let_turns_pass()
    turn.take()
    assert done == ["work"]
    assert not turn.is_waiting


def test_work_waits_for_another_turn_where_much_was_done(qtbot: QtBot) -> None:
    done: list[str] = []
    owner = QObject()
    turn = LoopTurn(lambda: done.append("work"), owner)
    work_hard(0.05)
    turn.take()
    turn.take()
    assert done == []
    assert turn.is_waiting
    qtbot.waitUntil(lambda: not turn.is_waiting, timeout=WAIT_MS)
    assert done == ["work"]


def test_what_was_done_in_the_turn_before_counts_too(qtbot: QtBot) -> None:
    done: list[str] = []
    owner = QObject()
    turn = LoopTurn(lambda: done.append("work"), owner)
    let_turns_pass()
    work_hard(0.05)
    QCoreApplication.processEvents()
    turn.take()
    assert done == []
    qtbot.waitUntil(lambda: done == ["work"], timeout=WAIT_MS)


def test_work_is_done_although_every_turn_is_full(qtbot: QtBot) -> None:
    done: list[str] = []
    owner = QObject()
    turn = LoopTurn(lambda: done.append("work"), owner)
    busy = QTimer(owner)
    busy.timeout.connect(lambda: work_hard(0.03))
    busy.start(0)
    work_hard(0.03)
    turn.take()
    assert done == []
    qtbot.waitUntil(lambda: done == ["work"], timeout=WAIT_MS)
    busy.stop()


def test_work_that_is_put_off_is_not_done_in_this_turn(qtbot: QtBot) -> None:
    done: list[str] = []
    owner = QObject()
    turn = LoopTurn(lambda: done.append("work"), owner)
    let_turns_pass()
    turn.put_off()
    assert done == []
    qtbot.waitUntil(lambda: done == ["work"], timeout=WAIT_MS)


def test_each_turn_calls_one_clock_however_many_wait(qtbot: QtBot) -> None:
    owner = QObject()
    dispatcher = QAbstractEventDispatcher.instance()
    assert dispatcher is not None
    LoopTurn(lambda: None, owner)
    n_called = dispatcher.receivers("2awake()")
    for _ in range(100):
        LoopTurn(lambda: None, owner)
    assert n_called > 0
    assert dispatcher.receivers("2awake()") == n_called
