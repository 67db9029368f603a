"""The folder of runs: listed, labelled, deleted with undo, bounded, and made again when damaged."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.runs.file import read_run, write_run
from app.runs.index import RunIndex
from app.runs.library import MOST_BYTES, MOST_RUNS, RunLibrary, file_name
from app.runs.record import RunFault, RunRecord, RunSummary
from app.runs.summary import summary_of
from tests.app.runs.making import recorded
from tests.waiting import WAIT_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot


def run(number: int, *, label: str = "") -> RunRecord:
    return replace(
        recorded(n_steps=10 + number),
        run_id=f"{number:016x}",
        created_ms=1_700_000_000_000 + number * 1000,
        label=label,
    )


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[..., RunLibrary]]:
    """Opens libraries of one folder, and lists them."""
    made: list[RunLibrary] = []

    def make(most_bytes: int = MOST_BYTES, most_runs: int = MOST_RUNS) -> RunLibrary:
        folder = tmp_path / "runs"
        library = RunLibrary(folder, most_bytes=most_bytes, most_runs=most_runs)
        made.append(library)
        library.refresh()
        qtbot.waitUntil(lambda: library.is_listed, timeout=WAIT_MS)
        return library

    yield make
    for library in made:
        library.close()


def record(qtbot: QtBot, library: RunLibrary, *runs: RunRecord) -> None:
    for made in runs:
        library.record(made)
    names = {file_name(made) for made in runs}
    qtbot.waitUntil(lambda: names <= {known.name for known in library.runs}, timeout=WAIT_MS)


def labels(library: RunLibrary) -> list[str]:
    return [known.label for known in library.runs]


def tokens(library: RunLibrary) -> list[int | None]:
    return [known.n_output_tokens for known in library.runs]


def test_runs_are_listed_newest_first_and_again_after_a_restart(
    opened: Callable[..., RunLibrary], qtbot: QtBot
) -> None:
    library = opened()
    record(qtbot, library, run(1), run(2))
    assert tokens(library) == [12, 11]
    library.close()
    assert tokens(opened()) == [12, 11]


def test_a_run_that_is_known_better_later_is_one_run(
    opened: Callable[..., RunLibrary], qtbot: QtBot
) -> None:
    library = opened()
    record(qtbot, library, run(1))
    library.label([file_name(run(1))], "mine")
    qtbot.waitUntil(lambda: labels(library) == ["mine"], timeout=WAIT_MS)
    library.record(replace(run(1), felt_ttft_ns=5))
    library.close()
    assert labels(library) == ["mine"]
    assert read_run(library.folder / file_name(run(1))).felt_ttft_ns == 5
    assert read_run(library.folder / file_name(run(1))).label == "mine"


def test_a_label_outlives_a_state_that_was_handed_on_before_it_is_told(
    opened: Callable[..., RunLibrary], qtbot: QtBot
) -> None:
    library = opened()
    record(qtbot, library, run(1))
    library.label([file_name(run(1))], "first")
    library.record(replace(run(1), felt_ttft_ns=5))
    library.label([file_name(run(1))], "second")
    library.record(replace(run(1), felt_ttft_ns=6))
    # Nothing of all this has come back yet.
    assert labels(library) == [""]
    qtbot.waitUntil(lambda: labels(library) == ["second"], timeout=WAIT_MS)
    library.close()
    kept = read_run(library.folder / file_name(run(1)))
    assert (kept.label, kept.felt_ttft_ns) == ("second", 6)
    assert labels(opened()) == ["second"]


def test_what_is_deleted_comes_back_until_that_is_over(
    opened: Callable[..., RunLibrary], qtbot: QtBot
) -> None:
    library = opened()
    record(qtbot, library, run(1), run(2))
    said: list[int] = []
    library.deleted.connect(said.append)
    library.delete([file_name(run(1))])
    assert tokens(library) == [12]
    assert (library.folder / file_name(run(1))).exists()
    library.undo_delete()
    assert tokens(library) == [12, 11]
    library.delete([file_name(run(1))])
    # What comes a moment after the end brings nothing back.
    library.record(replace(run(1), felt_ttft_ns=5))
    library.finish_delete()
    library.record(replace(run(1), felt_ttft_ns=5))
    library.close()
    assert said == [1, 0, 1, 0]
    assert sorted(path.name for path in library.folder.glob("*.npz")) == [file_name(run(2))]
    assert tokens(opened()) == [12]


def test_the_oldest_without_a_label_go_first(
    opened: Callable[..., RunLibrary], qtbot: QtBot
) -> None:
    library = opened(most_runs=4)
    record(qtbot, library, run(1, label="kept"), *(run(number) for number in range(2, 6)))
    assert tokens(library) == [15, 14, 13, 12, 11]
    library.record(run(6))
    library.close()
    # Below what is allowed, so that room is not made after every answer.
    names = sorted(path.name for path in library.folder.glob("*.npz"))
    assert names == [file_name(run(number)) for number in (1, 4, 5, 6)]


def test_bytes_are_bounded_too(opened: Callable[..., RunLibrary], qtbot: QtBot) -> None:
    library = opened(most_bytes=9_000)
    for number in range(1, 12):
        library.record(run(number))
    library.close()
    kept = sorted(library.folder.glob("*.npz"))
    assert sum(path.stat().st_size for path in kept) <= 9_000
    assert kept[-1].name == file_name(run(11))


def test_files_that_come_go_or_are_refused_are_seen_at_the_next_listing(
    opened: Callable[..., RunLibrary], qtbot: QtBot
) -> None:
    library = opened()
    record(qtbot, library, run(1), run(2))
    library.close()
    (library.folder / file_name(run(1))).unlink()
    write_run(library.folder / "from-elsewhere.npz", run(3))
    (library.folder / "broken.npz").write_bytes(b"PK")
    again = opened()
    found = {known.name: known for known in again.runs}
    assert set(found) == {file_name(run(2)), "from-elsewhere.npz", "broken.npz"}
    assert found["from-elsewhere.npz"].n_output_tokens == 13
    assert found["broken.npz"].fault is RunFault.DAMAGED


def test_a_file_that_fails_in_a_way_nobody_thought_of_costs_no_other(
    opened: Callable[..., RunLibrary], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "runs").mkdir()
    for number in (1, 2, 3):
        write_run(tmp_path / "runs" / file_name(run(number)), run(number))

    def odd(record: RunRecord, name: str, n_bytes: int) -> RunSummary:
        summary = summary_of(record, name, n_bytes)
        match summary.n_output_tokens:
            case 12:
                raise AttributeError("odd")
            case 13:
                # SQLite takes no such number.
                return replace(summary, ttft_ns=1 << 70)
        return summary

    monkeypatch.setattr("app.runs.index.summary_of", odd)
    library = opened()
    faults = {known.name: known.fault for known in library.runs}
    assert faults == {
        file_name(run(1)): None,
        file_name(run(2)): RunFault.DAMAGED,
        file_name(run(3)): RunFault.DAMAGED,
    }


@pytest.mark.skipif(sys.platform != "linux", reason="others take no such names")
def test_what_is_no_file_costs_no_other(opened: Callable[..., RunLibrary], tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    write_run(folder / file_name(run(1)), run(1))
    (folder / "loop.npz").symlink_to("loop.npz")
    (folder / "nowhere.npz").symlink_to("missing")
    (folder / "folder.npz").mkdir()
    write_run(folder / os.fsdecode(b"\xff.npz"), run(2))
    assert [known.name for known in opened().runs] == [file_name(run(1))]
    index = RunIndex(folder)
    assert index.read(["gone.npz", "loop.npz"]) == []
    index.close()


def test_many_files_are_listed_in_parts_and_each_once(
    opened: Callable[..., RunLibrary], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "runs").mkdir()
    for number in range(1, 6):
        write_run(tmp_path / "runs" / file_name(run(number)), run(number))
    monkeypatch.setattr("app.runs.library._PART", 2)
    library = RunLibrary(tmp_path / "runs")
    counts: list[int] = []
    parts: list[int] = []
    library.changed.connect(lambda: counts.append(library.n_runs))
    library._put.connect(lambda part: parts.append(len(part)))
    library.refresh()
    qtbot.waitUntil(lambda: library.is_listed, timeout=WAIT_MS)
    library.close()
    assert parts == [0, 2, 2]
    assert counts == [0, 2, 4, 5]


@pytest.mark.parametrize("damage", [b"", b"no database at all", None])
def test_a_lost_or_damaged_index_is_made_again(
    opened: Callable[..., RunLibrary], qtbot: QtBot, damage: bytes | None
) -> None:
    library = opened()
    record(qtbot, library, run(1, label="kept"), run(2))
    library.close()
    index = library.folder / "index.sqlite3"
    for beside in library.folder.glob("index.sqlite3-*"):
        beside.unlink()
    index.unlink()
    if damage is not None:
        index.write_bytes(damage)
    assert labels(opened()) == ["", "kept"]


def test_a_folder_that_cannot_be_used_is_told_once_and_costs_nothing_else(
    qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "runs"
    folder.write_text("a file in its place")
    library = RunLibrary(folder)
    said: list[str] = []
    library.failed.connect(said.append)
    library.record(run(1))
    library.record(run(2))
    qtbot.waitUntil(lambda: len(said) == 1, timeout=WAIT_MS)
    with qtbot.waitSignal(library.failed, timeout=WAIT_MS):
        folder.unlink()
        library.record(run(3))
    library.close()
    assert said[1:] == [""]
    assert tokens(library) == [13]


def test_a_run_that_is_not_written_for_a_reason_nobody_thought_of_is_told(
    opened: Callable[..., RunLibrary], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    library = opened()

    def odd(_path: Path, _record: RunRecord) -> int:
        raise ValueError("odd")

    with monkeypatch.context() as patched:
        patched.setattr("app.runs.file.write_run", odd)
        with qtbot.waitSignal(library.failed, timeout=WAIT_MS) as told:
            library.record(run(1))
    assert told.args == ["ValueError: odd"]
    with qtbot.waitSignal(library.failed, timeout=WAIT_MS) as told:
        library.record(run(2))
    assert told.args == [""]


def test_a_run_is_read_in_the_background(opened: Callable[..., RunLibrary], qtbot: QtBot) -> None:
    library = opened()
    record(qtbot, library, run(1))
    found: dict[int, object] = {}
    library.read.connect(lambda number, answer: found.update({number: answer}))
    good, bad = library.ask(file_name(run(1))), library.ask("missing.npz")
    qtbot.waitUntil(lambda: len(found) == 2, timeout=WAIT_MS)
    assert isinstance(found[good], RunRecord)
    assert found[bad] is RunFault.UNREADABLE
