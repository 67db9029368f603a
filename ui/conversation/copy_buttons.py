"""Copy for code that is part of prose: a button for each block on screen, and no more."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtWidgets import QTextEdit, QWidget

from ui.conversation.beside import Beside, is_head, language_of, number_of
from ui.conversation.code_frame import copy_place
from ui.copy_button import CopyButton
from ui.markdown.writer import CodePiece, whole_code
from ui.theme import Theme


class CopyButtons(QObject):
    """Places buttons at the heads of code in a text.

    A button stays with its code as long as that is on screen, or has the keyboard.

    Args:
        theme: Colours and fonts.
        beside: Says where the heads are.
        text: What has the code; it calls `place_soon` when it paints.
        codes: The code in it, as it arrived.
    """

    def __init__(
        self, theme: Theme, beside: Beside, text: QTextEdit, codes: Sequence[CodePiece]
    ) -> None:
        super().__init__(text)
        self._theme = theme
        self._text = text
        self._beside = beside
        self._codes = codes
        # By the number of its code.
        self._shown: dict[int, CopyButton] = {}
        self._free: list[CopyButton] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._place)

    def place_soon(self) -> None:
        """Other heads are on screen."""
        self._soon.start(0)

    @property
    def shown(self) -> list[CopyButton]:
        """The buttons that have code, from top to bottom."""
        return [self._shown[number] for number in sorted(self._shown)]

    def _place(self) -> None:
        area = self._text.viewport().visibleRegion().boundingRect()
        blocks = self._beside.blocks_in(area.top(), area.bottom())
        heads = {number_of(block): block for block in blocks if is_head(block)}
        before = set(self._shown)
        for number in before - set(heads):
            if number >= len(self._codes) or not self._shown[number].hasFocus():
                self._shown[number].hide()
                self._free.append(self._shown.pop(number))
        for number, block in heads.items():
            if number not in self._shown:
                self._shown[number] = self._take(number)
            button = self._shown[number]
            button.setAccessibleDescription(language_of(block))
            button.setGeometry(copy_place(self._beside.head_of(block), button.sizeHint()))
            button.show()
        if set(self._shown) != before:
            for above, below in pairwise([self._text, *self.shown]):
                QWidget.setTabOrder(above, below)

    def _take(self, number: int) -> CopyButton:
        """A button that no code has, for other code."""
        code = partial(whole_code, self._codes, number)
        if self._free:
            button = self._free.pop()
            button.become(code)
            return button
        name = QCoreApplication.translate("CodePart", "Copy code")
        return CopyButton(self._theme, code, name, self._text.viewport())
