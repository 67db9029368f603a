"""An answer: prose and code as they stream in, its figures, Copy, and what went wrong."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.transcript import Answer, AnswerPhase
from ui.conversation.code_part import CodePart
from ui.conversation.figures_line import FiguresLine
from ui.conversation.segments import Piece, SegmentKind, SegmentStream
from ui.conversation.text_part import TextPart
from ui.copy_button import CopyButton
from ui.message_card import MessageCard
from ui.theme import Theme

_PART_SPACING = 12
_FOOT_SPACING = 8


class AnswerWidget(QWidget):
    """One answer. Cost of an update depends on what arrived, not on what is there.

    Signals:
        first_painted(): Text of the answer was painted for the first time since it began.
        action_requested(Action): A button of its message was pressed.
    """

    first_painted = Signal()
    action_requested = Signal(object)

    def __init__(
        self, theme: Theme, answer: Answer, on_grown: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._answer = answer
        self._on_grown = on_grown
        self._trace = answer.trace
        self._segments = SegmentStream()
        self._parts: list[TextPart | CodePart] = []
        self._tops: list[int] = []
        self._n_shown_characters = 0
        self._is_finished = False
        # What was over before it is shown was not waited for here.
        self._waits_for_paint = not answer.phase.is_over
        self._is_last = True
        self._card: MessageCard | None = None
        self._line = FiguresLine(theme, answer, self)
        self._copy = CopyButton(
            theme, lambda: answer.text, self.tr("Copy answer"), self, shows_words=False
        )
        self.setAccessibleName(self.tr("Answer"))
        self.update_answer()

    @property
    def answer(self) -> Answer:
        """What is shown."""
        return self._answer

    @property
    def parts(self) -> tuple[TextPart | CodePart, ...]:
        """Prose and code in order."""
        return tuple(self._parts)

    @property
    def figures_line(self) -> FiguresLine:
        """The line under the answer."""
        return self._line

    @property
    def copy_button(self) -> CopyButton:
        """Copies the whole answer."""
        return self._copy

    @property
    def card(self) -> MessageCard | None:
        """What went wrong, None when nothing did."""
        return self._card

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        stops = [stop for part in self._parts for stop in part.focus_stops()]
        if self._card is not None:
            stops += self._card.focus_stops()
        return [*stops, self._copy]

    def set_last(self, is_last: bool) -> None:
        """Whether it is the last turn: only that one can be tried again."""
        self._is_last = is_last
        if self._card is not None:
            self._card.set_actions_shown(is_last)

    def update_answer(self) -> list[int]:
        """Show what changed. Returns the indices of the parts that were touched."""
        if self._answer.trace is not self._trace:
            self._begin_again()
        text = self._answer.text
        arrived = text[self._n_shown_characters :]
        self._n_shown_characters = len(text)
        pieces = self._segments.feed(arrived) if arrived else []
        if self._answer.phase.is_over and not self._is_finished:
            self._is_finished = True
            pieces += self._segments.finish()
        for piece in pieces:
            self._append(piece)
        self._show_caret()
        self._line.update_answer()
        self._show_card()
        self._copy.setVisible(self._answer.phase.is_over and bool(text))
        return sorted({piece.index for piece in pieces})

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        # Parts before the last keep their height as long as the width stays.
        begin = max(0, len(self._tops) - 1) if width == self.width() else 0
        top = self._tops[begin] if begin else 0
        del self._tops[begin:]
        for part in self._parts[begin:]:
            self._tops.append(top)
            part.move(0, top)
            top += part.arrange(width) + _PART_SPACING
        top += _FOOT_SPACING - _PART_SPACING if self._parts else 0
        if self._card is not None:
            height = self._card.needed_height(width)
            self._card.setGeometry(0, top, width, height)
            top += height + _FOOT_SPACING
        copy_size = self._copy.sizeHint()
        self._line.move(0, top + 3)
        line_height = self._line.arrange(width - copy_size.width() - 12)
        self._copy.setGeometry(width - copy_size.width(), top - 1, *copy_size.toTuple())
        top += max(line_height + 3, copy_size.height())
        self.resize(width, top)
        return top

    def _begin_again(self) -> None:
        self._trace = self._answer.trace
        self._segments = SegmentStream()
        for part in self._parts:
            part.hide()
            part.deleteLater()
        self._parts, self._tops = [], []
        self._n_shown_characters = 0
        self._is_finished = False
        self._waits_for_paint = True
        self._line.refresh()

    def _append(self, piece: Piece) -> None:
        if piece.index == len(self._parts):
            self._add_part(piece)
        self._parts[piece.index].append_text(piece.text)

    def _add_part(self, piece: Piece) -> None:
        if self._parts:
            self._parts[-1].set_caret(False)
        part: TextPart | CodePart
        if piece.kind is SegmentKind.CODE:
            part = CodePart(self._theme, piece.language, self)
        else:
            part = TextPart(self._theme, "body", self)
            part.setAccessibleName(self.tr("Answer"))
        self._put_before_copy(part.focus_stops())
        part.painted.connect(self._on_part_painted)
        part.show()
        self._parts.append(part)

    def _show_caret(self) -> None:
        if self._parts:
            self._parts[-1].set_caret(self._answer.phase is AnswerPhase.DECODE)

    def _show_card(self) -> None:
        error = self._answer.error
        if self._card is not None and self._card.message is not error:
            self._card.hide()
            self._card.deleteLater()
            self._card = None
        if error is not None and self._card is None:
            self._card = MessageCard(self._theme, error, self)
            self._card.set_actions_shown(self._is_last)
            self._card.action_requested.connect(self.action_requested)
            self._card.height_changed.connect(self._on_grown)
            self._put_before_copy(self._card.focus_stops())
            self._card.show()

    def _put_before_copy(self, stops: list[QWidget]) -> None:
        """Tab reaches what came later before it reaches Copy."""
        for stop in stops:
            QWidget.setTabOrder(self._copy, stop)
            QWidget.setTabOrder(stop, self._copy)

    def _on_part_painted(self) -> None:
        if self._waits_for_paint:
            self._waits_for_paint = False
            self.first_painted.emit()
