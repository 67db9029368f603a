"""What a document shows, in words that tests can compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument, QTextListFormat

from ui.markdown.blocks import Block, BlockStream, Code, Prose
from ui.markdown.formats import IS_CODE, IS_RULE, QUOTE_DEPTH, Formats
from ui.markdown.writer import MarkdownWriter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextList, QTextTable

    from ui.theme import Theme


def cut(*chunks: str) -> tuple[list[Block | Code], dict[str, object]]:
    """Everything that is final in the end, and the links defined."""
    stream = BlockStream()
    shown: list[Block | Code] = []
    changes = [change for chunk in chunks for change in stream.feed(chunk)]
    changes += stream.finish()
    for change in changes:
        if isinstance(change, Prose):
            shown += change.final
        elif change.begins or not isinstance(shown[-1], Code):
            shown.append(change)
        else:
            last = shown[-1]
            shown[-1] = Code(
                text=last.text + change.text,
                language=last.language,
                begins=True,
                ends=last.ends or change.ends,
                level=last.level,
            )
    last_change = changes[-1] if changes else None
    assert not (isinstance(last_change, Prose) and last_change.tail)
    return shown, stream.references


def no_formula(*_: object) -> bool:
    return False


def document_of(theme: Theme, blocks: Iterable[Block | Code]) -> QTextDocument:
    document = QTextDocument()
    cursor = QTextCursor(document)
    writer = MarkdownWriter(Formats(theme), cursor, no_formula, [], is_fresh=True, is_top=True)
    writer.write([block for block in blocks if isinstance(block, Block)])
    return document


def described(theme: Theme, source: str) -> list[str]:
    """Each paragraph as `kind: text`, emphasis and the like marked in the text."""
    stream = BlockStream()
    stream.feed(source)
    stream.finish()
    again = BlockStream(stream.references)
    changes = again.feed(source) + again.finish()
    lines: list[str] = []
    for change in changes:
        if isinstance(change, Prose):
            lines += lines_of(document_of(theme, change.final))
        elif change.begins:
            lines.append(f"code[{change.language}]: {change.text}")
        else:
            lines[-1] += change.text
    return lines


def lines_of(document: QTextDocument) -> list[str]:
    lines: list[str] = []
    block = document.begin()
    while block.isValid():
        text = _runs(block)
        kind = _kind(block)
        if text or kind != "p":
            lines.append(f"{kind}: {text}")
        block = block.next()
    return lines


def _kind(block: QTextBlock) -> str:
    block_format = block.blockFormat()
    kind = "p"
    if block_format.headingLevel():
        kind = f"h{block_format.headingLevel()}"
    elif block_format.boolProperty(IS_RULE):
        kind = "hr"
    elif block_format.boolProperty(IS_CODE):
        kind = "pre"
    text_list: QTextList | None = block.textList()
    if text_list is not None:
        made = text_list.format()
        is_number = made.style() == QTextListFormat.Style.ListDecimal
        marker = f"{made.start()}{made.numberSuffix()}" if is_number else "*"
        marks = {
            QTextBlockFormat.MarkerType.Checked: "[x]",
            QTextBlockFormat.MarkerType.Unchecked: "[ ]",
        }
        kind = f"{'  ' * (made.indent() - 1)}{marks.get(block_format.marker(), marker)}"
    elif block_format.indent():
        kind = "  " * block_format.indent() + kind
    depth = block_format.intProperty(QUOTE_DEPTH)
    table: QTextTable | None = QTextCursor(block).currentTable()
    if table is not None:
        cell = table.cellAt(block.position())
        return f"cell {cell.row()},{cell.column()}"
    return ">" * depth + kind


def _runs(block: QTextBlock) -> str:
    parts: list[str] = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        parts.append(_marked(fragment.text(), fragment.charFormat()))
        iterator += 1
    return "".join(parts)


def _marked(text: str, made: QTextCharFormat) -> str:
    text = text.replace("\u2028", "⏎")
    for mark in marks_of(made):
        text = f"`{text}`" if mark == "`" else f"<{mark}>{text}</{mark.split()[0]}>"
    return text


def marks_of(made: QTextCharFormat) -> tuple[str, ...]:
    """Code, emphasis and links, the innermost first."""
    marks = {
        "`": made.background().style() != Qt.BrushStyle.NoBrush,
        "i": made.fontItalic(),
        "b": made.fontWeight() == 650,
        "s": made.fontStrikeOut(),
        f"a {made.anchorHref()}": made.isAnchor(),
    }
    return tuple(mark for mark, is_made in marks.items() if is_made)
