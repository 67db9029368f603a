"""A bar a few pixels high that shows a share."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.palette import ColorName
from ui.theme import Theme


class ThinBar(QWidget):
    """Shows a fraction from 0 to 1; only its track where the fraction is unknown."""

    def __init__(self, theme: Theme, color: ColorName, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._color: ColorName = color
        self._fraction: float | None = None
        self._reserve = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def fraction(self) -> float | None:
        """The share shown."""
        return self._fraction

    def set_fraction(self, fraction: float | None) -> None:
        """Show another share."""
        clamped = None if fraction is None else min(1.0, max(0.0, fraction))
        if clamped != self._fraction:
            self._fraction = clamped
            self.update()

    @property
    def reserve(self) -> float:
        """The share kept, after the share shown."""
        return self._reserve

    def set_reserve(self, fraction: float) -> None:
        """Show a share that is kept, fainter, after the other."""
        clamped = min(1.0, max(0.0, fraction))
        if clamped != self._reserve:
            self._reserve = clamped
            self.update()

    def set_color(self, color: ColorName) -> None:
        """Use another colour of the theme."""
        if color != self._color:
            self._color = color
            self.update()

    def sizeHint(self) -> QSize:
        """A short bar."""
        return QSize(116, 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the track and the share."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        track = QRectF(self.rect())
        radius = track.height() / 2
        painter.drawRoundedRect(track, radius, radius)
        if self._reserve:
            kept = min(1.0, (self._fraction or 0.0) + self._reserve)
            painter.setBrush(self._theme.color("faint"))
            painter.drawRoundedRect(
                QRectF(0, 0, track.width() * kept, track.height()), radius, radius
            )
        if self._fraction:
            painter.setBrush(self._theme.color(self._color))
            width = max(track.height(), track.width() * self._fraction)
            painter.drawRoundedRect(QRectF(0, 0, width, track.height()), radius, radius)
