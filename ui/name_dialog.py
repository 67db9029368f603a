"""Asks for a name, and says why one cannot be taken."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from app.presets import MOST_NAME_CHARACTERS
from ui.labels import PlainLabel
from ui.theme import Theme


class NameDialog(QDialog):
    """A name for a preset or a folder.

    Signals:
        named(str): The name, that has no problem.
    """

    named = Signal(str)

    def __init__(
        self,
        theme: Theme,
        title: str,
        name: str,
        problem_of: Callable[[str], str | None],
        parent: QWidget,
    ) -> None:
        """Begin with `name`. `problem_of` says why a name cannot be taken, None where it can."""
        super().__init__(parent)
        self._problem_of = problem_of
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.field = QLineEdit(name, self)
        self.field.setAccessibleName(self.tr("Name"))
        # One more, so that somebody who goes on typing is told.
        self.field.setMaxLength(MOST_NAME_CHARACTERS + 1)
        self.field.selectAll()
        self.problem = PlainLabel(theme, font="secondary", color="error", wrap=True, parent=self)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, self)
        self.buttons.button(kinds.Ok).setAccessibleName(title)
        self.buttons.button(kinds.Cancel).setAccessibleName(self.tr("Cancel"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 16)
        layout.setSpacing(10)
        layout.addWidget(PlainLabel(theme, self.tr("Name"), parent=self))
        layout.addWidget(self.field)
        layout.addWidget(self.problem)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(360)

    def accept(self) -> None:
        """Take the name, or say why not."""
        name = self.field.text().strip()
        problem = self._problem_of(name)
        self.problem.setText(problem or "")
        if problem is None:
            super().accept()
            self.named.emit(name)
