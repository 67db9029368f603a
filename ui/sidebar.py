"""The left column: a new chat, search, and every conversation."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.messages import UserMessage
from app.store.records import FolderRecord, SearchHit
from app.transcript import Conversation
from ui.chats.list_model import ChatListModel
from ui.chats.list_view import ChatListView, row_at
from ui.chats.menu import ChatMenu
from ui.chats.rows import Section, found, sectioned
from ui.chats.search_field import SearchField
from ui.chats.undo_strip import UndoStrip
from ui.icons import icon
from ui.labels import PlainLabel
from ui.shortcuts import native
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
        move_requested(Conversation, str): Put into a folder; "" for none.
        folder_choice_requested(Conversation): Ask for a folder to put it into.
        duplicate_requested(Conversation): Make another one like it.
        delete_requested(Conversation): Take away.
        new_folder_requested(Conversation | None): Make a folder, for this chat.
        chat_in_folder_requested(str): Begin a chat in this folder.
        collapse_requested(str, bool): Hide the chats of a folder, or show them.
        folder_rename_requested(str): Ask for another name of a folder.
        folder_delete_requested(str): Take a folder away, not its chats.
        search_requested(str): Look for words.
        left_for_chat(): The person goes on to the chat that is open.
    """

    new_chat_requested = Signal()
    chat_chosen = Signal(str, object)
    renamed = Signal(object, str)
    pin_requested = Signal(object, bool)
    archive_requested = Signal(object, bool)
    move_requested = Signal(object, str)
    folder_choice_requested = Signal(object)
    duplicate_requested = Signal(object)
    delete_requested = Signal(object)
    new_folder_requested = Signal(object)
    chat_in_folder_requested = Signal(str)
    collapse_requested = Signal(str, bool)
    folder_rename_requested = Signal(str)
    folder_delete_requested = Signal(str)
    search_requested = Signal(str)
    left_for_chat = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._chats: Sequence[Conversation] = ()
        self._folders: Sequence[FolderRecord] = ()
        self._current: Conversation | None = None
        self._hits: tuple[SearchHit, ...] | None = None
        self._is_choosing = False
        self._came_from_elsewhere = False
        self._is_stale = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self.catch_up)
        self.new_chat_button = self._make_new_chat_button()
        self.search_field = SearchField(
            theme, self.tr("Search"), self.tr("Search conversations"), self
        )
        self.search_field.setToolTip(self.tr("Search titles and messages (Ctrl+K)"))
        self.new_folder_button = self._make_new_folder_button()
        self._model = ChatListModel(self)
        self.chat_list = ChatListView(theme, self._model, self)
        self.chat_list.setAccessibleName(self.tr("Conversations"))
        self.archived_button = self._make_archived_button()
        self._unkept = PlainLabel(theme, font="caption", color="warning", wrap=True, parent=self)
        self._unkept.hide()
        self.undo_strip = UndoStrip(theme, self)
        self.chat_menu = ChatMenu(self)
        self._lay_out()
        self._connect()
        self.setMinimumWidth(180)
        self.setAccessibleName(self.tr("Conversations"))
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_chats(
        self,
        chats: Sequence[Conversation],
        current: Conversation,
        folders: Sequence[FolderRecord],
    ) -> None:
        """Show these chats in these folders, `current` chosen.

        At once the first time in a turn of the event loop; what else comes in it is shown after.
        """
        self._chats = chats
        self._folders = folders
        self._current = current
        if self._rest.isActive():
            self._is_stale = True
        else:
            self._show_rows()
            self._rest.start()

    def catch_up(self) -> None:
        """Show what is still to be shown."""
        if self._is_stale:
            self._show_rows()

    def show_found(self, text: str, hits: tuple[SearchHit, ...]) -> None:
        """Show what a search gave, if that is still what is asked for."""
        if text == self.search_field.text() and text.strip():
            self._hits = hits
            self._show_rows()

    def show_unkept(self, message: UserMessage | None) -> None:
        """Say that chats are in memory only, as long as they are."""
        self._unkept.setText(message.title if message is not None else "")
        self._unkept.setToolTip(message.text if message is not None else "")
        self._unkept.setAccessibleDescription(message.text if message is not None else "")
        self._unkept.setVisible(message is not None)

    def begin_search(self) -> None:
        """Go to the search field."""
        self.search_field.setFocus()
        self.search_field.selectAll()

    def rename_chosen(self, chat: Conversation) -> None:
        """Rename the folder that the keys are on; else edit the title of `chat`."""
        row = row_at(self.chat_list.currentIndex())
        if row is not None and row.folder is not None and self.chat_list.hasFocus():
            self.folder_rename_requested.emit(row.folder.name)
        else:
            self.begin_rename(chat)

    def choose_folder(self, name: str) -> None:
        """Go to a folder in the list, if it is shown."""
        self.catch_up()
        index = self._model.index_of_folder(name)
        if index.isValid():
            self.chat_list.setFocus()
            self.chat_list.setCurrentIndex(index)

    def begin_rename(self, chat: Conversation) -> None:
        """Edit the title of a chat in its row."""
        self.catch_up()
        index = self._model.index_of(chat)
        if index.isValid():
            self._came_from_elsewhere = not self.chat_list.hasFocus()
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
            if widget is self.search_field:
                row.setSpacing(4)
                row.addWidget(self.new_folder_button)
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
        self.search_field.entered.connect(self._enter_first)
        view, menu = self.chat_list, self.chat_menu
        view.row_chosen.connect(self._on_row_chosen)
        view.entered_chat.connect(self.left_for_chat)
        view.rename_ended.connect(self._on_rename_ended)
        view.delete_pressed.connect(self._delete_current)
        view.folder_toggled.connect(self._toggle)
        view.dropped.connect(self._on_dropped)
        view.drag_ended.connect(self._show_rows)
        view.customContextMenuRequested.connect(self._show_menu)
        self.archived_button.toggled.connect(self._show_rows)
        self.new_folder_button.clicked.connect(lambda: self.new_folder_requested.emit(None))
        menu.rename_requested.connect(self.begin_rename)
        menu.pin_requested.connect(self.pin_requested)
        menu.archive_requested.connect(self.archive_requested)
        menu.move_requested.connect(self.move_requested)
        menu.folder_choice_requested.connect(self.folder_choice_requested)
        menu.duplicate_requested.connect(self.duplicate_requested)
        menu.delete_requested.connect(self.delete_requested)
        menu.new_folder_requested.connect(self.new_folder_requested)
        menu.new_chat_requested.connect(self.chat_in_folder_requested)
        menu.folder_rename_requested.connect(self.folder_rename_requested)
        menu.folder_delete_requested.connect(self.folder_delete_requested)

    def _make_new_chat_button(self) -> QPushButton:
        button = QPushButton(self.tr("New chat"), self)
        button.setProperty("look", "wide")
        button.setFont(self._theme.font("strong"))
        button.setAccessibleName(self.tr("New chat"))
        button.setFixedHeight(34)
        hint = PlainLabel(
            self._theme,
            native("Ctrl+N"),
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
        button.clicked.connect(self.left_for_chat)
        return button

    def _make_new_folder_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(self.tr("New folder"))
        button.setToolTip(self.tr("New folder (Ctrl+Shift+N)"))
        button.setFixedSize(32, 32)
        return button

    def _make_archived_button(self) -> QPushButton:
        button = QPushButton(self.tr("Show archived"), self)
        button.setProperty("look", "quiet")
        button.setFont(self._theme.font("caption"))
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(self.tr("Show archived conversations"))
        button.hide()
        return button

    def _show_rows(self) -> None:
        self._is_stale = False
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
                self._folders,
                self._current,
                datetime.now().astimezone().date(),
                with_archived=self.archived_button.isChecked(),
            )
        delegate = self.chat_list.chat_delegate
        changes_height = is_searching != delegate.shows_found
        delegate.shows_found = is_searching
        delegate.open_chat = self._current
        top = self.chat_list.verticalScrollBar().value()
        kept = row_at(self.chat_list.currentIndex()) if self.chat_list.hasFocus() else None
        self._is_choosing = True
        if self._model.set_rows(rows) or changes_height:
            self.chat_list.verticalScrollBar().setValue(0 if changes_height else top)
        index = self._model.index_of(self._current)
        if kept is not None and kept.folder is not None:
            # The keys stay on a folder that they have gone to.
            on_folder = self._model.index_of_folder(kept.folder.name)
            index = on_folder if on_folder.isValid() else index
        self.chat_list.setCurrentIndex(index)
        self._is_choosing = False
        self.chat_list.viewport().update()

    def _on_search(self, text: str) -> None:
        if text.strip():
            self.search_requested.emit(text)
        else:
            self._hits = None
            self._show_rows()

    def _open_first(self) -> None:
        self.catch_up()
        index = self._model.first_chat()
        if index.isValid():
            self.chat_list.setFocus()
            if self._hits is not None or not self.chat_list.currentIndex().isValid():
                self.chat_list.setCurrentIndex(index)

    def _enter_first(self) -> None:
        self._open_first()
        if self._hits:
            self.left_for_chat.emit()

    def _on_rename_ended(self) -> None:
        # Who goes through the list with keys goes on there.
        if self._came_from_elsewhere:
            self.left_for_chat.emit()

    def _on_row_chosen(self, index: QModelIndex) -> None:
        row = row_at(index)
        if row is not None and row.chat is not None and not self._is_choosing:
            self.chat_chosen.emit(row.chat.chat_id, row.message_id)

    def _delete_current(self) -> None:
        row = row_at(self.chat_list.currentIndex())
        if row is not None and row.chat is not None:
            self.delete_requested.emit(row.chat)
        elif row is not None and row.folder is not None:
            self.folder_delete_requested.emit(row.folder.name)

    def _toggle(self, name: str) -> None:
        is_collapsed = any(one.collapsed for one in self._folders if one.name == name)
        self.collapse_requested.emit(name, not is_collapsed)

    def _on_dropped(self, chat_id: str, heading: QModelIndex) -> None:
        """Put a chat where it was dropped: into that folder, on top, out of the way, or in none."""
        chat = next((chat for chat in self._chats if chat.chat_id == chat_id), None)
        row = row_at(heading)
        if chat is None:
            return
        if row is not None and row.section is Section.PINNED:
            self.pin_requested.emit(chat, True)
        elif row is not None and row.section is Section.ARCHIVED:
            self.archive_requested.emit(chat, True)
        else:
            folder = row.folder if row is not None else None
            self.move_requested.emit(chat, folder.name if folder is not None else "")

    def _show_menu(self, place: QPoint) -> None:
        row = row_at(self.chat_list.indexAt(place))
        if row is not None and row.chat is not None:
            self.chat_menu.fill_for_chat(row.chat, self._folders)
        elif row is not None and row.folder is not None:
            self.chat_menu.fill_for_folder(row.folder.name)
        else:
            self.chat_menu.fill_for_nothing()
        self.chat_menu.popup(self.chat_list.viewport().mapToGlobal(place))

    def _recolor(self) -> None:
        self.new_chat_button.setIcon(icon(self._theme, "plus", "text", 14))
        self.new_folder_button.setIcon(icon(self._theme, "folder-plus", "muted", 16))
