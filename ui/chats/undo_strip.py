"""Says for a while that a conversation or a folder was deleted, and brings it back."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.folders import RemovedFolder
from app.transcript import Conversation
from ui.labels import PlainLabel
from ui.theme import Theme

_SHOWN_MS = 10_000


class UndoStrip(QWidget):
    """A quiet line at the foot of the list.

    Signals:
        undo_requested(): The button was pressed.
        expired(): The time to undo is over.
    """

    undo_requested = Signal()
    expired = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = ""
        self._label = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self._label.setMinimumWidth(20)
        self.button = QPushButton(self.tr("Undo"), self)
        self.button.setProperty("look", "quiet")
        self.button.setAccessibleName(self.tr("Undo"))
        self.button.setFont(theme.font("secondary"))
        self.button.clicked.connect(self.undo_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 4, 10, 4)
        layout.addWidget(self._label, 1)
        layout.addWidget(self.button)
        self._time = QTimer(self)
        self._time.setSingleShot(True)
        self._time.setInterval(_SHOWN_MS)
        self._time.timeout.connect(self.expired)
        self.hide()

    def show_deleted(self, removed: Conversation | RemovedFolder | None) -> None:
        """Offer to bring `removed` back, or nothing any more."""
        self.setVisible(removed is not None)
        if removed is None:
            self._time.stop()
            return
        if isinstance(removed, RemovedFolder):
            self._title = removed.folder.name
        else:
            self._title = removed.title or self.tr("New chat")
        self.show_words(
            self.tr("Deleted “{title}”").replace("{title}", self._title),
            self.tr("Bring back “{title}”").replace("{title}", self._title),
        )

    def show_words(self, deleted: str, offer: str) -> None:
        """Say what was deleted, and offer to bring it back."""
        self.show()
        self.setAccessibleName(deleted)
        self.button.setAccessibleName(offer)
        self._elide()
        self._time.start()

    def text(self) -> str:
        """What it says, whole."""
        return self.accessibleName()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the title."""
        self._elide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A hairline above."""
        painter = QPainter(self)
        painter.setPen(self._theme.color("line"))
        painter.drawLine(0, 0, self.width(), 0)

    def _elide(self) -> None:
        room = self.width() - self.button.sizeHint().width() - 36
        words = self._label.fontMetrics().elidedText(
            self.accessibleName(), Qt.TextElideMode.ElideRight, max(20, room)
        )
        self._label.setText(words)
