"""The window of recorded runs: a list, and the chosen ones side by side."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QByteArray,
    QItemSelectionModel,
    QMargins,
    QSettings,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.runs.compare import grouped
from app.runs.curves import NO_CURVES, RunCurves, curves_of
from app.runs.export import csv_text, json_text
from app.runs.exporter import RunExporter
from app.runs.library import MOST_BYTES, MOST_RUNS, RunLibrary
from app.runs.parquet import parquet_bytes
from app.runs.record import RunFault, RunRecord, RunSummary
from app.sentences_runs import fault_words
from ui.chats.search_field import SearchField
from ui.chats.undo_strip import UndoStrip
from ui.dialogs import choose_runs_file
from ui.format import format_bytes, format_count
from ui.labels import PlainLabel
from ui.name_dialog import NameDialog
from ui.runs.choice import rows_of, selection_of
from ui.runs.columns import Column, words_of
from ui.runs.comparison import ComparisonTable
from ui.runs.drawing import RUN_COLORS, PlottedRun
from ui.runs.picture import png_picture, svg_picture
from ui.runs.plot import RunPlot
from ui.runs.report import report
from ui.runs.table import make_table
from ui.runs.table_model import RunTableModel
from ui.theme import Theme

_SIZE = QSize(1446, 820)
# Of a window on a screen that is no larger: title bar and edges.
_FRAME = QSize(16, 64)
_SELECT_MS = 60
# More curves than this are one blot.
MOST_CURVES = 50
_GEOMETRY_KEY = "runs/geometry"


class RunsWindow(QDialog):
    """Lists, filters, sorts, labels and deletes runs, and compares the chosen ones.

    Signals:
        replay_requested(RunSummary): Play this run in the live panels.
        timeline_requested(list[RunSummary]): Show these runs on the timeline.
    """

    replay_requested = Signal(object)
    timeline_requested = Signal(object)

    def __init__(
        self, theme: Theme, library: RunLibrary, settings: QSettings, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._library = library
        self._settings = settings
        self._curves: dict[str, RunCurves] = {}
        self._asked: dict[int, str] = {}
        self._chosen: list[RunSummary] | None = None
        self.setWindowTitle(self.tr("Runs"))
        self.setAccessibleName(self.windowTitle())
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.model = RunTableModel(self)
        self.filter_field = SearchField(theme, self.tr("Filter"), self.tr("Filter runs"), self)
        self.filter_field.setToolTip(
            self.tr("Words of the model, the quantization, the device, the date or the label")
        )
        self.table = make_table(self.model, self)
        self.undo_strip = UndoStrip(theme, self)
        self.comparison = ComparisonTable(theme, self)
        self.plot = RunPlot(theme, self)
        self.label_button = self._button(self.tr("Label…"), self._ask_label)
        self.replay_button = self._button(self.tr("Replay"), self._replay)
        self.timeline_button = self._button(self.tr("Timeline"), self._show_timeline)
        self.export_button = self._button(self.tr("Export…"), self._export)
        self._exporter = RunExporter(library, self)
        self._exporter.done.connect(self._on_exported)
        self._said = ""
        self.delete_button = self._button(self.tr("Delete"), self._delete)
        self.status = PlainLabel(theme, font="secondary", color="muted", wrap=True, parent=self)
        self._lay_out()
        self._connect()
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        geometry = settings.value(_GEOMETRY_KEY)
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        library.refresh()
        self._show_runs()
        self.table.setFocus()

    def chosen(self) -> list[RunSummary]:
        """The chosen runs that can be read, from the top of the list."""
        if self._chosen is None:
            self._chosen = [run for run in self._selected() if run.fault is None]
        return self._chosen

    def _selected(self) -> list[RunSummary]:
        rows = self.model.rows
        return [rows[row] for row in rows_of(self.table.selectionModel().selection())]

    def say_unread(self, run: RunSummary, fault: RunFault, *, is_for_timeline: bool) -> None:
        """Say below the list why `run` is not replayed, or not shown on the timeline."""
        said = self.tr("Not replayed: {run}. {reason}.")
        if is_for_timeline:
            said = self.tr("Not shown on the timeline: {run}. {reason}.")
        said = said.replace("{reason}", fault_words(fault))
        self._said = said.replace("{run}", words_of(run))
        self._show_status()

    def done(self, result: int) -> None:
        """Close, and let go what was deleted."""
        self._settings.setValue(_GEOMETRY_KEY, self.saveGeometry())
        self._library.finish_delete()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """As Escape does."""
        self.done(0)
        event.accept()

    def _button(self, text: str, pressed: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        button.clicked.connect(pressed)
        return button

    def _buttons(self) -> tuple[QPushButton, ...]:
        shows = (self.timeline_button, self.replay_button)
        return (*shows, self.export_button, self.label_button, self.delete_button)

    def _lay_out(self) -> None:
        self.filter_field.setMaximumWidth(420)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.filter_field, 1)
        top.addStretch(1)
        for button in self._buttons():
            top.addWidget(button)
        upper = QWidget(self)
        upper_layout = QVBoxLayout(upper)
        upper_layout.setContentsMargins(0, 0, 0, 0)
        upper_layout.setSpacing(0)
        upper_layout.addWidget(self.table, 1)
        upper_layout.addWidget(self.undo_strip)
        lower = QSplitter(Qt.Orientation.Horizontal, self)
        lower.addWidget(_with_margins(self.comparison, QMargins(0, 10, 10, 0)))
        lower.addWidget(_with_margins(self.plot, QMargins(14, 10, 0, 0)))
        lower.setSizes([780, 468])
        lower.setChildrenCollapsible(False)
        halves = QSplitter(Qt.Orientation.Vertical, self)
        halves.addWidget(upper)
        halves.addWidget(lower)
        halves.setSizes([380, 300])
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(1)
        lower.setHandleWidth(1)
        upper_layout.setContentsMargins(0, 0, 0, 10)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 12)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addWidget(halves, 1)
        layout.addWidget(self.status)

    def _connect(self) -> None:
        library = self._library
        library.changed.connect(self._show_runs)
        library.deleted.connect(self._on_deleted)
        library.read.connect(self._on_read)
        library.failed.connect(self._show_status)
        self.model.labelled.connect(lambda name, label: library.label([name], label))
        self.model.modelReset.connect(self._choose_soon)
        self.model.modelReset.connect(self._make_room_for_faults)
        self.filter_field.search_changed.connect(self._filter)
        self.filter_field.left_downwards.connect(self.table.setFocus)
        self.filter_field.entered.connect(self.table.setFocus)
        self.undo_strip.undo_requested.connect(library.undo_delete)
        self.undo_strip.expired.connect(library.finish_delete)
        # While keys go through the list, curves follow when it rests.
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_SELECT_MS)
        self._rest.timeout.connect(self._show_chosen)
        self.table.selectionModel().selectionChanged.connect(self._choose_soon)
        self._theme.changed.connect(self._show_chosen)
        for keys, pressed in (
            (QKeySequence.StandardKey.Delete, self._delete),
            (QKeySequence.StandardKey.Undo, library.undo_delete),
        ):
            shortcut = QShortcut(keys, self.table)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(pressed)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(self.filter_field.setFocus)

    def _show_runs(self) -> None:
        self._keeping_choice(lambda: self.model.set_runs(self._library.runs))
        self._show_status()

    def _filter(self, text: str) -> None:
        self._keeping_choice(lambda: self.model.set_filter(text))
        self._show_status()

    def _keeping_choice(self, change: Callable[[], None]) -> None:
        """Change what is listed; what was chosen and is still there stays chosen."""
        names = {run.name for run in self._selected()}
        current = self.table.currentIndex()
        current_name = self.model.rows[current.row()].name if current.isValid() else ""
        change()
        listed = [run.name for run in self.model.rows]
        choice, flags = self.table.selectionModel(), QItemSelectionModel.SelectionFlag
        if current_name in listed:
            index = self.model.index(listed.index(current_name), 0)
            choice.setCurrentIndex(index, flags.NoUpdate)
        rows = (row for row, name in enumerate(listed) if name in names)
        choice.select(selection_of(self.model, rows), flags.ClearAndSelect)

    def _make_room_for_faults(self) -> None:
        """Why a file is refused stands where its figures would."""
        self.table.clearSpans()
        n_columns = list(Column).index(Column.DATE)
        for row, run in enumerate(self.model.rows):
            if run.fault is not None:
                self.table.setSpan(row, 0, 1, n_columns)

    def _choose_soon(self) -> None:
        self._chosen = None
        self._rest.start()
        self._enable_buttons()

    def _enable_buttons(self) -> None:
        has_choice = self.table.selectionModel().hasSelection()
        for button in self._buttons():
            button.setEnabled(has_choice)
        is_settled = not self._rest.isActive() and not self._asked
        self.replay_button.setEnabled(len(self.chosen()) == 1)
        self.timeline_button.setEnabled(1 <= len(self.chosen()) <= MOST_CURVES)
        # A picture has all curves or is not made.
        self.export_button.setEnabled(has_choice and is_settled and bool(self.chosen()))

    def _show_chosen(self) -> None:
        self._said = ""
        runs = self.chosen()
        self.comparison.show_groups(grouped(runs))
        plotted = runs[:MOST_CURVES]
        asked = set(self._asked.values())
        for run in plotted:
            if run.name not in self._curves and run.name not in asked:
                self._asked[self._library.ask(run.name)] = run.name
        colors = {
            run.name: self._theme.color(RUN_COLORS[index % len(RUN_COLORS)])
            for index, run in enumerate(plotted)
        }
        self.model.set_colors(colors)
        self.plot.show_runs(
            [
                PlottedRun(words=words_of(run), color=colors[run.name], curves=curves)
                for run in plotted
                if (curves := self._curves.get(run.name)) is not None
            ]
        )
        self._enable_buttons()
        self._show_status()

    def _on_read(self, number: int, answer: object) -> None:
        name = self._asked.pop(number, None)
        if name is None:
            return
        if isinstance(answer, RunRecord):
            # Those of more runs than can be seen are read again when they are.
            while len(self._curves) >= 4 * MOST_CURVES:
                del self._curves[next(iter(self._curves))]
            self._curves[name] = curves_of(answer)
        else:
            # Refused now, whatever the list says: not asked for again and again.
            self._curves[name] = NO_CURVES
        if not self._asked:
            self._show_chosen()

    def _on_deleted(self, n_runs: int) -> None:
        if n_runs:
            self.undo_strip.show_words(
                self.tr("Deleted %Ln run(s)", "", n_runs), self.tr("Bring them back")
            )
        else:
            self.undo_strip.show_deleted(None)

    def _delete(self) -> None:
        names = [run.name for run in self._selected()]
        if names:
            self._library.delete(names)

    def _ask_label(self) -> None:
        runs = self.chosen()
        if not runs:
            return
        labels = {run.label for run in runs}
        dialog = NameDialog(
            self._theme,
            self.tr("Label %Ln run(s)", "", len(runs)),
            labels.pop() if len(labels) == 1 else "",
            lambda _label: None,
            self,
        )
        dialog.named.connect(lambda label: self._library.label([run.name for run in runs], label))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _replay(self) -> None:
        runs = self.chosen()
        if len(runs) == 1:
            self.replay_requested.emit(runs[0])

    def _show_timeline(self) -> None:
        self.timeline_requested.emit(self.chosen())

    def _export(self) -> None:
        path = choose_runs_file(self)
        runs = self.chosen()
        if path is None or not runs:
            return
        names, font = [run.name for run in runs], self._theme.font("control")
        match Path(path).suffix.lower():
            case ".csv":
                self._exporter.export(path, names, csv_text)
            case ".json":
                self._exporter.export(path, names, json_text)
            case ".parquet":
                self._exporter.export(path, names, parquet_bytes)
            case ".svg":
                self._exporter.write(path, svg_picture(self.plot.runs, font))
            case ".png":
                self._exporter.write(path, png_picture(self.plot.runs, font))
            case _:
                svg = svg_picture(self.plot.runs, font).decode()
                self._exporter.export(path, names, partial(report, svg=svg))

    def _on_exported(self, path: str, reason: str) -> None:
        if reason:
            said = self.tr("{path} was not written: {reason}").replace("{reason}", reason)
        else:
            said = self.tr("Written: {path}")
        self._said = said.replace("{path}", path)
        self._show_status()

    def _show_status(self) -> None:
        n_shown, n_all = len(self.model.rows), self._library.n_runs
        if not self._library.is_listed:
            self.status.setText(self.tr("Reading the list of runs"))
            return
        parts = [self.tr("%Ln run(s)", "", n_all)]
        if n_shown != n_all:
            parts.append(self.tr("%Ln shown", "", n_shown))
        n_chosen = len(self.chosen())
        if n_chosen:
            parts.append(self.tr("%Ln chosen", "", n_chosen))
        if n_chosen > MOST_CURVES:
            parts.append(self.tr("curves of the first {n}").format(n=format_count(MOST_CURVES)))
        kept = self.tr(
            "They take {used}. Runs without a label are kept up to {n} runs and {most}; then the "
            "oldest go first. No prompt and no answer is in them."
        ).format(
            used=format_bytes(self._library.n_bytes),
            n=format_count(MOST_RUNS),
            most=format_bytes(MOST_BYTES),
        )
        said = f"{self._said}\n" if self._said else ""
        self.status.setText(f"{said}{', '.join(parts)}. {kept}")


def _with_margins(part: QWidget, margins: QMargins) -> QWidget:
    around = QWidget()
    layout = QVBoxLayout(around)
    layout.setContentsMargins(margins)
    layout.addWidget(part)
    return around
