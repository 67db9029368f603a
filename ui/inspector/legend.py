"""A line above the conversation: what its colours stand for."""

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.tint import N_LEVELS, Tint
from ui.icons import icon
from ui.labels import PlainLabel
from ui.theme import Theme

_HEIGHT = 34
# Text stays readable on the strongest.
_ALPHAS = (0.0, 0.22, 0.36, 0.51, 0.66)


def level_colors(theme: Theme) -> list[QColor]:
    """The colours of the levels: one hue, stronger from level to level, none for the first."""
    colors: list[QColor] = []
    for alpha in _ALPHAS[:N_LEVELS]:
        color = theme.color("token_tint")
        color.setAlphaF(alpha)
        colors.append(color)
    return colors


class TintLegend(QWidget):
    """Names the colours.

    Signals:
        closed(): The person wants no colours.
    """

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self._levels = _Levels(theme, self)
        self.close_button = QPushButton(self)
        self.close_button.setProperty("look", "quiet")
        self.close_button.setAccessibleName(self.tr("No colours"))
        self.close_button.setToolTip(self.tr("No colours"))
        self.close_button.clicked.connect(self.closed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 2, 14, 2)
        layout.setSpacing(12)
        layout.addWidget(self._title)
        layout.addWidget(self._levels)
        layout.addStretch(1)
        layout.addWidget(self.close_button)
        theme.changed.connect(self._recolor)
        self._recolor()
        self.hide()

    def show_tint(self, tint: Tint) -> None:
        """Name the colours of `tint`; nothing for none."""
        if tint is Tint.LATENCY:
            self._title.setText(self.tr("Token time ÷ median:"))
        elif tint is Tint.PROBABILITY:
            self._title.setText(self.tr("Token probability:"))
        if tint is not Tint.NONE:
            from ui.inspector.wording import level_texts

            texts = level_texts(tint)
            self._levels.show_texts(texts)
            self.setAccessibleName(f"{self._title.text()} {', '.join(texts)}")
        self.setVisible(tint is not Tint.NONE)

    def _recolor(self) -> None:
        self.close_button.setIcon(icon(self._theme, "x", size_px=14))


class _Levels(QWidget):
    """Each level as a word on its colour."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._texts: list[str] = []
        self.setFont(theme.font("secondary"))
        theme.changed.connect(self.update)

    def show_texts(self, texts: list[str]) -> None:
        self._texts = texts
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()), _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._theme.color("text"))
        left = 0
        for text, width, color in zip(
            self._texts, self._widths(), level_colors(self._theme), strict=True
        ):
            place = QRect(left, (self.height() - 20) // 2, width - 4, 20)
            painter.fillRect(place, color)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
            left += width

    def _widths(self) -> list[int]:
        return [self.fontMetrics().horizontalAdvance(text) + 20 for text in self._texts]
