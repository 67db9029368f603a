"""Plain text in documents, with long paragraphs cut so that no text can freeze a widget.

A block is laid out anew whenever it changes, at a cost that grows with its length. So a
paragraph longer than a few thousand characters becomes several blocks; the cuts are marked, and
`text_between` leaves them out.
"""

from collections.abc import Iterator

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument, QTextFormat

# Cut at a space from the first length on, anywhere at the second.
_SOFT_LENGTH = 2_500
_HARD_LENGTH = 3_000

# Kept in the format, which survives undo and redo.
_IS_CUT = QTextFormat.Property.UserProperty.value + 1


def insert_text(
    cursor: QTextCursor,
    text: str,
    block_format: QTextBlockFormat | None = None,
    empty_block_format: QTextBlockFormat | None = None,
) -> None:
    """Insert plain text at `cursor` in one edit, cutting long paragraphs for display.

    Args:
        cursor: Where; it ends up after the text.
        text: Line ends in it begin new blocks.
        block_format: Of new blocks.
        empty_block_format: Of blocks that stay empty.
    """
    line_format = block_format or QTextBlockFormat()
    cut_format = as_cut(line_format)
    cursor.beginEditBlock()
    for number, line in enumerate(text.split("\n")):
        if number:
            if empty_block_format is not None and cursor.block().length() == 1:
                cursor.setBlockFormat(empty_block_format)
            cursor.insertBlock(line_format)
        for run in _runs(line, cursor.positionInBlock()):
            if run:
                cursor.insertText(run)
            else:
                cursor.insertBlock(cut_format)
    cursor.endEditBlock()


def as_cut(block_format: QTextBlockFormat) -> QTextBlockFormat:
    """The format of a block that goes on with the line above it."""
    made = QTextBlockFormat(block_format)
    made.setProperty(_IS_CUT, True)
    return made


def is_cut(block: QTextBlock) -> bool:
    """Whether a block goes on with the line above it."""
    return block.blockFormat().boolProperty(_IS_CUT)


def text_between(document: QTextDocument, start: int, end: int) -> str:
    """The text from position `start` to `end` as it was inserted; positions as Qt counts."""
    if start == 0 and end == document.characterCount() - 1:
        return _whole_text(document)
    parts: list[str] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() <= end:
        if parts and not is_cut(block):
            parts.append("\n")
        text = block.text()
        first, last = start - block.position(), end - block.position()
        if first <= 0 and last >= block.length() - 1:
            parts.append(text)
        else:
            # Qt counts UTF-16 units, Python characters.
            units = text.encode("utf-16-le", "surrogatepass")
            part = units[max(0, first) * 2 : last * 2]
            parts.append(part.decode("utf-16-le", "surrogatepass"))
        block = block.next()
    return "".join(parts)


def _whole_text(document: QTextDocument) -> str:
    parts: list[str] = []
    # Looks of blocks have numbers, and there are few, but there may be many blocks.
    cuts: dict[int, bool] = {}
    block = document.begin()
    for line in document.toRawText().split("\u2029"):
        kind = block.blockFormatIndex()
        if kind not in cuts:
            cuts[kind] = is_cut(block)
        if parts and not cuts[kind]:
            parts.append("\n")
        parts.append(line)
        block = block.next()
    return "".join(parts)


def _runs(line: str, length: int) -> Iterator[str]:
    """Pieces of a line for a block that has `length` characters; "" is a cut."""
    position = 0
    while position < len(line):
        if length >= _HARD_LENGTH:
            yield ""
            length = 0
        end = min(len(line), position + _HARD_LENGTH - length)
        space = line.find(" ", position + max(0, _SOFT_LENGTH - length), end)
        if space >= 0:
            end = space + 1
        yield line[position:end]
        length += end - position
        position = end
        if space >= 0:
            length = _HARD_LENGTH
