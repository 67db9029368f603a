"""The conversation, scrolled: follows the end while text streams in, unless scrolled up."""

from collections.abc import Callable
from time import perf_counter, perf_counter_ns

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractSlider, QPushButton, QScrollArea, QScrollBar, QWidget

from app.transcript import Answer, Conversation, UserTurn
from ui.conversation.cut_mark import CutMark
from ui.conversation.text_part import TextPart
from ui.conversation.turn_stack import CUT_HEIGHT, TurnStack, TurnWidget
from ui.conversation.user_bubble import UserBubble
from ui.icons import icon
from ui.markdown.formulas import FormulaSetter
from ui.theme import Theme

COLUMN_WIDEST = 720
COLUMN_MARGIN = 60
_COLUMN_MARGIN_LEAST = 20
_FRAME_MS = 33
_SLICE_S = 0.006
_PLACED_EVERY_S = 0.15
_NEAR_END = 24


def column_in(width: int) -> tuple[int, int]:
    """Left edge and width of the text column in a view of this width; pixels."""
    margin = min(COLUMN_MARGIN, max(_COLUMN_MARGIN_LEAST, width // 12))
    column = max(120, min(COLUMN_WIDEST, width - 2 * margin))
    return (width - column) // 2, column


class ConversationView(QScrollArea):
    """Shows the turns of one conversation.

    Signals:
        action_requested(Action, Answer): A button of a failed answer was pressed.
        first_text_painted(Answer, int): The first text of a running answer was painted at
            this `time.perf_counter_ns()`.
        answer_made(AnswerWidget): The widget of an answer was made.
    """

    action_requested = Signal(object, object)
    first_text_painted = Signal(object, object)
    answer_made = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._follows_end = True
        self._is_adjusting = False
        self._changed: dict[str, Answer] = {}
        self._formulas = FormulaSetter(self)
        self._content = QWidget()
        self._content.setAutoFillBackground(False)
        self.setWidget(self._content)
        self.viewport().setAutoFillBackground(False)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(_ScrollBar(Qt.Orientation.Vertical))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self._stack = TurnStack(self._make_widget)
        self._cut_mark = CutMark(theme, self._content)
        self._jump = self._make_jump_button()
        self._frame = _single_shot(self, _FRAME_MS, self._flush_later)
        self._slices = _single_shot(self, 0, self._measure_slice)
        self._t_placed_s = 0.0
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme.zoomed.connect(self._make_anew)

    @property
    def stack(self) -> TurnStack:
        """The turns and their places."""
        return self._stack

    @property
    def formulas(self) -> FormulaSetter:
        """Sets the formulas of all answers; whoever closes the window closes it."""
        return self._formulas

    @property
    def jump_button(self) -> QPushButton:
        """Goes back to the end."""
        return self._jump

    @property
    def is_settled(self) -> bool:
        """Whether every turn has its final place and every change is on screen."""
        is_behind = any(
            widget.is_behind for widget in self._stack.widgets if not isinstance(widget, UserBubble)
        )
        return not self._slices.isActive() and not self._changed and not is_behind

    def show_conversation(self, conversation: Conversation) -> None:
        """Show another conversation, from its end."""
        self._stack.clear()
        self._changed.clear()
        self._follows_end = True
        self._place_column()
        for turn in conversation.turns:
            self._stack.add(turn)
        self._settle()

    def add_turn(self, turn: UserTurn | Answer) -> None:
        """Append a turn to the conversation shown, and go to the end."""
        if self._stack.slots:
            self._set_last(len(self._stack.slots) - 1, is_last=False)
        self._stack.add(turn)
        self._follows_end = True
        self._settle()

    def set_left_out(self, n_turns: int) -> None:
        """Mark that the model no longer sees the first turns."""
        anchor = self._anchor()
        self._stack.set_cut(n_turns)
        self._settle(anchor)

    @property
    def cut_mark(self) -> QWidget:
        """The mark at the place where the model begins to see."""
        return self._cut_mark

    def update_answer(self, answer: Answer) -> None:
        """An answer changed; it is shown within a frame. Others' answers are ignored."""
        if self._stack.index_of(answer) is None:
            return
        self._changed[answer.turn_id] = answer
        if not self._frame.isActive():
            self._flush()
            self._frame.start()

    def show_now(self, answer: Answer) -> None:
        """Show an answer's changes without waiting for the next frame."""
        self._changed[answer.turn_id] = answer
        self._flush()

    def jump_to_end(self) -> None:
        """Scroll to the end and stay there."""
        self._follows_end = True
        self._settle()

    def last_answer(self) -> Answer | None:
        """The last answer with text, None when there is none."""
        for slot in reversed(self._stack.slots):
            if isinstance(slot.turn, Answer) and slot.turn.text:
                return slot.turn
        return None

    def text_parts(self) -> list[TextPart]:
        """Everything with text that has been made, from top to bottom."""
        return [part for widget in self._stack.widgets for part in widget.text_parts()]

    def make_turns_with(self, words: str) -> None:
        """Make the turns in which `words` may be, so that they can be shown."""
        wanted = words.casefold()
        made = False
        for index, slot in enumerate(self._stack.slots):
            if slot.widget is None and wanted in slot.turn.text.casefold():
                self._stack.measure(index)
                made = True
        if made:
            self._settle()

    def reveal(self, part: QWidget, place: QRect) -> None:
        """Scroll so that a place in a part can be seen."""
        top = part.mapTo(self._content, place.topLeft()).y()
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        if not bar.value() + 40 <= top <= bar.value() + height - 60:
            self._follows_end = False
            bar.setValue(top - height // 3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the column; what is visible first."""
        super().resizeEvent(event)
        anchor = self._anchor()
        self._place_column()
        self._settle(anchor)
        self._place_jump_button()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll with Home and End too."""
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_Home:
            bar.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
        elif event.key() == Qt.Key.Key_End:
            self.jump_to_end()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Room for a column."""
        return QSize(COLUMN_WIDEST + 2 * COLUMN_MARGIN, 600)

    def _make_anew(self) -> None:
        """Show the same turns, at the same place, in another size."""
        anchor = self._anchor()
        index = anchor[0] if anchor is not None else 0
        turns = [slot.turn for slot in self._stack.slots]
        self._stack.clear()
        for turn in turns:
            self._stack.add(turn)
        self._settle((index, 0) if anchor is not None else None)

    def _make_widget(self, turn: UserTurn | Answer) -> TurnWidget:
        widget: TurnWidget
        if isinstance(turn, UserTurn):
            widget = UserBubble(self._theme, turn, lambda: self._remeasure(turn), self._content)
        else:
            # What draws answers takes long to import, which a window without one need not wait for.
            from ui.conversation.answer_widget import AnswerWidget

            widget = AnswerWidget(
                self._theme, turn, self._formulas, lambda: self._remeasure(turn), self._content
            )
            widget.set_last(turn is self._stack.slots[-1].turn)
            widget.first_painted.connect(lambda: self._report_paint(turn, perf_counter_ns()))
            widget.action_requested.connect(lambda action: self.action_requested.emit(action, turn))
            self.answer_made.emit(widget)
        self._chain_focus(turn, widget)
        return widget

    def _chain_focus(self, turn: UserTurn | Answer, widget: TurnWidget) -> None:
        """Tab goes through turns from top to bottom, whatever order they are made in."""
        before: QWidget = self
        for slot in self._stack.slots:
            if slot.turn is turn:
                break
            if slot.widget is not None:
                before = slot.widget.focus_stops()[-1]
        for stop in widget.focus_stops():
            QWidget.setTabOrder(before, stop)
            before = stop

    def _report_paint(self, answer: Answer, t_ns: int) -> None:
        # Painting goes on; whoever listens may change widgets.
        QTimer.singleShot(0, self, lambda: self.first_text_painted.emit(answer, t_ns))

    def _set_last(self, index: int, *, is_last: bool) -> None:
        slot = self._stack.slots[index]
        if slot.widget is not None and not isinstance(slot.widget, UserBubble):
            slot.widget.set_last(is_last)
            slot.measured_width = None

    def _flush_later(self) -> None:
        if self._changed:
            self._flush()
            self._frame.start()

    def _flush(self) -> None:
        changed = list(self._changed.values())
        self._changed.clear()
        for answer in changed:
            index = self._stack.index_of(answer)
            if index is None:
                continue
            widget = self._stack.slots[index].widget
            if widget is not None and not isinstance(widget, UserBubble):
                widget.update_answer()
                self._remeasure(answer)

    def _remeasure(self, turn: UserTurn | Answer) -> None:
        index = self._stack.index_of(turn)
        if index is None:
            return
        slot = self._stack.slots[index]
        height_before = slot.height
        anchor = self._anchor()
        self._stack.measure(index)
        if slot.height != height_before:
            self._stack.place(index)
            self._apply(anchor)

    def _place_column(self) -> None:
        left, width = column_in(self.viewport().width())
        self._stack.set_column(left, width)

    def _anchor(self) -> tuple[int, int] | None:
        """The turn at the top edge and how far into it; None at the end."""
        if self._follows_end or not self._stack.slots:
            return None
        top = self.verticalScrollBar().value()
        index = self._stack.index_at(top)
        return index, top - self._stack.slots[index].top

    def _settle(self, anchor: tuple[int, int] | None = None) -> None:
        """Measure what is visible now, and some of the rest; go on later if any is left."""
        anchor = anchor or self._anchor()
        slots = self._stack.slots
        if slots:
            self._measure_visible(anchor)
            self._stack.place()
            self._slices.start()
        self._apply(anchor)

    def _measure_slice(self) -> None:
        anchor = self._anchor()
        near = anchor[0] if anchor is not None else len(self._stack.slots) - 1
        is_left = self._stack.measure_some(near, _SLICE_S)
        if is_left:
            self._slices.start()
        # Moving everything makes all that is visible paint anew, so not with every slice.
        now = perf_counter()
        if not is_left or now - self._t_placed_s > _PLACED_EVERY_S:
            self._t_placed_s = now
            self._stack.place()
            self._apply(anchor)

    def _measure_visible(self, anchor: tuple[int, int] | None) -> None:
        slots, height = self._stack.slots, self.viewport().height()
        if anchor is None:
            indices, needed = range(len(slots) - 1, -1, -1), height
        else:
            indices, needed = range(anchor[0], len(slots)), height + anchor[1]
        for index in indices:
            if needed <= 0:
                break
            if not self._stack.is_measured(index):
                self._stack.measure(index)
            needed -= slots[index].height + slots[index].spacing

    def _apply(self, anchor: tuple[int, int] | None) -> None:
        """Give the content its height and keep the anchor where it is."""
        self._is_adjusting = True
        view = self.viewport().size()
        height = max(view.height(), self._stack.height)
        self._content.resize(view.width(), height)
        bar = self.verticalScrollBar()
        if anchor is None:
            bar.setValue(bar.maximum())
        else:
            bar.setValue(self._stack.slots[anchor[0]].top + anchor[1])
        self._is_adjusting = False
        self._place_cut_mark()
        self._show_jump_button()

    def _place_cut_mark(self) -> None:
        top = self._stack.cut_top
        self._cut_mark.setVisible(top is not None)
        if top is not None:
            left, width = column_in(self.viewport().width())
            self._cut_mark.setGeometry(left, top, width, CUT_HEIGHT)

    def _on_scrolled(self, value: int) -> None:
        if not self._is_adjusting:
            self._follows_end = value >= self.verticalScrollBar().maximum() - _NEAR_END
            self._show_jump_button()
            if self._slices.isActive():
                self._settle()

    def _make_jump_button(self) -> QPushButton:
        jump = QPushButton(self.tr("Jump to end"), self)
        jump.setAccessibleName(self.tr("Jump to end"))
        jump.setFont(self._theme.font("secondary"))
        jump.clicked.connect(self.jump_to_end)
        jump.hide()

        def recolor() -> None:
            jump.setIcon(icon(self._theme, "arrow-down", size_px=14))

        self._theme.changed.connect(recolor)
        recolor()
        return jump

    def _show_jump_button(self) -> None:
        shown = not self._follows_end
        if shown != self._jump.isVisibleTo(self):
            self._jump.setVisible(shown)
            self._place_jump_button()

    def _place_jump_button(self) -> None:
        size = self._jump.sizeHint()
        self._jump.resize(size)
        left = (self.viewport().width() - size.width()) // 2
        self._jump.move(left, self.viewport().height() - size.height() - 10)
        self._jump.raise_()


class _ScrollBar(QScrollBar):
    """Keeps its place, so that the column stays put, but shows nothing to scroll nowhere."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar where there is a way to go."""
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def _single_shot(parent: QObject, interval_ms: int, slot: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(interval_ms)
    timer.timeout.connect(slot)
    return timer
