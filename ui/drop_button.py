"""A button that opens a menu or a dialog, with a chevron at its right."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from ui.icons import icon
from ui.theme import FontName, Theme

_CHEVRON = 14
_RIGHT = 10
_TEXT_LEAST = 60


class DropButton(QPushButton):
    """Shows the text that there is room for; the whole text is its accessible description."""

    def __init__(
        self, theme: Theme, *, font: FontName, widest: int, name: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._widest = widest
        self._shown = ""
        self._shorter = ""
        self.setProperty("look", "drop")
        self.setFont(theme.font(font))
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_text(self, text: str, shorter: str | None = None) -> None:
        """Show `text`, as it is: it has no mnemonics. `shorter` is for where there is less room."""
        self._shown = self._elided(text, self._widest)
        self._shorter = self._shown if shorter is None else shorter
        self.setText(self._shown.replace("&", "&&"))
        self.setAccessibleDescription(text)

    def sizeHint(self) -> QSize:
        """The text, and room for the chevron."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(32, hint.height()))

    def minimumSizeHint(self) -> QSize:
        """Enough of the text to tell it by."""
        hint = self.sizeHint()
        spare = self.fontMetrics().horizontalAdvance(self._shown) - _TEXT_LEAST
        return QSize(hint.width() - max(0, spare), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button, as much of its text as there is room for, and its chevron."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_PushButtonContents
        # The width of a text is rounded, and may be a pixel short.
        room = self.style().subElementRect(part, option, self).width() + 1
        fits = self.fontMetrics().horizontalAdvance(self._shown) <= room
        text = self._shown if fits else self._shorter
        option.text = self._elided(text, room).replace("&", "&&")
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        left = self.width() - _RIGHT - _CHEVRON
        painter.drawPixmap(left, (self.height() - _CHEVRON) // 2, self._chevron)

    def _elided(self, text: str, width: int) -> str:
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, width)

    def _recolor(self) -> None:
        self._chevron = icon(self._theme, "chevron-down", size_px=_CHEVRON).pixmap(
            _CHEVRON, _CHEVRON
        )
        self.update()
