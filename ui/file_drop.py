"""Takes files that are dropped anywhere in a window, and shows where they go."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.message_field import local_files
from ui.theme import Theme

_MARGIN = 14
_RADIUS = 14
_VEIL_OPACITY = 0.86
_WORDS_SIDE = 18
_WORDS_ABOVE = 12


class FileDrop(QObject):
    """Watches a window. Widgets inside that take drops of their own get those first.

    Signals:
        dropped(list[str]): Paths of the files.
    """

    dropped = Signal(object)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.hint = _Hint(theme, window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        # They would take the path of a file as text.
        for line in window.findChildren(QLineEdit):
            line.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what has files."""
        match event.type():
            case QEvent.Type.DragEnter | QEvent.Type.DragMove if isinstance(event, QDropEvent):
                if not local_files(event.mimeData()):
                    return False
                if watched is not self._window:
                    event.ignore()
                    return True
                event.acceptProposedAction()
                self.hint.show_over(self._window)
                return True
            case QEvent.Type.DragLeave:
                self.hint.hide()
            case QEvent.Type.Drop if isinstance(event, QDropEvent) and watched is self._window:
                self.hint.hide()
                event.acceptProposedAction()
                self.dropped.emit(local_files(event.mimeData()))
                return True
        return super().eventFilter(watched, event)


class _Hint(QWidget):
    """Lies over the window while files are above it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Drop files to attach them to the message"))
        self.hide()

    def show_over(self, window: QWidget) -> None:
        """Cover a window."""
        self.setGeometry(window.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a veil, a frame and what to do."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(self._theme.color("background"))
        veil.setAlphaF(_VEIL_OPACITY)
        painter.fillRect(self.rect(), veil)
        frame = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        painter.setPen(QPen(self._theme.color("accent"), 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(frame, _RADIUS, _RADIUS)
        painter.setFont(self._theme.font("strong"))
        words, center = self.accessibleName(), Qt.AlignmentFlag.AlignCenter
        place = painter.boundingRect(frame, center, words)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.setBrush(self._theme.color("panel"))
        ground = place.adjusted(-_WORDS_SIDE, -_WORDS_ABOVE, _WORDS_SIDE, _WORDS_ABOVE)
        painter.drawRoundedRect(ground, _RADIUS, _RADIUS)
        painter.setPen(self._theme.color("text"))
        painter.drawText(frame, center, words)
