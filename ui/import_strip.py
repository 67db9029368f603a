"""Which file is being imported, how far that is, and Cancel."""

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ui.format import format_percent
from ui.labels import PlainLabel
from ui.theme import Theme
from ui.thin_bar import ThinBar

# An import that is over sooner shows nothing: a strip that flashes disturbs.
_SHOWN_AFTER_MS = 250


class ImportStrip(QWidget):
    """Visible while an import takes a noticeable time.

    Signals:
        cancel_requested(): The person does not want it.
    """

    cancel_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self._label.setMinimumWidth(20)
        self._bar = ThinBar(theme, "accent", self)
        self._bar.setFixedSize(180, 4)
        self._bar.setAccessibleName(self.tr("Import progress"))
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.setProperty("look", "quiet")
        self.cancel_button.setFont(theme.font("secondary"))
        self.cancel_button.setAccessibleName(self.tr("Cancel the import"))
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
        self.setAccessibleName(self.tr("Import"))
        self.hide()

    def text(self) -> str:
        """The words shown."""
        return self._label.text()

    def show_progress(self, path: str, fraction: float | None) -> None:
        """Show how far an import is, 0 to 1, or nothing when it is over."""
        if fraction is None:
            self._delay.stop()
            self.hide()
            return
        words = self.tr("Importing {name}").replace("{name}", Path(path).name)
        self._label.setText(f"{words}  {format_percent(fraction)}")
        self._bar.set_fraction(fraction)
        if self.isHidden() and not self._delay.isActive():
            self._delay.start()
