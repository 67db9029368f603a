"""How the engine runs a model: every choice explained, and a load with these."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QPushButton,
    QScrollArea,
    QSpacerItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.session import EngineState
from engine.values import (
    BATCH_BOUNDS,
    CONTEXT_BOUNDS,
    GPU_LAYER_BOUNDS,
    THREAD_BOUNDS,
    Bounds,
    FlashAttention,
    KvType,
    LoadOptions,
    NoticeCode,
)
from ui.format import format_count
from ui.labels import PlainLabel
from ui.theme import Theme

_CONTROL_SIZE = QSize(190, 30)

translate = QCoreApplication.translate


class AutoSpinBox(QSpinBox):
    """A number that may be left to the engine: "Auto" is one below the least."""

    def __init__(self, bounds: Bounds, value: int | None, step: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setRange(bounds.least - 1, bounds.most)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        self.set_choice(value)

    def choice(self) -> int | None:
        """The number, None for "Auto"."""
        return None if self.value() == self.minimum() else self.value()

    def set_choice(self, value: int | None) -> None:
        """Show a number, or "Auto" for None."""
        self.setValue(self.minimum() if value is None else value)

    def stepBy(self, steps: int) -> None:
        """Step as if "Auto" were just below the least, or 0 where steps are larger."""
        start = 0 if self.choice() is None and self.singleStep() > 1 else self.value()
        self.setValue(start + steps * self.singleStep())
        self.selectAll()


class EngineDialog(QDialog):
    """Edits the options of the last load.

    Signals:
        load_requested(LoadOptions): Load the model with these.
    """

    load_requested = Signal(object)

    def __init__(
        self, theme: Theme, state: EngineState, options: LoadOptions, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._options = options
        self.setWindowTitle(self.tr("Engine settings"))
        self.setAccessibleName(self.tr("Engine settings"))
        engine = state.loaded.engine if state.loaded is not None else None
        self.context = AutoSpinBox(CONTEXT_BOUNDS, options.n_ctx, 1024, self)
        self.context.setSpecialValueText(_auto(engine.n_ctx if engine else None))
        self.threads = AutoSpinBox(THREAD_BOUNDS, options.n_threads, 1, self)
        self.threads.setSpecialValueText(_auto(engine.n_threads if engine else None))
        self.threads_prefill = AutoSpinBox(THREAD_BOUNDS, options.n_threads_prefill, 1, self)
        self.threads_prefill.setSpecialValueText(
            _auto(engine.n_threads_prefill if engine else None)
        )
        self.kv_type = self._combo([kind.value for kind in KvType], options.kv_type.value)
        self.flash_attention = self._combo(
            [choice.value for choice in FlashAttention],
            options.flash_attention.value,
            (self.tr("Auto"), self.tr("On"), self.tr("Off")),
        )
        self.gpu_layers = AutoSpinBox(GPU_LAYER_BOUNDS, options.n_gpu_layers, 1, self)
        self.gpu_layers.setSpecialValueText(self.tr("Auto"))
        self.batch = self._batch_spin(options.n_batch)
        self.micro_batch = self._batch_spin(options.n_ubatch)
        self._build(no_gpu_reason(state))
        # Qt opens dialogs at two thirds of the screen at most.
        self.resize(self.sizeHint())

    def options(self) -> LoadOptions:
        """What was asked for, with the choices made here."""
        return replace(
            self._options,
            n_ctx=self.context.choice(),
            n_threads=self.threads.choice(),
            n_threads_prefill=self.threads_prefill.choice(),
            kv_type=KvType(self.kv_type.currentData()),
            flash_attention=FlashAttention(self.flash_attention.currentData()),
            n_gpu_layers=self.gpu_layers.choice(),
            n_batch=self.batch.value(),
            n_ubatch=self.micro_batch.value(),
        )

    def accept(self) -> None:
        """Load with these."""
        super().accept()
        self.load_requested.emit(self.options())

    def sizeHint(self) -> QSize:
        """Room for all choices where the screen has it."""
        return QSize(560, 740).boundedTo(self.screen().availableSize() * 0.9)

    def _build(self, no_gpu: str | None) -> None:
        self.gpu_layers.setEnabled(no_gpu is None)
        form_box = QWidget()
        form = QFormLayout(form_box)
        form.setContentsMargins(24, 20, 24, 12)
        form.setVerticalSpacing(4)
        form.setHorizontalSpacing(20)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        for name, control, explanation in (
            (
                self.tr("Context size"),
                self.context,
                self.tr("Tokens the model can see: the conversation and its answer. A larger "
                        "context takes more memory from the start."),
            ),
            (
                self.tr("Threads, decode"),
                self.threads,
                self.tr("CPU threads while tokens are produced. Auto measures which number is "
                        "fastest here."),
            ),
            (
                self.tr("Threads, prefill"),
                self.threads_prefill,
                self.tr("CPU threads while the prompt is read."),
            ),
            (
                self.tr("KV cache type"),
                self.kv_type,
                self.tr("Number format of the cache. q8_0 and q4_0 take a half and a quarter of "
                        "the memory of f16, and are slower on most CPUs."),
            ),
            (
                self.tr("Flash attention"),
                self.flash_attention,
                self.tr("Attention as one fused step. Auto uses it where it is faster."),
            ),
            (
                self.tr("GPU layers"),
                self.gpu_layers,
                no_gpu or self.tr("Layers of the model on the GPU; the rest runs on the CPU. "
                                  "Auto puts there all that fit."),
            ),
            (
                self.tr("Batch"),
                self.batch,
                self.tr("Most prompt tokens handed to the engine in one call."),
            ),
            (
                self.tr("Micro-batch"),
                self.micro_batch,
                self.tr("Most prompt tokens computed at once inside a call. Larger is faster and "
                        "takes more memory."),
            ),
        ):  # fmt: skip
            control.setMinimumSize(_CONTROL_SIZE)
            control.setAccessibleName(name)
            control.setAccessibleDescription(explanation)
            if isinstance(control, QComboBox):
                control.view().setAccessibleName(name)
            form.addRow(PlainLabel(self._theme, name), control)
            form.addRow(
                "",
                PlainLabel(self._theme, explanation, font="secondary", color="muted", wrap=True),
            )
            form.addItem(_gap())
        scroll = QScrollArea(self)
        scroll.setWidget(form_box)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addWidget(buttons)

    def _batch_spin(self, value: int) -> QSpinBox:
        spin = QSpinBox(self)
        spin.setRange(BATCH_BOUNDS.least, BATCH_BOUNDS.most)
        spin.setSingleStep(64)
        spin.setGroupSeparatorShown(True)
        spin.setValue(value)
        return spin

    def _combo(
        self, values: Sequence[str], current: str, titles: Sequence[str] | None = None
    ) -> QComboBox:
        combo = QComboBox(self)
        for value, title in zip(values, titles or values, strict=True):
            combo.addItem(title, value)
        combo.setCurrentIndex(combo.findData(current))
        return combo


def no_gpu_reason(state: EngineState) -> str | None:
    """Why layers cannot go to a GPU, None when they can or when it is not known."""
    if state.loaded is None or state.loaded.engine.n_gpu_layers > 0:
        return None
    codes = {notice.code for notice in state.loaded.engine.notices}
    if NoticeCode.GPU_NOT_IN_BUILD in codes:
        return translate("EngineDialog", "The installed llama.cpp was built for the CPU only.")
    asked = state.options.n_gpu_layers if state.options is not None else None
    if asked == 0 or NoticeCode.GPU_LAYERS_REDUCED in codes:
        return None
    return translate("EngineDialog", "The engine has found no GPU that it can use.")


def _auto(chosen: int | None) -> str:
    if chosen is None:
        return translate("EngineDialog", "Auto")
    return translate("EngineDialog", "Auto ({n})").format(n=format_count(chosen))


def _gap() -> QSpacerItem:
    return QSpacerItem(0, 8)
