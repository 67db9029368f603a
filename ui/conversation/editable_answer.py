"""An answer whose words the person can change."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from app.reasoning import without_reasoning
from app.transcript import Answer
from ui.conversation.answer_widget import AnswerWidget, Part
from ui.conversation.bubble import paint_bubble
from ui.conversation.message_editor import MessageEditor
from ui.conversation.reasoning_part import ReasoningPart
from ui.conversation.text_part import TextPart
from ui.conversation.turn_foot import TurnChoices
from ui.markdown.formulas import FormulaSetter
from ui.theme import Theme

_SIDE = 16
_TOP = 12
_SPACING = 12


class EditableAnswer(AnswerWidget):
    """While it is edited a field stands in the place of the answer; what was thought stays.

    Signals:
        edit_sent(str): The person put the answer into other words.
        edit_left(): An edit was given up.
        edit_begun(): The field is in its place, far from where a long answer ended.
    """

    edit_sent = Signal(str)
    edit_left = Signal()
    edit_begun = Signal()

    def __init__(
        self,
        theme: Theme,
        answer: Answer,
        formulas: FormulaSetter,
        on_grown: Callable[[], None],
        parent: QWidget,
    ) -> None:
        self._editor: MessageEditor | None = None
        self._bubble = QRectF()
        super().__init__(theme, answer, formulas, on_grown, parent)
        self._foot.edit_requested.connect(lambda: self.begin_edit())

    @property
    def editor(self) -> MessageEditor | None:
        """Where it is edited, None while it is not."""
        return self._editor

    @property
    def is_opened(self) -> bool:
        """Whether it is edited, or its reasoning unfolded."""
        return self._editor is not None or super().is_opened

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        if self._editor is None:
            return super().focus_stops()
        thought = self._reasoning.focus_stops() if self._reasoning is not None else []
        return [*thought, *self._editor.focus_stops()]

    def find_places(self) -> list[TextPart | ReasoningPart]:
        """Where words can be found, in order; nowhere while they are edited."""
        return super().find_places() if self._editor is None else []

    def show_choices(self, choices: TurnChoices) -> bool:
        """Offer what can be done now; returns whether it must be arranged anew for it."""
        if self._editor is not None:
            self._editor.set_blocked(is_blocked=choices.is_blocked)
        return super().show_choices(choices)

    def begin_edit(self, text: str | None = None, *, takes_focus: bool = True) -> None:
        """Show a field in place of the answer, with `text` or the answer in it.

        An answer that is just being made takes no focus, and is measured by who makes it.
        """
        if self._editor is None:
            said = without_reasoning(self._answer.text)
            editor = MessageEditor(
                self._theme, said if text is None else text, self, is_answer=True
            )
            editor.set_blocked(is_blocked=self._foot.choices.is_blocked)
            editor.sent.connect(lambda words: self._send(words, said))
            editor.cancelled.connect(self._end_edit)
            editor.height_changed.connect(self._on_grown)
            self._editor = editor
            self._show_said(shown=False)
            editor.show()
            if takes_focus:
                self._on_grown()
                self.edit_begun.emit()
        if takes_focus:
            self._editor.field.setFocus()

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        editor = self._editor
        if editor is None:
            return super().arrange(width)
        # The card of an answer that failed comes when it is told of.
        self._show_said(shown=False)
        top = 0
        if self._reasoning is not None:
            self._reasoning.move(0, 0)
            top = self._reasoning.arrange(width) + _SPACING
        height = editor.arrange(width - 2 * _SIDE)
        editor.move(_SIDE, top + _TOP)
        self._bubble = QRectF(0, top, width, height + 2 * _TOP)
        self.resize(width, top + height + 2 * _TOP)
        self.update()
        return self.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a bubble around what is edited, as around a message."""
        super().paintEvent(event)
        if self._editor is not None:
            paint_bubble(self, self._theme, self._bubble)

    def _send(self, words: str, said: str) -> None:
        if words == said:
            self._end_edit()
        else:
            self.edit_sent.emit(words)

    def _end_edit(self) -> None:
        editor, self._editor = self._editor, None
        if editor is None:
            return
        self._show_said(shown=True)
        # All of it was away, whatever was measured before.
        self._tops, self._heights = [], {}
        self._foot.dress()
        self.edit_left.emit()
        editor.hide()
        editor.deleteLater()
        self._on_grown()

    def _show_said(self, *, shown: bool) -> None:
        said = [part for part in self._parts if part is not self._reasoning]
        for part in (*said, self._card, self._line, self._foot):
            if part is not None:
                part.setVisible(shown)

    def _add(self, part: Part) -> Part:
        super()._add(part)
        part.setVisible(self._editor is None or part is self._reasoning)
        return part
