"""The panel beside a word of an answer: its tokens, and what is known of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui.format import format_count, format_duration_ns
from ui.icons import icon
from ui.inspector.candidate_rows import CandidateRows
from ui.inspector.wording import (
    cache_text,
    left_text,
    piece_text,
    rank_text,
    shown_text,
    time_text,
)
from ui.labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.token_looks import TokenLook
    from ui.theme import Theme

_WIDTH = 380
_MOST_CHIPS = 8
_LONGEST_WORD = 40
_LONGEST_PIECE = 24
_RADIUS = 12
_GAP = 6


class TokenPanel(QWidget):
    """Shows the tokens of a word; lies over the conversation.

    Signals:
        closed(): The person is done with it.
        step_wanted(int): Show the token so many steps after (or before) those shown.
    """

    closed = Signal()
    step_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parent = parent
        self._unknown_note = ""
        self._word = QRect()
        self._looks: tuple[TokenLook, ...] = ()
        self._chips: list[QPushButton] = []
        self.setAccessibleName(self.tr("Tokens of a word"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.title = PlainLabel(theme, font="strong", parent=self)
        self.previous_button = self._button(self.tr("Previous token"), "‹")
        self.next_button = self._button(self.tr("Next token"), "›")
        self.close_button = self._button(self.tr("Close"), "")
        self.previous_button.clicked.connect(lambda: self.step_wanted.emit(-1))
        self.next_button.clicked.connect(lambda: self.step_wanted.emit(1))
        self.close_button.clicked.connect(self.close_panel)
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.title, 1)
        for button in (self.previous_button, self.next_button, self.close_button):
            head.addWidget(button)
        self._chip_row = QHBoxLayout()
        self._chip_row.setSpacing(4)
        self.time = PlainLabel(theme, parent=self)
        self.probability = PlainLabel(theme, parent=self)
        self.cache = PlainLabel(theme, parent=self)
        self.token = PlainLabel(theme, parent=self)
        facts = QGridLayout()
        facts.setHorizontalSpacing(12)
        facts.setVerticalSpacing(3)
        for row, (name, value) in enumerate(
            (
                (self.tr("Time (ITL)"), self.time),
                (self.tr("Probability"), self.probability),
                (self.tr("KV cache"), self.cache),
                (self.tr("Token id"), self.token),
            )
        ):
            label = PlainLabel(theme, name, font="secondary", color="muted", parent=self)
            value.setAccessibleName(name)
            facts.addWidget(label, row, 0)
            facts.addWidget(value, row, 1)
        facts.setColumnStretch(1, 1)
        self.rows = CandidateRows(theme, self)
        self.note = PlainLabel(theme, font="secondary", color="muted", wrap=True, parent=self)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 14, 14)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addLayout(self._chip_row)
        layout.addLayout(facts)
        layout.addWidget(self.rows)
        layout.addWidget(self.note)
        theme.changed.connect(self._recolor)
        self._recolor()
        self.hide()

    @property
    def looks(self) -> tuple[TokenLook, ...]:
        """The tokens shown."""
        return self._looks

    @property
    def chips(self) -> tuple[QPushButton, ...]:
        """One for each token of the word."""
        return tuple(self._chips)

    def show_looks(self, word: str, looks: Sequence[TokenLook], note: str) -> None:
        """Show the tokens of `word`, of which `note` says why something is not known."""
        self._looks = tuple(looks)
        self._unknown_note = note
        self.title.setText(self.tr("“{word}”").format(word=shown_text(word)[:_LONGEST_WORD]))
        for chip in self._chips:
            self._chip_row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [self._chip(number) for number in range(min(len(looks), _MOST_CHIPS))]
        while self._chip_row.count():
            self._chip_row.takeAt(0)
        for chip in self._chips:
            self._chip_row.addWidget(chip)
        self._chip_row.addStretch(1)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(bool(looks))
        self._choose(0)

    def place_at(self, word: QRect) -> None:
        """Lie below or above a word, given where that is in the parent; pixels."""
        self._word = word
        self.place_again()

    def place_again(self) -> None:
        """Lie where `place_at` said, now that something has another size."""
        word = self._word
        self._layout.activate()
        area = self._parent.rect().adjusted(8, 8, -18, -8)
        width = min(_WIDTH, area.width())
        self.setFixedWidth(width)
        height = self._layout.totalHeightForWidth(width)
        height = max(height, self._layout.totalMinimumSize().height())
        top = word.bottom() + _GAP
        if top + height > area.bottom() and word.top() - _GAP - height >= area.top():
            top = word.top() - _GAP - height
        top = max(area.top(), min(top, area.bottom() - height))
        left = max(area.left(), min(word.left() - 16, area.right() - width))
        if top <= word.bottom() and top + height >= word.top():
            # No room for it below or above: beside the word, as far as that goes.
            is_left = word.center().x() < area.center().x()
            left = area.right() - width if is_left else area.left()
        self.setGeometry(left, top, width, height)
        self.raise_()
        self.show()

    def close_panel(self) -> None:
        """Go away."""
        self.hide()
        self.closed.emit()

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
        """Escape closes; the arrows go from token to token."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._looks:
            self.step_wanted.emit(1 if event.key() == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.setBrush(self._theme.color("panel"))
        painter.drawRoundedRect(
            self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS
        )

    def _choose(self, number: int) -> None:
        for place, chip in enumerate(self._chips):
            chip.setChecked(place == number)
        look = self._looks[number] if number < len(self._looks) else None
        inspection = look.inspection if look is not None else None
        self.time.setText(time_text(look) if look is not None else "—")
        self.probability.setText(rank_text(inspection))
        self.cache.setText(cache_text(look) if look is not None else "—")
        self.token.setText("—" if inspection is None else format_count(inspection.chosen.token))
        self.rows.setVisible(inspection is not None)
        if inspection is None:
            self.note.setText(self._unknown_note)
        else:
            self.rows.show_inspection(inspection)
            watched = self.tr("Inspecting took {time} of it.").format(
                time=format_duration_ns(inspection.watch_ns)
            )
            self.note.setText(f"{left_text(inspection)}\n{watched}")

    def _chip(self, number: int) -> QPushButton:
        look = self._looks[number]
        inspection = look.inspection
        text = piece_text(inspection.chosen.piece) if inspection else shown_text(look.text)
        chip = QPushButton(text[:_LONGEST_PIECE].replace("&", "&&"), self)
        chip.setCheckable(True)
        chip.setFont(self._theme.font("code"))
        chip.setAccessibleName(self.tr("Token {piece}").format(piece=text[:_LONGEST_PIECE]))
        chip.clicked.connect(lambda: self._choose(number))
        return chip

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("look", "quiet")
        button.setAccessibleName(name)
        button.setToolTip(name)
        return button

    def _recolor(self) -> None:
        self.close_button.setIcon(icon(self._theme, "x", size_px=14))
        self.update()
