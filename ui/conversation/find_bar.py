"""Finds words in the conversation: all matches are marked, one of them is shown."""

from time import perf_counter

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QTextEdit, QWidget
from shiboken6 import isValid

from ui.conversation.finder import Finder, Found, Place, TurnFound, place_on_screen
from ui.conversation.reasoning_part import ReasoningPart
from ui.conversation.text_part import TextPart
from ui.conversation.view import ConversationView
from ui.format import format_count
from ui.icons import icon
from ui.labels import PlainLabel
from ui.loop_turn import LoopTurn
from ui.theme import Theme

# In one part; around the match shown where there are more.
_MOST_MARKS = 400
_PAUSE_MS = 150
_SLICE_S = 0.006


class FindBar(QWidget):
    """A line to type in, how many matches there are, and the way from one to the next.

    Signals:
        closed(): The person is done.
    """

    closed = Signal()

    def __init__(self, theme: Theme, view: ConversationView, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = view
        self._finder = Finder(view, self)
        self._finder.changed.connect(self._on_found)
        # Id of the turn and number in it of the match shown; None before there is any.
        self._current: tuple[str, int] | None = None
        # Whether it has been scrolled to.
        self._is_revealed = True
        # How each part is marked.
        self._shown: dict[TextPart, tuple[object, ...]] = {}
        self._show_current = LoopTurn(self._reveal, self)
        self._marking = QTimer(self)
        self._marking.setSingleShot(True)
        self._marking.timeout.connect(self._show_marks)
        self.field = _Field(self)
        self.field.setPlaceholderText(self.tr("Find in conversation"))
        self.field.setAccessibleName(self.tr("Find in conversation"))
        self.count = PlainLabel(theme, font="secondary", color="muted")
        self.previous_button = self._button(self.tr("Previous match"))
        self.next_button = self._button(self.tr("Next match"))
        self.close_button = self._button(self.tr("Close"))
        self.previous_button.setText("↑")
        self.next_button.setText("↓")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 16, 6)
        layout.addStretch(1)
        self.field.setMinimumWidth(240)
        for widget in (
            self.field,
            self.count,
            self.previous_button,
            self.next_button,
            self.close_button,
        ):
            layout.addWidget(widget)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._search_anew)
        self.field.textChanged.connect(self._pause.start)
        self.field.next_wanted.connect(lambda: self.go(1))
        self.field.previous_wanted.connect(lambda: self.go(-1))
        self.field.close_wanted.connect(self.close_find)
        self.next_button.clicked.connect(lambda: self.go(1))
        self.previous_button.clicked.connect(lambda: self.go(-1))
        self.close_button.clicked.connect(self.close_find)
        theme.changed.connect(self._recolor)
        self._recolor()
        self.hide()

    @property
    def n_matches(self) -> int:
        """How many matches there are, as far as it has looked."""
        return self._finder.n_matches

    @property
    def is_complete(self) -> bool:
        """Whether it has looked everywhere, and shows the match it is at."""
        is_there = self._current is None or self._is_revealed
        return is_there and not self._pause.isActive() and self._finder.is_complete

    def open_find(self) -> None:
        """Show the bar, with what was looked for last."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._search_anew()

    def close_find(self) -> None:
        """Hide the bar and take the marks away."""
        self.forget()
        self.hide()
        self.closed.emit()

    def forget(self) -> None:
        """Look no more, and take the marks away."""
        self._pause.stop()
        self._finder.look_for("", Place(0))
        self._current = None
        self._show_marks()
        self._show_count()

    def search_again(self) -> None:
        """Look in what is shown now, where the bar is open."""
        if self.isVisible():
            self._search_anew()

    def go(self, steps: int) -> None:
        """Go to the next match or the one before, from the last one on to the first."""
        if not self.isVisible():
            self.open_find()
            return
        if self._pause.isActive() or not self.field.text():
            self._search_anew()
            return
        self._finder.look_again()
        place = self._place
        if place is not None:
            self._go_to((place + steps) % self._finder.n_matches)

    @property
    def _place(self) -> int | None:
        """Which match is the current one, from the start."""
        n_before = 0
        for found in self._finder.found:
            if self._current is not None and found.turn.turn_id == self._current[0]:
                return n_before + min(self._current[1], found.n_matches - 1)
            n_before += found.n_matches
        return n_before - 1 if n_before else None

    def _search_anew(self) -> None:
        self._pause.stop()
        start = self._start()
        self._current = None
        self._finder.look_for(self.field.text() if self.isVisible() else "", start)
        self._on_found()

    def _start(self) -> Place:
        """The match shown, which a longer word keeps, if it is seen; else what is seen first."""
        found, at = self._entry_at()
        if found is not None and at is not None and isValid(at[0].part):
            part, position = at[0].part, at[0].positions[at[1]]
            if isinstance(part, TextPart):
                cursor = part.textCursor()
                cursor.setPosition(min(position, part.document().characterCount() - 1))
                place = part.cursorRect(cursor)
                view = self._view.viewport()
                if view.rect().contains(part.mapTo(view, place.topLeft())):
                    return Place(found.index, part, position)
        return place_on_screen(self._view)

    def _entry_at(self) -> tuple[TurnFound | None, tuple[Found, int] | None]:
        """The turn of the match shown, and its part and number there as far as they are known."""
        found = self._finder.entry(self._current[0]) if self._current is not None else None
        if found is None or self._current is None:
            return None, None
        return found, found.part_of(min(self._current[1], found.n_matches - 1))

    def _on_found(self) -> None:
        if self._current is None:
            first = self._finder.first()
            if first is not None:
                self._make_current(*first)
                return
        elif not self._is_revealed:
            self._show_current.take()
        self._show_marks()
        self._show_count()

    def _go_to(self, place: int) -> None:
        """Make a match the current one and show it."""
        for found in self._finder.found:
            if place < found.n_matches:
                self._make_current(found, place)
                return
            place -= found.n_matches

    def _make_current(self, found: TurnFound, number: int) -> None:
        self._current, self._is_revealed = (found.turn.turn_id, number), False
        self._finder.show_turn(found)
        self._show_current.take()
        self._show_marks()
        self._show_count()

    def _reveal(self) -> None:
        """Scroll to the current match, as soon as it is there."""
        if self._current is None:
            return
        self._finder.look_at(self._current[0])
        found, at = self._entry_at()
        if at is not None and isinstance(at[0].part, ReasoningPart):
            at[0].part.unfold()
            self._finder.look_at(self._current[0])
            found, at = self._entry_at()
        if found is None:
            self._is_revealed = True
        elif at is None or not isinstance(at[0].part, TextPart):
            self._view.reveal_turn(found.turn)
        else:
            self._scroll_to(at[0].part, at[0].positions[at[1]])
        self._show_marks()

    def _scroll_to(self, part: TextPart, position: int) -> None:
        cursor = part.textCursor()
        cursor.setPosition(position)
        self._view.reveal(part, part.cursorRect(cursor))
        self._is_revealed = True

    def _show_marks(self) -> None:
        """Mark all matches, as many as a moment allows; the rest follows."""
        deadline = perf_counter() + _SLICE_S
        self._marking.stop()
        _, at = self._entry_at()
        now = (None, 0) if at is None else (at[0].part, at[1])
        places = {found.part: found for turn in self._finder.found for found in turn.parts}
        # What is looked at comes first.
        order = [part for part in (now[0], *places) if isinstance(part, TextPart)]
        for part in [part for part in self._shown if part not in places]:
            del self._shown[part]
            if isValid(part):
                part.setExtraSelections([])
        for part in dict.fromkeys(order):
            found = places.get(part)
            if found is None or not isValid(part):
                continue
            number = now[1] if part is now[0] else None
            look = (found.state, found.positions, number, self._theme.color("match").name())
            if self._shown.get(part) == look:
                continue
            if perf_counter() > deadline:
                self._marking.start()
                break
            self._shown[part] = look
            self._mark(part, found, number)

    def _mark(self, part: TextPart, found: Found, current: int | None) -> None:
        first = max(0, (current or 0) - _MOST_MARKS // 2)
        marks: list[QTextEdit.ExtraSelection] = []
        for number, position in enumerate(found.positions[first : first + _MOST_MARKS], first):
            mark, look = QTextEdit.ExtraSelection(), QTextCharFormat()
            look.setBackground(self._theme.color("match_now" if number == current else "match"))
            cursor = QTextCursor(part.document())
            cursor.setPosition(position)
            cursor.setPosition(position + found.length, QTextCursor.MoveMode.KeepAnchor)
            mark.format, mark.cursor = look, cursor
            marks.append(mark)
        part.setExtraSelections(marks)

    def _show_count(self) -> None:
        place, total = self._place, self._finder.n_matches
        if not self.field.text():
            words = ""
        elif place is None:
            words = self.tr("No matches") if self._finder.is_complete else ""
        else:
            words = self.tr("{n} of {total}").format(
                n=format_count(place + 1), total=format_count(total)
            )
        self.count.setText(words)
        self.field.setAccessibleDescription(words)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(bool(total))

    def _button(self, name: str) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(name)
        button.setToolTip(name)
        return button

    def _recolor(self) -> None:
        self.close_button.setIcon(icon(self._theme, "x", size_px=14))
        if self.isVisible():
            self._show_marks()


class _Field(QLineEdit):
    """Enter goes on, Shift and Enter back, Escape closes: before the window takes these keys."""

    next_wanted = Signal()
    previous_wanted = Signal()
    close_wanted = Signal()

    def event(self, event: QEvent) -> bool:
        """Keep Escape from stopping an answer."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on, back, or close."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            is_back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            (self.previous_wanted if is_back else self.next_wanted).emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.close_wanted.emit()
        else:
            super().keyPressEvent(event)
