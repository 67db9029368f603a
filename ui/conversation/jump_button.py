"""A button beside the conversation that goes back to its end."""

from PySide6.QtWidgets import QPushButton, QWidget

from ui.conversation.column import column_in
from ui.icons import icon
from ui.theme import Theme

_ABOVE_EDGE = 10
_SIZE = 30
_MOST_BESIDE = 24


class JumpButton(QPushButton):
    """Hidden until the person has scrolled up."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("look", "round")
        self.setFixedSize(_SIZE, _SIZE)
        self.setAccessibleName(self.tr("Jump to end"))
        self.setToolTip(self.tr("Jump to end"))
        self.hide()
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_in(self, view: QWidget, *, shown: bool) -> None:
        """Show it at the lower edge of `view`, or not."""
        if shown == self.isHidden():
            self.setVisible(shown)
            self.place_in(view)

    def place_in(self, view: QWidget) -> None:
        """Put it at the lower edge of `view`, beside what stands in the column."""
        left, width = column_in(view.width())
        beside = min((view.width() - left - width - _SIZE) // 2, _MOST_BESIDE)
        self.move(left + width + beside, view.height() - _SIZE - _ABOVE_EDGE)
        self.raise_()

    def _recolor(self) -> None:
        self.setIcon(icon(self._theme, "arrow-down", size_px=14))
