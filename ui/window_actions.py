"""What the window can do, with its shortcuts: for menus, for keys, and for the list of both."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.engine_state import EngineState, EngineStatus
from ui import shortcuts
from ui.theme import Theme, ThemeMode

OPEN_FOLDER_KEYS = "Ctrl+Shift+O"


class WindowActions(QObject):
    """The actions of one window, added to it so that their shortcuts work.

    Signals:
        theme_chosen(ThemeMode): Follow the system, or stay light or dark.
    """

    theme_chosen = Signal(object)

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self.new_chat = self._action(self.tr("New chat"), "Ctrl+N")
        self.search_chats = self._action(self.tr("Search conversations"), "Ctrl+K")
        self.new_folder = self._action(self.tr("New folder…"), "Ctrl+Shift+N")
        self.rename_chat = self._action(self.tr("Rename the conversation"), "F2")
        self.open_model = self._action(self.tr("Open model…"), "Ctrl+O")
        self.open_folder = self._action(self.tr("Open model folder…"), OPEN_FOLDER_KEYS)
        self.focus_composer = self._action(self.tr("Type a message"), "Ctrl+L")
        self.attach = self._action(self.tr("Attach files…"), "Ctrl+Shift+A")
        self.stop = self._action(self.tr("Stop the answer"), "Esc")
        self.edit_message = self._action(self.tr("Edit the last message"), shortcuts.EDIT)
        self.edit_answer = self._action(self.tr("Edit the last answer"), shortcuts.EDIT_ANSWER)
        self.regenerate = self._action(self.tr("Answer once more"), shortcuts.REGENERATE)
        self.continue_answer = self._action(self.tr("Continue the answer"), shortcuts.CONTINUE)
        either = (shortcuts.CONTINUE, "Ctrl+Shift+Return", "Ctrl+Shift+Enter")
        self.continue_answer.setShortcuts([QKeySequence(keys) for keys in dict.fromkeys(either)])
        self.previous_variant = self._action(
            self.tr("Previous variant"), shortcuts.PREVIOUS_VARIANT
        )
        self.next_variant = self._action(self.tr("Next variant"), shortcuts.NEXT_VARIANT)
        self.copy_answer = self._action(self.tr("Copy the last answer"), "Ctrl+Shift+C")
        self.copy_plain = self._action(self.tr("Copy the last answer as plain text"))
        self.copy_conversation = self._action(self.tr("Copy conversation"))
        self.export_chat = self._action(self.tr("Export this conversation…"))
        self.export_all = self._action(self.tr("Export all conversations…"))
        self.import_chats = self._action(self.tr("Import conversations…"))
        self.show_sidebar = self._action(self.tr("Conversations"), "Ctrl+B", checkable=True)
        self.show_telemetry = self._action(self.tr("Live panels"), "Ctrl+T", checkable=True)
        self.present = self._action(self.tr("A panel on the full screen"), shortcuts.PRESENT)
        self.focus = self._action(self.tr("Only the conversation"), "Ctrl+Shift+F", checkable=True)
        self.find = self._action(self.tr("Find in conversation"), "Ctrl+F")
        self.find_next = self._action(self.tr("Next match"), "F3")
        self.find_previous = self._action(self.tr("Previous match"), "Shift+F3")
        self.zoom_in = self._action(self.tr("Larger text"), "Ctrl++")
        # On many keyboards + is typed with Shift, and = is its key.
        self.zoom_in.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self.zoom_out = self._action(self.tr("Smaller text"), "Ctrl+-")
        self.zoom_reset = self._action(self.tr("Normal text size"), "Ctrl+0")
        self.reload = self._action(self.tr("Load the model again"), "Ctrl+R")
        self.engine_settings = self._action(self.tr("Engine settings…"), "Ctrl+,")
        self.chat_settings = self._action(self.tr("Chat settings…"), "Ctrl+Shift+,")
        self.timeline = self._action(self.tr("Timeline…"), shortcuts.TIMELINE)
        self.runs = self._action(self.tr("Runs…"), shortcuts.RUNS)
        self.open_logs = self._action(self.tr("Open the log folder"))
        self.shortcuts = self._action(self.tr("Keyboard shortcuts"), "F1")
        self.about = self._action(self.tr("About Oscillama"))
        self.quit = self._action(self.tr("Quit"), "Ctrl+Q")
        self.quit.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        self.quit.triggered.connect(window.close)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.focusWindowChanged.connect(self._quit_from_dialog)
        self.themes = self._theme_group(theme.mode)
        self.panels_menu = QMenu(self.tr("Panels"), window)
        self.panels_menu.setAccessibleName(self.tr("Panels"))
        self.show_state(EngineState())

    def show_state(self, state: EngineState) -> None:
        """Enable what the engine's state allows."""
        has_options = state.options is not None
        self.reload.setEnabled(has_options and state.status is not EngineStatus.LOADING)
        self.engine_settings.setEnabled(has_options)

    def with_shortcuts(self) -> list[QAction]:
        """Every action that has a shortcut, in the order to show them."""
        return [action for action in self._window.actions() if not action.shortcut().isEmpty()]

    def shortcut_groups(self) -> list[tuple[str, list[QAction]]]:
        """The same by what one does with them, each group with its name."""
        groups = [
            (
                self.tr("Write and answer"),
                [
                    self.focus_composer,
                    self.attach,
                    self.stop,
                    self.edit_message,
                    self.edit_answer,
                    self.regenerate,
                    self.continue_answer,
                    self.previous_variant,
                    self.next_variant,
                    self.copy_answer,
                ],
            ),
            (
                self.tr("Conversations"),
                [
                    self.new_chat,
                    self.search_chats,
                    self.new_folder,
                    self.rename_chat,
                    self.find,
                    self.find_next,
                    self.find_previous,
                ],
            ),
            (
                self.tr("Model and settings"),
                [
                    self.open_model,
                    self.open_folder,
                    self.reload,
                    self.engine_settings,
                    self.chat_settings,
                ],
            ),
            (
                self.tr("Watch and explain"),
                [self.show_telemetry, self.present, self.timeline, self.runs],
            ),
            (
                self.tr("Window"),
                [
                    self.show_sidebar,
                    self.focus,
                    self.zoom_in,
                    self.zoom_out,
                    self.zoom_reset,
                    self.shortcuts,
                    self.quit,
                ],
            ),
        ]
        grouped = {action for _, actions in groups for action in actions}
        # What others added to the window looks into answers, too.
        groups[3][1].extend(each for each in self.with_shortcuts() if each not in grouped)
        return groups

    def more_menu(self, parent: QWidget) -> QMenu:
        """The menu behind "…"."""
        menu = QMenu(parent)
        menu.setAccessibleName(self.tr("More"))
        for name, groups in (
            (
                self.tr("Conversation"),
                (
                    (self.find, self.find_next, self.find_previous),
                    (self.edit_message, self.edit_answer, self.regenerate, self.continue_answer),
                    (self.previous_variant, self.next_variant),
                    (self.copy_answer, self.copy_plain, self.copy_conversation),
                ),
            ),
            (
                self.tr("Conversations"),
                (
                    (self.search_chats, self.new_folder, self.rename_chat),
                    (self.export_chat, self.export_all, self.import_chats),
                ),
            ),
        ):
            _fill(_sub_menu(menu, name), groups)
        view = _sub_menu(menu, self.tr("View"))
        view.addActions([self.show_sidebar, self.show_telemetry, self.focus, self.timeline])
        view.addMenu(self.panels_menu)
        view.addAction(self.present)
        view.addSeparator()
        _fill(_sub_menu(view, self.tr("Theme")), (self.themes.actions(),))
        sizes = (self.zoom_in, self.zoom_out, self.zoom_reset)
        _fill(_sub_menu(view, self.tr("Text size")), (sizes,))
        menu.addSeparator()
        menu.addActions([self.chat_settings, self.reload, self.engine_settings, self.runs])
        menu.addSeparator()
        menu.addActions([self.open_logs, self.shortcuts, self.about])
        menu.addSeparator()
        menu.addAction(self.quit)
        return menu

    def _quit_from_dialog(self) -> None:
        """Quit from a modal dialog, too: Qt takes no shortcut of a window that one covers."""
        dialog = QApplication.activeModalWidget()
        if dialog is not None:
            dialog.addAction(self.quit)

    def _action(self, text: str, keys: str = "", *, checkable: bool = False) -> QAction:
        action = QAction(text, self)
        if keys:
            action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setCheckable(checkable)
        self._window.addAction(action)
        return action

    def _theme_group(self, current: ThemeMode) -> QActionGroup:
        group = QActionGroup(self)
        for mode, text in (
            (ThemeMode.SYSTEM, self.tr("As the system")),
            (ThemeMode.LIGHT, self.tr("Light")),
            (ThemeMode.DARK, self.tr("Dark")),
        ):
            action = QAction(text, group)
            action.setCheckable(True)
            action.setChecked(mode is current)
            action.setData(mode.value)
        group.triggered.connect(
            lambda action: self.theme_chosen.emit(ThemeMode(str(action.data())))
        )
        return group


def _sub_menu(menu: QMenu, name: str) -> QMenu:
    made = menu.addMenu(name)
    made.setAccessibleName(name)
    return made


def _fill(menu: QMenu, groups: Sequence[Sequence[QAction]]) -> None:
    """Add these groups, with a line between them."""
    for group in groups:
        if not menu.isEmpty():
            menu.addSeparator()
        menu.addActions(list(group))
