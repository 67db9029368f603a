"""The bar above the conversation: model, engine, and what is shown beside."""

import html

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from app.engine_state import EngineState
from engine.titles import engine_title
from ui.drop_button import DropButton
from ui.engine_names import short_device
from ui.icons import icon
from ui.menu_hover import MenuHover
from ui.model_menu import ModelButton
from ui.recent_models import RecentModels
from ui.theme import Theme

BAR_HEIGHT = 56
_SPACING = 6
# Model, engine and menu, shortened as far as they can still be told.
_ROOM_FOR_REST = 330


class TopBar(QWidget):
    """The buttons; what they do is decided by the window.

    Signals:
        engine_settings_requested(): The engine button was pressed.
    """

    engine_settings_requested = Signal()

    def __init__(
        self, theme: Theme, recent: RecentModels, more_menu: QMenu, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model_button = ModelButton(theme, recent, self)
        self.engine_button = DropButton(
            theme, font="control", widest=200, name=self.tr("Engine"), parent=self
        )
        self.engine_button.clicked.connect(self.engine_settings_requested)
        self.panels_button = self._quiet(
            self.tr("Panels"), self.tr("Choose what the live panels show (Ctrl+T hides them)")
        )
        self.focus_button = self._quiet(
            self.tr("Focus"), self.tr("Hide everything but the conversation (Ctrl+Shift+F)")
        )
        self.focus_button.setCheckable(True)
        self.focus_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more_button = QToolButton(self)
        self.more_button.setProperty("look", "quiet")
        self.more_button.setAccessibleName(self.tr("More"))
        self.more_button.setToolTip(self.tr("More"))
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more_button.setMenu(more_menu)
        MenuHover(self.more_button, more_menu)
        self._foldable = (self.panels_button, self.focus_button)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 10, 14, 11)
        layout.setSpacing(10)
        layout.addWidget(self.model_button)
        layout.addWidget(self.engine_button)
        layout.addStretch(1)
        for button in (self.panels_button, self.focus_button, self.more_button):
            layout.addWidget(button)
            layout.setSpacing(_SPACING)
        self.setFixedHeight(BAR_HEIGHT)
        theme.changed.connect(self._recolor)
        self._recolor()
        self.show_state(EngineState())

    def minimumSizeHint(self) -> QSize:
        """Without what the menu has as well."""
        hint = super().minimumSizeHint()
        folded = sum(
            button.sizeHint().width() + _SPACING for button in self._foldable if button.isVisible()
        )
        return QSize(hint.width() - folded, hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave to the menu what would leave the model no room."""
        needed = sum(button.sizeHint().width() + _SPACING for button in self._foldable)
        has_room = self.width() - needed >= _ROOM_FOR_REST
        for button in self._foldable:
            button.setVisible(has_room)
        super().resizeEvent(event)

    def set_panels_menu(self, menu: QMenu) -> None:
        """Open `menu` with the button of the panels."""
        self.panels_button.setMenu(menu)
        MenuHover(self.panels_button, menu)

    def show_state(self, state: EngineState) -> None:
        """Show the model and the engine."""
        self.model_button.show_state(state)
        backend = state.options.backend if state.options is not None else None
        self.engine_button.setEnabled(backend is not None)
        if backend is None:
            self.engine_button.show_text(self.tr("No engine"))
            self.engine_button.setToolTip(self.tr("Open a model first"))
            return
        engine = state.loaded.engine if state.loaded is not None else None
        device = engine.device if engine is not None else None
        dtype = engine.dtype.value if engine is not None and engine.dtype is not None else None
        title = engine_title(backend)
        shown = [title, *([] if device is None else [short_device(device)])]
        self.engine_button.show_text(
            " · ".join([*shown, *([] if dtype is None else [dtype])]), " · ".join(shown)
        )
        whole = " · ".join(part for part in (title, device, dtype) if part)
        # Rich text, since Qt would guess what a driver's name of a device is.
        settings = self.tr("Engine settings")
        self.engine_button.setToolTip(f"<p>{settings}<br>{html.escape(whole)}</p>")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the hairline below."""
        painter = QPainter(self)
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), self._theme.color("line"))

    def _quiet(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(text)
        button.setAccessibleDescription(tip)
        button.setToolTip(tip)
        return button

    def _recolor(self) -> None:
        self.more_button.setIcon(icon(self._theme, "dots"))
        self.update()
