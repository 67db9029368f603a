"""What stands in the place of the live panels until they are made: their names and places."""

from PySide6.QtCore import QRectF, QSettings, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.layouts import kept_arrangement
from ui.format import UNKNOWN
from ui.panels.look import LARGE, USUAL, scaled_font
from ui.panels.names import panel_name
from ui.theme import Theme

# What the essential layout shows where no GPU is known.
_FIRST_KEYS = ("decode_rate", "time_per_token", "first_token", "kv_cache", "memory", "cpu")
# As the column and its panels have them.
_MARGIN = 15
_TITLE = QRectF(_MARGIN, 10, 200, 28)
_STRIP_TOP = 42
_STRIP_HEIGHT = 52
# From the left of the strip, and so much narrower than it.
_BAR = QRectF(52, 3, -62, 14)
_PANELS_BOTTOM = 12
_GAP = 9
_LEAST_HEIGHT = 104
_LEAST_HEIGHT_EXPLAINED = 276
_RADIUS = 10
_PADDING = 14
_NAME_TOP = 7
_NAME_HEIGHT = 17
_VALUE_HEIGHT = 25


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
        theme, right = self._theme, self.width() - _MARGIN
        painter.fillRect(self.rect(), theme.color("side"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        vertical, trailing = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        painter.setFont(theme.font("strong"))
        painter.setPen(theme.color("text"))
        painter.drawText(_TITLE, vertical, self.tr("Live"))
        painter.setFont(theme.font("secondary"))
        painter.setPen(theme.color("muted"))
        line = QRectF(_TITLE.left(), _TITLE.top(), right - _TITLE.left(), _TITLE.height())
        painter.drawText(line, vertical | trailing, self.tr("Getting ready"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        text = self._look.text
        left, top = _MARGIN + _BAR.left() * text, _STRIP_TOP + _BAR.top() * text
        width = right - _MARGIN + _BAR.width() * text
        painter.drawRoundedRect(QRectF(left, top, width, _BAR.height() * text), 4, 4)
        self._paint_cards(painter, right)
        painter.end()

    def _paint_cards(self, painter: QPainter, right: float) -> None:
        theme, look, n_panels = self._theme, self._look, len(self.names)
        first = _STRIP_TOP + _STRIP_HEIGHT * look.text + _GAP
        room = self.height() - first - _PANELS_BOTTOM
        least = _LEAST_HEIGHT_EXPLAINED if look.is_explained else _LEAST_HEIGHT
        height = max(least, (room + _GAP) / max(1, n_panels) - _GAP)
        for place, name in enumerate(self.names):
            top = first + place * (height + _GAP)
            if top > self.height():
                break
            card = QRectF(_MARGIN, round(top), right - _MARGIN, round(height))
            painter.setPen(QPen(theme.color("line"), 1))
            painter.setBrush(theme.color("panel"))
            painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
            words = card.adjusted(_PADDING * look.text, _NAME_TOP * look.text, -_PADDING, 0)
            words.setHeight(_NAME_HEIGHT * look.text)
            painter.setFont(look.font(theme, "secondary"))
            painter.setPen(theme.color("muted"))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, name)
            words.translate(0, words.height())
            words.setHeight(_VALUE_HEIGHT * look.value)
            painter.setFont(scaled_font(theme, "value", look.value))
            painter.setPen(theme.color("muted"))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, UNKNOWN)
