"""A button that opens a menu or a dialog, with a chevron at its right."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from ui.icons import icon
from ui.theme import FontName, Theme

_CHEVRON = 14
_RIGHT = 10


class DropButton(QPushButton):
    """Shows text up to a width, the rest elided; the whole text is its accessible description."""

    def __init__(
        self, theme: Theme, *, font: FontName, widest: int, name: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._widest = widest
        self.setProperty("look", "drop")
        self.setFont(theme.font(font))
        self.setAccessibleName(name)
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_text(self, text: str) -> None:
        """Show `text`, as it is: it has no mnemonics."""
        elided = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, self._widest)
        self.setText(elided.replace("&", "&&"))
        self.setAccessibleDescription(text)

    def sizeHint(self) -> QSize:
        """The text, and room for the chevron."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(32, hint.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button and its chevron."""
        super().paintEvent(event)
        painter = QPainter(self)
        left = self.width() - _RIGHT - _CHEVRON
        painter.drawPixmap(left, (self.height() - _CHEVRON) // 2, self._chevron)

    def _recolor(self) -> None:
        self._chevron = icon(self._theme, "chevron-down", size_px=_CHEVRON).pixmap(
            _CHEVRON, _CHEVRON
        )
        self.update()
