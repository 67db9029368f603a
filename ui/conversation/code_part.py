"""A fenced code block: language, Copy, and code that scrolls sideways."""

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent, QTextDocument, QTextOption, QWheelEvent
from PySide6.QtWidgets import QTextEdit, QWidget

from ui.conversation.code_frame import copy_place, language_text, paint_code_frame
from ui.conversation.text_part import TextPart
from ui.copy_button import CopyButton
from ui.labels import PlainLabel
from ui.markdown.formats import CODE_FOOT_PX, CODE_HEAD_PX, CODE_SIDE_PX
from ui.markdown.highlight import Highlighter, lexer_of
from ui.quiet_thread import QuietThread
from ui.theme import Theme

if TYPE_CHECKING:
    from pygments.lexer import Lexer


class CodePart(QWidget):
    """Code with its language; grows at the end only.

    Signals:
        painted(): Code of this part was painted.
    """

    painted = Signal()

    def __init__(
        self, theme: Theme, language: str, quiet: QuietThread, parent: QWidget, level: int = 0
    ) -> None:
        """Begin empty; `level` says how many list items it stands in."""
        super().__init__(parent)
        self.level = level
        self._theme = theme
        self._pieces: list[str] = []
        self._language = PlainLabel(
            theme,
            language_text(language),
            font="secondary",
            color="muted",
            parent=self,
        )
        self._copy = CopyButton(theme, self.text, self.tr("Copy code"), self)
        self._text = _CodeText(theme, self)
        self._text.setAccessibleName(self.tr("Code"))
        self._text.setAccessibleDescription(self._language.text())
        self._text.painted.connect(self.painted)
        self._highlighter = Highlighter(theme, self._text.document())
        self._is_complete = False
        self._awaits_lexer = bool(language)
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._color_some)
        theme.changed.connect(self._recolor)
        if language:
            quiet.submit(self, partial(lexer_of, language), self._take_lexer)

    @property
    def document(self) -> QTextDocument:
        """The code as it is shown."""
        return self._text.document()

    @property
    def body(self) -> TextPart:
        """The code."""
        return self._text

    @property
    def is_settled(self) -> bool:
        """Whether it has all its colours."""
        return self._is_complete and not self._awaits_lexer and not self._slices.isActive()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self._copy, self._text]

    def text(self) -> str:
        """The code as it arrived, without its fences."""
        return "".join(self._pieces)

    def append_text(self, text: str) -> None:
        """Append code at the end."""
        if text:
            self._pieces.append(text)
            self._text.append_text(text)
            self._highlighter.color_recent()

    def complete(self) -> None:
        """No more code comes: colour it as a whole."""
        self._is_complete = True
        self._recolor()

    def arrange(self, width: int) -> int:
        """Take `width` and the height the code then needs, which is returned; pixels."""
        inner = width - 2 * CODE_SIDE_PX
        copy_size = self._copy.sizeHint()
        self._copy.setGeometry(copy_place(QRect(0, 0, width, CODE_HEAD_PX), copy_size))
        self._language.setGeometry(CODE_SIDE_PX, 0, inner - copy_size.width(), CODE_HEAD_PX)
        self._text.move(CODE_SIDE_PX, CODE_HEAD_PX)
        height = CODE_HEAD_PX + self._text.arrange(inner) + CODE_FOOT_PX
        self.resize(width, height)
        return height

    def set_caret(self, shown: bool) -> None:
        """Show a mark where the code grows."""
        self._text.set_caret(shown)

    def _take_lexer(self, lexer: "Lexer | None") -> None:
        self._awaits_lexer = False
        self._highlighter.lexer = lexer
        if lexer is not None:
            self._recolor()

    def _recolor(self) -> None:
        self.update()
        self._highlighter.begin()
        if self._highlighter.is_working:
            self._slices.start()

    def _color_some(self) -> None:
        self._highlighter.work()
        if not self._highlighter.is_working:
            self._slices.stop()
        self._text.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame."""
        paint_code_frame(QPainter(self), self._theme, self.rect())


class _CodeText(TextPart):
    """Unwrapped lines, with a scroll bar below where one is longer than the block is wide."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "code", parent)
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin at the left: Qt would go to its cursor, which text pushes to the end."""
        super().showEvent(event)
        self.horizontalScrollBar().setValue(0)

    def content_height(self) -> int:
        """Height of the lines and of the scroll bar where there is one, pixels."""
        size = self.document().size()
        height = math.ceil(size.height())
        if math.ceil(size.width()) > self.width():
            height += self.horizontalScrollBar().sizeHint().height()
        return max(1, height)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways here; leave up and down to the conversation."""
        delta = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(delta.x()) > abs(delta.y()):
            steps = delta.x() or delta.y()
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - steps)
            event.accept()
        else:
            event.ignore()
