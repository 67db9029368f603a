"""The menu of what stands in the list: a conversation, a folder, or nothing."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.store.records import FolderRecord
from app.transcript import Conversation

# A longer menu does not fit on a screen.
_MOST_IN_MENU = 30


class ChatMenu(QMenu):
    """Filled anew each time it is shown.

    Signals:
        rename_requested(Conversation): Edit its title.
        pin_requested(Conversation, bool): Keep on top, or no longer.
        archive_requested(Conversation, bool): Put out of the way, or bring back.
        move_requested(Conversation, str): Put into this folder; "" for none.
        folder_choice_requested(Conversation): Ask for a folder to put it into.
        duplicate_requested(Conversation): Make another one like it.
        delete_requested(Conversation): Take away.
        new_folder_requested(Conversation | None): Make a folder, for this chat.
        new_chat_requested(str): Begin a chat in this folder.
        folder_rename_requested(str): Ask for another name of this folder.
        folder_delete_requested(str): Take this folder away.
    """

    rename_requested = Signal(object)
    pin_requested = Signal(object, bool)
    archive_requested = Signal(object, bool)
    move_requested = Signal(object, str)
    folder_choice_requested = Signal(object)
    duplicate_requested = Signal(object)
    delete_requested = Signal(object)
    new_folder_requested = Signal(object)
    new_chat_requested = Signal(str)
    folder_rename_requested = Signal(str)
    folder_delete_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.folder_menu = QMenu(self.tr("Move to folder"), self)
        self.folder_menu.setAccessibleName(self.folder_menu.title())
        self.folder_menu.aboutToShow.connect(self._fill_folders)
        self._chat: Conversation | None = None
        self._folders: Sequence[FolderRecord] = ()

    def fill_for_chat(self, chat: Conversation, folders: Sequence[FolderRecord]) -> None:
        """What can be done with a chat."""
        self.clear()
        self._chat, self._folders = chat, folders
        self.setAccessibleName(self.tr("Conversation"))
        pin = self.tr("Unpin") if chat.is_pinned else self.tr("Pin")
        archive = self.tr("Bring back") if chat.is_archived else self.tr("Archive")
        self.addAction(self.tr("Rename"), lambda: self.rename_requested.emit(chat))
        self.addAction(pin, lambda: self.pin_requested.emit(chat, not chat.is_pinned))
        duplicate = self.addAction(
            self.tr("Duplicate"), lambda: self.duplicate_requested.emit(chat)
        )
        duplicate.setEnabled(not chat.is_empty)
        if len(folders) > _MOST_IN_MENU:
            # There may be thousands.
            self.addAction(
                self.tr("Move to folder…"), lambda: self.folder_choice_requested.emit(chat)
            )
            self.addAction(self.tr("New folder…"), lambda: self.new_folder_requested.emit(chat))
        else:
            self.addMenu(self.folder_menu)
        self.addAction(archive, lambda: self.archive_requested.emit(chat, not chat.is_archived))
        self.addSeparator()
        self.addAction(self.tr("Delete"), lambda: self.delete_requested.emit(chat))

    def fill_for_folder(self, name: str) -> None:
        """What can be done with a folder."""
        self.clear()
        self.setAccessibleName(self.tr("Folder"))
        self.addAction(self.tr("New chat here"), lambda: self.new_chat_requested.emit(name))
        self.addAction(self.tr("Rename folder…"), lambda: self.folder_rename_requested.emit(name))
        self.addSeparator()
        # Its conversations stay, so that it is not the word for taking conversations away.
        self.addAction(
            self.tr("Delete folder, keep conversations"),
            lambda: self.folder_delete_requested.emit(name),
        )

    def fill_for_nothing(self) -> None:
        """What can be done beside all rows."""
        self.clear()
        self.setAccessibleName(self.tr("Conversations"))
        self.addAction(self.tr("New folder…"), lambda: self.new_folder_requested.emit(None))

    def _fill_folders(self) -> None:
        chat, menu = self._chat, self.folder_menu
        menu.clear()
        if chat is None:
            return
        for name, words in [*((folder.name, folder.name) for folder in self._folders), ("", "")]:
            # An & in a name is no mark of a key.
            text = words.replace("&", "&&") or self.tr("No folder")
            if not words:
                menu.addSeparator()
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(chat.folder == name)
            action.triggered.connect(
                lambda _=False, name=name: self.move_requested.emit(chat, name)
            )
        menu.addAction(self.tr("New folder…"), lambda: self.new_folder_requested.emit(chat))
