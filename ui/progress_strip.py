"""One line of what takes a while, how far it is, and Cancel."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ui.format import format_percent
from ui.labels import PlainLabel
from ui.palette import ColorName
from ui.theme import Theme
from ui.thin_bar import ThinBar

# What is over sooner shows nothing: a strip that flashes disturbs.
_SHOWN_AFTER_MS = 250


class ProgressStrip(QWidget):
    """Visible while something takes a noticeable time. Sub-classes name their parts.

    Signals:
        cancel_requested(): The person does not want it.
    """

    cancel_requested = Signal()

    def __init__(self, theme: Theme, color: ColorName, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self._label.setMinimumWidth(20)
        self._bar = ThinBar(theme, color, self)
        self._bar.setFixedSize(180, 4)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.setProperty("look", "quiet")
        self.cancel_button.setFont(theme.font("secondary"))
        self.cancel_button.clicked.connect(self.cancel_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(22, 6, 14, 6)
        layout.setSpacing(14)
        layout.addWidget(self._label)
        layout.addWidget(self._bar)
        layout.addWidget(self.cancel_button)
        layout.addStretch(1)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(_SHOWN_AFTER_MS)
        self._delay.timeout.connect(self.show)
        self.hide()

    def text(self) -> str:
        """The words shown."""
        return self._label.text()

    def show_words(self, words: str, fraction: float | None, color: ColorName) -> None:
        """Show what goes on and how far it is, 0 to 1; None where that is not known."""
        share = "" if fraction is None else f"  {format_percent(fraction)}"
        self._label.setText(words + share)
        self._bar.set_color(color)
        self._bar.set_fraction(fraction)
        if self.isHidden() and not self._delay.isActive():
            self._delay.start()

    def end(self) -> None:
        """It is over."""
        self._delay.stop()
        self.hide()
