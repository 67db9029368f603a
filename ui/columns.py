"""The three columns of the window: conversations, the conversation, telemetry."""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QVBoxLayout, QWidget

from ui.side_pane import SidePane
from ui.sidebar import SIDEBAR_WIDTH
from ui.theme import Theme

TELEMETRY_WIDTH = 430
TELEMETRY_LEAST = 320
_CENTER_LEAST = 400
_STATE_KEY = "window/columns"
_SIDEBAR_KEY = "window/sidebar"
_TELEMETRY_KEY = "window/telemetry"


class Columns(QSplitter):
    """Shows, hides and sizes the columns, and keeps that in the settings.

    A side that the window has no room for beside the conversation is folded away: the one that
    was asked for longer ago goes first. Who asks for telemetry where there is no room gets it in
    the place of the conversation. What is folded is back when there is room.

    The telemetry column is made by `telemetry_factory` when it is first needed after
    `allow_telemetry`.

    Signals:
        changed(): A column was shown or hidden, or focus mode began or ended.
    """

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        settings: QSettings,
        sidebar: QWidget,
        center: QWidget,
        telemetry_factory: Callable[[], QWidget],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._settings = settings
        self._factory = telemetry_factory
        self._telemetry: QWidget | None = None
        self._coming: QWidget | None = None
        self._replay: QWidget | None = None
        self._may_make_telemetry = False
        self._has_focus_mode = False
        self._wants_sidebar = _flag(settings, _SIDEBAR_KEY)
        self._wants_telemetry = _flag(settings, _TELEMETRY_KEY)
        self._asked_last: QWidget | None = None
        self._is_telemetry_alone = False
        self._center = center
        self._sidebar = sidebar
        self._place = SidePane(theme)
        self._place.setMinimumWidth(TELEMETRY_LEAST)
        place_layout = QVBoxLayout(self._place)
        place_layout.setContentsMargins(0, 0, 0, 0)
        place_layout.setSpacing(0)
        self._back = QPushButton(self.tr("‹ Conversation"), self._place)
        self._back.setProperty("look", "quiet")
        self._back.setAccessibleName(self.tr("Back to the conversation"))
        self._back.clicked.connect(self.show_conversation)
        place_layout.addWidget(self._back, 0, Qt.AlignmentFlag.AlignLeft)
        center.setMinimumWidth(_CENTER_LEAST)
        for column in (sidebar, center, self._place):
            self.addWidget(column)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for index, factor in enumerate((0, 1, 0)):
            self.setStretchFactor(index, factor)
        self.setSizes([SIDEBAR_WIDTH, 10_000, TELEMETRY_WIDTH])
        state = settings.value(_STATE_KEY)
        if isinstance(state, QByteArray):
            self.restoreState(state)
        self._show()

    @property
    def telemetry(self) -> QWidget | None:
        """The telemetry column, None before it is made."""
        return self._telemetry

    @property
    def panels(self) -> QWidget | None:
        """What stands in the place of telemetry: that, or a replay; None before either is."""
        return self._replay if self._replay is not None else self._telemetry

    @property
    def shows_sidebar(self) -> bool:
        """Whether conversations are on screen."""
        return not self._sidebar.isHidden()

    @property
    def shows_telemetry(self) -> bool:
        """Whether telemetry is on screen."""
        return not self._place.isHidden()

    @property
    def has_focus_mode(self) -> bool:
        """Whether only the conversation is on screen."""
        return self._has_focus_mode

    def set_sidebar_shown(self, shown: bool) -> None:
        """Show or hide conversations; leaves focus mode."""
        self._leave_focus_mode()
        self._wants_sidebar = shown
        self._asked_last = self._sidebar
        self._is_telemetry_alone = False
        self._show()

    def set_telemetry_shown(self, shown: bool) -> None:
        """Show or hide telemetry; leaves focus mode."""
        self._leave_focus_mode()
        # Telemetry that had no room stays wanted for when there is.
        self._wants_telemetry = shown or self._is_telemetry_alone
        self._asked_last = self._place
        self._is_telemetry_alone = shown and not self._fits(self._place)
        self._show()

    def set_focus_mode(self, on: bool) -> None:
        """Show only the conversation, or what was there before."""
        self._has_focus_mode = on
        self._is_telemetry_alone = False
        self._show()

    def show_conversation(self) -> None:
        """Bring the conversation back, where telemetry took its place."""
        if self._is_telemetry_alone:
            self._is_telemetry_alone = False
            self._show()

    def announce_telemetry(self, coming: QWidget) -> None:
        """Show `coming` in the place of telemetry until that is made."""
        layout = self._place.layout()
        if layout is not None:
            layout.addWidget(coming)
        self._coming = coming
        self._show()

    def allow_telemetry(self) -> None:
        """The window is on screen: what takes time to make may be made now."""
        self._may_make_telemetry = True
        self._show()

    def show_replay(self, pane: QWidget | None) -> None:
        """Show `pane` in the place of telemetry, instead of one before; None ends that."""
        if self._replay is not None:
            self._replay.hide()
            self._replay.deleteLater()
        self._replay = pane
        layout = self._place.layout()
        if pane is not None and layout is not None:
            layout.addWidget(pane)
            self.set_telemetry_shown(True)
        else:
            self._show()

    def save(self) -> None:
        """Keep sizes and what is shown."""
        self._settings.setValue(_STATE_KEY, self.saveState())
        self._settings.setValue(_SIDEBAR_KEY, self._wants_sidebar)
        self._settings.setValue(_TELEMETRY_KEY, self._wants_telemetry)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the conversation with its list: telemetry folds away."""
        columns = (self._center, self._sidebar)
        width = self.handleWidth() + sum(column.minimumWidth() for column in columns)
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold what no longer fits, and bring back what fits again."""
        if self._fitting() != (self.shows_sidebar, self.shows_telemetry):
            self._show()
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Fold what does not fit into the window as it comes on screen."""
        super().showEvent(event)
        self._show()

    def _fits(self, *columns: QWidget) -> bool:
        """Whether these fit beside the conversation; all do before the window has its size."""
        if not self.isVisible():
            return True
        least = sum(column.minimumWidth() + self.handleWidth() for column in columns)
        return self._center.minimumWidth() + least <= self.width()

    def _fitting(self) -> tuple[bool, bool]:
        """Whether conversations and telemetry are to be on screen."""
        if self._has_focus_mode:
            return False, False
        if self._is_telemetry_alone and not self._fits(self._place):
            return False, True
        self._is_telemetry_alone = False
        sidebar, telemetry = self._wants_sidebar, self._wants_telemetry
        if sidebar and telemetry and not self._fits(self._sidebar, self._place):
            sidebar = self._asked_last is self._sidebar or not self._fits(self._place)
            telemetry = not sidebar
        return sidebar, telemetry and self._fits(self._place)

    def _leave_focus_mode(self) -> None:
        # The columns stay as they are on screen; only the one asked for changes.
        if self._has_focus_mode:
            self._has_focus_mode = False
            self._wants_sidebar = False
            self._wants_telemetry = False

    def _show(self) -> None:
        sidebar, telemetry = self._fitting()
        if telemetry and self._may_make_telemetry and self._telemetry is None:
            self._telemetry = self._factory()
            layout = self._place.layout()
            if layout is not None:
                layout.addWidget(self._telemetry)
            if self._coming is not None:
                self._coming.hide()
                self._coming.deleteLater()
                self._coming = None
        if self._coming is not None:
            self._coming.setVisible(self._replay is None)
        if self._telemetry is not None:
            self._telemetry.setVisible(self._replay is None)
        self._sidebar.setVisible(sidebar)
        self._place.setVisible(telemetry)
        self._center.setVisible(not self._is_telemetry_alone)
        self._back.setVisible(self._is_telemetry_alone)
        self.changed.emit()


def _flag(settings: QSettings, key: str) -> bool:
    return str(settings.value(key, "true")).lower() != "false"
