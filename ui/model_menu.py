"""The model button: which model is loaded, what it says about itself, and others to open."""

from PySide6.QtCore import QCoreApplication, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QMenu, QWidget, QWidgetAction

from app.engine_state import EngineState, EngineStatus
from engine.model_name import display_name, path_name
from engine.values import ModelInfo
from ui.drop_button import DropButton
from ui.format import UNKNOWN, Quantity, format_bytes, format_count, significant
from ui.labels import PlainLabel
from ui.menu_hover import MenuHover
from ui.recent_models import RecentModels
from ui.theme import Theme
from ui.window_actions import OPEN_FOLDER_KEYS

_WIDEST = 300
translate = QCoreApplication.translate


class ModelButton(DropButton):
    """Opens the menu of models.

    Signals:
        open_requested(): The person wants to choose a file.
        open_folder_requested(): The person wants to choose a folder.
        model_chosen(str): A recent model, by its path.
    """

    open_requested = Signal()
    open_folder_requested = Signal()
    model_chosen = Signal(str)

    def __init__(self, theme: Theme, recent: RecentModels, parent: QWidget) -> None:
        super().__init__(theme, font="strong", widest=_WIDEST, name=self.tr("Model"), parent=parent)
        self._recent = recent
        self._model: ModelInfo | None = None
        self.menu_ = QMenu(self)
        self.menu_.setAccessibleName(self.tr("Model"))
        self.menu_.aboutToShow.connect(self._fill)
        self.clicked.connect(self._open_menu)
        MenuHover(self, self.menu_)
        self.show_state(EngineState())

    def show_state(self, state: EngineState) -> None:
        """Show which model there is."""
        self._model = state.loaded.model if state.loaded is not None else None
        if self._model is not None:
            dtype = state.loaded.engine.dtype if state.loaded is not None else None
            quantization = self._model.quantization
            # The engine button says in what it computes.
            parts = (display_name(self._model), None if quantization == dtype else quantization)
            self.show_text("  ".join(part for part in parts if part))
        elif state.options is not None and state.status is not EngineStatus.NO_MODEL:
            self.show_text(path_name(state.options.model_path))
        else:
            self.show_text(self.tr("No model"))

    def _open_menu(self) -> None:
        # Not setMenu: a style sheet's padding does not hold for buttons that have a menu.
        self.menu_.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def _fill(self) -> None:
        menu = self.menu_
        menu.clear()
        if self._model is not None:
            details = QWidgetAction(menu)
            details.setDefaultWidget(self._details(self._model))
            menu.addAction(details)
            menu.addSeparator()
        for text, keys, signal in (
            (self.tr("Open model…"), QKeySequence.StandardKey.Open, self.open_requested),
            (self.tr("Open model folder…"), OPEN_FOLDER_KEYS, self.open_folder_requested),
        ):
            choose = QAction(text, menu)
            choose.setShortcut(QKeySequence(keys))
            # The window owns the shortcut; here it is only shown.
            choose.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            choose.triggered.connect(signal)
            menu.addAction(choose)
        current = self._model.path if self._model is not None else None
        paths = [path for path in self._recent.paths() if path != current]
        if paths:
            menu.addSection(self.tr("Recent"))
        for path in paths:
            self._add_recent(path)

    def _add_recent(self, path: str) -> None:
        name = path_name(path).replace("&", "&&")
        action = self.menu_.addAction(name)
        action.triggered.connect(lambda: self.model_chosen.emit(path))

    def _details(self, model: ModelInfo) -> QWidget:
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(13, 8, 20, 8)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(5)
        rows = model_details(model)
        for row, (name, value) in enumerate(rows):
            label = PlainLabel(self._theme, name, font="secondary", color="muted")
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            text = PlainLabel(self._theme, value, font="secondary", wrap=row == 0)
            text.setMinimumWidth(190)
            text.setMaximumWidth(320)
            grid.addWidget(text, row, 1)
        box.setAccessibleName(self.tr("Details of the model"))
        box.setAccessibleDescription("\n".join(f"{name}: {value}" for name, value in rows))
        return box


def model_details(model: ModelInfo) -> list[tuple[str, str]]:
    """What the model says about itself, as names and values."""
    heads = format_count(model.n_heads)
    if model.n_kv_heads is not None and model.n_kv_heads != model.n_heads:
        heads = translate("ModelDetails", "{heads}, {kv} for K and V").format(
            heads=heads, kv=format_count(model.n_kv_heads)
        )
    if model.chat_template:
        template = translate("ModelDetails", "yes")
    else:
        template = translate("ModelDetails", "none")
    return [
        (translate("ModelDetails", "Name"), model.name),
        (translate("ModelDetails", "Architecture"), model.architecture or UNKNOWN),
        (translate("ModelDetails", "Parameters"), parameters_text(model.n_parameters)),
        (translate("ModelDetails", "Quantization"), model.quantization or UNKNOWN),
        (translate("ModelDetails", "Size"), format_bytes(model.size_bytes)),
        (translate("ModelDetails", "Layers"), format_count(model.n_layers)),
        (translate("ModelDetails", "Attention heads"), heads),
        (translate("ModelDetails", "Vocabulary"), format_count(model.n_vocab)),
        (translate("ModelDetails", "Trained context"), format_count(model.n_ctx_train)),
        (translate("ModelDetails", "Chat template"), template),
    ]


def parameters_text(n_parameters: int | None) -> str:
    """For example "135 M" or "7.24 B"."""
    if n_parameters is None:
        return UNKNOWN
    for factor, unit in (
        (10**9, translate("Units", "B", "billion")),
        (10**6, translate("Units", "M", "million")),
        (10**3, translate("Units", "k", "thousand")),
    ):
        if n_parameters >= factor:
            return str(Quantity(significant(n_parameters / factor), unit))
    return format_count(n_parameters)
