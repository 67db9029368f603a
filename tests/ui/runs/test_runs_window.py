"""The window of runs: filter, sort, label, delete with undo, compare, and lay over each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.runs.file import write_run
from app.runs.library import file_name
from tests.app.runs.making import recorded, sample
from tests.ui.driving import CONTROL, SHIFT, click, press
from tests.ui.fakes import loaded_model
from tests.waiting import WAIT_MS
from ui.format import UNKNOWN
from ui.name_dialog import NameDialog
from ui.runs.columns import Column, words_of
from ui.runs.drawing import Curve
from ui.runs.window import RunsWindow
from ui.timeline.window import TimelineWindow

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.runs.library import RunLibrary
    from ui.main_window import MainWindow

COLUMNS = list(Column)


def keep(
    folder: Path, number: int, *, step_ms: int, label: str = "", quantization: str = "Q4_1"
) -> None:
    folder.mkdir(exist_ok=True)
    loaded = loaded_model()
    path = f"/models/SmolLM2-135M-Instruct.{quantization}.gguf"
    loaded = replace(loaded, model=replace(loaded.model, path=path, quantization=quantization))
    run = replace(
        recorded(n_steps=10 + number, step_ms=step_ms, loaded=loaded, samples=(sample(0),)),
        run_id=f"{number:016x}",
        created_ms=1_700_000_000_000 + number * 1000,
        label=label,
    )
    write_run(folder / file_name(run), run)


@pytest.fixture
def shown(window: MainWindow, runs: RunLibrary, qtbot: QtBot) -> RunsWindow:
    """The window of runs with four runs and a damaged one, opened by its shortcut."""
    keep(runs.folder, 1, step_ms=20)
    keep(runs.folder, 2, step_ms=10, label="on battery")
    keep(runs.folder, 3, step_ms=40)
    keep(runs.folder, 4, step_ms=5, quantization="Q8_0")
    (runs.folder / "broken.npz").write_bytes(b"PK")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=WAIT_MS)
    press(window, Qt.Key.Key_M, CONTROL | SHIFT)
    found = window.findChild(RunsWindow)
    assert found is not None
    qtbot.waitUntil(lambda: len(found.model.rows) == 5, timeout=WAIT_MS)
    return found


def cell(shown: RunsWindow, row: int, column: Column) -> str:
    return str(shown.model.index(row, COLUMNS.index(column)).data())


def column(shown: RunsWindow, wanted: Column) -> list[str]:
    return [cell(shown, row, wanted) for row in range(shown.model.rowCount())]


def sort_by(shown: RunsWindow, wanted: Column, order: Qt.SortOrder) -> None:
    shown.table.sortByColumn(COLUMNS.index(wanted), order)


def choose(shown: RunsWindow, qtbot: QtBot, *rows: int) -> None:
    table = shown.table
    table.clearSelection()
    for row in rows:
        place = table.visualRect(shown.model.index(row, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, CONTROL, place)
    readable = [row for row in rows if shown.model.rows[row].fault is None]
    qtbot.waitUntil(lambda: len(shown.plot.runs) == len(readable), timeout=WAIT_MS)


def test_runs_are_listed_with_their_figures_the_newest_first(shown: RunsWindow) -> None:
    assert column(shown, Column.TOKENS) == ["", "100 + 14", "100 + 13", "100 + 12", "100 + 11"]
    assert cell(shown, 3, Column.MODEL) == "SmolLM2-135M-Instruct"
    assert cell(shown, 3, Column.QUANTIZATION) == "Q4_1"
    assert cell(shown, 3, Column.DEVICE) == "CPU"
    assert cell(shown, 3, Column.TTFT) == "107\u202fms"
    assert cell(shown, 3, Column.PREFILL_RATE) == "400\u202ftok/s"
    assert cell(shown, 3, Column.DECODE_RATE) == "100\u202ftok/s"
    assert cell(shown, 3, Column.ITL_P95) == "10.0\u202fms"
    assert cell(shown, 3, Column.ENERGY) == UNKNOWN
    assert cell(shown, 3, Column.LABEL) == "on battery"


def test_names_and_dates_are_for_people_and_columns_fit(shown: RunsWindow) -> None:
    assert cell(shown, 3, Column.ENGINE) == "llama.cpp"
    # In the time of this machine, which may be a day off.
    assert cell(shown, 3, Column.DATE)[:9] == "2023-11-1"
    assert len(cell(shown, 3, Column.DATE)) == len("2023-11-14 22:13")
    table = shown.table
    # Nothing is known of energy here.
    assert table.isColumnHidden(COLUMNS.index(Column.ENERGY))
    room = table.columnWidth(COLUMNS.index(Column.TOKENS))
    assert table.fontMetrics().horizontalAdvance("131,072 + 4,096") + 12 < room
    shown.resize(1264, 736)
    assert table.horizontalScrollBar().maximum() == 0


def test_a_file_that_is_refused_says_why(shown: RunsWindow) -> None:
    assert cell(shown, 0, Column.MODEL).startswith("Damaged or cut short")
    assert cell(shown, 0, Column.DECODE_RATE) == ""
    # It stands where the figures would.
    assert shown.table.columnSpan(0, 0) == COLUMNS.index(Column.DATE)


def test_sorting_puts_the_unknown_last_both_ways(shown: RunsWindow) -> None:
    rates = ["25.0\u202ftok/s", "50.0\u202ftok/s", "100\u202ftok/s", "200\u202ftok/s"]
    sort_by(shown, Column.DECODE_RATE, Qt.SortOrder.AscendingOrder)
    assert column(shown, Column.DECODE_RATE) == [*rates, ""]
    sort_by(shown, Column.DECODE_RATE, Qt.SortOrder.DescendingOrder)
    assert column(shown, Column.DECODE_RATE) == [*rates[::-1], ""]


def test_the_filter_wants_every_word(shown: RunsWindow) -> None:
    QTest.keyClicks(shown.filter_field, "smol BATT")
    assert column(shown, Column.LABEL) == ["on battery"]
    assert "1 shown" in shown.status.text()
    QTest.keyClick(shown.filter_field, Qt.Key.Key_Escape)
    assert shown.model.rowCount() == 5
    assert shown.isVisible()


def test_chosen_runs_are_compared_and_laid_over_each_other(shown: RunsWindow, qtbot: QtBot) -> None:
    choose(shown, qtbot, 1, 2, 3, 4)
    table = shown.comparison
    rows = [
        [table.item(row, index).text() for index in (0, 1, 4)]  # type: ignore[union-attr] # filled
        for row in range(table.rowCount())
    ]
    assert rows == [
        ["SmolLM2-135M-Instruct Q8_0\nllama.cpp, CPU", "1", "200\u202ftok/s"],
        ["SmolLM2-135M-Instruct Q4_1\nllama.cpp, CPU", "3", "50.0\u202ftok/s\n25.0 – 100"],
    ]
    colors = {run.color.name() for run in shown.plot.runs}
    assert len(colors) == 4
    itl = shown.plot.graphs[Curve.ITL].canvas
    assert itl is not None
    assert not itl.is_empty
    assert itl.top >= 40
    # The last step of the longest: 117 ms, and 12 of 40 ms.
    assert shown.plot.axis.view_s[1] == pytest.approx(0.597)
    assert "4 chosen" in shown.status.text()


def test_runs_with_tokens_inspected_are_compared_apart(
    shown: RunsWindow, runs: RunLibrary, qtbot: QtBot
) -> None:
    run = recorded(step_ms=80, loaded=loaded_model())
    run = replace(run, request=run.request | {"inspect": True}, created_ms=1_800_000_000_000)
    runs.record(run)
    qtbot.waitUntil(lambda: shown.model.rowCount() == 6, timeout=WAIT_MS)
    runs.record(replace(run, run_id="e" * 16, request=run.request | {"inspect": False}))
    qtbot.waitUntil(lambda: shown.model.rowCount() == 7, timeout=WAIT_MS)
    newest = [
        row for row, run in enumerate(shown.model.rows) if run.created_ms == 1_800_000_000_000
    ]
    choose(shown, qtbot, *newest)
    table = shown.comparison
    groups = [table.item(row, 0).text() for row in range(table.rowCount())]  # type: ignore[union-attr] # filled
    what = "SmolLM2-135M-Instruct Q4_1\nllama.cpp, CPU"
    assert sorted(groups) == [what, f"{what}, tokens inspected"]
    assert sorted("tokens inspected" in run.words for run in shown.plot.runs) == [False, True]


def test_a_damaged_file_can_be_chosen_and_deleted(shown: RunsWindow, qtbot: QtBot) -> None:
    choose(shown, qtbot, 0)
    assert shown.comparison.rowCount() == 0
    click(shown.delete_button)
    assert shown.model.rowCount() == 4


def test_a_deletion_is_undone_and_the_choice_survives(
    shown: RunsWindow, runs: RunLibrary, qtbot: QtBot
) -> None:
    choose(shown, qtbot, 1, 2)
    shown.table.setFocus()
    QTest.keyClick(shown.table, Qt.Key.Key_Delete)
    assert shown.undo_strip.text() == "Deleted 2 runs"
    assert column(shown, Column.TOKENS) == ["", "100 + 12", "100 + 11"]
    click(shown.undo_strip.button)
    assert not shown.undo_strip.isVisible()
    assert column(shown, Column.TOKENS)[1:] == ["100 + 14", "100 + 13", "100 + 12", "100 + 11"]
    choose(shown, qtbot, 1)
    click(shown.delete_button)
    shown.close()
    qtbot.waitUntil(lambda: len(list(runs.folder.glob("*.npz"))) == 4, timeout=WAIT_MS)


def test_runs_are_labelled_together_and_in_place(
    shown: RunsWindow, qtbot: QtBot, runs: RunLibrary
) -> None:
    choose(shown, qtbot, 1, 3)
    click(shown.label_button)
    dialog = shown.findChild(NameDialog)
    assert dialog is not None
    QTest.keyClicks(dialog.field, "laptop")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: column(shown, Column.LABEL) == ["", "laptop", "", "laptop", ""], timeout=WAIT_MS
    )
    # What was chosen is chosen still.
    assert [run.label for run in shown.chosen()] == ["laptop", "laptop"]
    place = shown.model.index(2, COLUMNS.index(Column.LABEL))
    assert shown.model.setData(place, " desk ")
    qtbot.waitUntil(lambda: cell(shown, 2, Column.LABEL) == "desk", timeout=WAIT_MS)


def test_a_new_run_appears_while_the_window_is_open(
    shown: RunsWindow, runs: RunLibrary, qtbot: QtBot
) -> None:
    choose(shown, qtbot, 2)
    runs.record(replace(recorded(n_steps=99), run_id="f" * 16, created_ms=1_800_000_000_000))
    qtbot.waitUntil(lambda: shown.model.rowCount() == 6, timeout=WAIT_MS)
    assert "100 + 99" in column(shown, Column.TOKENS)
    assert [run.n_output_tokens for run in shown.chosen()] == [13]


def test_many_that_are_chosen_stay_so_without_a_question_for_each_cell(
    shown: RunsWindow, runs: RunLibrary, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(shown, qtbot, 1, 2, 3, 4)
    runs.record(replace(recorded(n_steps=99), run_id="f" * 16, created_ms=1_800_000_000_000))
    qtbot.waitUntil(lambda: shown.model.rowCount() == 6, timeout=WAIT_MS)
    # The new one and the damaged one are at the top.
    ranges = shown.table.selectionModel().selection().toList()
    assert [(found.top(), found.bottom()) for found in ranges] == [(2, 5)]
    assert [run.n_output_tokens for run in shown.chosen()] == [14, 13, 12, 11]
    # Asked again, nothing is looked up.
    monkeypatch.setattr("ui.runs.window.rows_of", lambda _selection: pytest.fail("looked up"))
    assert len(shown.chosen()) == 4


def test_it_opens_once(shown: RunsWindow, window: MainWindow) -> None:
    window.actions_.runs.trigger()
    assert window.findChildren(RunsWindow) == [shown]


def test_chosen_runs_are_laid_under_each_other_on_the_timeline(
    shown: RunsWindow, window: MainWindow, qtbot: QtBot
) -> None:
    assert not shown.timeline_button.isEnabled()
    choose(shown, qtbot, 1, 2, 3)
    click(shown.timeline_button)
    qtbot.waitUntil(lambda: window.findChild(TimelineWindow) is not None, timeout=WAIT_MS)
    timeline = window.findChild(TimelineWindow)
    assert timeline is not None
    assert timeline.windowTitle() == "Timeline – 3 runs"
    chosen = [words_of(run) for run in shown.chosen()]
    shown_words = [lane.sentence().splitlines()[0] for lane in timeline.chart.lanes]
    assert sorted(shown_words) == sorted(chosen)
    timeline.close()


def test_a_run_that_is_gone_is_said_to_be_missing_on_the_timeline(
    shown: RunsWindow, window: MainWindow, qtbot: QtBot, runs: RunLibrary
) -> None:
    choose(shown, qtbot, 1)
    (run,) = shown.chosen()
    (runs.folder / run.name).unlink()
    click(shown.timeline_button)
    qtbot.waitUntil(lambda: "Not shown on the timeline" in shown.status.text(), timeout=WAIT_MS)
    assert words_of(run) in shown.status.text()
    assert "Not replayed" not in shown.status.text()
    assert window.findChild(TimelineWindow) is None
