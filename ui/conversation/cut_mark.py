"""The mark in a conversation where the model begins to see."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.labels import PlainLabel
from ui.theme import Theme

_GAP = 14


class CutMark(QWidget):
    """Words between two hairlines."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        text = self.tr("The model no longer sees what is above")
        self._label = PlainLabel(theme, text, font="secondary", color="muted", parent=self)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._label)
        self.setAccessibleName(text)
        self.setToolTip(
            self.tr(
                "The conversation outgrew the context, so its oldest turns are left out. The "
                "chat settings say what happens then."
            )
        )
        self.hide()
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the hairlines."""
        painter = QPainter(self)
        words = self._label.fontMetrics().horizontalAdvance(self._label.text())
        side = max(0, (self.width() - words) // 2 - _GAP)
        y = self.height() // 2
        for left in (0, self.width() - side):
            painter.fillRect(QRect(left, y, side, 1), self._theme.color("line"))
