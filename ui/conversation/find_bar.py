"""Finds words in the conversation: all matches are marked, one of them is shown."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QTextEdit, QWidget

from ui.conversation.text_part import TextPart
from ui.conversation.view import ConversationView
from ui.format import format_count
from ui.icons import icon
from ui.labels import PlainLabel
from ui.theme import Theme

_MOST_MATCHES = 2_000
_PAUSE_MS = 150


@dataclass(frozen=True, slots=True)
class _Match:
    part: TextPart
    cursor: QTextCursor


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
        self._matches: list[_Match] = []
        self._current = 0
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
        theme.zoomed.connect(self.forget)
        self._recolor()
        self.hide()

    @property
    def n_matches(self) -> int:
        """How many matches are marked."""
        return len(self._matches)

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
        """Take the marks away; the parts of the conversation may go."""
        self._pause.stop()
        self._matches = []
        for part in self._view.text_parts():
            part.setExtraSelections([])
        self._show_count()

    def search_again(self) -> None:
        """Look in what is shown now, where the bar is open."""
        if self.isVisible():
            self._search_anew()

    def go(self, steps: int) -> None:
        """Go to the next match or the one before, from the last one on to the first."""
        place = self._current
        if self._pause.isActive():
            self._search_anew()
            return
        self._search()
        if self._matches:
            self._current = (place + steps) % len(self._matches)
            self._show_current()

    def _search_anew(self) -> None:
        self._pause.stop()
        self._search()
        # The last one is the nearest to where the conversation usually stands.
        self._current = max(0, len(self._matches) - 1)
        self._show_current()

    def _search(self) -> None:
        words = self.field.text()
        self._matches = []
        if words and self.isVisible():
            self._view.make_turns_with(words)
            for part in self._view.text_parts():
                self._search_in(part, words)
        self._show_count()

    def _search_in(self, part: TextPart, words: str) -> None:
        document = part.document()
        found = document.find(words)
        while not found.isNull() and len(self._matches) < _MOST_MATCHES:
            self._matches.append(_Match(part, found))
            found = document.find(words, found)

    def _show_current(self) -> None:
        marks: dict[TextPart, list[QTextEdit.ExtraSelection]] = {
            part: [] for part in self._view.text_parts()
        }
        for number, match in enumerate(self._matches):
            mark = QTextEdit.ExtraSelection()
            look = QTextCharFormat()
            is_current = number == self._current
            look.setBackground(self._theme.color("match_now" if is_current else "match"))
            mark.format, mark.cursor = look, match.cursor
            marks[match.part].append(mark)
        for part, selections in marks.items():
            part.setExtraSelections(selections)
        if self._matches:
            match = self._matches[self._current]
            self._view.reveal(match.part, match.part.cursorRect(match.cursor))
        self._show_count()

    def _show_count(self) -> None:
        if not self.field.text():
            words = ""
        elif not self._matches:
            words = self.tr("No matches")
        else:
            words = self.tr("{n} of {total}").format(
                n=format_count(self._current + 1), total=format_count(len(self._matches))
            )
        self.count.setText(words)
        self.field.setAccessibleDescription(words)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(bool(self._matches))

    def _button(self, name: str) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(name)
        button.setToolTip(name)
        return button

    def _recolor(self) -> None:
        self.close_button.setIcon(icon(self._theme, "x", size_px=14))
        if self.isVisible():
            self._search()
            self._current = min(self._current, max(0, len(self._matches) - 1))
            self._show_current()


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
