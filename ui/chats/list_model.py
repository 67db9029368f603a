"""The rows of the list of conversations, for Qt."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.store.records import FolderRecord
from app.transcript import Conversation
from ui.chats.rows import Row, Section, heading_above

CHAT_MIME = "application/x-oscillama-chat"
ROW_ROLE = int(Qt.ItemDataRole.UserRole)

Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class ChatListModel(QAbstractListModel):
    """Headings and chats.

    Signals:
        renamed(Conversation, str): The person gave a chat another title.
    """

    renamed = Signal(object, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()
        self._shown_words: list[tuple[object, ...]] = []

    def set_rows(self, rows: Sequence[Row]) -> bool:
        """Show these; returns whether the list is another, not only what stands in its rows."""
        words = [self._shown(row) for row in rows]
        is_same = len(rows) == len(self._rows) and all(
            row is known or row.stands_for(known)
            for row, known in zip(rows, self._rows, strict=True)
        )
        if is_same:
            self._rows = tuple(rows)
            before, self._shown_words = self._shown_words, words
            # Of all rows at once, the view would lay out all of them.
            for row, (now, then) in enumerate(zip(words, before, strict=True)):
                if now != then:
                    self.dataChanged.emit(self.index(row, 0), self.index(row, 0))
            return False
        self.beginResetModel()
        self._rows, self._shown_words = tuple(rows), words
        self.endResetModel()
        return True

    def index_of(self, chat: Conversation) -> QModelIndex:
        """Where a chat stands; invalid when it is not here."""
        for row, known in enumerate(self._rows):
            if known.chat is chat:
                return self.index(row, 0)
        return QModelIndex()

    def index_of_folder(self, name: str) -> QModelIndex:
        """Where the heading of a folder stands; invalid when it is not here."""
        for row, known in enumerate(self._rows):
            if known.folder is not None and known.folder.name == name:
                return self.index(row, 0)
        return QModelIndex()

    def heading_of(self, index: Index) -> QModelIndex:
        """The heading that a row stands under, or is; invalid below all rows and in a search."""
        above = heading_above(self._rows, index.row()) if index.isValid() else None
        if above is None or self._rows[above].section is Section.FOUND:
            return QModelIndex()
        return self.index(above, 0)

    def first_chat(self) -> QModelIndex:
        """The first row that is a chat; invalid when there is none."""
        for row, known in enumerate(self._rows):
            if known.chat is not None:
                return self.index(row, 0)
        return QModelIndex()

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        """How many rows there are."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Chats can be chosen, renamed and dragged, folders chosen; other headings are read."""
        row = self._rows[index.row()] if index.isValid() else None
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
            chat = self._rows[index.row()].chat
            if chat is not None:
                data.setData(CHAT_MIME, chat.chat_id.encode())
        return data

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """The words of a row, or the `Row` itself."""
        # An index may be kept over a change of the rows; an exception here ends the process.
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
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
        chat = self._rows[index.row()].chat if index.isValid() else None
        if chat is None or role != Qt.ItemDataRole.EditRole:
            return False
        self.renamed.emit(chat, str(value))
        return True

    def _shown(self, row: Row) -> tuple[object, ...]:
        """What can change in a row that stays the same."""
        title = row.chat.title if row.chat is not None else ""
        return title, row.excerpt, row.marks, row.n_chats

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
                n_found = len(self._rows) - 1
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
