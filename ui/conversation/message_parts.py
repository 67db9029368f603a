"""The words and the code of a message, made a little at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from ui.conversation.text_part import TextPart
from ui.conversation.typed import pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.conversation.code_part import CodePart
    from ui.quiet_thread import QuietThread
    from ui.theme import Theme

# What grows is laid out anew as a whole, so words that are longer become several texts.
_FULL_CHARACTERS = 16_000
_CODE_SPACING = 8
# A part takes as long to make as so much text to show.
_LEAST_CHARACTERS = 200


class MessageParts:
    """What a message is shown with: one text, or several, and code between them.

    Args:
        theme: Colours and fonts.
        quiet: Looks for what reads the languages of code.
        text: What was sent.
        on_made: Called with each part.
        parent: What they are on.
    """

    def __init__(
        self,
        theme: Theme,
        quiet: QuietThread,
        text: str,
        on_made: Callable[[TextPart | CodePart], None],
        parent: QWidget,
    ) -> None:
        self._theme = theme
        self._quiet = quiet
        self._on_made = on_made
        self._parent = parent
        self._pieces = pieces_of(text)
        self._piece = 0
        self._place = 0
        self._n_in_last = 0
        self._gap = "\n\n"
        self.all: list[TextPart | CodePart] = []
        self.n_characters = sum(len(piece.text) for piece in self._pieces)

    @property
    def is_complete(self) -> bool:
        """Whether all of the message is there."""
        return self._piece == len(self._pieces)

    @property
    def has_code(self) -> bool:
        """Whether there is more than words."""
        return any(piece.language is not None for piece in self._pieces)

    @property
    def texts(self) -> list[TextPart]:
        """What has text."""
        return [part if isinstance(part, TextPart) else part.body for part in self.all]

    def append(self, n_characters: int) -> None:
        """Show so many characters more."""
        while n_characters > 0 and not self.is_complete:
            text, language = self._pieces[self._piece]
            end = min(self._place + n_characters, len(text))
            n_characters -= max(_LEAST_CHARACTERS, end - self._place)
            if language is None:
                end = self._append_words(text, end)
            else:
                self._append_code(text[self._place : end], language, ends=end == len(text))
            self._place = end
            if end == len(text):
                self._piece, self._place, self._gap = self._piece + 1, 0, "\n\n"

    def arrange(self, left: int, top: int, width: int) -> int:
        """Place all below each other; returns the height they take, pixels."""
        bottom = top
        for before, part in zip([None, *self.all], self.all, strict=False):
            if before is not None and not (
                isinstance(before, TextPart) and isinstance(part, TextPart)
            ):
                bottom += _CODE_SPACING
            part.move(left, bottom)
            bottom += part.arrange(width)
        return bottom - top

    def _append_words(self, text: str, end: int) -> int:
        """Show words of a piece up to `end`, or a little less, which is returned."""
        begin = self._place
        if not begin or self._n_in_last >= _FULL_CHARACTERS:
            part = TextPart(self._theme, "body", self._parent)
            part.setAccessibleName(QCoreApplication.translate("UserBubble", "You"))
            self._add(part, part)
            self._n_in_last = 0
        if self._n_in_last + end - begin >= _FULL_CHARACTERS:
            # The last of this text: it ends with a line where there is one.
            end = text.rfind("\n", begin, end) + 1 or end
            self._n_in_last = _FULL_CHARACTERS
        self._n_in_last += end - begin
        arrived = text[begin:end]
        if self._n_in_last >= _FULL_CHARACTERS and end < len(text):
            # An empty line would be seen below it.
            self._gap = "\n" if arrived.endswith("\n") else ""
            arrived = arrived.removesuffix("\n")
        self.texts[-1].append_text(arrived)
        return end

    def _append_code(self, code: str, language: str, *, ends: bool) -> None:
        # Its colours take long to import, which a window without code need not wait for.
        from ui.conversation.code_part import CodePart

        if not self._place:
            part = CodePart(self._theme, language, self._quiet, self._parent)
            self._add(part, part.body)
        last = self.all[-1]
        if isinstance(last, CodePart):
            last.append_text(code)
            if ends:
                last.complete()

    def _add(self, part: TextPart | CodePart, text: TextPart) -> None:
        text.gap_above = self._gap
        if self.all:
            before = self.all[-1].focus_stops()[-1]
            for stop in part.focus_stops():
                QWidget.setTabOrder(before, stop)
                before = stop
        self.all.append(part)
        self._on_made(part)
