"""Painted text whose height follows its width, for what changes while an answer runs."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from ui.panels.explain.sized import Sized
from ui.theme import Theme


class FlowText(Sized):
    """A widget as high as what it paints needs. Sub-classes paint, and say how high that is."""

    def __init__(self, theme: Theme) -> None:
        """Begin with no height."""
        super().__init__()
        self.theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def height_for(self, width: float) -> float:
        """Pixels that the content takes."""
        raise NotImplementedError

    def paint(self, painter: QPainter) -> None:
        """Paint the content."""
        raise NotImplementedError

    def content_changed(self) -> None:
        """Take the height that is needed now, and paint."""
        self.fit(self.width())

    def refit(self) -> None:
        """Take the height that the look asks for."""
        self.content_changed()

    def fit(self, width: float) -> None:
        """Take the height that is needed at a width, and paint."""
        height = int(self.height_for(width)) + 1
        if height != self.height():
            # A new height lays the column out again, so only where it is one.
            self.setFixedHeight(height)
        self.update()

    def sizeHint(self) -> QSize:
        """As high as the content."""
        return QSize(120, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.content_changed()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the content."""
        painter = QPainter(self)
        self.paint(painter)
        painter.end()


def wrapped_height(metrics: QFontMetricsF, text: str, width: float) -> float:
    """Pixels that a text takes, wrapped at words."""
    if not text:
        return 0.0
    area = QRectF(0, 0, max(width, 1.0), 1e6)
    return metrics.boundingRect(area, int(Qt.TextFlag.TextWordWrap), text).height()
