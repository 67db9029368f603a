"""A button that opens a menu or a dialog, with a chevron at its right."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QWidget

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
        self._text = ""
        self._shown = ""
        self.setProperty("look", "drop")
        self.setFont(theme.font(font))
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_text(self, text: str) -> None:
        """Show `text`, as it is: it has no mnemonics."""
        self._text = text
        self._fit()
        self.updateGeometry()
        self.setAccessibleDescription(text)

    def sizeHint(self) -> QSize:
        """The text up to the widest, and room for the chevron."""
        return self._size_for(self._advance(self._elided(self._widest)))

    def minimumSizeHint(self) -> QSize:
        """Enough of the text to tell it by."""
        text_width = self._advance(self._elided(self._widest))
        return self._size_for(min(text_width, _TEXT_LEAST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the text as now fits."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button and its chevron."""
        super().paintEvent(event)
        painter = QPainter(self)
        left = self.width() - _RIGHT - _CHEVRON
        painter.drawPixmap(left, (self.height() - _CHEVRON) // 2, self._chevron)

    def _fit(self) -> None:
        around = self._size_for(self._widest).width() - self._widest
        self._show(self._elided(min(self._widest, self.width() - around)))

    def _show(self, text: str) -> None:
        if text != self._shown:
            self._shown = text
            self.setText(text.replace("&", "&&"))

    def _elided(self, width: int) -> str:
        return self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideMiddle, width)

    def _advance(self, text: str) -> int:
        # Eliding needs the whole of the last pixel.
        return self.fontMetrics().horizontalAdvance(text) + 1

    def _size_for(self, text_width: int) -> QSize:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        contents = QSize(text_width, self.fontMetrics().height())
        kind = QStyle.ContentsType.CT_PushButton
        size = self.style().sizeFromContents(kind, option, contents, self)
        return QSize(size.width(), max(32, size.height()))

    def _recolor(self) -> None:
        self._chevron = icon(self._theme, "chevron-down", size_px=_CHEVRON).pixmap(
            _CHEVRON, _CHEVRON
        )
        self.update()
