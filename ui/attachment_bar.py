"""The files that go along with the message, as chips above what is typed."""

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.attachments import MOST_FILES, Attachment
from ui.format import format_count
from ui.icons import icon
from ui.labels import PlainLabel
from ui.theme import Theme

_COLUMNS = 2
_NAME_LEAST = 40


class _Name(PlainLabel):
    """A file name, shortened in its middle so that its ending can be read."""

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(theme, font="secondary", parent=parent)
        self._name = name
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(_NAME_LEAST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the name as there is room for."""
        super().resizeEvent(event)
        middle = Qt.TextElideMode.ElideMiddle
        self.setText(self.fontMetrics().elidedText(self._name, middle, self.width()))


class AttachmentChip(QFrame):
    """One file: its name, its tokens, and a button that takes it away.

    Signals:
        removed(): The button was pressed.
    """

    removed = Signal()

    def __init__(self, theme: Theme, attachment: Attachment, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.attachment = attachment
        self.n_tokens: int | None = None
        self.setProperty("look", "chip")
        self.setAccessibleName(attachment.name)
        self.setToolTip(f"<p>{html.escape(attachment.name)}</p>")
        self._tokens = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self.button = QToolButton(self)
        self.button.setProperty("look", "quiet")
        label = self.tr("Remove {name}").format(name=attachment.name)
        self.button.setAccessibleName(label)
        self.button.setToolTip(self.tr("Remove"))
        self.button.clicked.connect(self.removed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 2, 2, 2)
        layout.setSpacing(8)
        layout.addWidget(_Name(theme, attachment.name, self), 1)
        layout.addWidget(self._tokens)
        layout.addWidget(self.button)
        theme.changed.connect(self._recolor)
        self._recolor()
        self.set_tokens(None)

    def text(self) -> str:
        """The words about its size."""
        return self._tokens.text()

    def set_tokens(self, n_tokens: int | None) -> None:
        """Show how many tokens it takes, None while that is not known."""
        self.n_tokens = n_tokens
        if n_tokens is None:
            self._tokens.setText("…")
        else:
            text = self.tr("%n token(s)", "", n_tokens)
            self._tokens.setText(text.replace(str(n_tokens), format_count(n_tokens)))
        self.setAccessibleDescription(self._tokens.text())

    def _recolor(self) -> None:
        self.button.setIcon(icon(self._theme, "x", size_px=12))


class AttachmentBar(QWidget):
    """Chips in rows; not shown without one.

    Signals:
        changed(): A file was added or taken away.
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.chips: list[AttachmentChip] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 6, 0)
        self._grid.setSpacing(6)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1)
        self.setAccessibleName(self.tr("Attached files"))
        self.hide()

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files, in the order they were added."""
        return tuple(chip.attachment for chip in self.chips)

    @property
    def is_full(self) -> bool:
        """Whether no more can be added."""
        return len(self.chips) >= MOST_FILES

    def add(self, attachment: Attachment) -> None:
        """Append a file; one that is there already is not added twice."""
        if attachment not in self.attachments and not self.is_full:
            self._append(attachment)
            self._lay_out()

    def set_attachments(self, attachments: Sequence[Attachment]) -> None:
        """Replace all files."""
        if tuple(attachments) == self.attachments:
            return
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.chips = []
        for attachment in attachments:
            self._append(attachment)
        self._lay_out()

    def uncounted(self) -> list[AttachmentChip]:
        """Chips whose tokens are not known."""
        return [chip for chip in self.chips if chip.n_tokens is None]

    def forget_counts(self) -> None:
        """Another model counts otherwise."""
        for chip in self.chips:
            chip.set_tokens(None)

    def _append(self, attachment: Attachment) -> None:
        chip = AttachmentChip(self._theme, attachment, self)
        chip.removed.connect(lambda: self._remove(chip))
        self.chips.append(chip)

    def _remove(self, chip: AttachmentChip) -> None:
        self.chips.remove(chip)
        self._grid.removeWidget(chip)
        chip.hide()
        chip.deleteLater()
        self._lay_out()

    def _lay_out(self) -> None:
        for index, chip in enumerate(self.chips):
            self._grid.addWidget(chip, index // _COLUMNS, index % _COLUMNS)
            chip.show()
        self.setVisible(bool(self.chips))
        self.changed.emit()
