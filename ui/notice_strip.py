"""What the person should know about a load that succeeded, in quiet lines."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.engine_state import EngineState
from app.messages import UserMessage, of_notice
from ui.icons import icon
from ui.labels import PlainLabel
from ui.theme import Theme

if TYPE_CHECKING:
    from engine.events import Loaded


class NoticeStrip(QWidget):
    """The notices of the model loaded; each can be closed, and is back with the next load."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._loaded: Loaded | None = None
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(22, 8, 14, 2)
        self._lines.setSpacing(4)
        self.setAccessibleName(self.tr("Notices"))
        self.hide()

    def show_state(self, state: EngineState) -> None:
        """Show the notices of a load once it has ended."""
        if state.loaded is self._loaded:
            return
        self._loaded = state.loaded
        while item := self._lines.takeAt(0):
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        notices = state.loaded.engine.notices if state.loaded is not None else ()
        for notice in notices:
            self._lines.addWidget(_NoticeLine(self._theme, of_notice(notice), self))
        self.setVisible(bool(notices))

    def close_line(self, line: QWidget) -> None:
        """Take a line away."""
        self._lines.removeWidget(line)
        line.hide()
        line.deleteLater()
        self.setVisible(self._lines.count() > 0)


class _NoticeLine(QWidget):
    def __init__(self, theme: Theme, message: UserMessage, strip: NoticeStrip) -> None:
        super().__init__(strip)
        self._theme = theme
        self._icon = QLabel(self)
        text = PlainLabel(
            theme,
            f"{message.title}. {message.text}",
            font="secondary",
            color="muted",
            wrap=True,
            parent=self,
        )
        self._close = QToolButton(self)
        self._close.setProperty("look", "quiet")
        self._close.setAccessibleName(self.tr("Dismiss the notice"))
        self._close.setAccessibleDescription(message.title)
        self._close.setToolTip(self.tr("Dismiss"))
        self._close.clicked.connect(lambda: strip.close_line(self))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(text, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._recolor)
        self._recolor()

    def _recolor(self) -> None:
        self._icon.setPixmap(icon(self._theme, "info-circle", "warning").pixmap(16, 16))
        self._close.setIcon(icon(self._theme, "x", size_px=14))
