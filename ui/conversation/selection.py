"""One selection across all that is said: from prose into code and on into other turns."""

from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from shiboken6 import isValid

from app.reasoning import answer_in
from app.transcript import Answer, UserTurn
from ui.conversation.text_part import TextPart
from ui.conversation.turn_stack import Slot, TurnStack
from ui.conversation.typed import shown_text_of

_SCROLL_MS = 30
_SCROLL_STEP_RATIO = 0.3
_LONGEST_STEP = 60


@dataclass(frozen=True, slots=True)
class _Place:
    """A position in a part of the conversation."""

    part: TextPart
    position: int


class ConversationSelection(QObject):
    """Watches the mouse on the content of a conversation, which its text hands on.

    Every part of a turn has its own text, and its own selection; what is dragged beyond one is
    selected in all that lie between, and copied as one text.

    Args:
        view: Scrolls; it goes along with the mouse.
        content: What is scrolled.
        stack: The turns on it.
    """

    def __init__(self, view: QScrollArea, content: QWidget, stack: TurnStack) -> None:
        super().__init__(view)
        self._view = view
        self._content = content
        self._stack = stack
        self._anchor: _Place | None = None
        self._is_dragging = False
        self._mouse = QPoint()
        self._selected: list[TextPart] = []
        # The turns that it goes through; those amid them are selected as a whole.
        self._turns: list[Slot] = []
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(_SCROLL_MS)
        self._scrolling.timeout.connect(self._scroll)
        content.installEventFilter(self)

    def text(self) -> str:
        """All that is selected, from top to bottom."""
        if not self.is_long:
            return _text_of(self._selected)
        for slot in self._turns[1:-1]:
            self.go_through(slot)
        texts = [self._text_in(self._turns[0])]
        texts += [
            self._text_in(slot) if _is_shown(slot) else _words_of(slot.turn)
            for slot in self._turns[1:-1]
        ]
        texts.append(self._text_in(self._turns[-1]))
        return "\n\n".join(text for text in texts if text)

    @property
    def is_long(self) -> bool:
        """Whether there are turns amid those where it begins and ends."""
        return len(self._turns) > 2

    def holds(self, slot: Slot) -> bool:
        """Whether the selection begins or ends in a turn."""
        anchor = self._anchor
        is_end = slot in (*self._turns[:1], *self._turns[-1:])
        if is_end or anchor is None or slot.widget is None:
            return is_end
        return isValid(anchor.part) and slot.widget.isAncestorOf(anchor.part)

    def go_through(self, slot: Slot) -> None:
        """Select what has come of a turn amid those that are selected."""
        if slot.widget is None or slot not in self._turns[1:-1]:
            return
        for part in slot.widget.text_parts():
            cursor = part.textCursor()
            if cursor.selectionEnd() - cursor.selectionStart() < _length(part):
                _select(part, 0, _length(part))
            if part not in self._selected:
                part.selected_with = self.text
                self._selected.append(part)

    def select_turn(self, part: TextPart) -> None:
        """Select all of the turn that `part` is in."""
        parts = self._parts_of(self._turn_of(part))
        self._anchor = _Place(parts[0], 0)
        self._show(_Place(parts[-1], _length(parts[-1])))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what the parts hand on."""
        match event.type():
            case QEvent.Type.MouseButtonPress:
                return self._press(cast("QMouseEvent", event))
            case QEvent.Type.MouseMove if self._is_dragging:
                self._mouse = cast("QMouseEvent", event).globalPosition().toPoint()
                self._drag()
                self._scrolling.start()
                return True
            case QEvent.Type.MouseButtonRelease:
                self._is_dragging = False
                self._scrolling.stop()
                return True
            case QEvent.Type.KeyPress:
                part = QApplication.focusWidget()
                is_all = cast("QKeyEvent", event).matches(QKeySequence.StandardKey.SelectAll)
                if is_all and isinstance(part, TextPart):
                    self.select_turn(part)
                    return True
            case QEvent.Type.ContextMenu:
                return self._show_menu(cast("QContextMenuEvent", event))
            case _:
                pass
        return False

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() is not Qt.MouseButton.LeftButton:
            return False
        self._mouse = event.globalPosition().toPoint()
        place = self._place_at(self._mouse)
        self._is_dragging = place is not None
        if place is None:
            return False
        if self._anchor is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._show(place)
            return True
        self._anchor = place
        self._turns = []
        # Where the mouse is in text the part has begun to select by itself.
        self._keep([place.part])
        if not place.part.hasFocus():
            place.part.setFocus(Qt.FocusReason.MouseFocusReason)
        return True

    def _drag(self) -> None:
        place = self._place_at(self._mouse)
        if place is not None:
            self._show(place)

    def _show(self, place: _Place) -> None:
        """Select from the anchor to `place`."""
        anchor = self._anchor
        if anchor is None or not isValid(anchor.part) or anchor.part.isHidden():
            return
        self._turns = []
        if place.part is anchor.part:
            _select(place.part, anchor.position, place.position)
            self._keep([place.part])
            return
        parts, is_down = self._between(anchor.part, place.part)
        for part in parts:
            start, end = (0, _length(part)) if is_down else (_length(part), 0)
            if part is anchor.part:
                _select(part, anchor.position, end)
            elif part is place.part:
                _select(part, start, place.position)
            else:
                _select(part, end, start)
        first, last = sorted((self._turn_of(anchor.part), self._turn_of(place.part)))
        self._turns = self._stack.slots[first : last + 1]
        self._keep(parts)

    def _text_in(self, slot: Slot) -> str:
        parts = slot.widget.text_parts() if slot.widget is not None else []
        return _text_of([part for part in parts if part in self._selected])

    def _keep(self, parts: list[TextPart]) -> None:
        """Let nothing but these be selected."""
        for part in self._selected:
            if isValid(part) and part not in parts:
                _select(part, 0, 0)
                part.selected_with = None
        for part in parts:
            part.selected_with = self.text if len(parts) > 1 else None
        self._selected = parts

    def _scroll(self) -> None:
        """Go along with a mouse above or below what can be seen."""
        viewport = self._view.viewport()
        y = viewport.mapFromGlobal(self._mouse).y()
        beyond = min(0, y) + max(0, y - viewport.height())
        if beyond:
            step = max(-_LONGEST_STEP, min(_LONGEST_STEP, round(beyond * _SCROLL_STEP_RATIO)))
            bar = self._view.verticalScrollBar()
            bar.setValue(bar.value() + (step or (1 if beyond > 0 else -1)))
            self._drag()

    def _show_menu(self, event: QContextMenuEvent) -> bool:
        part = _part_of(QApplication.widgetAt(event.globalPos()) or QApplication.focusWidget())
        if part is None:
            return False
        menu = part.createStandardContextMenu(part.viewport().mapFromGlobal(event.globalPos()))
        for action in menu.actions():
            if action.objectName() == "select-all":
                action.triggered.disconnect()
                action.triggered.connect(lambda: self.select_turn(part))
        if part.has_tokens:
            is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
            local = part.viewport().mapFromGlobal(event.globalPos())
            cursor = part.textCursor() if is_by_key else part.cursorForPosition(local)
            position = cursor.position()
            menu.addSeparator()
            look = menu.addAction(self.tr("Tokens of this word"))
            look.triggered.connect(lambda: part.clicked.emit(position, True))
        widget = self._stack.slots[self._turn_of(part)].widget
        if widget is not None:
            menu.addSeparator()
            widget.foot.add_to(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())
        return True

    # Places.

    def _top_of(self, part: TextPart) -> int:
        return part.mapTo(self._content, QPoint()).y()

    def _turn_of(self, part: TextPart) -> int:
        return self._stack.index_at(self._top_of(part))

    def _parts_of(self, turn: int) -> list[TextPart]:
        widget = self._stack.slots[turn].widget
        return widget.text_parts() if widget is not None else []

    def _between(self, one: TextPart, other: TextPart) -> tuple[list[TextPart], bool]:
        """All parts from one to the other, from top to bottom, and whether that is their order."""
        is_down = self._top_of(one) < self._top_of(other)
        first, last = (one, other) if is_down else (other, one)
        turns = range(self._turn_of(first), self._turn_of(last) + 1)
        parts = [part for turn in turns for part in self._parts_of(turn)]
        return parts[parts.index(first) : parts.index(last) + 1], is_down

    def _place_at(self, point: QPoint) -> _Place | None:
        """The place next to a point on the screen."""
        if not self._stack.slots:
            return None
        y = self._content.mapFromGlobal(point).y()
        turn = self._stack.index_at(y)
        parts = self._parts_of(turn)
        if not parts:
            return None
        above = [part for part in parts if self._top_of(part) <= y]
        part = above[-1] if above else parts[0]
        if not above:
            return _Place(part, 0)
        if y >= self._top_of(part) + part.height():
            return _Place(part, _length(part))
        local = part.viewport().mapFromGlobal(point)
        return _Place(part, part.cursorForPosition(local).position())


def _text_of(parts: list[TextPart]) -> str:
    text = ""
    for part in parts:
        if isValid(part):
            text += (part.gap_above if text else "") + part.selected_text()
    return text


def _is_shown(slot: Slot) -> bool:
    """Whether all of a turn is there to be selected."""
    return slot.widget is not None and not slot.is_behind


def _words_of(turn: UserTurn | Answer) -> str:
    """What is read in a turn that has no widget."""
    if isinstance(turn, UserTurn):
        return shown_text_of(turn.text)
    # What reads Markdown takes long to import, which an empty window need not wait for.
    from ui.markdown.plain import plain_text_of

    return plain_text_of(answer_in(turn.text))


def _length(part: TextPart) -> int:
    return part.document().characterCount() - 1


def _select(part: TextPart, anchor: int, position: int) -> None:
    last = _length(part)
    cursor = QTextCursor(part.document())
    cursor.setPosition(min(anchor, last))
    cursor.setPosition(min(position, last), QTextCursor.MoveMode.KeepAnchor)
    bar = part.horizontalScrollBar()
    scrolled = bar.value()
    part.setTextCursor(cursor)
    # Long lines of code would be scrolled to the end of the selection.
    bar.setValue(scrolled)


def _part_of(widget: QWidget | None) -> TextPart | None:
    while widget is not None and not isinstance(widget, TextPart):
        widget = widget.parentWidget()
    return widget
