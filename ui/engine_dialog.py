"""How the engine runs a model: every choice explained, and a load with these."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from app.engine_state import EngineState
from app.model_choice import LLAMA, TORCH, can_run, for_engine
from engine.titles import engine_title
from engine.values import LoadOptions
from ui.engine_options import EngineOptions, LlamaOptions, TorchOptions
from ui.option_fields import choice_field
from ui.option_form import OptionForm, OptionRow
from ui.theme import Theme


class EngineDialog(QDialog):
    """Edits the options of the last load.

    Signals:
        load_requested(LoadOptions): Load the model with these.
    """

    load_requested = Signal(object)

    def __init__(
        self,
        theme: Theme,
        state: EngineState,
        options: LoadOptions,
        kept: Mapping[str, LoadOptions],
        parent: QWidget,
    ) -> None:
        """Show `options`, and for other engines what was `kept` of their choices."""
        super().__init__(parent)
        self._theme = theme
        self.setWindowTitle(self.tr("Engine settings"))
        self.setAccessibleName(self.tr("Engine settings"))
        offered = [LLAMA, TORCH]
        if options.backend not in offered:
            offered.append(options.backend)
        self._asked = {backend: for_engine(backend, options, kept) for backend in offered}
        self.llama = LlamaOptions(state, self._asked[LLAMA], self)
        self.torch = TorchOptions(state, self._asked[TORCH], self)
        self._engines: dict[str, EngineOptions] = {LLAMA: self.llama, TORCH: self.torch}
        if options.backend not in self._engines:
            self._engines[options.backend] = LlamaOptions(state, options, self)
        self.engine = choice_field(
            [(backend, engine_title(backend)) for backend in offered], options.backend, self
        )
        self._is_folder = not can_run(LLAMA, options.model_path)
        if self._is_folder:
            self._disable(LLAMA)
        self._rows: dict[str, list[int]] = {}
        self._form = OptionForm(theme, self)
        self._build()
        self.engine.currentIndexChanged.connect(self._show_engine)
        self._show_engine()
        # Qt opens dialogs at two thirds of the screen at most.
        self.resize(self.sizeHint())

    def options(self) -> LoadOptions:
        """What was asked for, with the choices made here."""
        backend = str(self.engine.currentData())
        return self._engines[backend].chosen(self._asked[backend])

    def accept(self) -> None:
        """Load with these."""
        super().accept()
        self.load_requested.emit(self.options())

    def sizeHint(self) -> QSize:
        """Room for all choices where the screen has it."""
        return QSize(580, 800).boundedTo(self.screen().availableSize() * 0.9)

    def _build(self) -> None:
        self._form.add(self._engine_row())
        for backend, options in self._engines.items():
            first = self._form.n_rows
            for row in options.rows():
                self._form.add(row)
            self._rows[backend] = list(range(first, self._form.n_rows))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._form, 1)
        layout.addWidget(self._buttons())

    def _engine_row(self) -> OptionRow:
        if self._is_folder:
            text = self.tr("llama.cpp runs GGUF files only; this model is a folder of safetensors.")
        else:
            text = self.tr(
                "llama.cpp computes with the weights as they are in the file. PyTorch converts "
                "them first: the first load takes a while, and more memory is needed. The "
                "conversation stays."
            )
        return OptionRow(name=self.tr("Engine"), field=self.engine, explanation=text)

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(self)
        load = QPushButton(self.tr("Load with these"), self)
        load.setProperty("look", "primary")
        load.setDefault(True)
        buttons.addButton(load, QDialogButtonBox.ButtonRole.AcceptRole)
        load.setAccessibleName(self.tr("Load with these"))
        cancel = buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setAccessibleName(self.tr("Cancel"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        buttons.setContentsMargins(24, 8, 24, 16)
        return buttons

    def _show_engine(self) -> None:
        """Show the fields of the engine chosen."""
        shown = self.engine.currentData()
        for backend, rows in self._rows.items():
            for row in rows:
                self._form.set_row_shown(row, backend == shown)

    def _disable(self, backend: str) -> None:
        items = self.engine.model()
        if isinstance(items, QStandardItemModel):
            items.item(self.engine.findData(backend)).setEnabled(False)
