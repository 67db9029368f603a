"""How a chat is answered: system prompt, sampling, and when answers end."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.chat_defaults import ChatDefaults
from app.chat_settings import ChatSettings
from app.presets import Preset
from app.session import ChatSession
from engine.model_name import display_name
from ui.chat_options import ChatOptions
from ui.labels import PlainLabel
from ui.option_form import OptionForm, OptionRow
from ui.preset_bar import PresetBar
from ui.theme import Theme

# Of the words beside the box, and of the name in them where those leave no room.
_WIDEST_PX = 390
_WIDEST_NAME_PX = 90


class ChatSettingsDialog(QDialog):
    """Edits the settings of the chat that is open when the dialog opens."""

    def __init__(
        self, theme: Theme, session: ChatSession, defaults: ChatDefaults, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._chat = session.current_chat
        self._defaults = defaults
        self.setWindowTitle(self.tr("Chat settings"))
        self.setAccessibleName(self.tr("Chat settings"))
        self.options = ChatOptions(theme, self)
        self.presets = PresetBar(theme, defaults.presets, self.options.settings, self)
        self.for_model = QCheckBox(self)
        self._offered: Preset | None = None
        self.for_model.setEnabled(False)
        self.for_new_chats = QCheckBox(self.tr("Also for new chats"), self)
        self.for_new_chats.setAccessibleName(self.tr("Also for new chats"))
        self.problem = PlainLabel(theme, font="secondary", color="error", wrap=True, parent=self)
        self.problem.setContentsMargins(24, 4, 24, 0)
        self.problem.hide()
        self._build(theme)
        self.presets.chosen.connect(self._on_preset_chosen)
        self.presets.failed.connect(self._say)
        self.presets.presets_changed.connect(self._show_model_choice)
        self.presets.presets_changed.connect(self.problem.hide)
        self.options.changed.connect(self._on_changed)
        self.options.fill(self._chat.settings)
        self.resize(self.sizeHint())

    def accept(self) -> None:
        """Answer with these from now on."""
        settings = self.options.settings()
        try:
            self._keep_for_model()
        except OSError as error:
            text = self.tr("The preset of the model could not be kept: {reason}")
            self._say(text.format(reason=error.strerror or error))
            return
        if self.for_new_chats.isChecked():
            self._defaults.set_defaults(settings)
        self._defaults.refresh()
        self._session.set_chat_settings(self._chat, settings)
        super().accept()

    def sizeHint(self) -> QSize:
        """Room for most choices where the screen has it."""
        return QSize(660, 800).boundedTo(self.screen().availableSize() * 0.9)

    def _build(self, theme: Theme) -> None:
        form = OptionForm(theme, self)
        form.add(
            OptionRow(
                name=self.tr("Preset"),
                field=self.presets,
                explanation=self.tr(
                    "Fills in the fields below. Those that come with Oscillama change only how "
                    "words are chosen; your own ones set everything."
                ),
            )
        )
        model = self._defaults.model_name
        form.add(
            OptionRow(
                name=self.tr("This model"),
                field=self.for_model,
                explanation=self.tr("New chats with this model then begin with the preset.")
                if model is not None
                else self.tr("Load a model first to choose a preset for it."),
            )
        )
        loaded = self._session.engine_state.loaded
        # What the person knows it by; presets are kept by what the file says of itself.
        name = display_name(loaded.model) if loaded is not None else model or ""
        words = self.tr("Always begin with this preset for {model}")
        metrics = self.for_model.fontMetrics()
        room = _WIDEST_PX - metrics.horizontalAdvance(words.replace("{model}", ""))
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, max(room, _WIDEST_NAME_PX))
        # An ampersand would become a shortcut.
        text = words.format(model=shown.replace("&", "&&"))
        self.for_model.setText(
            text if model is not None else self.tr("Always begin with this preset")
        )
        for row in self.options.rows():
            form.add(row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(form, 1)
        layout.addWidget(self.problem)
        layout.addWidget(self._buttons())

    def _buttons(self) -> QWidget:
        buttons = QDialogButtonBox(self)
        roles = QDialogButtonBox.ButtonRole
        use = QPushButton(self.tr("Use in this chat"), self)
        use.setProperty("look", "primary")
        use.setDefault(True)
        use.setAccessibleName(use.text())
        buttons.addButton(use, roles.AcceptRole)
        reset = QPushButton(self.tr("Reset all"), self)
        reset.setAccessibleName(reset.text())
        reset.setAutoDefault(False)
        reset.clicked.connect(lambda: self.options.fill(ChatSettings()))
        buttons.addButton(reset, roles.ResetRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel).setAccessibleName(
            self.tr("Cancel")
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        foot = QWidget(self)
        layout = QVBoxLayout(foot)
        layout.setContentsMargins(24, 8, 24, 16)
        layout.setSpacing(10)
        layout.addWidget(self.for_new_chats, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(buttons)
        return foot

    def _keep_for_model(self) -> None:
        model, preset = self._defaults.model_name, self.presets.preset()
        if model is None or preset is None:
            return
        store = self._defaults.presets
        if self.for_model.isChecked():
            store.choose_for_model(model, preset)
        elif store.of_model(model) == preset:
            store.choose_for_model(model, None)

    def _on_preset_chosen(self, preset: Preset) -> None:
        self.options.fill(preset.applied(self.options.settings()))

    def _on_changed(self) -> None:
        self.presets.show_settings(self.options.settings())
        self._show_model_choice()

    def _show_model_choice(self) -> None:
        model, preset = self._defaults.model_name, self.presets.preset()
        can = model is not None and preset is not None
        if preset == self._offered and self.for_model.isEnabled() == can:
            # The person may have ticked it for this one.
            return
        self._offered = preset
        chosen = None if model is None else self._defaults.presets.of_model(model)
        self.for_model.setEnabled(can)
        self.for_model.setChecked(can and chosen == preset)

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.show()
