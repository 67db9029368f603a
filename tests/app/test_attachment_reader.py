"""Files are read in processes that can be stopped, and that are stopped when they take too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.attachment_reader import AttachmentReader
from app.attachments import Attachment
from app.file_text import FileProblemError, Problem
from tests.pdfs import write_pdf, write_slow
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    Make = Callable[..., AttachmentReader]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    made: list[AttachmentReader] = []

    def make_it(*, most_ms: int = WAIT_MS, most_memory_bytes: int = 1 << 30) -> AttachmentReader:
        made.append(AttachmentReader(most_ms=most_ms, most_memory_bytes=most_memory_bytes))
        return made[-1]

    yield make_it
    for reader in made:
        reader.close()
        reader.deleteLater()


def outcomes(reader: AttachmentReader) -> dict[int, Attachment | FileProblemError]:
    found: dict[int, Attachment | FileProblemError] = {}
    reader.read.connect(found.__setitem__)
    reader.failed.connect(found.__setitem__)
    return found


def test_many_files_are_all_read(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    reader = make()
    found = outcomes(reader)
    numbers = []
    for index in range(5):
        path = tmp_path / f"{index} é.txt"
        path.write_text(f"text {index}\n" * 20_000, encoding="utf-8")
        numbers.append(reader.begin(str(path)))
    numbers.append(reader.begin(str(tmp_path / "gone")))
    qtbot.waitUntil(lambda: len(found) == 6, timeout=WAIT_MS)
    for index, number in enumerate(numbers[:5]):
        outcome = found[number]
        assert isinstance(outcome, Attachment)
        assert outcome.name == f"{index} é.txt"
        assert outcome.text == f"text {index}\n" * 20_000
    last = found[numbers[5]]
    assert isinstance(last, FileProblemError)
    assert last.problem is Problem.GONE


def test_a_name_that_is_not_utf8_is_read(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "t\udce9st.txt"
    try:
        path.write_text("coffee")
    except OSError:
        pytest.skip("this system has no such names")
    reader = make()
    found = outcomes(reader)
    # As the system has it, and as Qt gives it.
    numbers = [reader.begin(str(path)), reader.begin(str(tmp_path / "t\ufffdst.txt"))]
    qtbot.waitUntil(lambda: len(found) == 2, timeout=WAIT_MS)
    for number in numbers:
        outcome = found[number]
        assert isinstance(outcome, Attachment)
        assert (outcome.name, outcome.text) == ("t\ufffdst.txt", "coffee")


def test_a_long_pdf_tells_how_far_it_is_and_can_be_stopped(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    reader = make()
    found = outcomes(reader)
    path = write_slow(tmp_path / "slow.pdf")
    with qtbot.waitSignal(reader.progressed, timeout=WAIT_MS) as waiter:
        number = reader.begin(str(path))
    assert waiter.args == [number, 1, 400]
    reader.cancel(number)
    short = reader.begin(str(write_pdf(tmp_path / "short.pdf", ["x"])))
    qtbot.waitUntil(lambda: short in found, timeout=WAIT_MS)
    assert number not in found


def test_what_takes_too_long_is_ended(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    reader = make(most_ms=500)
    found = outcomes(reader)
    number = reader.begin(str(write_slow(tmp_path / "slow.pdf")))
    qtbot.waitUntil(lambda: number in found, timeout=WAIT_MS)
    outcome = found[number]
    assert isinstance(outcome, FileProblemError)
    assert outcome.problem is Problem.TOO_SLOW


def test_what_takes_too_much_memory_is_ended(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    reader = make(most_memory_bytes=1)
    found = outcomes(reader)
    number = reader.begin(str(write_slow(tmp_path / "slow.pdf")))
    qtbot.waitUntil(lambda: number in found, timeout=WAIT_MS)
    outcome = found[number]
    assert isinstance(outcome, FileProblemError)
    assert outcome.problem is Problem.TOO_MUCH_MEMORY


def test_a_reader_that_dies_is_told(
    make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = make()
    found = outcomes(reader)
    monkeypatch.setattr("app.attachment_reader.sys.executable", str(tmp_path / "no-python"))
    number = reader.begin(str(tmp_path / "a.txt"))
    qtbot.waitUntil(lambda: number in found, timeout=WAIT_MS)
    outcome = found[number]
    assert isinstance(outcome, FileProblemError)
    assert outcome.problem is Problem.NO_PROCESS


def test_closing_ends_what_runs(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    reader = make()
    found = outcomes(reader)
    with qtbot.waitSignal(reader.progressed, timeout=WAIT_MS):
        for index in range(3):
            reader.begin(str(write_slow(tmp_path / f"{index}.pdf")))
    reader.close()
    reader.close()
    assert not found
