"""What stands in the place of the live panels until they are made: their names and places."""

from PySide6.QtCore import QRectF, QSettings, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.layouts import kept_arrangement
from ui.format import UNKNOWN
from ui.panels.look import LARGE, USUAL, scaled_font
from ui.panels.names import panel_name
from ui.panels.sizes import (
    BAR_HEIGHT,
    BAR_TOP,
    BELOW_HEADER,
    BELOW_STRIP,
    CARD_PADDING,
    CARD_RADIUS,
    CARD_SIDE,
    COLUMN_BOTTOM,
    COLUMN_MARGIN,
    COLUMN_TOP,
    HEADER_HEIGHT,
    PLOT_LEFT,
    PLOT_RIGHT,
    SEPARATOR,
    STRIP_HEIGHT,
    TITLE_HEIGHT,
    TITLE_TOP,
    VALUE_HEIGHT,
)
from ui.theme import Theme

# What the essential layout shows where no GPU is known.
_FIRST_KEYS = ("decode_rate", "time_per_token", "first_token", "kv_cache", "memory", "cpu")
_LEAST_HEIGHT = 94
_LEAST_HEIGHT_EXPLAINED = 276
_STRIP_TOP = COLUMN_TOP + HEADER_HEIGHT + BELOW_HEADER


class ComingPanels(QWidget):
    """Painted as one, in a moment; it imports nothing that plots need.

    Attributes:
        names: The names of the panels that will be shown, from top to bottom.
    """

    def __init__(self, theme: Theme, settings: QSettings) -> None:
        """Announce the panels that were shown last, else those of a first start."""
        super().__init__()
        self._theme = theme
        kept = kept_arrangement(settings)
        keys: tuple[str, ...] = _FIRST_KEYS
        if kept is not None and kept.order:
            apart = kept.floating
            keys = tuple(key for key in kept.order if key in kept.shown and key not in apart)
        self.names = tuple(name for key in keys if (name := panel_name(key)))
        self._look = LARGE if kept is not None and kept.is_large else USUAL
        self.setAccessibleName(self.tr("Live telemetry"))
        self.setAccessibleDescription(self.tr("Getting ready"))
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint names, and cards with nothing in them."""
        painter = QPainter(self)
        theme, right = self._theme, self.width() - COLUMN_MARGIN
        painter.fillRect(self.rect(), theme.color("side"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        vertical, trailing = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        painter.setFont(theme.font("strong"))
        painter.setPen(theme.color("text"))
        line = QRectF(COLUMN_MARGIN, COLUMN_TOP, right - COLUMN_MARGIN, HEADER_HEIGHT)
        painter.drawText(line, vertical, self.tr("Live"))
        painter.setFont(theme.font("secondary"))
        painter.setPen(theme.color("muted"))
        painter.drawText(line, vertical | trailing, self.tr("Getting ready"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        text = self._look.text
        left = COLUMN_MARGIN + CARD_SIDE + PLOT_LEFT * text
        width = right - left - CARD_SIDE - PLOT_RIGHT * text
        top = _STRIP_TOP + BAR_TOP * text
        painter.drawRoundedRect(QRectF(left, top, width, BAR_HEIGHT * text), 4, 4)
        self._paint_cards(painter, right)
        painter.end()

    def _paint_cards(self, painter: QPainter, right: float) -> None:
        theme, look, n_panels = self._theme, self._look, len(self.names)
        first = _STRIP_TOP + round(STRIP_HEIGHT * look.text) + BELOW_STRIP
        room = self.height() - first - COLUMN_BOTTOM
        least = _LEAST_HEIGHT_EXPLAINED if look.is_explained else _LEAST_HEIGHT
        height = max(least, (room + SEPARATOR) / max(1, n_panels) - SEPARATOR)
        for place, name in enumerate(self.names):
            top = first + place * (height + SEPARATOR)
            if top > self.height():
                break
            card = QRectF(COLUMN_MARGIN, round(top), right - COLUMN_MARGIN, round(height))
            painter.setPen(QPen(theme.color("line"), 1))
            painter.setBrush(theme.color("panel"))
            painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), CARD_RADIUS, CARD_RADIUS)
            words = card.adjusted(CARD_PADDING * look.text, TITLE_TOP * look.text, -CARD_PADDING, 0)
            words.setHeight(TITLE_HEIGHT * look.text)
            painter.setFont(look.font(theme, "secondary"))
            painter.setPen(theme.color("muted"))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, name)
            words.translate(0, words.height())
            words.setHeight(VALUE_HEIGHT * look.value)
            painter.setFont(scaled_font(theme, "value", look.value))
            painter.setPen(theme.color("muted"))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, UNKNOWN)
