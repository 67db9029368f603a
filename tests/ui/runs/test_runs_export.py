"""The chosen runs are written as what the person asked for, or it is said why not."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet
from PySide6.QtGui import QImage

from app.runs.file import write_run
from app.runs.library import file_name
from tests.app.runs.making import recorded
from tests.ui.driving import click
from tests.waiting import WAIT_MS
from ui.runs.window import RunsWindow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.runs.library import RunLibrary
    from ui.main_window import MainWindow

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def shown(window: MainWindow, runs: RunLibrary, qtbot: QtBot) -> RunsWindow:
    """The window of runs with two runs, both chosen."""
    runs.folder.mkdir()
    for number, step_ms in enumerate((10, 40)):
        run = replace(
            recorded(step_ms=step_ms),
            run_id=f"{number:016x}",
            created_ms=1_700_000_000_000 + number,
            label=HOSTILE,
        )
        write_run(runs.folder / file_name(run), run)
    window.actions_.runs.trigger()
    found = window.findChild(RunsWindow)
    assert found is not None
    qtbot.waitUntil(lambda: len(found.model.rows) == 2, timeout=WAIT_MS)
    found.table.selectAll()
    qtbot.waitUntil(found.export_button.isEnabled, timeout=WAIT_MS)
    return found


@pytest.fixture
def export(
    shown: RunsWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Path]:
    """Presses the button, chooses a file, and waits until something is said of it."""

    def press(name: str) -> Path:
        path = tmp_path / name
        monkeypatch.setattr("ui.runs.window.choose_runs_file", lambda _parent: str(path))
        click(shown.export_button)
        qtbot.waitUntil(lambda: str(path) in shown.status.text(), timeout=WAIT_MS)
        return path

    return press


def test_tables_for_programs(export: Callable[[str], Path], shown: RunsWindow) -> None:
    rows = list(csv.DictReader(export("runs.csv").read_text().splitlines()))
    assert [row["decode_rate_tok_per_s"] for row in rows] == ["25.0", "100.0"]
    document = json.loads(export("runs.json").read_text())
    assert [len(run["stamps"]["step_t_ns"]) for run in document["runs"]] == [11, 11]
    table = parquet.read_table(export("runs.parquet"))
    assert table.column("decode_rate_tok_per_s").to_pylist() == [25.0, 100.0]
    assert shown.status.text().startswith("Written: ")


def test_the_plot_as_a_picture(export: Callable[[str], Path], shown: RunsWindow) -> None:
    svg = ElementTree.fromstring(export("plot.svg").read_bytes())
    lines = [element for element in svg.iter() if element.tag.endswith("polyline")]
    # Two curves of each of two runs; lines of the grid have two points.
    assert sum(len(line.get("points", "").split()) > 2 for line in lines) == 4
    words = "".join(svg.itertext())
    assert "Decode rate" in words
    assert HOSTILE in words
    # Round times, and all in one unit.
    assert "50\u202fms100\u202fms150\u202fms200\u202fms" in words.replace("\n", "")
    picture = QImage(str(export("plot.png")))
    assert picture.width() == 2000
    colors = {picture.pixelColor(x, y).name() for x in range(160, 1960, 3) for y in range(90, 580)}
    assert {run.color.name() for run in shown.plot.runs} <= colors


def test_the_report_needs_nothing_else_and_runs_nothing(export: Callable[[str], Path]) -> None:
    page = export("report.html").read_text()
    assert "100\u202ftok/s" in page
    # The median of the two rates, and the two.
    assert "62.5\u202ftok/s" in page
    assert "25.0\u202ftok/s – 100\u202ftok/s" in page
    assert "<polyline" in page
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
    for outside in ("src=", "<link", "url(", "@import"):
        assert outside not in page


def test_what_cannot_be_written_is_said(
    export: Callable[[str], Path], shown: RunsWindow, tmp_path: Path
) -> None:
    (tmp_path / "taken.csv").mkdir()
    export("taken.csv")
    assert "was not written" in shown.status.text()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_run_that_makes_the_page_fail_is_said(
    export: Callable[[str], Path], shown: RunsWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_runs: object) -> str:
        raise OverflowError("odd")

    monkeypatch.setattr("ui.runs.window.csv_text", fail)
    path = export("runs.csv")
    assert shown.status.text().startswith(f"{path} was not written: OverflowError: odd")
    assert not path.exists()
