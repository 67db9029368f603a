"""How full the context is: tokens used of the context size, and a thin bar."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.conversation.figures_text import context_text
from ui.format import format_percent
from ui.labels import PlainLabel
from ui.theme import Theme
from ui.thin_bar import ThinBar

_NEARLY_FULL_RATIO = 0.9


class ContextMeter(QWidget):
    """Shows tokens; hidden while the context size is unknown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self._bar = ThinBar(theme, "accent", self)
        self._bar.setFixedWidth(116)
        self._bar.setFixedHeight(4)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._label)
        layout.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(self.tr("Context used"))
        self.set_tokens(None, None)

    def text(self) -> str:
        """The words shown."""
        return self._label.text()

    def set_tokens(self, used: int | None, size: int | None) -> None:
        """Show `used` of `size` tokens; nothing where the size is unknown."""
        self.setVisible(size is not None)
        if size is None:
            return
        ratio = None if used is None else used / size
        text = context_text(used, size)
        self._label.setText(text)
        self._bar.set_fraction(ratio)
        self._bar.set_color(
            "warning" if ratio is not None and ratio >= _NEARLY_FULL_RATIO else "accent"
        )
        self.setAccessibleDescription(text)
        self.setToolTip(
            self.tr("Tokens of this conversation in the context, of the context size")
            + ("" if ratio is None else f" ({format_percent(ratio)})")
        )
