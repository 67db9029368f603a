"""The left column: a new chat, and the chats of this run."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeySequence, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.transcript import Conversation
from ui.icons import icon
from ui.labels import PlainLabel
from ui.side_pane import SidePane
from ui.theme import Theme

SIDEBAR_WIDTH = 228
_ROW_HEIGHT = 30
_CHAT_ROLE = int(Qt.ItemDataRole.UserRole)

Index = QModelIndex | QPersistentModelIndex


class ChatListModel(QAbstractListModel):
    """The chats, the newest first."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._chats: tuple[Conversation, ...] = ()

    def set_chats(self, chats: Sequence[Conversation]) -> None:
        """Show these chats."""
        self.beginResetModel()
        self._chats = tuple(chats)
        self.endResetModel()

    def index_of(self, chat: Conversation) -> QModelIndex:
        """Where a chat stands; invalid when it is not here."""
        for row, known in enumerate(self._chats):
            if known is chat:
                return self.index(row, 0)
        return QModelIndex()

    def rowCount(self, parent: Index | None = None) -> int:
        """How many chats there are."""
        return 0 if parent is not None and parent.isValid() else len(self._chats)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """The title, or the chat itself."""
        if not index.isValid():
            return None
        chat = self._chats[index.row()]
        if role == _CHAT_ROLE:
            return chat
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return chat.title or self.tr("New chat")
        return None


class Sidebar(SidePane):
    """The list and its button.

    Signals:
        new_chat_requested(): The button was pressed.
        chat_chosen(int): Id of the chat to open.
    """

    new_chat_requested = Signal()
    chat_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        brand = PlainLabel(theme, self.tr("Oscillama"), font="brand", parent=self)
        self.new_chat_button = self._make_new_chat_button()
        self._is_choosing = False
        self._model = ChatListModel(self)
        self.chat_list = self._make_list()
        caption = PlainLabel(
            theme, self.tr("This session"), font="caption", color="muted", parent=self
        )
        lifetime = PlainLabel(
            theme,
            self.tr("Chats live until the window closes."),
            font="caption",
            color="muted",
            wrap=True,
            parent=self,
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 18, 0, 16)
        layout.setSpacing(0)
        for widget, margin, space in (
            (brand, 20, 14),
            (self.new_chat_button, 16, 20),
            (caption, 20, 6),
        ):
            row = QHBoxLayout()
            row.setContentsMargins(margin, 0, margin, 0)
            row.addWidget(widget)
            layout.addLayout(row)
            layout.addSpacing(space)
        layout.addWidget(self.chat_list, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 10, 16, 0)
        foot.addWidget(lifetime)
        layout.addLayout(foot)
        self.setMinimumWidth(180)
        self.setAccessibleName(self.tr("Conversations"))
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_chats(self, chats: Sequence[Conversation], current: Conversation) -> None:
        """Show these chats, `current` chosen."""
        self._model.set_chats(chats)
        self.choose(current)

    def choose(self, chat: Conversation) -> None:
        """Mark the chat that is open."""
        index = self._model.index_of(chat)
        self._is_choosing = True
        self.chat_list.setCurrentIndex(index)
        self._is_choosing = False

    def sizeHint(self) -> QSize:
        """The drawn width."""
        return QSize(SIDEBAR_WIDTH, 600)

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

    def _make_list(self) -> QListView:
        view = QListView(self)
        view.setModel(self._model)
        view.setItemDelegate(_ChatDelegate(self._theme, view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.viewport().setAutoFillBackground(False)
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setTabKeyNavigation(False)
        view.setAccessibleName(self.tr("Chats of this session"))
        view.selectionModel().currentChanged.connect(self._on_current_changed)
        return view

    def _on_current_changed(self, current: QModelIndex) -> None:
        chat = current.data(_CHAT_ROLE)
        if isinstance(chat, Conversation) and not self._is_choosing:
            self.chat_chosen.emit(chat.chat_id)

    def _recolor(self) -> None:
        self.new_chat_button.setIcon(icon(self._theme, "plus", "text", 14))


class _ChatDelegate(QStyledItemDelegate):
    """Paints a title on a rounded row."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One row."""
        return QSize(120, _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row: the open chat stands out, the one under the mouse a little."""
        rect: QRect = option.rect.adjusted(10, 1, -10, -1)
        state = option.state
        chosen = index == self._view.currentIndex()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("hover"))
            painter.drawRoundedRect(rect, 8, 8)
        if chosen and self._view.hasFocus():
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect, 8, 8)
        painter.setFont(self._theme.font("strong" if chosen else "control"))
        painter.setPen(self._theme.color("text" if chosen else "muted"))
        inner = rect.adjusted(10, 0, -8, 0)
        title = str(index.data())
        elided = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, inner.width())
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, int(align), elided)
        painter.restore()
