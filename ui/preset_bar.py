"""Chooses a preset, and keeps, renames and deletes the person's own."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QWidget

from app.chat_settings import ChatSettings
from app.presets import Preset, PresetStore
from ui.name_dialog import NameDialog
from ui.theme import Theme


class PresetBar(QWidget):
    """A list of presets, and buttons for the person's own.

    Signals:
        chosen(Preset): Show its settings.
        failed(str): Why a change was not kept, in the person's words.
        presets_changed(): There is another one, or one less, or another name.
    """

    chosen = Signal(object)
    failed = Signal(str)
    presets_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        store: PresetStore,
        settings: Callable[[], ChatSettings],
        parent: QWidget,
    ) -> None:
        """`settings` tells what "Save as" keeps."""
        super().__init__(parent)
        self._theme = theme
        self._store = store
        self._settings = settings
        self.combo = QComboBox(self)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.combo.setSizeAdjustPolicy(policy)
        self.save_button = self._button(self.tr("Save as…"), self._save)
        self.rename_button = self._button(self.tr("Rename…"), self._rename)
        self.delete_button = self._button(self.tr("Delete"), self._delete)
        self.delete_button.setToolTip(self.tr("The fields stay as they are"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.combo, 1)
        for button in (self.save_button, self.rename_button, self.delete_button):
            layout.addWidget(button)
        self.setFocusProxy(self.combo)
        self._list()
        self.combo.activated.connect(self._on_activated)

    def preset(self) -> Preset | None:
        """The preset shown, None where the settings are no preset's."""
        return self._store.find(str(self.combo.currentData()))

    def show_settings(self, settings: ChatSettings) -> None:
        """Show which preset gives these settings; the one shown stays where it does."""
        shown = self.preset()
        presets = ([] if shown is None else [shown]) + list(self._store.presets())
        found = next((each for each in presets if each.applied(settings) == settings), None)
        self._show(found)

    def setAccessibleName(self, name: str) -> None:
        """The list is what a screen reader stops at."""
        super().setAccessibleName(name)
        self.combo.setAccessibleName(name)
        self.combo.view().setAccessibleName(name)

    def setAccessibleDescription(self, description: str) -> None:
        """Describe the list."""
        super().setAccessibleDescription(description)
        self.combo.setAccessibleDescription(description)

    def _button(self, text: str, on_click: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(text.rstrip("…"))
        button.setAutoDefault(False)
        button.clicked.connect(on_click)
        return button

    def _list(self) -> None:
        self.combo.clear()
        self.combo.addItem(self.tr("Own settings"), "")
        for preset in self._store.presets():
            self.combo.addItem(preset.name, preset.key)

    def _show(self, preset: Preset | None) -> None:
        index = 0 if preset is None else self.combo.findData(preset.key)
        self.combo.setCurrentIndex(max(0, index))
        is_own = preset is not None and not preset.is_built_in
        self.rename_button.setEnabled(is_own)
        self.delete_button.setEnabled(is_own)

    def _on_activated(self) -> None:
        preset = self.preset()
        if preset is None:
            self.show_settings(self._settings())
        else:
            self._show(preset)
            self.chosen.emit(preset)

    def _save(self) -> None:
        settings = self._settings()
        self._ask(
            self.tr("Save as a preset"),
            "",
            self._store.problem_of_name,
            lambda name: self._store.save(name, settings),
        )

    def _rename(self) -> None:
        preset = self.preset()
        if preset is not None:
            self._ask(
                self.tr("Rename the preset"),
                preset.name,
                lambda name: self._store.problem_of_name(name, preset),
                lambda name: self._store.rename(preset, name),
            )

    def _delete(self) -> None:
        preset = self.preset()
        if preset is not None:
            self._change(lambda: self._store.delete(preset))

    def _ask(
        self,
        title: str,
        name: str,
        problem_of: Callable[[str], str | None],
        keep: Callable[[str], Preset],
    ) -> None:
        dialog = NameDialog(self._theme, title, name, problem_of, self)
        dialog.named.connect(lambda chosen: self._change(lambda: keep(chosen)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _change(self, change: Callable[[], Preset | None]) -> None:
        try:
            changed = change()
        except OSError as error:
            text = self.tr(
                "The presets could not be kept: {reason}. Check that there is room on "
                "the disk and that the folder is yours."
            )
            self.failed.emit(text.format(reason=error.strerror or error))
            return
        self._list()
        self._show(changed)
        self.presets_changed.emit()
