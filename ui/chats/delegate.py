"""Paints the rows of the list of conversations, and edits a title in its place."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ui.chats.list_model import ROW_ROLE, Index
from ui.chats.rows import Row
from ui.theme import Theme

_ROW_HEIGHT = 30
_FOUND_HEIGHT = 48
_MOST_TITLE_CHARACTERS = 200
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_FOOT = int(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)


class ChatDelegate(QStyledItemDelegate):
    """A title on a rounded row; under it, while searching, what was found. Rows are all alike.

    Attributes:
        shows_found: Whether rows are those of a search, which are higher.
    """

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = parent
        self.shows_found = False

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
        if row.chat is None:
            self._paint_heading(painter, option.rect, str(index.data()))
        else:
            self._paint_chat(painter, option, index, row)
        painter.restore()

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> QLineEdit:
        """A field over the title."""
        editor = QLineEdit(parent)
        editor.setProperty("look", "field")
        editor.setFont(self._theme.font("control"))
        editor.setMaxLength(_MOST_TITLE_CHARACTERS)
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
        chosen = index == self._view.currentIndex()
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("hover"))
            painter.drawRoundedRect(rect, 8, 8)
        if chosen and self._view.hasFocus():
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect, 8, 8)
        painter.setFont(self._theme.font("strong" if chosen else "control"))
        painter.setPen(self._theme.color("text" if chosen or row.excerpt else "muted"))
        inner = rect.adjusted(10, 0, -8, 0)
        if row.excerpt:
            middle = inner.center().y() + 2
            self._paint_excerpt(painter, inner.adjusted(0, inner.height() // 2, 0, -4), row)
            inner.setBottom(middle)
        title = painter.fontMetrics().elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.drawText(inner, _LEFT, title)

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
