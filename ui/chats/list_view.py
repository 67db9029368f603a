"""The list of conversations: keys, clicks and drags."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from app.transcript import Conversation
from ui.chats.delegate import ChatDelegate
from ui.chats.list_model import CHAT_MIME, ROW_ROLE, ChatListModel, Index
from ui.chats.rows import Row
from ui.theme import Theme


class ChatListView(QListView):
    """Headings, folders and chats.

    Signals:
        row_chosen(QModelIndex): A click or a key went to this row.
        delete_pressed(): The person wants what is chosen away.
        entered_chat(): The person goes on to the chat that is chosen.
        rename_ended(): A title is no longer edited.
        folder_toggled(str): Collapse this folder, or expand it.
        dropped(str, QModelIndex): Id of a chat, and the heading it was dropped under; invalid
            where there is none.
        drag_ended(): A drag is over, whatever became of it.
    """

    row_chosen = Signal(QModelIndex)
    delete_pressed = Signal()
    entered_chat = Signal()
    rename_ended = Signal()
    folder_toggled = Signal(str)
    dropped = Signal(str, QModelIndex)
    drag_ended = Signal()

    def __init__(self, theme: Theme, model: ChatListModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._chats = model
        self._is_pressed = False
        self.chat_delegate = ChatDelegate(theme, self)
        self.setModel(model)
        self.setItemDelegate(self.chat_delegate)
        # After the list has taken the focus back.
        self.chat_delegate.closeEditor.connect(self.rename_ended)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        # After a click on a chat one types in it.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # Renaming begins with a key of the window and from the menu.
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDropIndicatorShown(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes away, Enter goes to a chat; on a folder keys show or hide its chats."""
        folder = row.folder if (row := row_at(self.currentIndex())) is not None else None
        key = event.key()
        if key == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        elif folder is not None and (
            key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
            or key == (Qt.Key.Key_Right if folder.collapsed else Qt.Key.Key_Left)
        ):
            self.folder_toggled.emit(folder.name)
        elif key == Qt.Key.Key_Left and row is not None and row.is_inside:
            self.setCurrentIndex(self._chats.heading_of(self.currentIndex()))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._is_on_chat():
            self.entered_chat.emit()
        else:
            super().keyPressEvent(event)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Go to the first chat where the first row is a heading that cannot be chosen."""
        index = super().moveCursor(action, modifiers)
        can_be_chosen = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        return index if can_be_chosen else self._chats.first_chat()

    def _is_on_chat(self) -> bool:
        return (
            chat_at(self.currentIndex()) is not None
            and self.state() is not QAbstractItemView.State.EditingState
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose on release: a press may begin a drag. The other buttons choose nothing."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.accept()
            return
        self._is_pressed = True
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the chat, or toggle the folder, that was pressed."""
        was_pressed, self._is_pressed = self._is_pressed, False
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if not was_pressed or not index.isValid() or index != self.currentIndex():
            return
        # The index may mean nothing any more once its chat is open: an empty one goes then.
        row = row_at(index)
        self.row_chosen.emit(index)
        if row is not None and row.folder is not None:
            self.setFocus()
            self.folder_toggled.emit(row.folder.name)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Tell of a row that keys went to."""
        super().currentChanged(current, previous)
        if not self._is_pressed:
            self.row_chosen.emit(current)

    def startDrag(self, supported: Qt.DropAction) -> None:
        """Drag the chat under the mouse."""
        self._is_pressed = False
        index = self.currentIndex()
        if chat_at(index) is None:
            return
        drag = QDrag(self)
        drag.setMimeData(self._chats.mimeData([index]))
        drag.setPixmap(self.viewport().grab(self.visualRect(index)))
        drag.setHotSpot(QPoint(20, 15))
        drag.exec(Qt.DropAction.MoveAction)
        self.drag_ended.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take chats only."""
        self._consider(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show under which heading the chat would come."""
        super().dragMoveEvent(event)
        self._consider(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Show none."""
        super().dragLeaveEvent(event)
        self._show_drop(QModelIndex())

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell where the chat came."""
        self._consider(event)
        self._show_drop(QModelIndex())
        self.stopAutoScroll()
        if event.isAccepted():
            chat_id = bytes(event.mimeData().data(CHAT_MIME).data()).decode()
            self.dropped.emit(chat_id, self._heading_at(event))

    def _consider(self, event: QDropEvent) -> None:
        if event.mimeData().hasFormat(CHAT_MIME):
            event.setDropAction(Qt.DropAction.MoveAction)
            event.accept()
            self._show_drop(self._heading_at(event))
        else:
            event.ignore()

    def _heading_at(self, event: QDropEvent) -> QModelIndex:
        return self._chats.heading_of(self.indexAt(event.position().toPoint()))

    def _show_drop(self, heading: QModelIndex) -> None:
        if self.chat_delegate.drop_heading != heading:
            self.chat_delegate.drop_heading = QPersistentModelIndex(heading)
            self.viewport().update()


def row_at(index: QModelIndex) -> Row | None:
    """What stands there."""
    row = index.data(ROW_ROLE)
    return row if isinstance(row, Row) else None


def chat_at(index: QModelIndex) -> Conversation | None:
    """The chat that stands there."""
    row = row_at(index)
    return row.chat if row is not None else None
