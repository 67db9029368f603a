"""How full the context is: tokens used and kept of the context size, and a thin bar."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.conversation.figures_text import context_text
from ui.format import format_count, format_percent
from ui.labels import PlainLabel
from ui.theme import Theme
from ui.thin_bar import ThinBar

_NEARLY_FULL_RATIO = 0.9
_BAR_LEAST, _BAR_WIDEST = 20, 116


class ContextMeter(QWidget):
    """Shows tokens; hidden while the context size is unknown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self._bar = ThinBar(theme, "accent", self)
        self._bar.setMinimumWidth(_BAR_LEAST)
        self._bar.setMaximumWidth(_BAR_WIDEST)
        self._bar.setFixedHeight(4)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._label)
        layout.addWidget(self._bar, 1, Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(self.tr("Context used"))
        self.set_tokens(None, None)

    @property
    def bar(self) -> ThinBar:
        """The share used, and the share kept for the answer."""
        return self._bar

    def text(self) -> str:
        """The words shown."""
        return self._label.text()

    def set_tokens(
        self, used: int | None, size: int | None, *, reserve: int = 0, is_stale: bool = False
    ) -> None:
        """Show tokens; nothing where the size is unknown.

        Args:
            used: Of the conversation and what is typed; None where unknown.
            size: Of the context.
            reserve: Kept for the answer.
            is_stale: `used` was exact before something changed, and is being counted again.
        """
        self.setVisible(size is not None)
        if size is None:
            return
        text = context_text(used, size, reserve=reserve, is_stale=is_stale)
        self._label.setText(text)
        self._bar.set_fraction(None if used is None else used / size)
        self._bar.set_reserve(reserve / size)
        full = used is not None and used + reserve >= _NEARLY_FULL_RATIO * size
        self._bar.set_color("warning" if full else "accent")
        self.setAccessibleDescription(text)
        self.setToolTip(self._explanation(used, size, reserve))

    def _explanation(self, used: int | None, size: int, reserve: int) -> str:
        lines = [self.tr("Tokens of this conversation and of what is typed, of the context size")]
        if used is not None:
            lines[0] += f" ({format_percent(used / size)})"
        if reserve:
            kept = self.tr("{n} more are kept for the answer")
            lines.append(kept.format(n=format_count(reserve)))
        if used is not None and used >= size:
            lines.append(self.tr("This no longer fits into the context"))
        return "\n".join(lines)
