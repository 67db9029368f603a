"""The conversation, scrolled: follows the end while text streams in, unless scrolled up."""

from itertools import takewhile
from time import perf_counter

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.transcript import Answer, Conversation, UserTurn
from ui.conversation.kept_turns import is_kept
from ui.conversation.selection import ConversationSelection
from ui.conversation.switched_place import SwitchedPlace, edited_with_focus, edits_in
from ui.conversation.text_part import TextPart
from ui.conversation.turn_area import TurnArea, single_shot
from ui.conversation.turn_foot import TurnChoices
from ui.conversation.turn_maker import TurnMaker, chain_focus, choices_at
from ui.conversation.turn_stack import Slot, TurnWidget
from ui.conversation.user_bubble import UserBubble
from ui.loop_turn import LoopTurn
from ui.markdown.formulas import FormulaSetter
from ui.theme import Theme

# At least; slow frames leave as much time for everything else.
_FRAME_MS = 33


class ConversationView(TurnArea):
    """Shows the turns of one conversation.

    Signals, beside those of its `maker`:
        variant_requested(UserTurn | Answer): Show the branch through this turn.
        delete_requested(UserTurn | Answer): Take this variant away.
        answer_made(AnswerWidget): The widget of an answer was made.
    """

    variant_requested = Signal(object)
    delete_requested = Signal(object)
    answer_made = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._conversation = Conversation()
        self._is_answering = False
        self._switched: SwitchedPlace | None = None
        # What was being edited and is not on screen, by the id of the message.
        self._edits: dict[str, str] = {}
        self._sent_id: str | None = None
        self._changed: dict[str, Answer] = {}
        self._formulas = FormulaSetter(self)
        self.setAccessibleName(self.tr("Conversation"))
        self._selection = ConversationSelection(self, self._content, self._stack)
        self._maker = TurnMaker(theme, self._formulas, self._remeasure, self._content, self)
        self._maker.step_requested.connect(self.step_variant)
        self._maker.delete_requested.connect(self._request_delete)
        self._maker.edit_sent.connect(self._on_edit_sent)
        self._turn = LoopTurn(self._flush_later, self)
        self._frame = single_shot(self, _FRAME_MS, self._turn.take)
        theme.zoomed.connect(self._make_anew)

    @property
    def maker(self) -> TurnMaker:
        """Makes the widgets of turns, and tells what is asked for in them."""
        return self._maker

    @property
    def formulas(self) -> FormulaSetter:
        """Sets the formulas of all answers; whoever closes the window closes it."""
        return self._formulas

    @property
    def is_settled(self) -> bool:
        """Whether every turn near what is read has its place and every change is on screen."""
        is_behind = any(slot.is_behind for slot in self._stack.made)
        return not self._slices.isActive() and not self._changed and not is_behind

    def show_conversation(self, conversation: Conversation) -> None:
        """Show another conversation, from its end."""
        self._conversation = conversation
        self._keep_edits(0)
        self._stack.clear()
        self._changed.clear()
        self._follows_end = True
        self._place_column()
        self._stack.add(conversation.turns)
        self._settle()

    def add_turn(self, turn: UserTurn | Answer) -> None:
        """Append a turn to the conversation shown, and go to the end."""
        self._stack.add([turn])
        if len(self._stack.slots) > 1:
            self._set_last(len(self._stack.slots) - 2, is_last=False)
        self._follows_end = True
        self._apply(None)
        # A message and its answer come at once, and much else is done when they do.
        self._slices.start()

    def show_branch(self, conversation: Conversation) -> None:
        """Show the turns of another branch: where the person switched, else from the end."""
        self._conversation = conversation
        turns, slots = conversation.turns, self._stack.slots
        pairs = zip(turns, slots.turns, strict=False)
        n_same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        if slots:
            self._set_last(len(slots) - 1, is_last=False)
        self._keep_edits(n_same)
        self._stack.truncate(n_same)
        self._stack.add(turns[n_same:])
        if slots:
            self._set_last(len(slots) - 1, is_last=True)
        switched, self._switched = self._switched, None
        if switched is None or switched.index >= len(slots):
            self._follows_end = True
            self._settle()
        else:
            # What was under the pointer stays there, so that one can go on and back.
            self._stack.measure(switched.index)
            self._follows_end = False
            self._settle((switched.index, slots[switched.index].height - switched.bottom))
            self._follow_if_at_end()
            switched.give_focus(slots[switched.index].widget)

    def _keep_edits(self, first: int) -> None:
        """Remember what is being edited from a turn on, before its widget goes."""
        for index, text in edits_in(self._stack.made).items():
            turn_id = self._stack.slots[index].turn.turn_id
            if index >= first and turn_id != self._sent_id:
                self._edits[turn_id] = text

    def _on_edit_sent(self, turn: UserTurn | Answer, _text: str) -> None:
        self._sent_id = turn.turn_id
        # Where it was not taken the editor is still there, and counts again.
        QTimer.singleShot(0, self, self._forget_sent)

    def _forget_sent(self) -> None:
        self._sent_id = None

    def step_variant(self, turn: UserTurn | Answer, steps: int) -> None:
        """Ask for the variant so many steps from a turn of the branch shown."""
        index, variants = self._stack.index_of(turn), self._conversation.variants(turn)
        wanted = variants.index(turn) + steps if turn in variants else -1
        if index is not None and 0 <= wanted < len(variants):
            self._keep_place(index, steps)
            self.variant_requested.emit(variants[wanted])

    def _request_delete(self, turn: UserTurn | Answer) -> None:
        index = self._stack.index_of(turn)
        if index is not None:
            self._keep_place(index, -1)
            self.delete_requested.emit(turn)
            # It may have been refused.
            self._switched = None

    def _keep_place(self, index: int, steps: int) -> None:
        slot = self._stack.slots[index]
        bottom = slot.top + slot.height - self.verticalScrollBar().value()
        self._switched = SwitchedPlace(index, bottom, steps, slot.widget)

    def set_answering(self, *, is_answering: bool) -> None:
        """Whether an answer runs, in whatever chat, so that no other can begin."""
        self._is_answering = is_answering
        self._show_moved()

    def edit_last(self, kind: type[UserTurn | Answer]) -> None:
        """Begin to edit the last message of the person, or the last answer that has text."""
        slots = (slot for slot in reversed(self._stack.slots) if isinstance(slot.turn, kind))
        slot = next((slot for slot in slots if kind is UserTurn or slot.turn.text), None)
        if slot is not None and not self._is_answering:
            self.make_turn(slot)
            if slot.widget is not None:
                slot.widget.begin_edit()
                self._reveal_editor(slot.widget)

    def _reveal_editor(self, widget: TurnWidget) -> None:
        if widget.editor is not None:
            self.reveal(widget.editor, widget.editor.rect())

    def update_answer(self, answer: Answer) -> None:
        """An answer changed; it is shown within a frame. Others' answers are ignored."""
        if self._stack.index_of(answer) is None:
            return
        self._changed[answer.turn_id] = answer
        if not self._frame.isActive():
            self._turn.take()

    def last_answer(self) -> Answer | None:
        """The last answer with text, None when there is none."""
        for turn in reversed(self._stack.slots.turns):
            if isinstance(turn, Answer) and turn.text:
                return turn
        return None

    def text_parts(self) -> list[TextPart]:
        """Everything with text that has been made, from top to bottom."""
        return [part for widget in self._stack.widgets for part in widget.text_parts()]

    def make_turn(self, slot: Slot) -> None:
        """Make a turn now that is not shown yet."""
        index = self._stack.index_of(slot.turn)
        if index is not None:
            self._stack.measure(index)
            self._slices.start()

    def release_turns(self) -> None:
        """Let go of turns that nobody needs any more."""
        self._slices.start()

    def _is_kept(self, slot: Slot) -> bool:
        return is_kept(slot) or self._selection.holds(slot)

    def _make_anew(self) -> None:
        """Show the same turns, at the same place, in another size."""
        anchor = self._anchor()
        index = anchor[0] if anchor is not None else 0
        turns = list(self._stack.slots.turns)
        typed_in = edited_with_focus(self._stack.made)
        self._keep_edits(0)
        self._stack.clear()
        self._stack.add(turns)
        if typed_in is not None:
            self._stack.measure(typed_in)
            widget = self._stack.slots[typed_in].widget
            if widget is not None and widget.editor is not None:
                widget.editor.field.setFocus()
        self._settle((index, 0) if anchor is not None else None)

    def _make_widget(self, turn: UserTurn | Answer) -> TurnWidget:
        widget = self._maker.make(turn)
        edited = self._edits.pop(turn.turn_id, None)
        if edited is not None:
            widget.begin_edit(edited, takes_focus=False)
        if not isinstance(widget, UserBubble):
            widget.set_last(turn is self._stack.slots[-1].turn)
            widget.edit_begun.connect(lambda: self._reveal_editor(widget))
            self.answer_made.emit(widget)
        index = self._stack.index_of(turn)
        if index is not None:
            widget.show_choices(self._choices(index))
            chain_focus(self._stack, index, widget, self)
        return widget

    def _remeasure(self, turn: UserTurn | Answer) -> None:
        super()._remeasure(turn)
        if self._selection.is_long:
            index = self._stack.index_of(turn)
            if index is not None:
                self._selection.go_through(self._stack.slots[index])

    def _set_last(self, index: int, *, is_last: bool) -> None:
        slot = self._stack.slots[index]
        if slot.widget is not None and not isinstance(slot.widget, UserBubble):
            slot.widget.set_last(is_last)
            slot.measured_width = None

    def _flush_later(self) -> None:
        if self._changed:
            begin_s = perf_counter()
            self._flush()
            self._frame.start(max(_FRAME_MS, int((perf_counter() - begin_s) * 2_000)))

    def _flush(self) -> None:
        changed, self._changed = self._changed.values(), {}
        with self._formulas.quiet.paused():
            for answer in changed:
                index = self._stack.index_of(answer)
                if index is None:
                    continue
                widget = self._stack.slots[index].widget
                if widget is not None and not isinstance(widget, UserBubble):
                    widget.update_answer()
                    widget.show_choices(self._choices(index))
                    self._remeasure(answer)

    def _choices(self, index: int) -> TurnChoices:
        return choices_at(
            self._stack.slots, index, self._conversation, is_blocked=self._is_answering
        )

    def _show_moved(self) -> None:
        """Offer what can be done now with the turns on screen; the others follow when shown."""
        slots, top = self._stack.slots, self.verticalScrollBar().value()
        first = self._stack.index_at(top) if slots else 0
        for index in range(first, len(slots)):
            slot = slots[index]
            if slot.top > top + self.viewport().height():
                break
            if slot.widget is None:
                continue
            self._selection.go_through(slot)
            if slot.widget.show_choices(self._choices(index)):
                self._remeasure(slot.turn)
            if slot.widget.foot.dress():
                chain_focus(self._stack, index, slot.widget, self)
