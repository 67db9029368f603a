"""What stands at the foot of a panel that measures on demand: a sentence, and a button."""

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ui.labels import PlainLabel
from ui.panels.look import USUAL, PanelLook
from ui.panels.sizes import body_side
from ui.theme import Theme

_LINES = 3
_BELOW = 6
# Around the words of the button, left and right together, and above and below.
_BUTTON_ROOM = (26, 15)


class MeasureRow(QWidget):
    """Takes the sizes of its panel; no higher for a longer sentence."""

    def __init__(self, theme: Theme) -> None:
        """Say nothing yet."""
        super().__init__()
        self._theme = theme
        self._look = USUAL
        self.sentence = PlainLabel(theme, font="caption", color="muted", wrap=True)
        self.button = QPushButton()
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.sentence, 1)
        self._row.addWidget(self.button)
        self.set_look(USUAL)

    def set_look(self, look: PanelLook) -> None:
        """Take other sizes."""
        self._look = look
        side = body_side(look.text)
        self._row.setContentsMargins(side, 0, side, round(_BELOW * look.text))
        self.sentence.setFont(look.font(self._theme, "caption"))
        self.sentence.setMinimumHeight(_LINES * self.sentence.fontMetrics().lineSpacing())
        self.button.setFont(look.font(self._theme, "control"))
        self._fit_button()

    def name_button(self, text: str) -> None:
        """Say what it does."""
        if text != self.button.text():
            self.button.setText(text)
            self._fit_button()

    def _fit_button(self) -> None:
        # The style sheet's padding does not grow with the words.
        metrics = self.button.fontMetrics()
        width, height = (round(px * self._look.text) for px in _BUTTON_ROOM)
        self.button.setMinimumSize(
            metrics.horizontalAdvance(self.button.text()) + width, metrics.height() + height
        )
