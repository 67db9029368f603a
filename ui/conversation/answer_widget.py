"""An answer: prose and code as they stream in, its figures, Copy, and what went wrong."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.reasoning import ReasoningWatch, reasoning_figures
from app.transcript import Answer, AnswerPhase
from ui.conversation.answer_foot import AnswerFoot
from ui.conversation.arrival import Arrival
from ui.conversation.code_part import CodePart
from ui.conversation.figures_line import FiguresLine
from ui.conversation.link_dialog import LinkDialog
from ui.conversation.prose_part import ProsePart
from ui.conversation.reasoning_part import ReasoningPart
from ui.conversation.text_part import TextPart
from ui.conversation.turn_foot import TurnChoices
from ui.loop_turn import LoopTurn
from ui.markdown.blocks import Block, Code
from ui.markdown.formats import INDENT_PX
from ui.markdown.formulas import FormulaSetter
from ui.message_card import MessageCard
from ui.theme import Theme

_PART_SPACING = 12
_FOOT_SPACING = 8
_NARROWEST = 120
_LEAST_FIGURES_WIDTH = 220
# Of an answer that is there already, and of one that streams in while the window has much to do.
_SLICE_CHARACTERS = 800
_RUNNING_CHARACTERS = 200
_SLICE_S = 0.005

Part = ProsePart | CodePart | ReasoningPart


class AnswerWidget(QWidget):
    """One answer. Cost of an update depends on what arrived, not on what is there.

    Signals:
        first_painted(): Text of the answer was painted for the first time since it began.
        action_requested(Action): A button of its message was pressed.
        variant_chosen(int): Steps to the variant that is wanted.
        delete_requested(): Take this variant away.
        regenerate_requested(): Answer once more.
        continue_requested(): Go on where it ended.
        word_clicked(TextPart, int, bool): As `TextPart.clicked`, of one of its parts.
    """

    first_painted = Signal()
    action_requested = Signal(object)
    variant_chosen = Signal(int)
    delete_requested = Signal()
    regenerate_requested = Signal()
    continue_requested = Signal()
    word_clicked = Signal(object, int, bool)

    def __init__(
        self,
        theme: Theme,
        answer: Answer,
        formulas: FormulaSetter,
        on_grown: Callable[[], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._answer = answer
        self._formulas = formulas
        self._on_grown = on_grown
        self._trace = answer.trace
        self._arrival = Arrival()
        self._watch = ReasoningWatch()
        self._reasoning: ReasoningPart | None = None
        self._parts: list[Part] = []
        self._is_written = True
        self._tops: list[int] = []
        self._heights: dict[Part, int] = {}
        self._least_height = 0
        self._waits_for_paint = not answer.phase.is_over
        self._is_last = True
        self._is_filling = False
        self._later = LoopTurn(self._show_rest, self)
        self._card: MessageCard | None = None
        self._line = FiguresLine(theme, answer, self)
        self._foot = AnswerFoot(theme, answer, self)
        self._foot.variant_chosen.connect(self.variant_chosen)
        self._foot.delete_requested.connect(self.delete_requested)
        self._foot.regenerate_requested.connect(self.regenerate_requested)
        self._foot.continue_requested.connect(self.continue_requested)
        self.setAccessibleName(self.tr("Answer"))
        self.update_answer()

    @property
    def answer(self) -> Answer:
        """What is shown."""
        return self._answer

    @property
    def parts(self) -> tuple[Part, ...]:
        """Reasoning, prose and code in order."""
        return tuple(self._parts)

    @property
    def figures_line(self) -> FiguresLine:
        """The line under the answer."""
        return self._line

    @property
    def foot(self) -> AnswerFoot:
        """The way between variants, and what can be done."""
        return self._foot

    @property
    def card(self) -> MessageCard | None:
        """What went wrong, None when nothing did."""
        return self._card

    @property
    def is_behind(self) -> bool:
        """Whether text or formulas that have come are not shown yet."""
        is_setting = any(isinstance(part, ProsePart) and part.is_setting for part in self._parts)
        return not self.is_written or self._is_filling or is_setting

    @property
    def is_written(self) -> bool:
        """Whether all it was told of is in its parts; formulas may still need room."""
        return self._is_written

    @property
    def is_opened(self) -> bool:
        """Whether its reasoning is unfolded."""
        return self._reasoning is not None and not self._reasoning.is_folded

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        stops = [stop for part in self._parts for stop in part.focus_stops()]
        if self._card is not None:
            stops += self._card.focus_stops()
        return [*stops, *self._foot.focus_stops()]

    def text_parts(self) -> list[TextPart]:
        """What has text that can be seen, in order."""
        found = [part if isinstance(part, TextPart) else part.body for part in self._parts]
        return [part for part in found if not part.isHidden()]

    def find_places(self) -> list[TextPart | ReasoningPart]:
        """Where words can be found, in order; also in reasoning that is folded."""
        return [
            part
            if isinstance(part, TextPart) or (isinstance(part, ReasoningPart) and part.is_folded)
            else part.body
            for part in self._parts
        ]

    def set_last(self, is_last: bool) -> None:
        """Whether it is the last turn: only that one can be tried again."""
        self._is_last = is_last
        if self._card is not None:
            self._card.set_actions_shown(is_last)
        self._foot.show_answer(is_last=self._is_last)

    def show_choices(self, choices: TurnChoices) -> bool:
        """Offer what can be done now; returns whether it must be arranged anew for it."""
        if choices == self._foot.choices:
            return False
        size = self._foot.sizeHint()
        self._foot.show_choices(choices)
        self._foot.show_answer(is_last=self._is_last)
        return self._foot.sizeHint() != size

    def update_answer(self) -> None:
        """Show what changed."""
        if self._answer.trace is not self._trace:
            self._begin_again()
        self._show_arrived(self._answer.text)
        self._show_caret()
        self._line.update_answer()
        self._show_card()
        self._foot.show_answer(is_last=self._is_last)

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        # Only the end grows, and what says so, as long as the width stays.
        if width != self.width():
            self._tops, self._heights = [], {}
        begin = max(0, len(self._tops) - 1)
        top = self._tops[begin] if begin else 0
        del self._tops[begin:]
        for index, part in enumerate(self._parts[begin:]):
            self._tops.append(top)
            left = part.level * INDENT_PX if isinstance(part, CodePart) else 0
            part.move(left, top)
            if not index or part not in self._heights:
                self._heights[part] = part.arrange(max(_NARROWEST, width - left))
            top += self._heights[part] + _PART_SPACING
        top += _FOOT_SPACING - _PART_SPACING if self._parts else 0
        if self._card is not None:
            height = self._card.needed_height(width)
            self._card.setGeometry(0, top, width, height)
            top += height + _FOOT_SPACING
        size = self._foot.sizeHint()
        beside = width - size.width() - 12
        is_below = beside < _LEAST_FIGURES_WIDTH
        self._line.move(0, top + 3)
        line_height = self._line.arrange(width if is_below else beside)
        foot_top = top + line_height + 3 if is_below else top - 1
        self._foot.setGeometry(width - size.width(), foot_top, size.width(), size.height())
        top = max(top + line_height + 3, foot_top + 1 + size.height())
        # What goes on is shown anew and must not shrink meanwhile.
        if self._arrival.n_read >= self._answer.continued_from and self._arrival.is_shown:
            self._least_height = 0
        top = max(top, self._least_height)
        self.resize(width, top)
        return top

    def _begin_again(self) -> None:
        self._trace = self._answer.trace
        self._least_height = self.height() if self._answer.continued_from else 0
        self._clear()
        if self._reasoning is not None:
            self._reasoning.hide()
            self._reasoning.deleteLater()
        self._parts, self._reasoning = [], None
        self._watch = ReasoningWatch()
        self._waits_for_paint = not self._answer.phase.is_over
        self._line.refresh()

    def _clear(self, references: dict[str, Any] | None = None) -> None:
        """Take the answer away, but not the reasoning, to show it anew."""
        self._arrival = Arrival(references)
        for part in self._parts:
            if part is not self._reasoning:
                part.hide()
                part.deleteLater()
        self._parts = [part for part in self._parts if part is self._reasoning]
        self._tops, self._heights = [], {}

    def _show_reasoning(self, text: str) -> None:
        span = self._watch.span
        if span is None or (self._arrival.is_finished and self._reasoning is not None):
            return
        if self._reasoning is None:
            self._reasoning = ReasoningPart(self._theme, self)
            self._reasoning.folded.connect(partial(self._on_resized, self._reasoning))
            self._add(self._reasoning)
        n_tokens, duration_ns = reasoning_figures(self._answer, span)
        self._reasoning.show_reasoning(
            text[span.inner_begin : span.inner_end].strip("\n"),
            n_tokens=n_tokens,
            duration_ns=duration_ns,
            is_over=span.is_closed or self._answer.phase.is_over,
        )

    def _on_resized(self, part: Part) -> None:
        if part in self._parts:
            del self._tops[self._parts.index(part) + 1 :]
            self._heights.pop(part, None)
            self._on_grown()

    def _show_arrived(self, text: str) -> None:
        """Show what has come, for about as long as a frame allows; the rest follows."""
        is_over = self._answer.phase.is_over
        had_span = self._watch.span is not None
        begin = self._watch.look(text, is_last=is_over)
        if self._watch.span is not None:
            if not had_span:
                # What was taken for the answer is not: the model had begun to think before.
                self._clear()
            self._show_reasoning(text)
        self._is_written = begin is None
        if begin is None:
            return
        arrival = self._arrival
        arrival.skip(begin)
        # Asked after something was shown, so that what is short comes at once on a busy machine.
        deadline = perf_counter() + _SLICE_S
        n_most = _SLICE_CHARACTERS if is_over else _RUNNING_CHARACTERS
        is_late = False
        while not is_late and (
            not arrival.is_shown or arrival.read_on(text, n_most, is_whole=is_over)
        ):
            if not arrival.is_shown:
                self._show_next()
                is_late = perf_counter() > deadline
        has_read = arrival.n_read == len(text) and arrival.is_finished == is_over
        self._is_written = has_read and arrival.is_shown
        if not self._is_written:
            self._later.put_off()
        elif arrival.is_finished and arrival.has_new_references:
            self._resolve_references()

    def _resolve_references(self) -> None:
        """Show it once more, now that what its links refer to is known."""
        self._clear(self._arrival.references)
        self._show_arrived(self._answer.text)

    def _show_rest(self) -> None:
        with self._formulas.quiet.paused():
            # Until its last piece has its place, too.
            self._is_filling = True
            self.update_answer()
            self._on_grown()
            self._is_filling = False

    def _show_next(self) -> None:
        change = self._arrival.take()
        for part in self._parts[-1:]:
            self._heights.pop(part, None)
        if isinstance(change, Code):
            self._show_code(change)
        elif (rest := self._show_prose(change.final, change.tail)) is not None:
            self._arrival.put_back(change, rest)

    def _show_code(self, change: Code) -> None:
        if change.begins:
            quiet = self._formulas.quiet
            self._add(CodePart(self._theme, change.language, quiet, self, change.level))
        last = self._parts[-1] if self._parts else None
        if isinstance(last, CodePart):
            last.append_text(change.text)
            if change.ends:
                last.complete()

    def _show_prose(
        self, final: Sequence[Block], tail: tuple[Block, ...]
    ) -> Sequence[Block] | None:
        """As `ProsePart.show_some`, in the part that is there or a new one."""
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, ProsePart):
            return self._add_prose().show_some(final, tail) if final or tail else None
        if last.is_full and final:
            last.show_blocks((), ())
            last = self._add_prose()
        return last.show_some(final, tail)

    def _add_prose(self) -> ProsePart:
        part = ProsePart(self._theme, self._formulas, self)
        part.resized.connect(partial(self._on_resized, part))
        part.setAccessibleName(self.tr("Answer"))
        part.link_chosen.connect(self._ask_to_open)
        self._add(part)
        return part

    def _add(self, part: Part) -> Part:
        if self._parts:
            self._parts[-1].set_caret(False)
        self._put_before_foot(part.focus_stops())
        part.painted.connect(self._on_part_painted)
        body = part if isinstance(part, TextPart) else part.body
        body.has_tokens = True
        body.clicked.connect(partial(self.word_clicked.emit, body))
        part.show()
        self._parts.append(part)
        return part

    def _ask_to_open(self, address: str) -> None:
        dialog = LinkDialog(self._theme, address, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

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
            self._put_before_foot(self._card.focus_stops())
            self._card.show()

    def _put_before_foot(self, stops: list[QWidget]) -> None:
        """Tab reaches what came later before it reaches the foot."""
        foot = self._foot.focus_stops()
        if not foot:
            for before, after in pairwise([*self.focus_stops()[-1:], *stops]):
                QWidget.setTabOrder(before, after)
        for stop in stops if foot else ():
            QWidget.setTabOrder(foot[-1], stop)
            for before, after in pairwise([stop, *foot]):
                QWidget.setTabOrder(before, after)

    def _on_part_painted(self) -> None:
        # What an answer that goes on had before is not its first text.
        if self._waits_for_paint and len(self._answer.text) > self._answer.continued_from:
            self._waits_for_paint = False
            self.first_painted.emit()
