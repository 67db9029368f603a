"""What stands under a graph that explains itself: what its colours mean, and a plain sentence."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from ui.labels import PlainLabel
from ui.panels.explain.legend import Legend, LegendEntry
from ui.panels.look import PanelLook
from ui.panels.sizes import body_side
from ui.theme import Theme


class Explanation(QWidget):
    """A legend above a sentence; as high as both need at the width there is."""

    def __init__(
        self, theme: Theme, entries: tuple[LegendEntry, ...], axis: str, sentence: str
    ) -> None:
        """`axis` says what the graph's horizontal axis is, empty where it is labelled."""
        super().__init__()
        self._legend = Legend(theme, entries, axis)
        self._legend.setAccessibleName(", ".join(self._legend.texts) or axis)
        self._sentence = PlainLabel(theme, sentence, font="control", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.addWidget(self._legend)
        layout.addWidget(self._sentence)
        # Not before they have a parent: they would open as windows.
        self._legend.setVisible(bool(entries or axis))
        self._sentence.setVisible(bool(sentence))
        self.set_look(PanelLook())

    @property
    def sentence(self) -> str:
        """The plain sentence."""
        return self._sentence.text()

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes."""
        side = body_side(look.text)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(side, 2, side, round(10 * look.text))
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
