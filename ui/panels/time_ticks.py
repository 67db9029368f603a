"""Paints the moments that the labels of a time axis name, below what is drawn over it."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QStaticText, QTransform

from ui.panels.look import scaled_font
from ui.panels.time_axis import TimeAxis
from ui.theme import Theme

_TICK = 3
_MOST_TEXTS = 64


class LaidOutTexts:
    """Short labels that are ready to be painted: laying text out costs more than the curves."""

    def __init__(self, theme: Theme) -> None:
        """Take fonts from the theme."""
        self._theme = theme
        self._texts: dict[str, QStaticText] = {}

    def get(self, text: str, scale: float) -> QStaticText:
        """The label, in the font of captions."""
        if text not in self._texts:
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            laid_out = QStaticText(text)
            laid_out.setTextFormat(Qt.TextFormat.PlainText)
            laid_out.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            laid_out.prepare(QTransform(), scaled_font(self._theme, "caption", scale))
            self._texts[text] = laid_out
        return self._texts[text]

    def forget(self) -> None:
        """The font changes."""
        self._texts.clear()


def paint_ticks(
    painter: QPainter,
    area: QRectF,
    axis: TimeAxis,
    view_s: tuple[float, float],
    *,
    theme: Theme,
    texts: LaidOutTexts,
    scale: float,
) -> None:
    """Paint them below `area`, which shows `view_s` in its width; in the font of the painter."""
    t0_s, t1_s = view_s
    bottom = int(area.bottom())
    line, words = QPen(theme.color("line"), 1), QPen(theme.color("muted"))
    for t_s, text in axis.ticks(t0_s, t1_s, area.width() / scale):
        x = area.left() + (t_s - t0_s) / (t1_s - t0_s) * area.width()
        painter.setPen(line)
        painter.drawLine(int(x), bottom, int(x), bottom + round(_TICK * scale))
        painter.setPen(words)
        laid_out = texts.get(text, scale)
        width = laid_out.size().width()
        left = min(max(x - width / 2, area.left()), area.right() - width)
        painter.drawStaticText(QPointF(round(left), bottom + round((_TICK - 1) * scale)), laid_out)
