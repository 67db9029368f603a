"""How the engine runs a model: every choice explained, and a load with these."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.model_choice import LLAMA, TORCH, can_run, for_engine
from app.session import EngineState
from engine.values import LoadOptions
from ui.engine_names import engine_title
from ui.engine_options import EngineOptions, LlamaOptions, OptionRow, TorchOptions
from ui.labels import PlainLabel
from ui.option_fields import choice_field
from ui.theme import Theme

_FIELD_SIZE = QSize(190, 30)
_ROW_GAP = 12


class _Explanation(PlainLabel):
    """Wrapped text below a field."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(theme, text, font="secondary", color="muted", wrap=True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)

    def sizeHint(self) -> QSize:
        """One line, and more by the width: a label's own hints leave uneven gaps."""
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        """As `sizeHint`."""
        return QSize(_FIELD_SIZE.width(), self.fontMetrics().lineSpacing())


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
        self._form = QFormLayout()
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
        form_box = QWidget()
        outer = QVBoxLayout(form_box)
        outer.setContentsMargins(24, 20, 24, 0)
        outer.addLayout(self._form)
        outer.addStretch(1)
        self._form.setVerticalSpacing(4)
        self._form.setHorizontalSpacing(20)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._add(self._engine_row())
        for backend, options in self._engines.items():
            first = self._form.rowCount()
            for row in options.rows():
                self._add(row)
            self._rows[backend] = list(range(first, self._form.rowCount()))
        scroll = QScrollArea(self)
        scroll.setWidget(form_box)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
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

    def _add(self, row: OptionRow) -> None:
        field = row.field
        field.setMinimumSize(_FIELD_SIZE)
        field.setAccessibleName(row.name)
        field.setAccessibleDescription(row.explanation)
        if isinstance(field, QComboBox):
            field.view().setAccessibleName(row.name)
        self._form.addRow(PlainLabel(self._theme, row.name), field)
        text = _Explanation(self._theme, row.explanation)
        text.setContentsMargins(0, 0, 0, _ROW_GAP)
        self._form.addRow("", text)

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
                self._form.setRowVisible(row, backend == shown)

    def _disable(self, backend: str) -> None:
        items = self.engine.model()
        if isinstance(items, QStandardItemModel):
            items.item(self.engine.findData(backend)).setEnabled(False)
