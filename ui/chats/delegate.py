"""Paints the rows of the list of conversations, and edits a title in its place."""

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from app.transcript import MOST_TITLE_CHARACTERS
from ui.chats.list_model import ROW_ROLE, Index
from ui.chats.rows import Row
from ui.icons import icon
from ui.theme import Theme

if TYPE_CHECKING:
    from app.transcript import Conversation

_ROW_HEIGHT = 30
_FOUND_HEIGHT = 48
_INDENT = 16
_CHEVRON = 12
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_FOOT = int(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)


class ChatDelegate(QStyledItemDelegate):
    """A title on a rounded row; under it, while searching, what was found. Rows are all alike.

    Attributes:
        shows_found: Whether rows are those of a search, which are higher.
        open_chat: The chat that is open.
        drop_heading: The heading under which a chat would be dropped; invalid while none is
            dragged.
    """

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = parent
        self.shows_found = False
        self.open_chat: Conversation | None = None
        self.drop_heading = QPersistentModelIndex()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One row."""
        return QSize(120, _FOUND_HEIGHT if self.shows_found else _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row: the open chat stands out, the one under the mouse a little."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.chat is not None:
            self._paint_chat(painter, option, index, row)
        elif row.folder is not None:
            self._paint_folder(painter, option, index, row)
        else:
            self._paint_heading(painter, option.rect, str(index.data()))
        if index == self.drop_heading:
            self._outline(painter, option.rect.adjusted(10, 1, -10, -1))
        painter.restore()

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Tell a title that is cut."""
        row, title = index.data(ROW_ROLE), str(index.data())
        font = self._theme.font("strong" if row.chat is self.open_chat else "control")
        room = _title_place(option.rect, row).width()
        if row.chat is not None and QFontMetrics(font).horizontalAdvance(title) > room:
            # Rich text, which wraps; the title stays plain.
            QToolTip.showText(event.globalPos(), f"<p>{html.escape(title)}</p>", view)
        else:
            QToolTip.hideText()
        return True

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> QLineEdit:
        """A field over the title."""
        editor = QLineEdit(parent)
        editor.setProperty("look", "field")
        editor.setFont(self._theme.font("control"))
        editor.setMaxLength(MOST_TITLE_CHARACTERS)
        editor.setAccessibleName(self.tr("Title of the conversation"))
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """As wide as the row."""
        editor.setGeometry(option.rect.adjusted(10, 1, -10, -1))

    def _paint_heading(self, painter: QPainter, rect: QRect, words: str) -> None:
        painter.setFont(self._theme.font("caption"))
        painter.setPen(self._theme.color("muted"))
        painter.drawText(rect.adjusted(20, 0, -20, -6), _FOOT, words)

    def _paint_chat(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, row: Row
    ) -> None:
        rect: QRect = option.rect.adjusted(10, 1, -10, -1)
        is_open = row.chat is self.open_chat
        self._paint_ground(painter, option, index, rect, is_open=is_open)
        painter.setFont(self._theme.font("strong" if is_open else "control"))
        painter.setPen(self._theme.color("text" if is_open or row.excerpt else "muted"))
        inner = _title_place(option.rect, row)
        if row.excerpt:
            middle = inner.center().y() + 2
            self._paint_excerpt(painter, inner.adjusted(0, inner.height() // 2, 0, -4), row)
            inner.setBottom(middle)
        title = painter.fontMetrics().elidedText(
            str(index.data())[:MOST_TITLE_CHARACTERS], Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.drawText(inner, _LEFT, title)

    def _paint_folder(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, row: Row
    ) -> None:
        rect: QRect = option.rect.adjusted(10, 1, -10, -1)
        self._paint_ground(painter, option, index, rect, is_open=False)
        is_collapsed = row.folder is not None and row.folder.collapsed
        place = QRect(rect.left() + 8, rect.center().y() - _CHEVRON // 2, _CHEVRON, _CHEVRON)
        chevron = icon(
            self._theme, "chevron-right" if is_collapsed else "chevron-down", "muted", _CHEVRON
        )
        chevron.paint(painter, place)
        inner = rect.adjusted(10 + _INDENT, 0, -8, 0)
        painter.setFont(self._theme.font("caption"))
        painter.setPen(self._theme.color("muted"))
        count = QLocale().toString(row.n_chats)
        painter.drawText(inner, _RIGHT, count)
        inner.setRight(inner.right() - painter.fontMetrics().horizontalAdvance(count) - 8)
        painter.setFont(self._theme.font("control"))
        painter.setPen(self._theme.color("text"))
        words = painter.fontMetrics().elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.drawText(inner, _LEFT, words)

    def _paint_ground(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        rect: QRect,
        *,
        is_open: bool,
    ) -> None:
        """What is open stands out, what is under the mouse too, and where the keys are."""
        if is_open or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("hover"))
            painter.drawRoundedRect(rect, 8, 8)
        if index == self._view.currentIndex() and self._view.hasFocus():
            self._outline(painter, rect)

    def _outline(self, painter: QPainter, rect: QRect) -> None:
        painter.setPen(self._theme.color("accent"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, 8, 8)

    def _paint_excerpt(self, painter: QPainter, rect: QRect, row: Row) -> None:
        """The excerpt from a little before its first match, the matches in the accent."""
        metrics = QFontMetrics(self._theme.font("caption"))
        painter.save()
        painter.setFont(self._theme.font("caption"))
        text, shift = _from_match(row, metrics, rect.width())
        x = rect.left()
        at = 0
        for begin, length in [*row.marks, (len(row.excerpt), 0)]:
            first, end = max(begin - shift, at), max(begin - shift + length, at)
            for part, is_match in ((text[at:first], False), (text[first:end], True)):
                room = max(0, rect.right() - x)
                fitting = metrics.elidedText(part, Qt.TextElideMode.ElideRight, room)
                painter.setPen(self._theme.color("accent" if is_match else "muted"))
                painter.drawText(QRect(x, rect.top(), room + 1, rect.height()), _LEFT, fitting)
                x += metrics.horizontalAdvance(part)
            at = end
        painter.restore()


def _title_place(rect: QRect, row: Row) -> QRect:
    """Where the title of a chat stands in its row."""
    return rect.adjusted(20 + (_INDENT if row.is_inside else 0), 1, -18, -1)


def _from_match(row: Row, metrics: QFontMetrics, width: int) -> tuple[str, int]:
    """The excerpt so that its first match can be seen, and how many characters that leaves out."""
    if not row.marks:
        return row.excerpt, 0
    begin, length = row.marks[0]
    if metrics.horizontalAdvance(row.excerpt[: begin + length]) <= width:
        return row.excerpt, 0
    start = max(0, begin - 12)
    word = row.excerpt.find(" ", start, begin)
    start = word if word > 0 else start
    # The mark of what is left out takes the place of one character.
    return "…" + row.excerpt[start + 1 :], start
