"""Appending to a QTextDocument at a cost that does not grow with it."""

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument

# A block is laid out anew whenever it grows, so long paragraphs are cut: at a space from the
# first length on, anywhere at the second.
_SOFT_BLOCK_CHARACTERS = 2_500
_HARD_BLOCK_CHARACTERS = 3_000

_CUT = 1  # QTextBlock.userState of a block that continues the one before


class TextAppender:
    """Appends plain text to a document, cutting long blocks for display only.

    Args:
        document: Where to; it must be empty.
        line_height_px: Least height of a line.
        empty_line_height_px: Height of an empty line, which separates paragraphs.
    """

    def __init__(
        self, document: QTextDocument, *, line_height_px: int, empty_line_height_px: int
    ) -> None:
        self._document = document
        self._format = QTextBlockFormat()
        self._format.setLineHeight(
            line_height_px, QTextBlockFormat.LineHeightTypes.MinimumHeight.value
        )
        self._empty_format = QTextBlockFormat()
        self._empty_format.setLineHeight(
            empty_line_height_px, QTextBlockFormat.LineHeightTypes.FixedHeight.value
        )
        self._block_characters = 0
        cursor = QTextCursor(document)
        cursor.setBlockFormat(self._format)

    def append(self, text: str) -> None:
        """Append `text`; line ends begin new blocks."""
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for number, line in enumerate(text.split("\n")):
            if number:
                if self._block_characters == 0:
                    cursor.setBlockFormat(self._empty_format)
                self._begin_block(cursor, is_cut=False)
            self._append_line(cursor, line)
        cursor.endEditBlock()

    def _append_line(self, cursor: QTextCursor, line: str) -> None:
        position = 0
        while position < len(line):
            end = min(len(line), position + _HARD_BLOCK_CHARACTERS - self._block_characters)
            soft = position + max(0, _SOFT_BLOCK_CHARACTERS - self._block_characters)
            space = line.find(" ", soft, end)
            if space >= 0:
                end = space + 1
            cursor.insertText(line[position:end])
            self._block_characters += end - position
            is_full = space >= 0 or self._block_characters >= _HARD_BLOCK_CHARACTERS
            if is_full:
                self._begin_block(cursor, is_cut=True)
            position = end

    def _begin_block(self, cursor: QTextCursor, *, is_cut: bool) -> None:
        cursor.insertBlock(self._format)
        cursor.block().setUserState(_CUT if is_cut else -1)
        self._block_characters = 0


def selected_text(cursor: QTextCursor) -> str:
    """The selection as it was appended: cuts for display are left out."""
    document = cursor.document()
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    parts: list[str] = []
    block: QTextBlock = document.findBlock(start)
    while block.isValid() and block.position() <= end:
        if parts and block.userState() != _CUT:
            parts.append("\n")
        text = block.text()
        # Qt counts UTF-16 units, Python characters.
        units = text.encode("utf-16-le", "surrogatepass")
        first = max(0, start - block.position())
        last = max(0, end - block.position())
        parts.append(units[first * 2 : last * 2].decode("utf-16-le", "replace"))
        block = block.next()
    return "".join(parts)
