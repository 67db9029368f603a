"""Folders of conversations. Main thread only."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.store.records import MOST_FOLDER_CHARACTERS, FolderRecord
from app.text import clean_name
from app.transcript import Conversation

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedFolder:
    """A folder that was deleted, and the chats that were in it."""

    folder: FolderRecord
    chats: tuple[Conversation, ...]


class ChatFolders(QObject):
    """The folders of a library. A chat is in one folder at most, and carries its name.

    Signals:
        changed(): A folder came or went, has another name or other chats, or is shown otherwise.
    """

    changed = Signal()

    def __init__(
        self,
        chats: Callable[[], Sequence[Conversation]],
        keep_chat: Callable[[Conversation], None],
        keep_folders: Callable[[tuple[FolderRecord, ...]], None],
        parent: QObject,
    ) -> None:
        """Be the folders of `chats`; what changes is handed to `keep_chat` and `keep_folders`."""
        super().__init__(parent)
        self._chats = chats
        self._keep_chat = keep_chat
        self._keep_folders = keep_folders
        self._folders: dict[str, FolderRecord] = {}

    @property
    def records(self) -> tuple[FolderRecord, ...]:
        """All folders, by name."""
        return tuple(
            sorted(self._folders.values(), key=lambda one: (one.name.casefold(), one.name))
        )

    def problem_of_name(self, name: str, renamed: str | None = None) -> str | None:
        """Why a folder cannot be called `name`, in the person's words; None where it can.

        `renamed` is the folder to be called so, None for a new one.
        """
        name = clean_name(name)
        if not name:
            return translate("Folders", "Type a name first.")
        if len(name) > MOST_FOLDER_CHARACTERS:
            return translate("Folders", "Choose a shorter name.")
        if name.casefold() in {other.casefold() for other in self._folders if other != renamed}:
            return translate("Folders", "There is a folder of this name already.")
        return None

    def create(self, name: str) -> str:
        """Add an empty folder, unless it is there; returns its name as it is kept."""
        name = clean_name(name)
        if name and name not in self._folders:
            self._add(FolderRecord(name=name))
            self._tell()
        return name

    def rename(self, name: str, new_name: str) -> None:
        """Give a folder another name; its chats stay in it."""
        new_name = clean_name(new_name)
        folder = self._folders.get(name)
        if folder is None or name == new_name or self.problem_of_name(new_name, name) is not None:
            return
        del self._folders[name]
        self._add(replace(folder, name=new_name))
        for chat in self._members(name):
            self._put(chat, new_name)
        self._tell()

    def set_collapsed(self, name: str, collapsed: bool) -> None:
        """Hide the chats of a folder in the list, or show them."""
        folder = self._folders.get(name)
        if folder is not None and folder.collapsed != collapsed:
            self._add(replace(folder, collapsed=collapsed))
            self._tell()

    def move(self, chat: Conversation, name: str) -> None:
        """Put a chat into a folder, where it is shown: not pinned, not archived. "" for none."""
        if name and name not in self._folders:
            return
        chat.is_pinned = chat.is_archived = False
        self._put(chat, name)
        self.changed.emit()

    def delete(self, name: str) -> RemovedFolder | None:
        """Take a folder away; its chats stay, in none. `restore` takes what this returns."""
        folder = self._folders.pop(name, None)
        if folder is None:
            return None
        members = tuple(self._members(name))
        for chat in members:
            self._put(chat, "")
        self._tell()
        return RemovedFolder(folder=folder, chats=members)

    def restore(self, removed: RemovedFolder) -> None:
        """Bring a folder back, with those of its chats that are in no other now."""
        self._folders.setdefault(removed.folder.name, removed.folder)
        there = set(map(id, self._chats()))
        for chat in removed.chats:
            if not chat.folder and id(chat) in there:
                self._put(chat, removed.folder.name)
        self._tell()

    def adopt(self, records: Iterable[FolderRecord]) -> None:
        """Take over folders of the database, and those that chats name."""
        for record in records:
            self._folders.setdefault(record.name, record)
        for name in {chat.folder for chat in self._chats() if chat.folder}:
            self._folders.setdefault(name, FolderRecord(name=name))

    def keep(self) -> None:
        """Hand all to `keep_folders` again."""
        self._keep_folders(self.records)

    def _add(self, folder: FolderRecord) -> None:
        self._folders[folder.name] = folder

    def _members(self, name: str) -> list[Conversation]:
        return [chat for chat in self._chats() if chat.folder == name]

    def _put(self, chat: Conversation, name: str) -> None:
        chat.folder = name
        self._keep_chat(chat)

    def _tell(self) -> None:
        self.keep()
        self.changed.emit()
