"""What a device reaches is measured by a real process, kept, and never believed blindly."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.ceilings import CeilingStore
from engine.ceilings.measure import CannotMeasureReason
from engine.ceilings.values import METHOD, Ceilings
from engine.machine import cpu_name
from tests.waiting import WAIT_MS

ROOT = Path(__file__).parents[2]
DEEP = b"[" * 100_000
KEPT = Ceilings(
    machine=cpu_name(),
    device="CPU",
    read_bytes_per_s=12.5e9,
    read_threads=2,
    matrix_flop_per_s=(("float32", 40e9),),
    others_ratio=0.02,
    measured_ms=1_700_000_000_000,
)


@pytest.fixture
def store(qapp: object, tmp_path: Path) -> Iterator[CeilingStore]:
    store = CeilingStore(tmp_path, ROOT)
    yield store
    store.close()


def problem_of(store: CeilingStore) -> CannotMeasureReason | None:
    """What changes while nobody here sees it."""
    return store.problem


def keep(folder: Path, *entries: object) -> None:
    (folder / "ceilings.json").write_text(json.dumps(list(entries)))


def test_a_measurement_is_there_after_a_restart(
    store: CeilingStore, tmp_path: Path, qtbot: QtBot
) -> None:
    assert store.of_device("CPU") is None
    store.measure("CPU")
    assert store.measuring == "CPU"
    qtbot.waitUntil(lambda: store.measuring is None, timeout=WAIT_MS)
    measured = store.of_device("CPU")
    assert measured is not None
    assert measured.read_bytes_per_s > 1e9
    assert store.problem is None
    assert CeilingStore(tmp_path, ROOT).of_device("CPU") == measured


def test_a_device_that_cannot_be_measured_says_why(store: CeilingStore, qtbot: QtBot) -> None:
    store.measure("NoSuch 9000")
    qtbot.waitUntil(lambda: store.measuring is None, timeout=WAIT_MS)
    assert store.problem in (CannotMeasureReason.NO_DEVICE, CannotMeasureReason.NO_TORCH)
    assert store.of_device("NoSuch 9000") is None


def test_a_process_that_cannot_start_says_why(qapp: object, tmp_path: Path, qtbot: QtBot) -> None:
    store = CeilingStore(tmp_path, ROOT, python=str(tmp_path / "no-python"))
    store.measure("CPU")
    qtbot.waitUntil(lambda: store.measuring is None, timeout=WAIT_MS)
    assert store.problem is CannotMeasureReason.FAILED


def test_closing_ends_a_measurement(qapp: object, tmp_path: Path) -> None:
    store = CeilingStore(tmp_path, ROOT)
    store.measure("CPU")
    store.close()
    assert store.measuring is None
    assert not (tmp_path / "ceilings.json").exists()


def test_a_measurement_that_is_cancelled_is_not_kept_and_another_may_begin(
    store: CeilingStore, tmp_path: Path, qtbot: QtBot
) -> None:
    changes: list[str | None] = []
    store.changed.connect(lambda: changes.append(store.measuring))
    store.measure("CPU")
    store.cancel()
    store.cancel()
    assert changes == ["CPU", None]
    assert problem_of(store) is CannotMeasureReason.INTERRUPTED
    assert store.of_device("CPU") is None
    assert not (tmp_path / "ceilings.json").exists()
    store.measure("NoSuch 9000")
    assert problem_of(store) is None
    qtbot.waitUntil(lambda: store.measuring is None, timeout=WAIT_MS)
    assert problem_of(store) in (CannotMeasureReason.NO_DEVICE, CannotMeasureReason.NO_TORCH)
    assert store.of_device("CPU") is None


def print_instead_of_measuring(root: Path, line: str) -> None:
    folder = root / "engine" / "ceilings"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "measure.py").write_text(f"print({line!r})")


def test_output_that_is_no_measurement_is_a_problem(
    qapp: object, tmp_path: Path, qtbot: QtBot
) -> None:
    print_instead_of_measuring(tmp_path, "[1, 2")
    store = CeilingStore(tmp_path / "cache", tmp_path, python=sys.executable)
    store.measure("CPU")
    qtbot.waitUntil(lambda: store.measuring is None, timeout=WAIT_MS)
    assert store.problem is CannotMeasureReason.FAILED


@pytest.mark.parametrize(
    ("kept_ratio", "new_ratio", "is_kept"),
    [(0.01, 0.88, True), (0.01, 0.02, False), (0.3, 0.88, False), (None, 0.88, True)],
)
def test_what_other_work_disturbed_takes_the_place_of_nothing_better(
    qapp: object,
    tmp_path: Path,
    qtbot: QtBot,
    kept_ratio: float | None,
    new_ratio: float,
    is_kept: bool,
) -> None:
    earlier = replace(KEPT, others_ratio=kept_ratio)
    later = replace(KEPT, read_bytes_per_s=7e9, others_ratio=new_ratio)
    keep(tmp_path, asdict(earlier))
    print_instead_of_measuring(tmp_path, json.dumps(asdict(later)))
    store = CeilingStore(tmp_path, tmp_path, python=sys.executable)
    store.measure("CPU")
    qtbot.waitUntil(lambda: store.measuring is None, timeout=WAIT_MS)
    assert store.problem is (CannotMeasureReason.DISTURBED if is_kept else None)
    expected = earlier if is_kept else later
    assert store.of_device("CPU") == expected
    assert CeilingStore(tmp_path, ROOT).of_device("CPU") == expected


def test_what_was_kept_is_read(qapp: object, tmp_path: Path) -> None:
    keep(tmp_path, asdict(KEPT))
    assert CeilingStore(tmp_path, ROOT).of_device("CPU") == KEPT


@pytest.mark.parametrize(
    "wrong",
    [
        {"machine": "another processor"},
        {"method": METHOD - 1},
        {"read_bytes_per_s": -1},
        {"read_bytes_per_s": "fast"},
        {"read_bytes_per_s": float("nan")},
        {"matrix_flop_per_s": [["float32", 0]]},
        {"matrix_flop_per_s": [1, 2]},
        {"read_threads": []},
        {"others_ratio": 1.5},
        {"others_ratio": float("nan")},
        {"measured_ms": float("inf")},
        {"measured_ms": 10**30},
        {"measured_ms": -1},
        {"read_bytes_per_s": 10**400},
        {"read_bytes_per_s": 1e300},
        {"matrix_flop_per_s": [["float32", 1e-300]]},
        {"read_threads": float("inf")},
        {"machine": [[]]},
    ],
)
def test_what_is_of_another_machine_or_impossible_is_not_believed(
    qapp: object, tmp_path: Path, wrong: dict[str, object]
) -> None:
    keep(tmp_path, asdict(KEPT) | wrong, 7, {"device": "CPU"})
    assert CeilingStore(tmp_path, ROOT).of_device("CPU") is None


def test_what_was_kept_before_methods_had_a_number_is_measured_anew(
    qapp: object, tmp_path: Path
) -> None:
    keep(tmp_path, {name: value for name, value in asdict(KEPT).items() if name != "method"})
    assert CeilingStore(tmp_path, ROOT).of_device("CPU") is None


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"{}", b"[", b"null", pytest.param(DEEP, id="deep")]
)
def test_a_damaged_file_is_as_good_as_none(qapp: object, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ceilings.json").write_bytes(content)
    assert CeilingStore(tmp_path, ROOT).of_device("CPU") is None
