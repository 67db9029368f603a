"""A quiet button that copies text and says that it did."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from ui.icons import icon
from ui.theme import Theme

_SAYS_COPIED_MS = 1_500


class CopyButton(QPushButton):
    """Copies what `text` returns.

    Args:
        theme: Colours and fonts.
        text: Called on a click for the text to copy.
        name: What it copies, for screen readers and the tooltip.
        parent: Its owner.
        shows_words: Whether it has words beside its icon.
    """

    def __init__(
        self,
        theme: Theme,
        text: Callable[[], str],
        name: str,
        parent: QWidget,
        *,
        shows_words: bool = True,
    ) -> None:
        super().__init__(parent)
        self._shows_words = shows_words
        self._theme = theme
        self._text = text
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_SAYS_COPIED_MS)
        self._rest.timeout.connect(self._refresh)
        self.setProperty("look", "quiet")
        self.setFont(theme.font("secondary"))
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.copy)
        theme.changed.connect(self._refresh)
        self._refresh()

    def become(self, text: Callable[[], str]) -> None:
        """Stand for another text, of which nothing was copied yet."""
        self._text = text
        self._rest.stop()
        self._refresh()

    def copy(self) -> None:
        """Put the text on the clipboard."""
        self.copy_text(self._text)

    def copy_text(self, text: Callable[[], str]) -> None:
        """Put another text on the clipboard, and say that it was copied."""
        QGuiApplication.clipboard().setText(text())
        self._rest.start()
        self._refresh()

    def _refresh(self) -> None:
        copied = self._rest.isActive()
        if self._shows_words:
            self.setText(self.tr("Copied") if copied else self.tr("Copy"))
        self.setIcon(icon(self._theme, "check" if copied else "copy", size_px=14))
