"""Copy for code that is part of prose: a button for each block on screen, and no more."""

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from ui.conversation.beside import Beside, goes_on, is_head, language_of
from ui.copy_button import CopyButton
from ui.long_text import text_between
from ui.theme import Theme

_RIGHT = 6


class CopyButtons(QObject):
    """Places buttons at the heads of code in a text.

    Args:
        theme: Colours and fonts.
        beside: Says where the heads are.
        text: What has the code; it calls `place_soon` when it paints.
    """

    def __init__(self, theme: Theme, beside: Beside, text: QTextEdit) -> None:
        super().__init__(text)
        self._theme = theme
        self._text = text
        self._beside = beside
        # Each with the beginning of the code it copies.
        self._made: list[tuple[CopyButton, QTextCursor]] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._place)

    def place_soon(self) -> None:
        """Other heads are on screen."""
        self._soon.start(0)

    @property
    def shown(self) -> list[CopyButton]:
        """The buttons on screen."""
        return [button for button, _ in self._made if not button.isHidden()]

    def _place(self) -> None:
        area = self._text.viewport().visibleRegion().boundingRect()
        heads = [b for b in self._beside.blocks_in(area.top(), area.bottom()) if is_head(b)]
        while len(self._made) < len(heads):
            self._made.append(self._make())
        for block, (button, start) in zip(heads, self._made, strict=False):
            start.setPosition(block.position())
            button.setAccessibleDescription(language_of(block))
            size, head = button.sizeHint(), self._beside.head_of(block)
            left = head.right() - _RIGHT - size.width()
            button.setGeometry(left, head.top() + 1, size.width(), head.height() - 2)
            button.show()
        for button, _ in self._made[len(heads) :]:
            button.hide()

    def _make(self) -> tuple[CopyButton, QTextCursor]:
        start = QTextCursor(self._text.document())
        name = QCoreApplication.translate("CodePart", "Copy code")
        button = CopyButton(self._theme, lambda: _code_at(start), name, self._text.viewport())
        QWidget.setTabOrder(self._made[-1][0] if self._made else self._text, button)
        return button, start


def _code_at(start: QTextCursor) -> str:
    last: QTextBlock = start.block()
    while goes_on(last.next()):
        last = last.next()
    end = last.position() + last.length() - 1
    return text_between(start.document(), start.block().position(), end)
