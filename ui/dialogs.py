"""Small dialogs: the list of shortcuts, about, and choosing a model."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDir, Qt, qVersion
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.files import free_beside, name_from
from ui.labels import PlainLabel
from ui.shortcuts import ENTER, native
from ui.theme import Theme

translate = QCoreApplication.translate

_HIGHEST_PX = 640


class ShortcutsDialog(QDialog):
    """Lists what keys do, in groups side by side."""

    def __init__(
        self, theme: Theme, groups: Sequence[tuple[str, Sequence[QAction]]], parent: QWidget
    ) -> None:
        """Groups of actions with their names; the first gets the keys of the composer, too."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        named = [
            (
                name,
                [
                    (action.text().rstrip("…"), native(action.shortcut().toString()))
                    for action in actions
                ],
            )
            for name, actions in groups
        ]
        named[0][1][:0] = [
            (self.tr("Send the message"), native(ENTER)),
            (self.tr("Break the line"), native(f"Shift+{ENTER}")),
        ]
        named.append((self.tr("In a graph"), self._graph_rows()))
        table = QWidget()
        columns = QHBoxLayout(table)
        columns.setContentsMargins(0, 0, 12, 0)
        columns.setSpacing(44)
        n_left = _halved([len(rows) for _, rows in named])
        for part in (named[:n_left], named[n_left:]):
            columns.addLayout(_key_grid(theme, part))
        self.setAccessibleName(self.windowTitle())
        spoken = [f"{text}: {keys}" for _, rows in named for text, keys in rows]
        self.setAccessibleDescription("\n".join(spoken))
        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidgetResizable(True)
        self.area.setAccessibleName(self.windowTitle())
        self.area.setWidget(table)
        bar = self.area.verticalScrollBar().sizeHint().width()
        self.area.setMinimumWidth(table.sizeHint().width() + bar)
        whole = QVBoxLayout()
        whole.addWidget(self.area)
        _finish(self, whole)
        height = min(_HIGHEST_PX, self.sizeHint().height() + table.sizeHint().height())
        self.resize(self.sizeHint().width(), height)
        self.setMaximumHeight(_HIGHEST_PX)
        # Keys scroll at once; Escape closes.
        self.area.setFocus()

    def _graph_rows(self) -> list[tuple[str, str]]:
        shift = native("Shift+F1").removesuffix("F1")
        return [
            (self.tr("Earlier, later"), "← →"),
            (self.tr("Closer, further away"), "+ −"),
            (self.tr("Follow the answer again"), native("Home")),
            (self.tr("Read values"), f"{shift}← →"),
        ]


def _halved(sizes: Sequence[int]) -> int:
    """How many groups go to the left, so that both columns are about as long."""
    lengths = [sum(size + 2 for size in sizes[:n]) for n in range(len(sizes) + 1)]
    return min(range(1, len(sizes)), key=lambda n: abs(2 * lengths[n] - lengths[-1]))


