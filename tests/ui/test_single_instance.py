"""A second start raises the window of the first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtNetwork import QLocalSocket

from app.paths import app_paths
from tests.waiting import WAIT_MS
from ui.single_instance import SingleInstance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).parents[2]

_HOLDS = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from ui.single_instance import SingleInstance
application = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
claimed = instance.claim()
instance.listen()
print(claimed, flush=True)
application.exec()
"""


_WAITS = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from ui.single_instance import SingleInstance
application = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
print(instance.claim(), flush=True)
print(instance.raise_first(None), flush=True)
instance.close()
"""


@pytest.fixture
def first(qapp: object) -> Iterator[SingleInstance]:
    instance = SingleInstance(app_paths().data_dir)
    assert instance.claim()
    instance.listen()
    yield instance
    instance.close()


def start_second(*arguments: str, cwd: Path = ROOT) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("with_model", [False, True])
def test_a_second_start_hands_its_model_over_and_ends(
    first: SingleInstance, qtbot: QtBot, tmp_path: Path, with_model: bool
) -> None:
    arguments = ["--model", "model 漢.gguf"] if with_model else []
    with qtbot.waitSignal(first.raised, timeout=WAIT_MS) as waiter:
        second = start_second(*arguments, cwd=tmp_path)
    output, errors = second.communicate()
    assert (second.returncode, errors) == (0, "")
    assert len(output.splitlines()) == 1
    assert "its window is open already" in output
    assert waiter.args == [str(tmp_path / "model 漢.gguf") if with_model else ""]


def test_one_that_does_not_answer_is_said(qapp: object, tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(app_paths().data_dir)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    os.kill(holder.pid, signal.SIGSTOP)
    second = start_second()
    _, errors = second.communicate()
    assert second.returncode == 1
    assert "running already and does not answer" in errors
    os.kill(holder.pid, signal.SIGKILL)
    holder.communicate()


def test_the_lock_of_a_process_that_was_killed_is_taken_over(
    qapp: object, qtbot: QtBot, tmp_path: Path
) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    mine = SingleInstance(tmp_path)
    assert not mine.claim()
    os.kill(holder.pid, signal.SIGKILL)
    holder.communicate()
    assert mine.claim()
    mine.listen()
    with qtbot.waitSignal(mine.raised, timeout=WAIT_MS):
        asker = subprocess.Popen(
            [sys.executable, "-c", _ASKS, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE
        )
    asker.communicate()
    mine.close()


_ASKS = """
import sys
from pathlib import Path
from ui.single_instance import SingleInstance
SingleInstance(Path(sys.argv[1])).raise_first(None)
"""


def test_a_folder_that_cannot_be_written_leaves_everybody_the_first(
    qapp: object, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert SingleInstance(tmp_path / "file" / "data").claim()


@pytest.mark.parametrize(
    "message", [b"nonsense\n", b"[1]\n", b'{"model": 3}\n', b"[" * 9_999 + b"\n", b"x" * 100_000]
)
def test_nonsense_does_no_harm(first: SingleInstance, qtbot: QtBot, message: bytes) -> None:
    heard: list[str] = []
    first.raised.connect(heard.append)
    socket = QLocalSocket()
    with qtbot.waitSignal(socket.disconnected, timeout=WAIT_MS):
        socket.connectToServer(first._name)
        socket.write(message)
    assert heard == []


def test_a_start_while_the_first_ends_waits_and_is_the_first_then(first: SingleInstance) -> None:
    first.stop_listening()
    folder = str(app_paths().data_dir)
    second = subprocess.Popen(
        [sys.executable, "-c", _WAITS, folder], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert second.stdout is not None
    assert second.stdout.readline() == "False\n"
    first.close()
    assert second.communicate(timeout=WAIT_MS / 1000)[0] == "None\n"


def test_a_first_that_never_answers_is_told_of(first: SingleInstance) -> None:
    first.stop_listening()
    assert SingleInstance(app_paths().data_dir).raise_first(None) is False
