"""A message for the person: what happened, why, and buttons for what to do next."""

from PySide6.QtCore import QCoreApplication, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.actions import Action
from app.messages import Severity, UserMessage
from ui.flow_row import FlowRow
from ui.icons import IconName, icon
from ui.labels import PlainLabel
from ui.palette import ColorName
from ui.theme import Theme

_DETAILS_HEIGHT = 150
_RADIUS = 12
_ICONS: dict[Severity, tuple[IconName, ColorName]] = {
    Severity.INFO: ("info-circle", "muted"),
    Severity.WARNING: ("alert-triangle", "warning"),
    Severity.ERROR: ("alert-triangle", "error"),
}


def action_label(action: Action) -> str:
    """The words on the button of an action."""
    translate = QCoreApplication.translate
    match action:
        case Action.OPEN_MODEL:
            return translate("Actions", "Open a model…")
        case Action.RELOAD:
            return translate("Actions", "Load again")
        case Action.RETRY:
            return translate("Actions", "Try again")
        case Action.NEW_CHAT:
            return translate("Actions", "New chat")
        case Action.ENGINE_SETTINGS:
            return translate("Actions", "Engine settings…")
        case Action.CHAT_SETTINGS:
            return translate("Actions", "Chat settings…")
        case Action.DROP_OLDEST:
            return translate("Actions", "Leave out the oldest turns")
        case Action.STOP:
            return translate("Actions", "Stop")
        case Action.UNDO_DELETE:
            return translate("Actions", "Undo")
        case Action.INSTALL_TORCH:
            return translate("Actions", "Install PyTorch…")


class MessageCard(QWidget):
    """Shows a `UserMessage`.

    Signals:
        action_requested(Action): One of its buttons was pressed.
        dismissed(): The person closed it.
        height_changed(): It needs another height, since details were opened or closed.
    """

    action_requested = Signal(object)
    dismissed = Signal()
    height_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        message: UserMessage,
        parent: QWidget | None = None,
        *,
        dismissable: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._message = message
        self.setAccessibleName(message.title)
        self.setAccessibleDescription(message.text)
        self._layout = QVBoxLayout(self)
        self._icon = QLabel(self)
        self._title = PlainLabel(theme, message.title, font="strong", wrap=True, parent=self)
        self._text = PlainLabel(theme, message.text, color="muted", wrap=True, parent=self)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._text.setSizePolicy(policy)
        self._buttons = [self._action_button(action) for action in message.actions]
        self._details = self._make_details(message.technical)
        self._fold = self._make_fold() if message.technical else None
        self._close = self._make_close() if dismissable else None
        self._lay_out()
        theme.changed.connect(self._recolor)
        self._recolor()

    @property
    def message(self) -> UserMessage:
        """What is shown."""
        return self._message

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        extra = (self._fold, self._details, self._close)
        return [*self._buttons, *(widget for widget in extra if widget is not None)]

    def set_actions_shown(self, shown: bool) -> None:
        """Show the buttons, or not where they no longer apply."""
        for button in self._buttons:
            button.setVisible(shown)

    def needed_height(self, width: int) -> int:
        """Height at `width`, pixels."""
        self._layout.activate()
        return self._layout.totalHeightForWidth(width)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.setBrush(self._theme.color("panel"))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, _RADIUS, _RADIUS)

    def _action_button(self, action: Action) -> QPushButton:
        button = QPushButton(action_label(action), self)
        button.setAccessibleName(action_label(action))
        button.setAccessibleDescription(self._message.title)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.action_requested.emit(action))
        return button

    def _make_details(self, technical: str) -> QPlainTextEdit:
        details = QPlainTextEdit(technical, self)
        details.setReadOnly(True)
        details.setProperty("look", "log")
        details.setFont(self._theme.font("code"))
        details.setFixedHeight(_DETAILS_HEIGHT)
        details.setTabChangesFocus(True)
        details.setAccessibleName(self.tr("Technical details"))
        details.hide()
        return details

    def _make_fold(self) -> QPushButton:
        fold = QPushButton(self.tr("Details"), self)
        fold.setProperty("look", "quiet")
        fold.setCheckable(True)
        fold.setAccessibleName(self.tr("Show technical details"))
        fold.toggled.connect(self._show_details)
        return fold

    def _make_close(self) -> QToolButton:
        close = QToolButton(self)
        close.setProperty("look", "quiet")
        close.setAccessibleName(self.tr("Dismiss"))
        close.setToolTip(self.tr("Dismiss"))
        close.clicked.connect(self.dismissed)
        return close

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._icon)
        head.addWidget(self._title, 1)
        if self._close is not None:
            head.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        foot = FlowRow(8, self)
        for button in (*self._buttons, *([] if self._fold is None else [self._fold])):
            foot.add(button)
        layout = self._layout
        layout.setContentsMargins(16, 12, 12, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self._text)
        if self._buttons or self._fold is not None:
            layout.addSpacing(2)
            layout.addWidget(foot)
        layout.addWidget(self._details)

    def _show_details(self, shown: bool) -> None:
        self._details.setVisible(shown)
        self.height_changed.emit()

    def _recolor(self) -> None:
        name, color = _ICONS[self._message.severity]
        self._icon.setPixmap(icon(self._theme, name, color, 18).pixmap(18, 18))
        if self._close is not None:
            self._close.setIcon(icon(self._theme, "x"))
        self.update()
