"""Makes the widgets of turns, and hands on what is asked for in them."""

from collections.abc import Callable, Sequence
from time import perf_counter_ns

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.transcript import Answer, Conversation, UserTurn
from ui.conversation.turn_foot import TurnChoices
from ui.conversation.turn_stack import Slot, TurnStack, TurnWidget
from ui.conversation.user_bubble import UserBubble
from ui.markdown.formulas import FormulaSetter
from ui.theme import Theme

Turn = UserTurn | Answer


class TurnMaker(QObject):
    """Makes widgets for the turns of one view.

    Signals:
        action_requested(Action, Answer): A button of a failed answer was pressed.
        first_text_painted(Answer, int): The first text of a running answer was painted at
            this `time.perf_counter_ns()`.
        edit_sent(UserTurn | Answer, str): Send, or keep, this turn in these words.
        edit_left(): An edit was given up.
        regenerate_requested(Answer): Answer once more.
        timeline_requested(Answer): Show where its time went.
        continue_requested(Answer): Go on where this answer ended.
        branch_out_requested(Answer): Make a chat of all up to this answer.
        step_requested(UserTurn | Answer, int): Show the variant so many steps from this one.
        delete_requested(UserTurn | Answer): Take this variant away.
    """

    action_requested = Signal(object, object)
    first_text_painted = Signal(object, object)
    edit_sent = Signal(object, str)
    edit_left = Signal()
    regenerate_requested = Signal(object)
    timeline_requested = Signal(object)
    continue_requested = Signal(object)
    branch_out_requested = Signal(object)
    step_requested = Signal(object, int)
    delete_requested = Signal(object)

    def __init__(
        self,
        theme: Theme,
        formulas: FormulaSetter,
        on_grown: Callable[[Turn], None],
        content: QWidget,
        parent: QObject,
    ) -> None:
        """Make widgets in `content`; `on_grown` is told whose widget needs another height."""
        super().__init__(parent)
        self._theme = theme
        self._formulas = formulas
        self._on_grown = on_grown
        self._content = content

    def make(self, turn: Turn) -> TurnWidget:
        """The widget of a turn."""
        widget: TurnWidget
        if isinstance(turn, UserTurn):
            widget = UserBubble(
                self._theme,
                turn,
                self._formulas.quiet,
                lambda: self._on_grown(turn),
                self._content,
            )
        else:
            # What draws answers takes long to import, which a window without one need not wait for.
            from ui.conversation.editable_answer import EditableAnswer

            widget = EditableAnswer(
                self._theme, turn, self._formulas, lambda: self._on_grown(turn), self._content
            )
            widget.first_painted.connect(lambda: self._report_paint(turn, perf_counter_ns()))
            widget.action_requested.connect(lambda action: self.action_requested.emit(action, turn))
            widget.regenerate_requested.connect(lambda: self.regenerate_requested.emit(turn))
            widget.foot.timeline_requested.connect(lambda: self.timeline_requested.emit(turn))
            widget.continue_requested.connect(lambda: self.continue_requested.emit(turn))
            widget.foot.branch_out_requested.connect(lambda: self.branch_out_requested.emit(turn))
        widget.edit_sent.connect(lambda text: self.edit_sent.emit(turn, text))
        widget.edit_left.connect(self.edit_left)
        widget.variant_chosen.connect(lambda steps: self.step_requested.emit(turn, steps))
        widget.delete_requested.connect(lambda: self.delete_requested.emit(turn))
        return widget

    def _report_paint(self, answer: Answer, t_ns: int) -> None:
        # Painting goes on; whoever listens may change widgets.
        QTimer.singleShot(0, self, lambda: self.first_text_painted.emit(answer, t_ns))


def chain_focus(stack: TurnStack, index: int, widget: TurnWidget, first: QWidget) -> None:
    """Tab goes through turns from top to bottom, whatever order they are made in."""
    stops = (other.focus_stops() for other in stack.widgets_above(index))
    before = next((found[-1] for found in stops if found), first)
    for stop in widget.focus_stops():
        QWidget.setTabOrder(before, stop)
        before = stop


def choices_at(
    slots: Sequence[Slot], index: int, conversation: Conversation, *, is_blocked: bool
) -> TurnChoices:
    """What can be done with the turn at a place of a conversation."""
    turn = slots[index].turn
    variants = conversation.variants(turn)
    is_last = index == len(slots) - 1
    is_user = isinstance(turn, UserTurn)
    return TurnChoices(
        number=variants.index(turn) + 1 if turn in variants else 1,
        n_variants=max(1, len(variants)),
        has_keys=index >= len(slots) - 2 if is_user else is_last,
        can_continue=isinstance(turn, Answer)
        and is_last
        and turn.can_continue
        and conversation.is_leaf(turn),
        is_blocked=is_blocked,
    )
