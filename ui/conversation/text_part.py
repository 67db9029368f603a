"""A run of plain text in the conversation, selectable, as high as it needs to be."""

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, QPointF, QRect, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from ui.long_text import insert_text, text_between
from ui.markdown.visible import visible
from ui.theme import FontName, Theme

if TYPE_CHECKING:
    from collections.abc import Callable

_LINE_HEIGHT_PX: dict[FontName, int] = {"body": 24, "code": 21}
_EMPTY_LINE_HEIGHT_PX: dict[FontName, int] = {"body": 12, "code": 21}


class TextPart(QTextBrowser):
    """Plain text: nothing in it is markup, a link or a resource.

    Its owner gives it a width with `arrange`; text appended later makes it grow by itself at
    the end only.

    Signals:
        painted(): Text of this part was painted.
        clicked(int, bool): Its text was clicked at this position, and whether with Alt.

    Attributes:
        underlay: Paints behind the text, given the painter and what is to be painted.
        has_tokens: Whether `clicked` tells of words whose tokens can be shown.
    """

    painted = Signal()
    clicked = Signal(int, bool)

    def __init__(self, theme: Theme, font: FontName, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._has_caret = False
        self.underlay: Callable[[QPainter, QRect], None] | None = None
        self.has_tokens = False
        # All that is selected, where that is more than here.
        self.selected_with: Callable[[], str] | None = None
        # What stands between it and the part above it in what is copied.
        self.gap_above = "\n\n"
        self.setReadOnly(True)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.viewport().setAutoFillBackground(False)
        self.setFont(theme.font(font))
        document = self.document()
        document.setDocumentMargin(0)
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(theme.font(font))
        heights = QTextBlockFormat.LineHeightTypes
        self._format = QTextBlockFormat()
        self._format.setLineHeight(
            _LINE_HEIGHT_PX[font] * theme.zoom_ratio, heights.MinimumHeight.value
        )
        self._empty_format = QTextBlockFormat()
        self._empty_format.setLineHeight(
            _EMPTY_LINE_HEIGHT_PX[font] * theme.zoom_ratio, heights.FixedHeight.value
        )
        self._end = QTextCursor(document)
        self._end.setBlockFormat(self._format)

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self]

    def append_text(self, text: str) -> None:
        """Append plain text at the end."""
        self._end.movePosition(QTextCursor.MoveOperation.End)
        insert_text(self._end, visible(text), self._format, self._empty_format)
        if self._has_caret:
            self.viewport().update()

    def arrange(self, width: int) -> int:
        """Take `width` and the height the text then needs, which is returned; pixels."""
        if width != self.width():
            self.resize(width, max(1, self.height()))
        wraps = self.lineWrapMode() != QTextEdit.LineWrapMode.NoWrap
        if wraps and self.document().textWidth() != width:
            # A widget that is not on screen yet would lay out its text only then. Setting even
            # the width that it has lays the whole text out anew.
            self.document().setTextWidth(width)
        height = self.content_height()
        if height != self.height():
            self.resize(width, height)
        return height

    def content_height(self) -> int:
        """Height the text needs at the present width, pixels."""
        return max(1, math.ceil(self.document().size().height()))

    def set_caret(self, shown: bool) -> None:
        """Show a mark where the text grows."""
        if shown != self._has_caret:
            self._has_caret = shown
            self.viewport().update()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied or dragged: the original text, without cuts made for display."""
        data = QMimeData()
        data.setText(self.selected_text() if self.selected_with is None else self.selected_with())
        return data

    def selected_text(self) -> str:
        """What is selected here."""
        cursor = self.textCursor()
        return text_between(self.document(), cursor.selectionStart(), cursor.selectionEnd())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to select, and hand it on, for it may go beyond this part."""
        super().mousePressEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select here as long as the mouse is here."""
        is_selecting = bool(event.buttons() & Qt.MouseButton.LeftButton)
        if not is_selecting or self.viewport().rect().contains(event.position().toPoint()):
            super().mouseMoveEvent(event)
        if is_selecting:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave it to the conversation to select all of a turn."""
        if event.matches(QKeySequence.StandardKey.SelectAll):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Leave the menu to the conversation."""
        event.ignore()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: ANN401 - Qt's signature
        """Nothing is ever loaded."""
        return None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Hand it on, and say where a click was, which selects nothing."""
        super().mouseReleaseEvent(event)
        event.ignore()
        is_left = event.button() is Qt.MouseButton.LeftButton
        if is_left and not self.textCursor().hasSelection():
            position = self.position_at(event.position())
            if position is not None:
                has_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
                self.clicked.emit(position, has_alt)

    def position_at(self, point: QPointF) -> int | None:
        """The position of the character at a point of the viewport; None beside the text."""
        left = self.horizontalScrollBar().value()
        found = (
            self.document()
            .documentLayout()
            .hitTest(point + QPointF(left, 0), Qt.HitTestAccuracy.ExactHit)
        )
        return found if found >= 0 else None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the conversation."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, and the mark where it grows."""
        if self.underlay is not None:
            painter = QPainter(self.viewport())
            self.underlay(painter, event.rect())
            painter.end()
        super().paintEvent(event)
        if self._has_caret:
            self._paint_caret()
        if not self.document().isEmpty():
            self.painted.emit()

    def _paint_caret(self) -> None:
        self._end.movePosition(QTextCursor.MoveOperation.End)
        place = self.cursorRect(self._end)
        mark = QRectF(place.left() + 3, place.center().y() - 8, 8, 17)
        if mark.right() > self.viewport().width():
            mark.moveRight(self.viewport().width())
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(QPalette.ColorRole.Accent))
        painter.drawRoundedRect(mark, 2, 2)
