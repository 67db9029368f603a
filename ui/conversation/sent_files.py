"""The files that went along with a message: quiet buttons that open their text."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.attachments import Attachment
from ui.file_button import FileButton, pages_text
from ui.format import format_bytes
from ui.theme import Theme

_GAP = 6
_WIDEST = 320
_BELOW = 8


class SentFiles:
    """Buttons in rows, placed by the bubble that owns them."""

    def __init__(self, theme: Theme, attachments: Sequence[Attachment], parent: QWidget) -> None:
        """Make a button for each file; none make nothing."""
        self.buttons = [_button(theme, each, parent) for each in attachments]

    def ideal_width(self, widest: int) -> int:
        """Width for as few rows as fit in `widest`; 0 without files. Pixels."""
        rows = self._rows(widest)
        return max(
            (sum(width for _, width in row) + _GAP * (len(row) - 1) for row in rows), default=0
        )

    def arrange(self, left: int, top: int, width: int) -> int:
        """Place all from a corner on; returns the height they take, 0 without files. Pixels."""
        y = top
        for row in self._rows(width):
            x, height = left, 0
            for button, button_width in row:
                height = button.sizeHint().height()
                button.setGeometry(x, y, button_width, height)
                x += button_width + _GAP
            y += height + _GAP
        return y - top - _GAP + _BELOW if self.buttons else 0

    def _rows(self, widest: int) -> list[list[tuple[FileButton, int]]]:
        rows: list[list[tuple[FileButton, int]]] = []
        room = 0
        for button in self.buttons:
            width = min(button.sizeHint().width(), _WIDEST, widest)
            if not rows or width > room:
                rows.append([])
                room = widest
            rows[-1].append((button, width))
            room -= width + _GAP
        return rows


def _button(theme: Theme, attachment: Attachment, parent: QWidget) -> FileButton:
    if attachment.n_pages is not None:
        words = pages_text(attachment.n_pages)
    else:
        words = format_bytes(attachment.size_bytes)
    button = FileButton(theme, attachment.name, words, "sent", parent)
    button.set_attachment(attachment)
    return button
