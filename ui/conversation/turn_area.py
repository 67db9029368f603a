"""A column of turns that scrolls: follows its end, else keeps what is read where it is."""

from collections.abc import Callable, Iterator
from itertools import takewhile
from time import perf_counter

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractSlider, QPushButton, QScrollArea, QScrollBar, QWidget

from app.transcript import Answer, UserTurn
from ui.conversation.column import COLUMN_MARGIN, COLUMN_WIDEST, column_in
from ui.conversation.cut_mark import CutMark
from ui.conversation.jump_button import JumpButton
from ui.conversation.kept_turns import is_something_open
from ui.conversation.turn_stack import CUT_HEIGHT, Slot, TurnStack, TurnWidget
from ui.theme import Theme

_SLICE_S = 0.006
# What comes on screen at once is made at once, as far as a moment allows.
_AT_ONCE_S = 0.02
# Turns have widgets so many heights of the view above and below it, and lose them farther off.
_NEAR_VIEWS = 2
_FAR_VIEWS = 4
_MOST_RELEASED = 6
_PLACED_EVERY_S = 0.15
_NEAR_END = 24
_REVEALED_BELOW = 40


class TurnArea(QScrollArea):
    """Where turns stand and which of them are on screen. Widgets are made by who inherits it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._follows_end = True
        self._is_adjusting = False
        self._content = QWidget()
        self._content.setAutoFillBackground(False)
        self.setWidget(self._content)
        self.viewport().setAutoFillBackground(False)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(_ScrollBar(Qt.Orientation.Vertical))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = TurnStack(self._make_widget)
        self._cut_mark = CutMark(theme, self._content)
        self._jump = JumpButton(theme, self)
        self._jump.clicked.connect(self.jump_to_end)
        self._slices = single_shot(self, 0, self._measure_slice)
        self._t_placed_s = 0.0
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def stack(self) -> TurnStack:
        """The turns and their places."""
        return self._stack

    @property
    def jump_button(self) -> QPushButton:
        """Goes back to the end."""
        return self._jump

    @property
    def cut_mark(self) -> QWidget:
        """The mark at the place where the model begins to see."""
        return self._cut_mark

    def set_left_out(self, n_turns: int) -> None:
        """Mark that the model no longer sees the first turns."""
        anchor = self._anchor()
        if self._stack.set_cut(n_turns):
            self._settle(anchor)

    def jump_to_end(self) -> None:
        """Scroll to the end and stay there."""
        self._follows_end = True
        self._settle()

    def reveal(self, part: QWidget, place: QRect) -> None:
        """Scroll so that a place in a part can be seen."""
        if not self._stack.is_placed:
            anchor = self._anchor()
            self._stack.place()
            self._apply(anchor)
        top = part.mapTo(self._content, place.topLeft()).y()
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        if not bar.value() + 40 <= top <= bar.value() + height - 60:
            self._follows_end = False
            bar.setValue(top - height // 3)

    def reveal_turn(self, turn: UserTurn | Answer) -> None:
        """Scroll to the beginning of a turn."""
        index = self._stack.index_of(turn)
        if index is not None:
            self._follows_end = False
            self._settle((index, -_REVEALED_BELOW))
            self._follow_if_at_end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the column; what is visible first."""
        super().resizeEvent(event)
        anchor = self._anchor()
        self._place_column()
        self._settle(anchor)
        self._jump.place_in(self.viewport())

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

    def _remeasure(self, turn: UserTurn | Answer) -> None:
        index = self._stack.index_of(turn)
        if index is None or self._stack.slots[index].widget is None:
            return
        slot = self._stack.slots[index]
        height_before = slot.height
        anchor = self._anchor()
        self._stack.measure(index)
        if slot.height != height_before:
            self._stack.place()
            self._apply(anchor)

    def _follow_if_at_end(self) -> None:
        bar = self.verticalScrollBar()
        self._follows_end = bar.value() >= bar.maximum() - _NEAR_END
        self._jump.show_in(self.viewport(), shown=not self._follows_end)

    def _place_column(self) -> None:
        left, width = column_in(self.viewport().width())
        self._stack.set_column(left, width)

    def _anchor(self) -> tuple[int, int] | None:
        """A turn on screen that shall stay where it is, and where the top edge is in it.

        None at the end. It is the first one that what is made above it would move: not one that
        has no place yet, nor one that began above the edge and is still being filled.
        """
        slots = self._stack.slots
        if self._follows_end or not slots:
            return None
        top = self.verticalScrollBar().value()
        first = self._stack.index_at(top)
        bottom = top + self.viewport().height()
        seen = [
            index
            for index in takewhile(lambda i: slots[i].top < bottom, range(first, len(slots)))
            if (widget := slots[index].widget) is not None and not widget.isHidden()
        ]
        if len(seen) > 1 and slots[seen[0]].top < top and slots[seen[0]].is_behind:
            del seen[0]
        anchor = seen[0] if seen else first
        return anchor, top - slots[anchor].top

    def _settle(self, anchor: tuple[int, int] | None = None) -> None:
        """Measure what is visible now, and some of the rest; go on later if any is left."""
        anchor = anchor or self._anchor()
        slots = self._stack.slots
        if slots:
            self._measure_visible(anchor)
            self._stack.place()
            self._slices.start()
        self._apply(anchor)
        self._show_moved()

    def _measure_slice(self) -> None:
        anchor = self._anchor()
        near = anchor[0] if anchor is not None else len(self._stack.slots) - 1
        is_left = self._stack.measure_some(near, *self._range(_NEAR_VIEWS), _SLICE_S)
        # Moving everything makes all that is visible paint anew, so not with every slice.
        now = perf_counter()
        is_time = not is_left or now - self._t_placed_s > _PLACED_EVERY_S
        if is_time and not self._stack.is_placed:
            self._t_placed_s = now
            self._stack.place()
            self._apply(anchor)
            is_left = is_left or not self._stack.is_complete(*self._range(_NEAR_VIEWS))
        if is_time:
            # What grew may have placed all meanwhile.
            self._show_moved()
        if not is_left and not is_something_open():
            is_left = self._stack.release_some(
                *self._range(_FAR_VIEWS), self._is_kept, _MOST_RELEASED
            )
        if is_left:
            self._slices.start()

    def _range(self, n_views: int) -> tuple[int, int]:
        """From where to where, so many heights of the view around it; pixels."""
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        return top - n_views * height, top + height + n_views * height

    def _measure_visible(self, anchor: tuple[int, int] | None) -> None:
        deadline = perf_counter() + _AT_ONCE_S
        for index in self._visible(anchor):
            if not self._stack.is_measured(index):
                self._stack.measure(index)
                if perf_counter() > deadline:
                    break

    def _visible(self, anchor: tuple[int, int] | None) -> Iterator[int]:
        """The turns on screen, from the anchor on; their heights may change meanwhile."""
        slots, height = self._stack.slots, self.viewport().height()
        first, needed = (len(slots), 0) if anchor is None else (anchor[0], height + anchor[1])
        for index in range(first, len(slots)):
            if needed <= 0:
                break
            yield index
            needed -= slots[index].height + slots[index].spacing
        needed = height if anchor is None else -anchor[1]
        for index in range(first - 1, -1, -1):
            if needed <= 0:
                break
            yield index
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
        self._jump.show_in(self.viewport(), shown=not self._follows_end)

    def _place_cut_mark(self) -> None:
        top = self._stack.cut_top
        self._cut_mark.setVisible(top is not None)
        if top is not None:
            left, width = column_in(self.viewport().width())
            self._cut_mark.setGeometry(left, top, width, CUT_HEIGHT)

    def _on_scrolled(self, value: int) -> None:
        if not self._is_adjusting:
            self._follows_end = value >= self.verticalScrollBar().maximum() - _NEAR_END
            self._jump.show_in(self.viewport(), shown=not self._follows_end)
            anchor = self._anchor()
            if all(map(self._stack.is_measured, self._visible(anchor))):
                self._show_moved()
                self._slices.start()
            else:
                self._settle(anchor)

    def _make_widget(self, turn: UserTurn | Answer) -> TurnWidget:
        raise NotImplementedError

    def _is_kept(self, slot: Slot) -> bool:
        """Whether a turn must not lose its widget."""
        raise NotImplementedError

    def _show_moved(self) -> None:
        """Other turns are on screen."""


class _ScrollBar(QScrollBar):
    """Keeps its place, so that the column stays put, but shows nothing to scroll nowhere."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar where there is a way to go."""
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def single_shot(parent: QObject, interval_ms: int, slot: Callable[[], None]) -> QTimer:
    """A timer of `parent` that calls `slot` once, so long after each start."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(interval_ms)
    timer.timeout.connect(slot)
    return timer
