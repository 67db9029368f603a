"""A button over the conversation that goes back to its end."""

from PySide6.QtWidgets import QPushButton, QWidget

from ui.icons import icon
from ui.theme import Theme

_ABOVE_EDGE = 10


class JumpButton(QPushButton):
    """Hidden until the person has scrolled up."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setText(self.tr("Jump to end"))
        self.setAccessibleName(self.tr("Jump to end"))
        self.setFont(theme.font("secondary"))
        self.hide()
        theme.changed.connect(self._recolor)
        self._recolor()

    def show_in(self, view: QWidget, *, shown: bool) -> None:
        """Show it at the lower edge of `view`, or not."""
        if shown == self.isHidden():
            self.setVisible(shown)
            self.place_in(view)

    def place_in(self, view: QWidget) -> None:
        """Put it at the lower edge of `view`."""
        size = self.sizeHint()
        self.resize(size)
        left = (view.width() - size.width()) // 2
        self.move(left, view.height() - size.height() - _ABOVE_EDGE)
        self.raise_()

    def _recolor(self) -> None:
        self.setIcon(icon(self._theme, "arrow-down", size_px=14))
