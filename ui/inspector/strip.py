"""Above the conversation: that tokens are inspected and what that costs, and what colours mean."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui.format import format_percent
from ui.inspector.legend import TintLegend
from ui.labels import PlainLabel
from ui.theme import Theme


class InspectorStrip(QWidget):
    """Shown while there is anything to say.

    Signals:
        turned_off(): The person wants no more answers inspected.
    """

    turned_off = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._row = QWidget(self)
        self._text = PlainLabel(theme, font="secondary", color="muted", wrap=True, parent=self)
        self.off_button = QPushButton(self.tr("Turn off"), self)
        self.off_button.setProperty("look", "quiet")
        self.off_button.setFont(theme.font("secondary"))
        self.off_button.setAccessibleName(self.tr("No longer inspect tokens"))
        self.off_button.clicked.connect(self.turned_off)
        self.legend = TintLegend(theme, self)
        row = QHBoxLayout(self._row)
        row.setContentsMargins(20, 6, 14, 4)
        row.setSpacing(12)
        row.addWidget(self._text, 1)
        row.addWidget(self.off_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._row)
        layout.addWidget(self.legend)
        self.show_cost(None)
        self._row.hide()

    @property
    def text(self) -> str:
        """What it says; empty while nothing is inspected."""
        return "" if self._row.isHidden() else self._text.text()

    def show_inspects(self, inspects: bool) -> None:
        """Say that answers are inspected, or nothing."""
        self._row.setVisible(inspects)

    def show_cost(self, ratio: float | None) -> None:
        """Say what inspecting costs, once it was measured in an answer."""
        if ratio is None:
            cost = self.tr("What it costs is measured with the next answer.")
        else:
            cost = self.tr("It took {share} of the decode time of the last answer.").format(
                share=format_percent(ratio)
            )
        said = self.tr("Tokens are inspected: click a word of an answer to see how it was chosen.")
        self._text.setText(f"{said} {cost}")
