"""Below a roofline: powers of ten, and what both of its axes are."""

import math

from PySide6.QtCore import QLocale, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.panels.look import USUAL, PanelLook
from ui.panels.sizes import body_side
from ui.theme import Theme

_GAP = 8.0
_LEADING = 2.0
# What rounding of a float takes off.
_NEARLY = 1 + 1e-9


def axis_number(value: float) -> str:
    """Two digits: an axis in powers of ten is not read more exactly."""
    decimals = max(0, 1 - math.floor(math.log10(value)))
    number = QLocale().toString(value, "f", decimals)
    return number.rstrip("0").rstrip(QLocale().decimalPoint()) if decimals else number


def round_below(value: float) -> float:
    """The next of 1, 2, 5, 10, ... at or below."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value * _NEARLY)


def round_above(value: float) -> float:
    """The next of 1, 2, 5, 10, ... at or above."""
    power = 10.0 ** math.floor(math.log10(value))
    return min(step * power for step in (1, 2, 5, 10) if step * power * _NEARLY >= value)


class RoofAxis(QWidget):
    """Two lines of text: the ticks of the horizontal axis, and the titles of both."""

    def __init__(self, theme: Theme, titles: tuple[str, str]) -> None:
        """`titles` are of the vertical axis and of the horizontal one."""
        super().__init__()
        self._theme = theme
        self._titles = titles
        self._look = USUAL
        self._ticks: tuple[tuple[float, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(". ".join(titles))
        theme.changed.connect(self.update)
        self.set_look(USUAL)

    @property
    def ticks(self) -> tuple[str, ...]:
        """What is written along the horizontal axis."""
        return tuple(text for _, text in self._ticks)

    def clear(self) -> None:
        """Label nothing: there is no roof."""
        self._show(())

    def show_range(self, area: QRectF, x0: float, x1: float) -> None:
        """Label the powers of ten from `x0` to `x1` (exponents), which `area` is wide."""
        scale = area.width() / (x1 - x0)
        powers = range(math.ceil(x0), math.floor(x1) + 1)
        self._show(tuple((area.left() + (n - x0) * scale, axis_number(10.0**n)) for n in powers))

    def _show(self, ticks: tuple[tuple[float, str], ...]) -> None:
        if ticks != self._ticks:
            self._ticks = ticks
            self.update()

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes."""
        self._look = look
        self.setFixedHeight(math.ceil(2 * self._line()))
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as a panel."""
        return QSize(320, self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint both lines; without a range, the titles alone."""
        painter = QPainter(self)
        font = self._look.font(self._theme, "caption")
        metrics, line = QFontMetricsF(font), self._line()
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        free_from = 0.0
        for x, text in self._ticks:
            width = metrics.horizontalAdvance(text)
            left = min(x - width / 2, self.width() - width - 2)
            if left >= free_from:
                painter.drawText(
                    QRectF(left, 0, width + 2, line), Qt.AlignmentFlag.AlignVCenter, text
                )
                free_from = left + width + _GAP
        side = body_side(self._look.text)
        row = QRectF(side, line, self.width() - 2 * side, line)
        upwards, sideways = self._titles
        painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, upwards)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(row, right, sideways)
        painter.end()

    def _line(self) -> float:
        return QFontMetricsF(self._look.font(self._theme, "caption")).height() + _LEADING