def _key_grid(theme: Theme, groups: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(28)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(0, 1)
    row = 0
    for name, rows in groups:
        if row:
            grid.setRowMinimumHeight(row, 8)
            row += 1
        grid.addWidget(PlainLabel(theme, name, font="strong"), row, 0, 1, 2)
        for text, keys in rows:
            row += 1
            grid.addWidget(PlainLabel(theme, text), row, 0)
            label = PlainLabel(theme, keys, color="muted")
            grid.addWidget(label, row, 1, Qt.AlignmentFlag.AlignRight)
        row += 1
    grid.setRowStretch(row, 1)
    return grid


class AboutDialog(QDialog):
    """Says what this is."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Oscillama"))
        self.setAccessibleName(self.windowTitle())
        version = QCoreApplication.applicationVersion()
        name = f"Oscillama {version}" if version else "Oscillama"
        grid = QGridLayout()
        grid.setVerticalSpacing(10)
        grid.addWidget(PlainLabel(theme, name, font="brand"), 0, 0)
        about = self.tr(
            "Chat with a language model on your own machine and watch what the machine does "
            "while it answers."
        )
        grid.addWidget(PlainLabel(theme, about, wrap=True), 1, 0)
        parts = self.tr("MIT licence. Qt {qt} (LGPL). Icons: Tabler Icons (MIT).").format(
            qt=qVersion()
        )
        grid.addWidget(PlainLabel(theme, parts, font="secondary", color="muted", wrap=True), 2, 0)
        self.setMinimumWidth(420)
        _finish(self, grid)


def choose_model_file(parent: QWidget, current_path: str | None) -> str | None:
    """Ask for a model file; None when the person changed their mind."""
    title = translate("OpenModel", "Open a model")
    models, every = translate("OpenModel", "Models"), translate("OpenModel", "All files")
    kinds = f"{models} (*.gguf *.safetensors);;{every} (*)"
    path, _ = QFileDialog.getOpenFileName(parent, title, _start_folder(current_path), kinds)
    return path or None


def choose_model_folder(parent: QWidget, current_path: str | None) -> str | None:
    """Ask for a folder of safetensors; None when the person changed their mind."""
    title = translate("OpenModel", "Open a folder with config.json and safetensors")
    return QFileDialog.getExistingDirectory(parent, title, _start_folder(current_path)) or None


def choose_export_file(parent: QWidget, title: str = "") -> str | None:
    """Ask where to write conversations; None when the person changed their mind.

    A single one is to be called like its title.
    """
    endings = {"JSON (*.json)": ".json", "Markdown (*.md)": ".md", "HTML (*.html)": ".html"}
    name = f"{name_from(title) or 'oscillama'}.json"
    return _choose_new(parent, translate("Exchange", "Export conversations"), name, endings)


def choose_runs_file(parent: QWidget) -> str | None:
    """Ask where to write recorded runs; None when the person changed their mind."""
    report, plot = translate("Runs", "Report"), translate("Runs", "Plot")
    endings = {
        f"{report}, HTML (*.html)": ".html",
        "CSV (*.csv)": ".csv",
        "JSON (*.json)": ".json",
        "Parquet (*.parquet)": ".parquet",
        f"{plot}, SVG (*.svg)": ".svg",
        f"{plot}, PNG (*.png)": ".png",
    }
    return _choose_new(
        parent, translate("Runs", "Export the chosen runs"), "oscillama-runs.html", endings
    )


def choose_import_file(parent: QWidget) -> str | None:
    """Ask for a file of conversations; None when the person changed their mind."""
    title = translate("Exchange", "Import conversations")
    exports, every = translate("Exchange", "Exports"), translate("OpenModel", "All files")
    kinds = f"{exports} (*.json *.jsonl *.zip);;{every} (*)"
    path, _ = QFileDialog.getOpenFileName(parent, title, QDir.homePath(), kinds)
    return path or None


def choose_text_files(parent: QWidget) -> list[str]:
    """Ask for files to attach; none when the person changed their mind."""
    title = translate("Attachments", "Attach text files or PDFs")
    paths, _ = QFileDialog.getOpenFileNames(parent, title, QDir.homePath())
    return paths


def _choose_new(parent: QWidget, title: str, name: str, endings: dict[str, str]) -> str | None:
    """Ask for a file to write."""
    start = str(Path(QDir.homePath()) / name)
    path, kind = QFileDialog.getSaveFileName(parent, title, start, ";;".join(endings))
    return with_ending(path, kind, Path(name).suffix, endings) if path else None


def with_ending(path: str, kind: str, proposed: str, endings: dict[str, str]) -> str:
    """The file that is meant by what was chosen in a dialog: its name and its kind.

    A name with an ending is taken as it is, and that tells the kind, unless another kind was chosen
    and the ending is still the one that was proposed. Else the name gets the ending of the kind.
    Then it is another file than the dialog asked about, and none that is there already.
    """
    ending = endings.get(kind, proposed)
    suffix = Path(path).suffix
    if suffix.lower() in endings.values() and (suffix != proposed or ending == proposed):
        return path
    stem = path.removesuffix(proposed) if suffix == proposed else path
    return str(free_beside(Path(stem + ending)))


def _start_folder(current_path: str | None) -> str:
    return str(Path(current_path).parent) if current_path is not None else QDir.homePath()


def _finish(dialog: QDialog, content: QLayout) -> None:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    buttons.button(QDialogButtonBox.StandardButton.Close).setAccessibleName(
        translate("Dialogs", "Close")
    )
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(24, 22, 24, 16)
    layout.setSpacing(20)
    layout.addLayout(content)
    layout.addWidget(buttons)
