"""Labels for text that others wrote: plain, never markup."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from ui.palette import ColorName
from ui.theme import FontName, Theme

_PALETTE_EVENTS = (
    QEvent.Type.PaletteChange,
    QEvent.Type.ParentChange,
    QEvent.Type.StyleChange,
)


class PlainLabel(QLabel):
    """A label in a font and a colour of the theme. Its text is plain."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        *,
        font: FontName = "control",
        color: ColorName = "text",
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._color: ColorName = color
        # Inside a button a label would take the button's role.
        self.setForegroundRole(QPalette.ColorRole.WindowText)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(theme.font(font))
        self.setWordWrap(wrap)
        self.setText(text)
        theme.changed.connect(self._recolor)
        self._recolor()

    def set_color(self, color: ColorName) -> None:
        """Use another colour of the theme."""
        self._color = color
        self._recolor()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the colour: a style sheet that is taken off puts back an earlier palette."""
        super().changeEvent(event)
        if event.type() in _PALETTE_EVENTS:
            wanted = self._theme.color(self._color)
            if self.palette().color(QPalette.ColorRole.WindowText) != wanted:
                self._recolor()

    def _recolor(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, self._theme.color(self._color))
        self.setPalette(palette)
