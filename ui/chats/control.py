"""Does with conversations and folders what is asked for in the list."""

from PySide6.QtCore import QObject, Qt

from app.session import ChatSession
from app.transcript import Conversation
from ui.sidebar import Sidebar
from ui.theme import Theme


class ChatListControl(QObject):
    """Connects the list with the session and its library, and asks for the names of folders."""

    def __init__(self, session: ChatSession, sidebar: Sidebar, theme: Theme) -> None:
        """Be owned by `sidebar`."""
        super().__init__(sidebar)
        self._session = session
        self._sidebar = sidebar
        self._theme = theme
        library, folders = session.library, session.library.folders
        sidebar.new_chat_requested.connect(session.new_chat)
        sidebar.chat_chosen.connect(session.open_chat)
        sidebar.renamed.connect(library.rename)
        sidebar.pin_requested.connect(library.set_pinned)
        sidebar.archive_requested.connect(library.set_archived)
        sidebar.move_requested.connect(folders.move)
        sidebar.folder_choice_requested.connect(self._ask_folder)
        sidebar.duplicate_requested.connect(session.duplicate)
        sidebar.delete_requested.connect(session.delete_chat)
        sidebar.new_folder_requested.connect(self.ask_new_folder)
        sidebar.chat_in_folder_requested.connect(self._begin_chat_in)
        sidebar.collapse_requested.connect(folders.set_collapsed)
        sidebar.folder_rename_requested.connect(self._ask_folder_name)
        sidebar.folder_delete_requested.connect(library.delete_folder)
        sidebar.search_requested.connect(library.search)
        sidebar.undo_strip.undo_requested.connect(session.undo_delete)
        sidebar.undo_strip.expired.connect(library.finish_delete)
        library.found.connect(sidebar.show_found)
        library.deleted.connect(sidebar.undo_strip.show_deleted)
        library.unkept_changed.connect(sidebar.show_unkept)

    def ask_new_folder(self, chat: Conversation | None) -> None:
        """Ask for the name of a new folder, and put `chat` into it."""
        from ui.name_dialog import NameDialog

        folders = self._session.library.folders
        title = self.tr("New folder")
        dialog = NameDialog(self._theme, title, "", folders.problem_of_name, self._sidebar)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.named.connect(lambda name: self._make_folder(name, chat))
        dialog.open()

    def _ask_folder(self, chat: Conversation) -> None:
        from ui.chats.folder_dialog import FolderDialog

        folders = self._session.library.folders
        names = [folder.name for folder in folders.records]
        dialog = FolderDialog(self._theme, names, chat.folder, self._sidebar)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda name: folders.move(chat, name))
        dialog.open()

    def _make_folder(self, name: str, chat: Conversation | None) -> None:
        folders = self._session.library.folders
        made = folders.create(name)
        if chat is not None:
            folders.move(chat, made)
        self._sidebar.choose_folder(made)

    def _begin_chat_in(self, name: str) -> None:
        self._session.new_chat()
        folders = self._session.library.folders
        folders.set_collapsed(name, False)
        folders.move(self._session.current_chat, name)

    def _ask_folder_name(self, name: str) -> None:
        from ui.name_dialog import NameDialog

        folders = self._session.library.folders
        dialog = NameDialog(
            self._theme,
            self.tr("Rename folder"),
            name,
            lambda new_name: folders.problem_of_name(new_name, name),
            self._sidebar,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.named.connect(lambda new_name: folders.rename(name, new_name))
        dialog.open()
