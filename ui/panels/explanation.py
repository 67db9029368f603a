"""What stands under a graph that explains itself: what its colours mean, and a plain sentence."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from ui.labels import PlainLabel
from ui.panels.look import PanelLook
from ui.theme import Theme

if TYPE_CHECKING:
    from ui.palette import ColorName

LegendEntry = tuple["ColorName", str]

_SIDE = 14
_SQUARE = 8
_SQUARE_GAP = 5
_ENTRY_GAP = 14
_LINE_HEIGHT = 17


class Explanation(QWidget):
    """A legend above a sentence; as high as both need at the width there is."""

    def __init__(
        self, theme: Theme, entries: tuple[LegendEntry, ...], axis: str, sentence: str
    ) -> None:
        """`axis` says what the graph's horizontal axis is, empty where it is labelled."""
        super().__init__()
        self._legend = _Legend(theme, entries, axis)
        self._sentence = PlainLabel(theme, sentence, font="control", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._theme = theme
        self._legend.setVisible(bool(entries or axis))
        self._sentence.setVisible(bool(sentence))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.addWidget(self._legend)
        layout.addWidget(self._sentence)
        self.set_look(PanelLook())

    @property
    def sentence(self) -> str:
        """The plain sentence."""
        return self._sentence.text()

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        """What the colours mean."""
        return self._legend.entries

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes."""
        side = round(_SIDE * look.text)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(side, 2, side, round(6 * look.text))
        layout.setSpacing(round(4 * look.text))
        self._sentence.setFont(look.font(self._theme, "control"))
        self._legend.set_look(look)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make room for the lines that the width asks for."""
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit again: style sheets come with the first show."""
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        # A dock's least size knows nothing of heights that depend on widths.
        layout = self.layout()
        assert layout is not None
        margins = layout.contentsMargins()
        room = max(1, self.width() - margins.left() - margins.right())
        self._legend.fit(room)
        if self._sentence.text():
            # A label tells no height below its least one.
            self._sentence.setMinimumHeight(0)
            self._sentence.setFixedHeight(self._sentence.heightForWidth(room))


class _Legend(QWidget):
    """Coloured squares with words, in as many lines as they need; the axis ends the last."""

    def __init__(self, theme: Theme, entries: tuple[LegendEntry, ...], axis: str) -> None:
        super().__init__()
        self.entries = entries
        self._theme = theme
        self._axis = axis
        self._look = PanelLook()
        self._places: list[tuple[float, int]] = []
        self._axis_line = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join(text for _, text in entries) or axis)
        theme.changed.connect(self.update)

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes."""
        self._look = look

    def fit(self, room: float) -> None:
        """Decide which entry stands where."""
        metrics = QFontMetricsF(self._font())
        x, line = 0.0, 0
        self._places = []
        for _, text in self.entries:
            width = self._square_room() + metrics.horizontalAdvance(text)
            if x and x + width > room:
                x, line = 0.0, line + 1
            self._places.append((x, line))
            x += width + _ENTRY_GAP * self._look.text
        if self._axis and x and x + metrics.horizontalAdvance(self._axis) > room:
            line += 1
        self._axis_line = line
        self.setFixedHeight(round((line + 1) * self._line_height()))
        self.update()

    def sizeHint(self) -> QSize:
        """One line until the width is known."""
        return QSize(100, round(self._line_height()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint squares and words."""
        painter = QPainter(self)
        painter.setFont(self._font())
        painter.setPen(self._theme.color("muted"))
        height, square = self._line_height(), _SQUARE * self._look.text
        whole = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        for (color, text), (x, line) in zip(self.entries, self._places, strict=True):
            top = line * height
            block = QRectF(x, top + (height - square) / 2, square, square)
            painter.fillRect(block, self._theme.color(color))
            left = x + self._square_room()
            painter.drawText(QRectF(left, top, self.width() - left, height), whole, text)
        end = QRectF(0, self._axis_line * height, self.width(), height)
        painter.drawText(end, whole | Qt.AlignmentFlag.AlignRight, self._axis)
        painter.end()

    def _font(self) -> QFont:
        return self._look.font(self._theme, "secondary")

    def _square_room(self) -> float:
        return (_SQUARE + _SQUARE_GAP) * self._look.text

    def _line_height(self) -> float:
        return _LINE_HEIGHT * self._look.text
