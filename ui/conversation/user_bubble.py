"""What the person said: a quiet bubble at the right."""

import math
from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.transcript import UserTurn
from ui.conversation.text_part import TextPart
from ui.format import format_count
from ui.theme import Theme

_SIDE = 16
# A line's spare height lies above its letters.
_TOP = 8
_BOTTOM = 12
_RADIUS = 14
_WIDEST_RATIO = 0.78
# Longer messages show their beginning and a button; the rest follows in slices.
_FOLDED_CHARACTERS = 4_000
_SLICE_CHARACTERS = 12_000


class UserBubble(QWidget):
    """One turn of the person. As wide as the text column; the bubble itself is as wide as needed.

    Args:
        theme: Colours and fonts.
        turn: What was sent.
        on_grown: Called when the bubble needs another height.
        parent: Its owner.
    """

    def __init__(
        self, theme: Theme, turn: UserTurn, on_grown: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._full_text = turn.text.strip("\n")
        self._n_shown_characters = 0
        self._on_grown = on_grown
        self._bubble = QRectF()
        self._text = TextPart(theme, "body", self)
        self._text.setAccessibleName(self.tr("You"))
        self._show_all = QPushButton(self)
        self._show_all.setProperty("look", "quiet")
        self._show_all.setFont(theme.font("secondary"))
        self._show_all.clicked.connect(self._begin_slices)
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._append_slice)
        self._append(_FOLDED_CHARACTERS)
        label = self.tr("Show all {n} characters").format(n=format_count(len(self._full_text)))
        self._show_all.setText(label)
        self._show_all.setAccessibleName(label)
        self._show_all.setVisible(not self._is_complete)
        theme.changed.connect(self.update)

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self._text, self._show_all]

    def text_parts(self) -> list[TextPart]:
        """What has text."""
        return [self._text]

    def find_places(self) -> list[TextPart]:
        """Where words can be found."""
        return [self._text]

    def show_all(self) -> None:
        """Unfold a long message."""
        if self._show_all.isVisibleTo(self):
            self._begin_slices()

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        widest = int(width * _WIDEST_RATIO) - 2 * _SIDE
        document = self._text.document()
        self._text.arrange(widest)
        ideal = math.ceil(document.idealWidth()) + 1
        text_width = min(widest, max(ideal, 24))
        text_height = self._text.arrange(text_width)
        left = width - text_width - _SIDE
        self._text.move(left, _TOP)
        height = text_height + _TOP + _BOTTOM
        if self._show_all.isVisibleTo(self):
            size = self._show_all.sizeHint()
            self._show_all.setGeometry(left - 8, _TOP + text_height, size.width(), size.height())
            height += size.height()
        self._bubble = QRectF(left - _SIDE, 0, text_width + 2 * _SIDE, height)
        self.resize(width, height)
        return height

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bubble."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("bubble"))
        painter.drawRoundedRect(self._bubble, _RADIUS, _RADIUS)

    def _begin_slices(self) -> None:
        self._show_all.hide()
        self._slices.start()

    def _append_slice(self) -> None:
        self._append(_SLICE_CHARACTERS)
        if self._is_complete:
            self._slices.stop()
        self._on_grown()

    def _append(self, n_characters: int) -> None:
        begin = self._n_shown_characters
        self._n_shown_characters = min(begin + n_characters, len(self._full_text))
        self._text.append_text(self._full_text[begin : self._n_shown_characters])

    @property
    def _is_complete(self) -> bool:
        return self._n_shown_characters == len(self._full_text)
