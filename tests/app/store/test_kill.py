"""A process that is killed while it writes leaves a database that opens."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

_WRITER = """
import sys
from pathlib import Path
from app.store.database import Database
from app.store.records import ChatRecord, MessageRecord

database = Database(Path(sys.argv[1]))
number = int(sys.argv[2])
while True:
    number += 1
    database.begin(durable=True)
    chat = ChatRecord(chat_id=f"c{number}", title=f"chat {number}", created_ms=1, changed_ms=number)
    database.save_chat(chat)
    database.save_messages(
        chat.chat_id,
        [MessageRecord(message_id=f"m{number}", parent_id=None, role="user",
                       text="word " * 200 + str(number), created_ms=1)],
    )
    database.commit()
    print(number, flush=True)
"""


@pytest.mark.parametrize("n_lines", [1, 7, 40])
def test_all_that_was_said_to_be_written_is_there(tmp_path: Path, n_lines: int) -> None:
    path = tmp_path / "chats.sqlite3"
    n_written = 0
    for _ in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(n_written)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        for _ in range(n_lines):
            n_written = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        rest, _ = writer.communicate()
        # The last line may be cut.
        n_written = max([n_written, *(int(line) for line in rest.split("\n")[:-1])])

        connection = sqlite3.connect(path)
        try:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            connection.execute(
                "INSERT INTO message_text(message_text, rank) VALUES ('integrity-check', 1)"
            )
            numbers = [n for (n,) in connection.execute("SELECT changed_ms FROM chat ORDER BY 1")]
            assert numbers[:n_written] == list(range(1, n_written + 1))
            assert connection.execute("SELECT count(*) FROM message").fetchone() == (len(numbers),)
        finally:
            connection.close()
        n_written = len(numbers)


_STREAMER = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from app.library import ChatLibrary
from app.store.thread import StoreThread
from app.transcript import Answer, AnswerPhase, UserTurn
from engine.figures import RequestTrace

application = QCoreApplication([])
store = StoreThread(Path(sys.argv[1]))
library = ChatLibrary(store)
chat = library.new_chat()
answer = Answer(trace=RequestTrace(1, 0), phase=AnswerPhase.DECODE)

def grow():
    answer.text += "word "
    library.note_change(answer)
    print(len(answer.text), time.monotonic_ns(), flush=True)

def begin():
    library.add_turn(chat, UserTurn(text="Why?"))
    library.add_turn(chat, answer)
    timer.start(5)

timer = QTimer()
timer.timeout.connect(grow)
store.opened.connect(begin)
store.start()
application.exec()
"""
_S = 1_000_000_000
# Beside the second between writes: what the write itself and a busy machine may take.
_SLACK_NS = _S


def _has_messages(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        found: tuple[int] = connection.execute("SELECT count(*) FROM message").fetchone()
    return found == (2,)


@pytest.mark.parametrize("n_lines", [150, 420])
def test_a_crash_while_an_answer_streams_loses_its_last_second_at_most(
    tmp_path: Path, n_lines: int
) -> None:
    path = tmp_path / "chats.sqlite3"
    streamer = subprocess.Popen(
        [sys.executable, "-c", _STREAMER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert streamer.stdout is not None
    said = [streamer.stdout.readline() for _ in range(n_lines)]
    while not _has_messages(path):
        said.append(streamer.stdout.readline())
    os.kill(streamer.pid, signal.SIGKILL)
    rest, _ = streamer.communicate()
    said += rest.splitlines(keepends=True)
    grown = [tuple(map(int, line.split())) for line in said if line.endswith("\n")]
    t_end_ns = grown[-1][1]
    n_old = max((n for n, t_ns in grown if t_ns < t_end_ns - _S - _SLACK_NS), default=0)

    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        texts = dict(connection.execute("SELECT role, text FROM message"))
    finally:
        connection.close()
    assert texts["user"] == "Why?"
    assert texts["assistant"] == "word " * (len(texts["assistant"]) // 5)
    assert len(texts["assistant"]) >= n_old
    if n_lines > 400:
        assert n_old > 0
