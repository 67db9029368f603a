"""The left column: a new chat, search, and every conversation."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.messages import UserMessage
from app.store.records import SearchHit
from app.transcript import Conversation
from ui.chats.delegate import ChatDelegate
from ui.chats.list_model import ROW_ROLE, ChatListModel
from ui.chats.rows import Row, found, sectioned
from ui.chats.search_field import SearchField
from ui.chats.undo_strip import UndoStrip
from ui.icons import icon
from ui.labels import PlainLabel
from ui.side_pane import SidePane
from ui.theme import Theme

SIDEBAR_WIDTH = 228


class Sidebar(SidePane):
    """The list, and what is done with its chats.

    Signals:
        new_chat_requested(): The button was pressed.
        chat_chosen(str, str | None): Id of the chat to open, and of the message found in it.
        renamed(Conversation, str): Another title.
        pin_requested(Conversation, bool): Keep on top, or no longer.
        archive_requested(Conversation, bool): Put out of the way, or bring back.
        delete_requested(Conversation): Take away.
        search_requested(str): Look for words.
    """

    new_chat_requested = Signal()
    chat_chosen = Signal(str, object)
    renamed = Signal(object, str)
    pin_requested = Signal(object, bool)
    archive_requested = Signal(object, bool)
    delete_requested = Signal(object)
    search_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._chats: Sequence[Conversation] = ()
        self._current: Conversation | None = None
        self._hits: tuple[SearchHit, ...] | None = None
        self._is_choosing = False
        self.new_chat_button = self._make_new_chat_button()
        self.search_field = SearchField(
            theme, self.tr("Search"), self.tr("Search conversations"), self
        )
        self.search_field.setToolTip(self.tr("Search titles and messages (Ctrl+K)"))
        self._model = ChatListModel(self)
        self.chat_list = _ChatListView(self)
        self._delegate = ChatDelegate(theme, self.chat_list)
        self._prepare_list()
        self.archived_button = self._make_archived_button()
        self._unkept = PlainLabel(theme, font="caption", color="warning", wrap=True, parent=self)
        self._unkept.hide()
        self.undo_strip = UndoStrip(theme, self)
        self.chat_menu = QMenu(self)
        self.chat_menu.setAccessibleName(self.tr("Conversation"))
        self._lay_out()
        self._connect()
        self.setMinimumWidth(180)
        self.setAccessibleName(self.tr("Conversations"))
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_chats(self, chats: Sequence[Conversation], current: Conversation) -> None:
        """Show these chats, `current` chosen."""
        self._chats = chats
        self._current = current
        self._show_rows()

    def show_found(self, text: str, hits: tuple[SearchHit, ...]) -> None:
        """Show what a search gave, if that is still what is asked for."""
        if text == self.search_field.text() and text.strip():
            self._hits = hits
            self._show_rows()

    def show_unkept(self, message: UserMessage | None) -> None:
        """Say that chats are in memory only, as long as they are."""
        self._unkept.setText(message.title if message is not None else "")
        self._unkept.setToolTip(message.title if message is not None else "")
        self._unkept.setVisible(message is not None)

    def begin_search(self) -> None:
        """Go to the search field."""
        self.search_field.setFocus()
        self.search_field.selectAll()

    def begin_rename(self, chat: Conversation) -> None:
        """Edit the title of a chat in its row."""
        index = self._model.index_of(chat)
        if index.isValid():
            self.chat_list.setFocus()
            self.chat_list.scrollTo(index)
            self.chat_list.edit(index)

    def sizeHint(self) -> QSize:
        """The drawn width."""
        return QSize(SIDEBAR_WIDTH, 600)

    def _lay_out(self) -> None:
        brand = PlainLabel(self._theme, self.tr("Oscillama"), font="brand", parent=self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 18, 0, 8)
        layout.setSpacing(0)
        for widget, margin, space in (
            (brand, 20, 14),
            (self.new_chat_button, 16, 8),
            (self.search_field, 16, 6),
        ):
            row = QHBoxLayout()
            row.setContentsMargins(margin, 0, margin, 0)
            row.addWidget(widget)
            layout.addLayout(row)
            layout.addSpacing(space)
        layout.addWidget(self.chat_list, 1)
        for foot_widget in (self.archived_button, self._unkept):
            foot = QHBoxLayout()
            foot.setContentsMargins(12 if foot_widget is self.archived_button else 20, 4, 16, 0)
            foot.addWidget(foot_widget, 0 if foot_widget is self.archived_button else 1)
            foot.addStretch(0)
            layout.addLayout(foot)
        layout.addWidget(self.undo_strip)

    def _connect(self) -> None:
        self._model.renamed.connect(self.renamed)
        self.search_field.search_changed.connect(self._on_search)
        self.search_field.left_downwards.connect(self._open_first)
        self.chat_list.clicked.connect(self._on_clicked)
        self.chat_list.delete_pressed.connect(self._delete_current)
        self.chat_list.customContextMenuRequested.connect(self._show_menu)
        self.archived_button.toggled.connect(self._show_rows)

    def _make_new_chat_button(self) -> QPushButton:
        button = QPushButton(self.tr("New chat"), self)
        button.setProperty("look", "wide")
        button.setFont(self._theme.font("strong"))
        button.setAccessibleName(self.tr("New chat"))
        button.setFixedHeight(34)
        hint = PlainLabel(
            self._theme,
            QKeySequence("Ctrl+N").toString(QKeySequence.SequenceFormat.NativeText),
            font="caption",
            color="muted",
            parent=button,
        )
        inner = QHBoxLayout(button)
        inner.setContentsMargins(12, 0, 12, 0)
        inner.addStretch(1)
        inner.addWidget(hint)
        hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        button.clicked.connect(self.new_chat_requested)
        return button

    def _make_archived_button(self) -> QPushButton:
        button = QPushButton(self.tr("Show archived"), self)
        button.setProperty("look", "quiet")
        button.setFont(self._theme.font("caption"))
        button.setCheckable(True)
        button.setAccessibleName(self.tr("Show archived conversations"))
        button.hide()
        return button

    def _prepare_list(self) -> None:
        view = self.chat_list
        view.setModel(self._model)
        view.setItemDelegate(self._delegate)
        view.setAccessibleName(self.tr("Conversations"))
        view.selectionModel().currentChanged.connect(self._on_current_changed)

    def _show_rows(self) -> None:
        if self._current is None:
            return
        any_archived = any(chat.is_archived for chat in self._chats)
        self.archived_button.setVisible(any_archived)
        is_searching = self._hits is not None
        if self._hits is not None:
            rows = found(self._hits, self._chats)
        else:
            rows = sectioned(
                self._chats,
                self._current,
                datetime.now().astimezone().date(),
                with_archived=self.archived_button.isChecked(),
            )
        changes_height = is_searching != self._delegate.shows_found
        self._delegate.shows_found = is_searching
        top = self.chat_list.verticalScrollBar().value()
        self._is_choosing = True
        if self._model.set_rows(rows) or changes_height:
            self.chat_list.verticalScrollBar().setValue(0 if changes_height else top)
        self.chat_list.setCurrentIndex(self._model.index_of(self._current))
        self._is_choosing = False
        self.chat_list.viewport().update()

    def _on_search(self, text: str) -> None:
        if text.strip():
            self.search_requested.emit(text)
        else:
            self._hits = None
            self._show_rows()

    def _open_first(self) -> None:
        index = self._model.first_chat()
        if index.isValid():
            self.chat_list.setFocus()
            if self._hits is not None or not self.chat_list.currentIndex().isValid():
                self.chat_list.setCurrentIndex(index)

    def _on_current_changed(self, current: QModelIndex) -> None:
        row = current.data(ROW_ROLE)
        if isinstance(row, Row) and row.chat is not None and not self._is_choosing:
            self.chat_chosen.emit(row.chat.chat_id, row.message_id)

    def _on_clicked(self, clicked: QModelIndex) -> None:
        # What was found in the chat that is open is no other row.
        chat, row = _chat_at(clicked), clicked.data(ROW_ROLE)
        if chat is not None and chat is self._current and row.message_id is not None:
            self.chat_chosen.emit(chat.chat_id, row.message_id)

    def _delete_current(self) -> None:
        chat = _chat_at(self.chat_list.currentIndex())
        if chat is not None:
            self.delete_requested.emit(chat)

    def _show_menu(self, place: QPoint) -> None:
        chat = _chat_at(self.chat_list.indexAt(place))
        if chat is None:
            return
        menu = self.chat_menu
        menu.clear()
        pin = self.tr("Unpin") if chat.is_pinned else self.tr("Pin")
        archive = self.tr("Bring back") if chat.is_archived else self.tr("Archive")
        menu.addAction(self.tr("Rename"), lambda: self.begin_rename(chat))
        menu.addAction(pin, lambda: self.pin_requested.emit(chat, not chat.is_pinned))
        menu.addAction(archive, lambda: self.archive_requested.emit(chat, not chat.is_archived))
        menu.addSeparator()
        menu.addAction(self.tr("Delete"), lambda: self.delete_requested.emit(chat))
        menu.popup(self.chat_list.viewport().mapToGlobal(place))

    def _recolor(self) -> None:
        self.new_chat_button.setIcon(icon(self._theme, "plus", "text", 14))


class _ChatListView(QListView):
    """The list.

    Signals:
        delete_pressed(): The person wants the chosen chat away.
    """

    delete_pressed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        # Renaming begins with a key of the window and from the menu.
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the chosen chat away."""
        if event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


def _chat_at(index: QModelIndex) -> Conversation | None:
    row = index.data(ROW_ROLE)
    return row.chat if isinstance(row, Row) else None
