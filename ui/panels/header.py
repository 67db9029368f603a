"""The top of a panel: its name, the current value with its unit, and what belongs to it."""

import html
import re

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from ui.format import UNKNOWN, Quantity
from ui.icons import icon
from ui.menu_hover import MenuHover
from ui.panels.look import USUAL, PanelLook, scaled_font
from ui.panels.sizes import CARD_PADDING, TITLE_HEIGHT, TITLE_TOP, VALUE_HEIGHT
from ui.shortcuts import PRESENT, with_keys
from ui.theme import Theme

_CONTEXT_HEIGHT = 18
_GAP = 12
# Above the upper of two lines of context.
_BUTTON = (26, 15)
_UNIT_GAP = 5
# What stands between the parts of a context.
_SEPARATOR = re.compile(r"  ·  | {3}")


class PanelHeader(QWidget):
    """Painted as one: labels in layouts would lay the whole column out at every new digit."""

    def __init__(self, theme: Theme, title: str, menu: QMenu | None = None) -> None:
        """Show a title, and nothing known; `menu` brings the buttons."""
        super().__init__()
        self._theme = theme
        self._title = title
        self._value = Quantity(UNKNOWN)
        self._context = ""
        self._look = USUAL
        self._definitions = ("", "")
        self._is_cut = False
        self._n_lines = 1
        self._menu = menu
        self._fix_height()
        if menu is None:
            return
        self.menu_button = MenuButton(menu, self.tr("Menu of the panel {name}").format(name=title))
        self.present_button = PresentButton(
            theme, self.tr("Full screen: {name}").format(name=title)
        )
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 3, 6, 0)
        layout.setSpacing(0)
        layout.addStretch(1)
        for button in (self.present_button, self.menu_button):
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def value(self) -> Quantity:
        """The current value."""
        return self._value

    @property
    def context(self) -> str:
        """The line at the right."""
        return self._context

    def define(self, plain: str, definition: str) -> None:
        """Say in the tooltip what the figure is, in plain words first; text of ours only."""
        self._definitions = (plain, definition)
        self._tell()

    def set_title(self, title: str) -> None:
        """Show another name."""
        self._title = title
        self.update()

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes; the context stands on a line of its own where it is explained."""
        self._look = look
        self._n_lines = 1
        self._make_room()
        self._fix_height()
        self.updateGeometry()
        self.update()

    def show_reading(self, value: Quantity, context: str) -> None:
        """Show a value and its context; repaints only when they differ."""
        if (value, context) != (self._value, self._context):
            self._value, self._context = value, context
            self._make_room()
            self.update()

    def sizeHint(self) -> QSize:
        """Wide enough for a value and a context."""
        return QSize(320, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The context may need another line at another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._n_lines = 1
            self._fix_height()
            self._make_room()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu behind the button."""
        if self._menu is not None:
            self._menu.popup(event.globalPos())

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the buttons."""
        super().enterEvent(event)
        self._update_buttons()

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the buttons."""
        super().leaveEvent(event)
        self._update_buttons()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the texts."""
        painter = QPainter(self)
        text, padding = self._look.text, CARD_PADDING * self._look.text
        left, right = padding, self.width() - padding
        painter.setFont(self._look.font(self._theme, "secondary"))
        painter.setPen(self._theme.color("muted"))
        title_rect = QRectF(left, TITLE_TOP * text, right - left, TITLE_HEIGHT * text)
        painter.drawText(title_rect, Qt.AlignmentFlag.AlignVCenter, self._title)
        # A dash as large as a figure is a beam on a full screen.
        is_known = self._value.number != UNKNOWN
        scale = self._look.value if is_known else self._look.text
        value_font = scaled_font(self._theme, "value", scale)
        painter.setFont(value_font)
        painter.setPen(self._theme.color("text" if is_known else "muted"))
        metrics = QFontMetricsF(value_font)
        baseline = title_rect.bottom() + metrics.ascent() - 1
        painter.drawText(int(left), int(baseline), self._value.number)
        used = left + metrics.horizontalAdvance(self._value.number)
        if is_known:
            unit_font = self._look.font(self._theme, "control")
            painter.setFont(unit_font)
            painter.setPen(self._theme.color("muted"))
            used += _UNIT_GAP * text
            painter.drawText(int(used), int(baseline), self._value.unit)
            used += QFontMetricsF(unit_font).horizontalAdvance(self._value.unit)
        self._paint_context(painter, used + _GAP, right, int(baseline))
        painter.end()

    def _paint_context(self, painter: QPainter, left: float, right: float, baseline: int) -> None:
        font = self._look.font(self._theme, "secondary")
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        is_below = self._look.is_explained
        if is_below:
            left = CARD_PADDING * self._look.text
            baseline = int(self.height() - metrics.descent() - 2)
        lines = _lines(self._context, metrics, right - left)
        self._set_cut(any(metrics.horizontalAdvance(line) > right - left for line in lines))
        height = metrics.height()
        if not is_below:
            baseline += len(lines) - 1
        for place, line in enumerate(reversed(lines)):
            at = (left, right, baseline - place * height)
            self._paint_line(painter, metrics, line, at, at_left=is_below)

    def _paint_line(
        self,
        painter: QPainter,
        metrics: QFontMetricsF,
        line: str,
        place: tuple[float, float, float],
        *,
        at_left: bool = False,
    ) -> None:
        left, right, baseline = place
        text = metrics.elidedText(line, Qt.TextElideMode.ElideRight, right - left)
        x = left if at_left else right - metrics.horizontalAdvance(text)
        painter.drawText(int(x), int(baseline), text)

    def _set_cut(self, is_cut: bool) -> None:
        if is_cut or self._is_cut:
            self._is_cut = is_cut
            self._tell()

    def _tell(self) -> None:
        """The definition, below what is too long to be shown."""
        # Rich text wraps.
        parts = [self._context] if self._is_cut else []
        tip = "".join(
            f"<p>{html.escape(part)}</p>" for part in (*parts, *self._definitions) if part
        )
        if tip != self.toolTip():
            self.setToolTip(tip)

    def _make_room(self) -> None:
        """Below the value there is room for a second line once it was needed, and then stays."""
        if not self._look.is_explained or self._n_lines > 1:
            return
        metrics = QFontMetricsF(self._look.font(self._theme, "secondary"))
        room = self.width() - 2 * CARD_PADDING * self._look.text
        if len(_lines(self._context, metrics, room)) > 1:
            self._n_lines = 2
            self._fix_height()

    def _fix_height(self) -> None:
        height = (TITLE_TOP + TITLE_HEIGHT) * self._look.text + VALUE_HEIGHT * self._look.value
        if self._look.is_explained:
            height += _CONTEXT_HEIGHT * self._look.text * self._n_lines
        self.setFixedHeight(round(height))

    def _update_buttons(self) -> None:
        if self._menu is not None:
            self.menu_button.update()
            self.present_button.update()


def _lines(context: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """The context in one line, or in two where its parts do not fit in one."""
    if not context or metrics.horizontalAdvance(context) <= room:
        return [context] if context else []
    best = [context]
    for gap in _SEPARATOR.finditer(context):
        upper, lower = context[: gap.start()], context[gap.end() :]
        widest = max(metrics.horizontalAdvance(upper), metrics.horizontalAdvance(lower))
        if widest < max(metrics.horizontalAdvance(line) for line in best):
            best = [upper, lower]
    return best


def _is_wanted(button: QWidget, *, is_down: bool) -> bool:
    """Whether the pointer is over the panel's head, or the button has the focus."""
    parent = button.parentWidget()
    return button.hasFocus() or is_down or (parent is not None and parent.underMouse())


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
        MenuHover(self, menu)
        self.setFixedSize(*_BUTTON)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint only when somebody may want it."""
        if _is_wanted(self, is_down=self.isDown()):
            super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show it."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide it."""
        super().focusOutEvent(event)
        self.update()


class PresentButton(QPushButton):
    """Four corners, shown as the dots beside them are."""

    def __init__(self, theme: Theme, name: str) -> None:
        """Say its keys."""
        super().__init__()
        self._theme = theme
        self.setProperty("look", "icon")
        self.setAccessibleName(name)
        self.setToolTip(with_keys(self.tr("Full screen"), PRESENT))
        self.setFixedSize(*_BUTTON)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self._recolor)
        self._recolor()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint only when somebody may want it."""
        if _is_wanted(self, is_down=self.isDown()):
            super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show it."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide it."""
        super().focusOutEvent(event)
        self.update()

    def _recolor(self) -> None:
        self.setIcon(icon(self._theme, "maximize", size_px=14))
