"""The window: puts its parts together and connects them with the session."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QVBoxLayout, QWidget

from app.actions import Action
from app.chat_defaults import ChatDefaults
from app.engine_state import EngineState, EngineStatus
from app.messages import model_refused
from app.model_check import ModelCheck
from app.model_choice import options_for
from app.session import ChatSession
from app.transcript import Answer
from engine.values import LoadOptions
from ui.chat_pane import ChatPane
from ui.chats.control import ChatListControl
from ui.columns import Columns
from ui.conversation_actions import ConversationActions
from ui.exchange_control import ExchangeControl
from ui.file_drop import FileDrop
from ui.import_strip import ImportStrip
from ui.inspector.control import TokenInspector
from ui.load_strip import LoadStrip
from ui.notice_strip import NoticeStrip
from ui.panels_control import PanelsControl
from ui.recent_models import RecentModels
from ui.runs.opener import RunsOpener
from ui.sidebar import Sidebar
from ui.theme import Theme
from ui.timeline.opener import TimelineOpener
from ui.top_bar import TopBar
from ui.window_actions import WindowActions

if TYPE_CHECKING:
    from app.runs.library import RunLibrary
    from app.torch_install import TorchInstall
    from engine.errors import ErrorInfo
    from engine.events import Loaded

_GEOMETRY_KEY = "window/geometry"
_FIRST_SIZE = QSize(1440, 900)
_FIRST_SHARE_OF_SCREEN = 0.94


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowServices:
    """What the window is given beside the session.

    Attributes:
        theme: Colours and fonts.
        chat_defaults: What new chats begin with, and the presets.
        settings: Where the window keeps its layout.
        options_for: The options to load a model with when nothing was loaded before.
        telemetry_factory: Makes the telemetry column; called once, after
            `Columns.allow_telemetry`.
        runs: Gives the recorded runs, when the person wants them.
        torch_install: Gives what installs torch, when the person wants it.
        log_dir: Folder of the logs.
        on_first_paint: Called when the window is on screen: begin what may take time.
        on_close: Called when the window has closed: end what runs.
    """

    theme: Theme
    chat_defaults: ChatDefaults
    settings: QSettings
    options_for: Callable[[str], LoadOptions]
    telemetry_factory: Callable[[], QWidget]
    runs: Callable[[], "RunLibrary"]
    torch_install: Callable[[], "TorchInstall"]
    log_dir: Path
    on_first_paint: Callable[[], None]
    on_close: Callable[[], None]


class MainWindow(QMainWindow):
    """Oscillama's window. Lives in the main thread."""

    def __init__(self, session: ChatSession, services: WindowServices) -> None:
        super().__init__()
        self._session = session
        self._services = services
        self._theme = theme = services.theme
        self._was_painted = False
        self._closes_anyway = False
        self._loaded: Loaded | None = None
        self._kept_options: dict[str, LoadOptions] = {}
        self._recent = RecentModels(services.settings)
        self._check = ModelCheck(self)
        self.actions_ = WindowActions(self, theme)
        self.sidebar = Sidebar(theme)
        self.chat = ChatPane(session, theme)
        self.inspector = TokenInspector(session, theme, services.settings, self.chat.view, self)
        more = self.actions_.more_menu(self)
        self.inspector.add_to(more)
        self.top_bar = TopBar(theme, self._recent, more)
        self.load_strip = LoadStrip(theme)
        self.import_strip = ImportStrip(theme)
        self.notices = NoticeStrip(theme)
        self._chat_list = ChatListControl(session, self.sidebar, theme)
        self._exchange = ExchangeControl(session, self.actions_, self.import_strip)
        self.columns = Columns(
            theme, services.settings, self.sidebar, self._center(), services.telemetry_factory
        )
        self.setCentralWidget(self.columns)
        self.setWindowTitle(self.tr("Oscillama"))
        self.timeline = TimelineOpener(theme, session, services.settings, self.actions_, self)
        self.runs = RunsOpener(theme, services.runs, services.settings, self, self.columns)
        FileDrop(theme, self).dropped.connect(self.chat.attach)
        self._connect_actions()
        self._connect_parts()
        ConversationActions(self.actions_, session, self.chat, self)
        self._show_state(session.engine_state)
        self._show_chats()
        self._on_columns_changed()
        self._restore_geometry()
        self.chat.composer.field.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Once the window is on screen, say so."""
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self, self._services.on_first_paint)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask if that loses anything; else go from the screen, and end what runs behind it."""
        self.chat.keep_draft()
        if self._session.library.notices.is_lost_at_end() and not self._closes_anyway:
            event.ignore()
            self._ask_to_close()
            return
        self._services.settings.setValue(_GEOMETRY_KEY, self.saveGeometry())
        self.columns.save()
        self.hide()
        self.chat.view.formulas.close()
        self.chat.attaching.close()
        event.accept()
        self._services.on_close()

    def _ask_to_close(self) -> None:
        from ui.closing import ClosingDialog

        if self.findChild(ClosingDialog) is None:
            dialog = ClosingDialog(self._theme, self._session.library.notices, self)
            dialog.close_requested.connect(self._close_anyway)
            dialog.export_requested.connect(
                lambda: self._exchange.export_what_is_here(dialog.close_button.click)
            )
            self._open(dialog)

    def _close_anyway(self) -> None:
        self._closes_anyway = True
        self.close()

    def choose_model(self) -> None:
        """Ask for a model file and load it."""
        from ui.dialogs import choose_model_file

        self._open_chosen(choose_model_file(self, self._model_path()))

    def choose_model_folder(self) -> None:
        """Ask for a folder of safetensors and load it."""
        from ui.dialogs import choose_model_folder

        self._open_chosen(choose_model_folder(self, self._model_path()))

    def open_model(self, path: str) -> None:
        """Load a model with the choices made for the last one; what is none changes nothing."""
        if self._loaded is not None or self._session.engine_state.status is EngineStatus.LOADING:
            self._check.ask(path)
        else:
            self._load(path)

    def show_engine_settings(self) -> None:
        """Open the engine settings; there must have been a load."""
        from ui.engine_dialog import EngineDialog

        state = self._session.engine_state
        if state.options is None:
            return
        dialog = EngineDialog(self._theme, state, state.options, self._kept_options, self)
        dialog.load_requested.connect(self._session.load)
        self._open(dialog)

    def show_chat_settings(self) -> None:
        """Open the settings of the chat shown."""
        from ui.chat_settings_dialog import ChatSettingsDialog

        self._open(
            ChatSettingsDialog(self._theme, self._session, self._services.chat_defaults, self)
        )

    def show_torch_install(self) -> None:
        """Offer to install torch, or show how far that is."""
        from ui.install_dialog import InstallDialog

        dialog = self.findChild(InstallDialog)
        if dialog is None:
            dialog = InstallDialog(self._theme, self._services.torch_install(), self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.installed.connect(self._on_torch_installed)
        # Not modal: it may take minutes, and there is a model to chat with.
        dialog.show()
        dialog.activateWindow()

    def perform(self, action: Action, answer: Answer | None) -> None:
        """Do what a button of a message says."""
        match action:
            case Action.OPEN_MODEL:
                self.choose_model()
            case Action.RELOAD:
                self._session.reload()
            case Action.RETRY:
                retried = answer if answer is not None else self._last_answer()
                if retried is not None:
                    self._session.regenerate(retried)
                else:
                    self._session.reload()
            case Action.NEW_CHAT:
                self._session.new_chat()
            case Action.ENGINE_SETTINGS:
                self.show_engine_settings()
            case Action.CHAT_SETTINGS:
                self.show_chat_settings()
            case Action.DROP_OLDEST:
                dropped = answer if answer is not None else self._last_answer()
                if dropped is not None:
                    self._session.drop_oldest(dropped)
            case Action.STOP:
                self._session.stop()
            case Action.UNDO_DELETE:
                self._session.undo_delete_variant()
            case Action.INSTALL_TORCH:
                self.show_torch_install()

    def _model_path(self) -> str | None:
        options = self._session.engine_state.options
        return options.model_path if options is not None else None

    def _load(self, path: str) -> None:
        previous = self._session.engine_state.options or self._services.options_for(path)
        self._session.load(options_for(path, previous, self._kept_options))

    def _on_checked(self, path: str, problem: "ErrorInfo | None") -> None:
        if problem is None:
            self._load(path)
        else:
            self._session.message_raised.emit(model_refused(problem))

    def _open_chosen(self, path: str | None) -> None:
        if path is not None:
            self.open_model(path)

    def _center(self) -> QWidget:
        center = QWidget()
        layout = QVBoxLayout(center)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        strips = (self.load_strip, self.import_strip, self.notices, self.inspector.strip)
        for part in (self.top_bar, *strips):
            layout.addWidget(part)
        layout.addWidget(self.chat, 1)
        return center

    def _connect_actions(self) -> None:
        actions, session = self.actions_, self._session
        actions.new_chat.triggered.connect(self._new_chat)
        actions.search_chats.triggered.connect(self._search_chats)
        actions.new_folder.triggered.connect(self._new_folder)
        actions.rename_chat.triggered.connect(self._rename_chat)
        actions.open_model.triggered.connect(self.choose_model)
        actions.open_folder.triggered.connect(self.choose_model_folder)
        actions.focus_composer.triggered.connect(self._go_to_composer)
        actions.stop.triggered.connect(session.stop)
        self.chat.follow_find(actions.find, actions.find_next, actions.find_previous)
        actions.show_sidebar.triggered.connect(self.columns.set_sidebar_shown)
        actions.show_telemetry.triggered.connect(self.columns.set_telemetry_shown)
        actions.focus.triggered.connect(self.columns.set_focus_mode)
        actions.reload.triggered.connect(session.reload)
        actions.engine_settings.triggered.connect(self.show_engine_settings)
        actions.attach.triggered.connect(self.chat.choose_files)
        actions.chat_settings.triggered.connect(self.show_chat_settings)
        actions.runs.triggered.connect(self.runs.open)
        actions.open_logs.triggered.connect(self._open_logs)
        actions.shortcuts.triggered.connect(self._show_shortcuts)
        actions.about.triggered.connect(self._show_about)
        actions.theme_chosen.connect(self._theme.set_mode)
        actions.zoom_in.triggered.connect(lambda: self._theme.zoom(1))
        actions.zoom_out.triggered.connect(lambda: self._theme.zoom(-1))
        actions.zoom_reset.triggered.connect(lambda: self._theme.zoom(0))

    def _connect_parts(self) -> None:
        session, bar = self._session, self.top_bar
        session.engine_changed.connect(self._show_state)
        self._check.checked.connect(self._on_checked)
        session.library.changed.connect(self._show_chats)
        session.chat_opened.connect(self._show_chats)
        bar.model_button.open_requested.connect(self.choose_model)
        bar.model_button.open_folder_requested.connect(self.choose_model_folder)
        bar.model_button.model_chosen.connect(self.open_model)
        bar.engine_settings_requested.connect(self.show_engine_settings)
        bar.focus_button.clicked.connect(self.columns.set_focus_mode)
        bar.set_panels_menu(self.actions_.panels_menu)
        PanelsControl(self.actions_, self.columns)
        self.load_strip.cancel_requested.connect(session.cancel_load)
        self.chat.action_requested.connect(self.perform)
        self.chat.composer.settings_requested.connect(self.show_chat_settings)
        self.sidebar.left_for_chat.connect(self._go_to_composer)
        self.columns.changed.connect(self._on_columns_changed)
        self.runs.timeline_requested.connect(self.timeline.open_runs)
        self.chat.view.maker.timeline_requested.connect(self.timeline.open_at)

    def _new_chat(self) -> None:
        self._session.new_chat()
        self._go_to_composer()

    def _go_to_composer(self) -> None:
        self.columns.show_conversation()
        self.chat.composer.field.setFocus()

    def _search_chats(self) -> None:
        self.columns.set_sidebar_shown(True)
        self.sidebar.begin_search()

    def _rename_chat(self) -> None:
        self.columns.set_sidebar_shown(True)
        self.sidebar.rename_chosen(self._session.current_chat)

    def _new_folder(self) -> None:
        self.columns.set_sidebar_shown(True)
        self._chat_list.ask_new_folder(None)

    def _show_state(self, state: EngineState) -> None:
        self.top_bar.show_state(state)
        self.load_strip.show_state(state)
        self.notices.show_state(state)
        self.actions_.show_state(state)
        if state.options is not None:
            self._kept_options[state.options.backend] = state.options
        is_new = state.loaded is not self._loaded
        self._loaded = state.loaded
        # Asked at every answer; settings are written for a load only.
        if is_new and state.loaded is not None and state.options is not None:
            self._recent.add(state.options.model_path)

    def _show_chats(self) -> None:
        current, folders = self._session.current_chat, self._session.library.folders.records
        self.sidebar.show_chats(self._session.chats, current, folders)
        self.actions_.export_chat.setEnabled(not current.is_empty)

    def _on_columns_changed(self) -> None:
        columns = self.columns
        self.actions_.show_sidebar.setChecked(columns.shows_sidebar)
        self.actions_.show_telemetry.setChecked(columns.shows_telemetry)
        self.actions_.focus.setChecked(columns.has_focus_mode)
        self.top_bar.focus_button.setChecked(columns.has_focus_mode)

    def _on_torch_installed(self) -> None:
        from app.torch_install import torch_installed

        error = self._session.engine_state.error
        if error is not None and Action.INSTALL_TORCH in error.actions:
            self._session.reload()
        else:
            self._session.message_raised.emit(torch_installed())

    def _last_answer(self) -> Answer | None:
        turns = self._session.current_chat.turns
        last = turns[-1] if turns else None
        return last if isinstance(last, Answer) else None

    def _open_logs(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._services.log_dir)))

    def _show_shortcuts(self) -> None:
        from ui.dialogs import ShortcutsDialog

        self._open(ShortcutsDialog(self._theme, self.actions_.shortcut_groups(), self))

    def _show_about(self) -> None:
        from ui.dialogs import AboutDialog

        self._open(AboutDialog(self._theme, self))

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _restore_geometry(self) -> None:
        geometry = self._services.settings.value(_GEOMETRY_KEY)
        if isinstance(geometry, QByteArray) and self.restoreGeometry(geometry):
            return
        screen = QGuiApplication.primaryScreen().availableGeometry().size()
        self.resize(_FIRST_SIZE.boundedTo(screen * _FIRST_SHARE_OF_SCREEN))
