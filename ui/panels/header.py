"""The top of a panel: its name, the current value with its unit, one line of context."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from ui.format import UNKNOWN, Quantity
from ui.theme import Theme

_PADDING = 14
_TITLE_TOP = 7
_TITLE_HEIGHT = 17
_VALUE_HEIGHT = 25
_GAP = 12
_UNIT_GAP = 5


class PanelHeader(QWidget):
    """Painted as one: labels in layouts would lay the whole column out at every new digit."""

    def __init__(self, theme: Theme, title: str, menu: QMenu) -> None:
        """Show a title, and nothing known."""
        super().__init__()
        self._theme = theme
        self._title = title
        self._value = Quantity(UNKNOWN)
        self._context = ""
        self.setFixedHeight(_TITLE_TOP + _TITLE_HEIGHT + _VALUE_HEIGHT)
        self.menu_button = MenuButton(menu, self.tr("Menu of the panel {name}").format(name=title))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 4, 6, 0)
        layout.addStretch(1)
        layout.addWidget(self.menu_button, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def value(self) -> Quantity:
        """The current value."""
        return self._value

    @property
    def context(self) -> str:
        """The line at the right."""
        return self._context

    def show_reading(self, value: Quantity, context: str) -> None:
        """Show a value and its context; repaints only when they differ."""
        if (value, context) != (self._value, self._context):
            self._value, self._context = value, context
            self.update()

    def sizeHint(self) -> QSize:
        """Wide enough for a value and a context."""
        return QSize(320, self.height())

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the menu button."""
        super().enterEvent(event)
        self.menu_button.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the menu button."""
        super().leaveEvent(event)
        self.menu_button.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the three texts."""
        painter = QPainter(self)
        left, right = _PADDING, self.width() - _PADDING
        painter.setFont(self._theme.font("secondary"))
        painter.setPen(self._theme.color("muted"))
        title_rect = QRectF(left, _TITLE_TOP, right - left, _TITLE_HEIGHT)
        painter.drawText(title_rect, Qt.AlignmentFlag.AlignVCenter, self._title)
        top = _TITLE_TOP + _TITLE_HEIGHT
        painter.setFont(self._theme.font("value"))
        painter.setPen(self._theme.color("faint" if self._value.number == UNKNOWN else "text"))
        metrics = QFontMetricsF(self._theme.font("value"))
        baseline = top + metrics.ascent() - 1
        painter.drawText(int(left), int(baseline), self._value.number)
        used = left + metrics.horizontalAdvance(self._value.number)
        if self._value.number != UNKNOWN:
            painter.setFont(self._theme.font("control"))
            painter.setPen(self._theme.color("muted"))
            used += _UNIT_GAP
            painter.drawText(int(used), int(baseline), self._value.unit)
            unit_metrics = QFontMetricsF(self._theme.font("control"))
            used += unit_metrics.horizontalAdvance(self._value.unit)
        if self._context:
            self._paint_context(painter, used + _GAP, right, int(baseline))
        painter.end()

    def _paint_context(self, painter: QPainter, left: float, right: float, baseline: int) -> None:
        font = self._theme.font("secondary")
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(self._context, Qt.TextElideMode.ElideRight, right - left)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        painter.drawText(int(right - metrics.horizontalAdvance(text)), baseline, text)


class MenuButton(QToolButton):
    """Three dots that show when the pointer is over the panel or the button has the focus."""

    def __init__(self, menu: QMenu, name: str) -> None:
        """Open `menu` when pressed."""
        super().__init__()
        self.setText("⋯")
        self.setProperty("look", "quiet")
        self.setAccessibleName(name)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(menu)
        self.setFixedSize(26, 20)
        self.setStyleSheet("QToolButton { padding: 0; }")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint only when somebody may want it."""
        parent = self.parentWidget()
        if self.hasFocus() or self.isDown() or (parent is not None and parent.underMouse()):
            super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show it."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide it."""
        super().focusOutEvent(event)
        self.update()
