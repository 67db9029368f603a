"""The rows of the list of conversations, for Qt."""

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import (
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    Signal,
)

from app.store.records import FolderRecord
from app.transcript import Conversation
from ui.chats.rows import Entry, Row, Section

CHAT_MIME = "application/x-oscillama-chat"
ROW_ROLE = int(Qt.ItemDataRole.UserRole)

Index = QModelIndex | QPersistentModelIndex


class ChatListModel(QStringListModel):
    """Headings and chats.

    A view asks for the number of rows once for each that it lays out, so that Qt counts them.

    Signals:
        renamed(Conversation, str): The person gave a chat another title.
    """

    renamed = Signal(object, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._entries: Sequence[Entry] = ()
        self._headings: list[int] = []
        self._shown_words: list[object] = []

    def set_rows(self, entries: Sequence[Entry]) -> bool:
        """Show these; returns whether the list is another, not only what stands in its rows."""
        words = [_shown(entry) for entry in entries]
        is_same = len(entries) == len(self._entries) and all(
            entry is known
            or (isinstance(entry, Row) and isinstance(known, Row) and entry.stands_for(known))
            for entry, known in zip(entries, self._entries, strict=True)
        )
        before, self._shown_words = self._shown_words, words
        self._entries = entries
        if is_same:
            # Of all rows at once, the view would lay out all of them.
            for row, (now, then) in enumerate(zip(words, before, strict=True)):
                if now != then:
                    self.dataChanged.emit(self.index(row, 0), self.index(row, 0))
            return False
        self._headings = [
            row
            for row, entry in enumerate(entries)
            if isinstance(entry, Row) and entry.section is not None
        ]
        self.setStringList([""] * len(entries))
        return True

    def index_of(self, chat: Conversation) -> QModelIndex:
        """Where a chat stands; invalid when it is not here."""
        for row, entry in enumerate(self._entries):
            if entry is chat or (isinstance(entry, Row) and entry.chat is chat):
                return self.index(row, 0)
        return QModelIndex()

    def index_of_folder(self, name: str) -> QModelIndex:
        """Where the heading of a folder stands; invalid when it is not here."""
        for row in self._headings:
            folder = self._row(row).folder
            if folder is not None and folder.name == name:
                return self.index(row, 0)
        return QModelIndex()

    def heading_of(self, index: Index) -> QModelIndex:
        """The heading that a row stands under, or is; invalid below all rows and in a search."""
        above = self._heading_above(index.row()) if index.isValid() else None
        if above is None or self._row(above).section is Section.FOUND:
            return QModelIndex()
        return self.index(above, 0)

    def first_chat(self) -> QModelIndex:
        """The first row that is a chat; invalid when there is none."""
        for row, entry in enumerate(self._entries):
            if isinstance(entry, Conversation) or entry.chat is not None:
                return self.index(row, 0)
        return QModelIndex()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Chats can be chosen, renamed and dragged, folders chosen; other headings are read."""
        row = self._row_at(index)
        if row is None or (row.chat is None and row.folder is None):
            return Qt.ItemFlag.NoItemFlags
        chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if row.chat is None:
            return chosen
        return chosen | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The chat that is dragged."""
        data = QMimeData()
        for index in indexes:
            row = self._row_at(index)
            if row is not None and row.chat is not None:
                data.setData(CHAT_MIME, row.chat.chat_id.encode())
        return data

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """The words of a row, or the `Row` itself."""
        row = self._row_at(index)
        if row is None or role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole and row.folder is not None:
            return self._spoken(row, row.folder)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._words(row)
        if role == Qt.ItemDataRole.EditRole and row.chat is not None:
            return row.chat.title
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.excerpt
        return None

    def setData(
        self, index: Index, value: object, role: int = int(Qt.ItemDataRole.EditRole)
    ) -> bool:
        """Take another title."""
        row = self._row_at(index)
        if row is None or row.chat is None or role != Qt.ItemDataRole.EditRole:
            return False
        self.renamed.emit(row.chat, str(value))
        return True

    def _row_at(self, index: Index) -> Row | None:
        # An index may be kept over a change of the rows; an exception here ends the process.
        return self._row(index.row()) if 0 <= index.row() < len(self._entries) else None

    def _row(self, at: int) -> Row:
        entry = self._entries[at]
        if isinstance(entry, Row):
            return entry
        above = self._heading_above(at)
        is_inside = above is not None and self._row(above).section is Section.FOLDER
        return Row(chat=entry, is_inside=is_inside)

    def _heading_above(self, at: int) -> int | None:
        """Where the heading of a row stands: the row itself, or one above."""
        number = bisect_right(self._headings, at)
        return self._headings[number - 1] if number else None

    def _words(self, row: Row) -> str:
        if row.chat is not None:
            return row.chat.title or self.tr("New chat")
        if row.folder is not None:
            return row.folder.name
        match row.section:
            case Section.PINNED:
                return self.tr("Pinned")
            case Section.TODAY:
                return self.tr("Today")
            case Section.WEEK:
                return self.tr("This week")
            case Section.EARLIER:
                return self.tr("Earlier")
            case Section.ARCHIVED:
                return self.tr("Archived")
            case _:
                n_found = len(self._entries) - 1
                return self.tr("%Ln found", "", n_found) if n_found else self.tr("Nothing found")

    def _spoken(self, row: Row, folder: FolderRecord) -> str:
        """A folder as a screen reader says it."""
        collapsed = self.tr("collapsed") if folder.collapsed else self.tr("expanded")
        n_chats = self.tr("%Ln conversation(s)", "", row.n_chats)
        words = self.tr("Folder {name}, {count}, {state}")
        return (
            words.replace("{count}", n_chats)
            .replace("{state}", collapsed)
            .replace("{name}", folder.name)
        )


def _shown(entry: Entry) -> object:
    """What can change in a row that stays the same."""
    if isinstance(entry, Conversation):
        return entry.title
    title = entry.chat.title if entry.chat is not None else ""
    return title, entry.excerpt, entry.marks, entry.n_chats
