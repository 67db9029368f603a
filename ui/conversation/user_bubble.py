"""What the person said: a quiet bubble at the right."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.transcript import UserTurn
from ui.conversation.bubble import paint_bubble
from ui.conversation.message_editor import MessageEditor
from ui.conversation.message_parts import MessageParts
from ui.conversation.sent_files import SentFiles
from ui.conversation.text_part import TextPart
from ui.conversation.turn_foot import TurnChoices
from ui.conversation.user_foot import UserFoot
from ui.format import format_count
from ui.quiet_thread import QuietThread
from ui.theme import Theme

if TYPE_CHECKING:
    from ui.conversation.code_part import CodePart

_SIDE = 16
# A line's spare height lies above its letters.
_TOP = 8
_BOTTOM = 12
_FOOT_SPACING = 2
_WIDEST_RATIO = 0.78
# Longer messages show their beginning and a button; the rest follows in slices.
_FOLDED_CHARACTERS = 4_000
_SLICE_CHARACTERS = 4_000


class UserBubble(QWidget):
    """One turn of the person. As wide as the text column; the bubble itself is as wide as needed.

    Args:
        theme: Colours and fonts.
        turn: What was sent.
        quiet: Looks for what reads the languages of code.
        on_grown: Called when the bubble needs another height.
        parent: Its owner.

    Signals:
        edit_sent(str): The person put it into other words.
        edit_left(): An edit was given up.
        variant_chosen(int): Steps to the variant that is wanted.
        delete_requested(): Take this variant away.
    """

    edit_sent = Signal(str)
    edit_left = Signal()
    variant_chosen = Signal(int)
    delete_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        turn: UserTurn,
        quiet: QuietThread,
        on_grown: Callable[[], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_grown = on_grown
        self._bubble = QRectF()
        self._is_unfolded = False
        self._files = SentFiles(theme, turn.attachments, self)
        self._editor: MessageEditor | None = None
        self._turn = turn
        self._foot = UserFoot(theme, turn, self)
        for button in self._files.buttons:
            self._foot.watch(button)
        self._parts = MessageParts(theme, quiet, turn.text, self._take_part, self)
        self._show_all = QPushButton(self)
        self._show_all.setProperty("look", "quiet")
        self._show_all.setFont(theme.font("secondary"))
        self._show_all.clicked.connect(self._begin_slices)
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._append_slice)
        self._parts.append(_FOLDED_CHARACTERS)
        n_characters = format_count(self._parts.n_characters)
        label = self.tr("Show all {n} characters").format(n=n_characters)
        self._show_all.setText(label)
        self._show_all.setAccessibleName(label)
        self._show_all.setVisible(not self._parts.is_complete)
        self._foot.variant_chosen.connect(self.variant_chosen)
        self._foot.delete_requested.connect(self.delete_requested)
        self._foot.edit_requested.connect(lambda: self.begin_edit())
        theme.changed.connect(self.update)

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        if self._editor is not None:
            return [*self._files.buttons, *self._editor.focus_stops()]
        stops = [stop for part in self._parts.all for stop in part.focus_stops()]
        return [*self._files.buttons, *stops, self._show_all, *self._foot.focus_stops()]

    @property
    def foot(self) -> UserFoot:
        """What can be done with it."""
        return self._foot

    @property
    def editor(self) -> MessageEditor | None:
        """Where it is edited, None while it is not."""
        return self._editor

    @property
    def is_opened(self) -> bool:
        """Whether it is unfolded or edited."""
        return self._editor is not None or self._is_unfolded

    def show_choices(self, choices: TurnChoices) -> bool:
        """Offer what can be done now; returns whether it must be arranged anew for it."""
        if choices == self._foot.choices:
            return False
        size = self._foot.sizeHint()
        self._foot.show_choices(choices)
        if self._editor is not None:
            self._editor.set_blocked(is_blocked=choices.is_blocked)
        return self._foot.sizeHint() != size

    def begin_edit(self, text: str | None = None, *, takes_focus: bool = True) -> None:
        """Show a field in place of the message, with `text` or the message in it.

        A bubble that is just being made takes no focus, and is measured by who makes it.
        """
        if self._editor is None:
            words = self._turn.text if text is None else text
            editor = self._editor = MessageEditor(self._theme, words, self)
            editor.set_blocked(is_blocked=self._foot.choices.is_blocked)
            editor.sent.connect(self.edit_sent)
            editor.cancelled.connect(self._end_edit)
            editor.height_changed.connect(self._on_grown)
            for part in (*self._parts.all, self._foot, self._show_all):
                part.hide()
            editor.show()
            if takes_focus:
                self._on_grown()
        if takes_focus:
            self._editor.field.setFocus()

    def _end_edit(self) -> None:
        editor, self._editor = self._editor, None
        if editor is None:
            return
        for part in self._parts.all:
            part.setVisible(self._has_text)
        self._foot.show()
        self._show_all.setVisible(not self._parts.is_complete and not self._slices.isActive())
        self._foot.dress()
        self.edit_left.emit()
        editor.hide()
        editor.deleteLater()
        self._on_grown()

    def text_parts(self) -> list[TextPart]:
        """What has text that can be seen."""
        return self._parts.texts if self._editor is None and self._has_text else []

    @property
    def is_whole(self) -> bool:
        """Whether all of the message is there, unfolded if it is long."""
        return self._editor is not None or self._parts.is_complete

    def find_places(self) -> list[TextPart]:
        """Where words can be found."""
        return self.text_parts()

    def show_all(self) -> None:
        """Unfold a long message."""
        if self._show_all.isVisibleTo(self):
            self._begin_slices()

    def arrange(self, width: int) -> int:
        """Take `width` and the height then needed, which is returned; pixels."""
        if self._editor is not None:
            room = width - 2 * _SIDE
            top = _BOTTOM + self._files.arrange(_SIDE, _BOTTOM, room)
            height = self._editor.arrange(room) + top + _BOTTOM
            self._editor.move(_SIDE, top)
            self._bubble = QRectF(0, 0, width, height)
            height += _FOOT_SPACING + self._foot.sizeHint().height()
            self.resize(width, height)
            self.update()
            return height
        widest = int(width * _WIDEST_RATIO) - 2 * _SIDE
        text_width = widest
        if not self._is_unfolded and not self._parts.has_code:
            [text] = self._parts.texts
            text.arrange(widest)
            ideal = math.ceil(text.document().idealWidth()) + 1
            text_width = min(widest, max(ideal, self._files.ideal_width(widest), 24))
        left = width - text_width - _SIDE
        files_height = self._files.arrange(left, _TOP, text_width)
        text_top = _TOP + files_height
        text_height = self._parts.arrange(left, text_top, text_width) if self._has_text else 0
        height = text_height + text_top + _BOTTOM
        if self._show_all.isVisibleTo(self):
            size = self._show_all.sizeHint()
            self._show_all.setGeometry(
                left - 8, text_top + text_height, size.width(), size.height()
            )
            height += size.height()
        self._bubble = QRectF(left - _SIDE, 0, text_width + 2 * _SIDE, height)
        size = self._foot.sizeHint()
        top = height + _FOOT_SPACING
        self._foot.setGeometry(width - size.width(), top, size.width(), size.height())
        height = top + size.height()
        self.resize(width, height)
        return height

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show what can be done."""
        super().enterEvent(event)
        self._foot.point_at(is_pointed_at=True)

    def leaveEvent(self, event: QEvent) -> None:
        """Show the message alone."""
        super().leaveEvent(event)
        self._foot.point_at(is_pointed_at=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bubble."""
        paint_bubble(self, self._theme, self._bubble)

    def _begin_slices(self) -> None:
        self._is_unfolded = True
        self._show_all.hide()
        self._slices.start()

    def _append_slice(self) -> None:
        self._parts.append(_SLICE_CHARACTERS)
        if self._parts.is_complete:
            self._slices.stop()
        self._on_grown()

    def _take_part(self, part: "TextPart | CodePart") -> None:
        part.setVisible(self._has_text and self._editor is None)
        for stop in part.focus_stops():
            self._foot.watch(stop)

    @property
    def _has_text(self) -> bool:
        return bool(self._turn.text.strip("\n"))
