"""One line of text at the left and one at the right, painted: new text lays nothing out again."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from ui.palette import ColorName
from ui.panels.explain.sized import Sized
from ui.theme import FontName, Theme

_GAP = 12.0
_LEADING = 3


class TextRow(Sized):
    """Two texts on one line; the left one gives way where both do not fit."""

    def __init__(
        self,
        theme: Theme,
        *,
        font: FontName = "secondary",
        color: ColorName = "muted",
        right_font: FontName = "secondary",
        right_color: ColorName = "muted",
    ) -> None:
        """Show nothing yet."""
        super().__init__()
        self._theme = theme
        self._fonts: tuple[FontName, FontName] = (font, right_font)
        self._colors: tuple[ColorName, ColorName] = (color, right_color)
        self._left = self._right = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.refit()
        theme.changed.connect(self.update)

    @property
    def texts(self) -> tuple[str, str]:
        """What stands there."""
        return self._left, self._right

    def set_texts(self, left: str, right: str = "") -> None:
        """Show other texts."""
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.setAccessibleName(f"{left} {right}".strip())
            self.update()

    def refit(self) -> None:
        """Take the height that the look asks for."""
        fonts = [self.look.font(self._theme, name) for name in self._fonts]
        self.setFixedHeight(int(max(QFontMetricsF(font).height() for font in fonts)) + _LEADING)

    def sizeHint(self) -> QSize:
        """As high as a line."""
        return QSize(120, self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint both."""
        painter = QPainter(self)
        area = QRectF(self.rect())
        right_font = self.look.font(self._theme, self._fonts[1])
        right = QFontMetricsF(right_font).elidedText(
            self._right, Qt.TextElideMode.ElideRight, area.width()
        )
        taken = QFontMetricsF(right_font).horizontalAdvance(right)
        painter.setFont(right_font)
        painter.setPen(self._theme.color(self._colors[1]))
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right)
        room = area.width() - (taken + _GAP * self.look.text if taken else 0)
        left_font = self.look.font(self._theme, self._fonts[0])
        left = QFontMetricsF(left_font).elidedText(self._left, Qt.TextElideMode.ElideRight, room)
        painter.setFont(left_font)
        painter.setPen(self._theme.color(self._colors[0]))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, left)
        painter.end()
