"""The field the person types in. Grows with its text; no paste can freeze it."""

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from ui.long_text import insert_text, text_between
from ui.theme import Theme

_SLICE_CHARACTERS = 30_000
# More lines than these count as text, without a look.
_MOST_BLANK_LINES = 200

_MODIFIERS = (
    Qt.Key.Key_Shift,
    Qt.Key.Key_Control,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
)


class MessageField(QPlainTextEdit):
    """The text field. Grows with its text up to `most_lines`.

    Signals:
        send_requested(): Enter.
        focus_changed(): It got or lost the focus.
        height_changed(): It grew or shrank.
        files_offered(list[str]): Files were pasted or dropped.
    """

    send_requested = Signal()
    focus_changed = Signal()
    height_changed = Signal()
    files_offered = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget, *, most_lines: int = 8) -> None:
        super().__init__(parent)
        self._most_lines = most_lines
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(theme.font("body"))
        self.setPlaceholderText(self.tr("Ask something…"))
        self.setAccessibleName(self.tr("Message"))
        self.setAccessibleDescription(
            self.tr("Enter sends, Shift and Enter break the line, Escape stops the answer")
        )
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rest = ""
        self._rest_position = 0
        self._rest_cursor: QTextCursor | None = None
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._insert_slice)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    @property
    def is_inserting(self) -> bool:
        """Whether a large paste is still going on."""
        return self._slices.isActive()

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to send, which is cheap to know."""
        document = self.document()
        return document.blockCount() < _MOST_BLANK_LINES and not document.toPlainText().strip()

    def text(self) -> str:
        """What is typed, including what is still being pasted."""
        document, cursor = self.document(), self._rest_cursor
        last = document.characterCount() - 1
        if cursor is None:
            return text_between(document, 0, last)
        place = cursor.position()
        before, after = text_between(document, 0, place), text_between(document, place, last)
        return before + self._rest[self._rest_position :] + after

    def set_text(self, text: str) -> None:
        """Replace what is typed, and put the cursor at its end; it cannot be undone."""
        self._slices.stop()
        self._rest, self._rest_cursor = "", None
        self.clear()
        self.setUndoRedoEnabled(False)
        self._insert(text)

    def sizeHint(self) -> QSize:
        """As high as its text, up to the most lines."""
        return QSize(400, self._needed_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the lines that another width makes, of which the document tells nobody."""
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends, Shift+Enter breaks the line."""
        key, modifiers = event.key(), event.modifiers()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if modifiers & Qt.KeyboardModifier.ShiftModifier:
                self.textCursor().insertBlock(QTextBlockFormat())
                self.ensureCursorVisible()
            else:
                self.send_requested.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste and drop plain text; files are offered to whoever attaches them."""
        paths = local_files(source)
        if paths:
            self.files_offered.emit(paths)
        elif source.hasText():
            self._insert(source.text())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Only text and files."""
        return source.hasText() or bool(local_files(source))

    def event(self, event: QEvent) -> bool:
        """Tell when the focus comes and goes; keys find all of what was pasted before."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.focus_changed.emit()
        is_key = (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and event.key() not in _MODIFIERS
        )
        if is_key or event.type() is QEvent.Type.InputMethod:
            self._insert_rest()
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What is chosen in the menu finds all of what was pasted before."""
        self._insert_rest()
        super().contextMenuEvent(event)

    def _insert(self, text: str) -> None:
        """Insert at the cursor, what is huge in slices."""
        self._insert_rest()
        cursor = self.textCursor()
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        self._rest, self._rest_position, self._rest_cursor = lines, 0, cursor
        self._slices.start()
        self._insert_slice()

    def _insert_rest(self) -> None:
        while self._slices.isActive():
            self._insert_slice()

    def _insert_slice(self) -> None:
        cursor, begin = self._rest_cursor, self._rest_position
        if cursor is None:
            return
        end = begin + _SLICE_CHARACTERS
        piece = self._rest[begin:end]
        is_last = end >= len(self._rest)
        self._rest_position = end
        if is_last:
            # Before it goes in: whoever hears of the change may ask for the text.
            self._slices.stop()
            self._rest, self._rest_cursor = "", None
        # All slices are one step to undo.
        if begin:
            cursor.joinPreviousEditBlock()
        else:
            cursor.beginEditBlock()
            cursor.removeSelectedText()
        insert_text(cursor, piece)
        cursor.endEditBlock()
        if is_last:
            self.setUndoRedoEnabled(True)
            self.ensureCursorVisible()

    def _needed_height(self) -> int:
        # QPlainTextEdit's document counts in lines, not in pixels.
        lines = min(self._most_lines, max(1, int(self.document().size().height())))
        return lines * self.fontMetrics().lineSpacing() + 6

    def _fit(self) -> None:
        height = self._needed_height()
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)
            self.height_changed.emit()


def local_files(source: QMimeData) -> list[str]:
    """Paths of the files that are pasted or dropped."""
    return [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
