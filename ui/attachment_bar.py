"""The files that go along with the message, as chips above what is typed."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QToolButton,
    QWidget,
)

from app.attachments import Attachment
from ui.counts import token_count
from ui.file_button import FileButton
from ui.format import format_count
from ui.icons import icon
from ui.labels import PlainLabel
from ui.theme import Theme

_COLUMNS = 2
_SPACING = 6
_CHIP_WIDTH = 220
_MOST_ROWS = 3


class AttachmentChip(QFrame):
    """One file: its name, how far reading it is or its tokens, and a button that takes it away.

    Signals:
        removed(): The button was pressed.
    """

    removed = Signal()

    def __init__(self, theme: Theme, name: str, number: int | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.name = name
        self.number = number
        self.attachment: Attachment | None = None
        self.n_tokens: int | None = None
        self.setProperty("look", "chip")
        self.setAccessibleName(name)
        self.open_button = FileButton(theme, name, "", "file", self)
        self.open_button.setEnabled(False)
        self._tokens = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self.button = QToolButton(self)
        self.button.setProperty("look", "quiet")
        self.button.clicked.connect(self.removed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(4)
        layout.addWidget(self.open_button, 1)
        layout.addWidget(self._tokens)
        layout.addWidget(self.button)
        theme.changed.connect(self._recolor)
        self._recolor()
        self._show_reading(self.tr("reading…"))

    def text(self) -> str:
        """The words about its size, or about how far it is."""
        return self._tokens.text()

    def show_progress(self, page: int, n_pages: int) -> None:
        """Say which page is being read."""
        text = self.tr("page {page} of {n}")
        self._show_reading(text.format(page=format_count(page), n=format_count(n_pages)))

    def set_attachment(self, attachment: Attachment) -> None:
        """The file is read."""
        self.attachment, self.name, self.number = attachment, attachment.name, None
        self.setAccessibleName(attachment.name)
        self.open_button.set_attachment(attachment)
        self.open_button.setEnabled(True)
        self.button.setAccessibleName(self.tr("Remove {name}").replace("{name}", self.name))
        self.button.setToolTip(self.tr("Remove"))
        self.set_tokens(None)

    def set_tokens(self, n_tokens: int | None) -> None:
        """Show how many tokens it takes, None while that is not known."""
        self.n_tokens = n_tokens
        if n_tokens is None:
            self._say("…")
        else:
            self._say(token_count(n_tokens))

    def _show_reading(self, words: str) -> None:
        self._say(words)
        label = self.tr("Stop reading {name}").replace("{name}", self.name)
        self.button.setAccessibleName(label)
        self.button.setToolTip(self.tr("Stop reading"))

    def _say(self, words: str) -> None:
        self._tokens.setText(words)
        self.setAccessibleDescription(words)

    def _recolor(self) -> None:
        self.button.setIcon(icon(self._theme, "x", size_px=12))


class AttachmentBar(QScrollArea):
    """Chips in rows, a few of which are in view; not shown without one.

    Signals:
        changed(): The files that would be sent are others.
        laid_out(): Tab may stop at other places.
        reading_cancelled(int): A file that is being read was taken away, by its number.
    """

    changed = Signal()
    laid_out = Signal()
    reading_cancelled = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.chips: list[AttachmentChip] = []
        # Until the width is known: two would ask for room that may not be there.
        self._n_columns = 1
        self._rows = rows = QWidget()
        self._grid = QGridLayout(rows)
        self._grid.setContentsMargins(0, 0, 6, 0)
        self._grid.setSpacing(_SPACING)
        self.setWidget(rows)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        rows.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(self.tr("Attached files"))
        self.hide()

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that are read, in the order they were added."""
        return tuple(chip.attachment for chip in self.chips if chip.attachment is not None)

    @property
    def reading(self) -> list[AttachmentChip]:
        """Files that are still being read."""
        return [chip for chip in self.chips if chip.attachment is None]

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [stop for chip in self.chips for stop in (chip.open_button, chip.button)]

    def set_attachments(self, attachments: Sequence[Attachment]) -> None:
        """Replace all chips by files that are read."""
        if not self.chips and not attachments:
            return
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.chips = []
        for attachment in attachments:
            self._append(attachment.name, None).set_attachment(attachment)
        self._lay_out()
        self.changed.emit()

    def add_reading(self, number: int, name: str) -> None:
        """Add a file that is being read."""
        self._append(name, number)
        self._lay_out()

    def show_progress(self, number: int, page: int, n_pages: int) -> None:
        """Say how far reading a file is."""
        for chip in self._with_number(number):
            chip.show_progress(page, n_pages)

    def finish_reading(self, number: int, attachment: Attachment | None) -> None:
        """A file is read; None takes its chip away."""
        for chip in self._with_number(number):
            if attachment is None:
                self._take_away(chip)
            else:
                chip.set_attachment(attachment)
                self.laid_out.emit()
                self.changed.emit()

    def uncounted(self) -> list[AttachmentChip]:
        """Chips of files that are read, and whose tokens are not known."""
        return [
            chip for chip in self.chips if chip.attachment is not None and chip.n_tokens is None
        ]

    def forget_counts(self) -> None:
        """Another model counts otherwise."""
        for chip in self.chips:
            if chip.attachment is not None:
                chip.set_tokens(None)

    def _with_number(self, number: int) -> list[AttachmentChip]:
        return [chip for chip in self.chips if chip.number == number]

    def _append(self, name: str, number: int | None) -> AttachmentChip:
        chip = AttachmentChip(self._theme, name, number, self._rows)
        chip.removed.connect(lambda: self._remove(chip))
        self.chips.append(chip)
        return chip

    def _remove(self, chip: AttachmentChip) -> None:
        number = chip.number
        self._take_away(chip)
        if number is not None:
            self.reading_cancelled.emit(number)
        else:
            self.changed.emit()

    def _take_away(self, chip: AttachmentChip) -> None:
        self.chips.remove(chip)
        self._grid.removeWidget(chip)
        chip.hide()
        chip.deleteLater()
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One below the other where two would have no room."""
        super().resizeEvent(event)
        n_columns = _COLUMNS if self.width() >= _COLUMNS * _CHIP_WIDTH else 1
        if n_columns != self._n_columns:
            self._n_columns = n_columns
            self._lay_out()

    def _lay_out(self) -> None:
        for index, chip in enumerate(self.chips):
            self._grid.addWidget(chip, index // self._n_columns, index % self._n_columns)
            chip.show()
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < self._n_columns else 0)
        n_rows = -(-len(self.chips) // self._n_columns)
        if n_rows:
            row = self.chips[0].sizeHint().height() + _SPACING
            most = _MOST_ROWS if self._n_columns == _COLUMNS else _MOST_ROWS - 1
            self.setFixedHeight(min(n_rows, most) * row - _SPACING)
        self.laid_out.emit()
        self.setVisible(bool(self.chips))
