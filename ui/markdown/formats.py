"""How Markdown looks: formats of characters and paragraphs in the fonts and colours of a theme."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextFormat

from ui.palette import ColorName
from ui.theme import Theme

LINE_HEIGHT_RATIO = 1.6
_CELL_LINE_HEIGHT_RATIO = 1.3
INDENT_PX = 26
_HEADINGS: dict[int, tuple[float, int, int]] = {
    # Size as a ratio of the text's, space above and below in pixels.
    1: (1.45, 22, 8),
    2: (1.27, 20, 6),
    3: (1.12, 18, 4),
    4: (1.0, 14, 4),
    5: (1.0, 14, 4),
    6: (1.0, 14, 4),
}
PARAGRAPH_GAP = 12
ITEM_GAP = 4

QUOTE_DEPTH = QTextFormat.Property.UserProperty.value + 2
IS_RULE = QTextFormat.Property.UserProperty.value + 3
IS_CODE = QTextFormat.Property.UserProperty.value + 4
# Of the first line of a block of code, above which there is room for its language and Copy.
CODE_LANGUAGE = QTextFormat.Property.UserProperty.value + 5
# Of the same one: its place among the code of its document.
CODE_NUMBER = QTextFormat.Property.UserProperty.value + 6
# Around code, also in parts of its own.
CODE_HEAD_PX = 34
CODE_SIDE_PX = 16
CODE_FOOT_PX = 12


class Formats:
    """Makes formats in the fonts and colours that the theme had when this was made."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._texts: dict[tuple[ColorName, bool], QTextCharFormat] = {}
        self._cells: dict[Qt.AlignmentFlag, QTextBlockFormat] = {}

    def text(self, *, color: ColorName = "text", is_strong: bool = False) -> QTextCharFormat:
        """Of plain text."""
        kept = self._texts.get((color, is_strong))
        if kept is None:
            kept = self._texts[color, is_strong] = QTextCharFormat()
            font = self._theme.font("body")
            if is_strong:
                font.setWeight(QFont.Weight.DemiBold)
            kept.setFont(font)
            kept.setForeground(self.color(color))
        return QTextCharFormat(kept)

    def heading(self, level: int) -> QTextCharFormat:
        """Of the text of a heading."""
        made = self.text(color="muted" if level == 6 else "text")
        font = self._theme.font("body")
        font.setPixelSize(round(font.pixelSize() * _HEADINGS[level][0]))
        font.setWeight(QFont.Weight.DemiBold)
        made.setFont(font)
        return made

    def code(self, within: QTextCharFormat) -> QTextCharFormat:
        """Of code amid text."""
        made = QTextCharFormat(within)
        font = self._theme.font("code")
        size = within.font().pixelSize()
        font.setPixelSize(max(9, round(size * 0.88)))
        font.setWeight(within.font().weight())
        font.setItalic(within.fontItalic())
        font.setStrikeOut(within.fontStrikeOut())
        font.setUnderline(within.fontUnderline())
        made.setFont(font)
        made.setBackground(self.color("inline_code"))
        return made

    def code_block(self) -> QTextCharFormat:
        """Of code in paragraphs of its own."""
        made = QTextCharFormat()
        made.setFont(self._theme.font("code"))
        made.setForeground(self.color("text"))
        return made

    def link(self, within: QTextCharFormat, address: str) -> QTextCharFormat:
        """Of a link."""
        made = QTextCharFormat(within)
        made.setAnchor(True)
        made.setAnchorHref(address)
        made.setForeground(self.color("accent"))
        made.setFontUnderline(True)
        return made

    def paragraph(self, *, gap: int, indent: int = 0, quote_depth: int = 0) -> QTextBlockFormat:
        """Of a paragraph, `gap` pixels below what is above it."""
        made = QTextBlockFormat()
        line = round(self._theme.font("body").pixelSize() * LINE_HEIGHT_RATIO)
        made.setLineHeight(line, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        made.setTopMargin(gap)
        made.setIndent(indent)
        if quote_depth:
            made.setProperty(QUOTE_DEPTH, quote_depth)
        return made

    def cell(self, alignment: Qt.AlignmentFlag) -> QTextBlockFormat:
        """Of the text in a cell of a table."""
        kept = self._cells.get(alignment)
        if kept is None:
            kept = self._cells[alignment] = QTextBlockFormat()
            line = round(self._theme.font("body").pixelSize() * _CELL_LINE_HEIGHT_RATIO)
            kept.setLineHeight(line, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
            kept.setAlignment(alignment)
        return kept

    def code_paragraph(self, *, gap: int, indent: int, quote_depth: int) -> QTextBlockFormat:
        """Of a line of code in a document."""
        made = self.paragraph(gap=gap, indent=indent, quote_depth=quote_depth)
        size = self._theme.font("code").pixelSize()
        kinds = QTextBlockFormat.LineHeightTypes
        made.setLineHeight(round(size * LINE_HEIGHT_RATIO), kinds.MinimumHeight.value)
        made.setProperty(IS_CODE, True)
        made.setLeftMargin(CODE_SIDE_PX)
        made.setRightMargin(CODE_SIDE_PX)
        return made

    def rule(self, *, gap: int, indent: int, quote_depth: int) -> QTextBlockFormat:
        """Of a line across."""
        made = self.paragraph(gap=gap, indent=indent, quote_depth=quote_depth)
        made.setLineHeight(9, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        made.setProperty(IS_RULE, True)
        return made

    def heading_gap(self, level: int) -> int:
        """Space above a heading, pixels."""
        return _HEADINGS[level][1]

    def color(self, name: ColorName) -> QBrush:
        """A colour of the theme."""
        return QBrush(QColor(self._theme.color(name)))
