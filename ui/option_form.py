"""A scrolled form of fields, each with its name and a sentence about it."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.labels import PlainLabel
from ui.theme import Theme

_FIELD_SIZE = QSize(190, 30)
_ROW_GAP = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRow:
    """A field of the form, with its name and a sentence about it."""

    name: str
    field: QWidget
    explanation: str


class _Explanation(PlainLabel):
    """Wrapped text below a field."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(theme, text, font="secondary", color="muted", wrap=True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)

    def sizeHint(self) -> QSize:
        """One line, and more by the width: a label's own hints leave uneven gaps."""
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        """As `sizeHint`."""
        return QSize(_FIELD_SIZE.width(), self.fontMetrics().lineSpacing())


class OptionForm(QScrollArea):
    """Rows below each other. The wheel scrolls, and never changes a field on the way."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._form = QFormLayout()
        self._form.setVerticalSpacing(4)
        self._form.setHorizontalSpacing(20)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        box = QWidget()
        outer = QVBoxLayout(box)
        outer.setContentsMargins(24, 20, 24, 0)
        outer.addLayout(self._form)
        outer.addStretch(1)
        self.setWidget(box)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def n_rows(self) -> int:
        """Rows of the layout so far; each row added takes two."""
        return self._form.rowCount()

    def add(self, row: OptionRow) -> None:
        """Append a row."""
        field = row.field
        field.setMinimumSize(_FIELD_SIZE)
        field.setAccessibleName(row.name)
        field.setAccessibleDescription(row.explanation)
        if isinstance(field, QComboBox):
            field.view().setAccessibleName(row.name)
        for part in [field, *field.findChildren(QWidget)]:
            if isinstance(part, QAbstractSpinBox | QAbstractSlider | QComboBox):
                part.installEventFilter(self)
        self._form.addRow(PlainLabel(self._theme, row.name), field)
        text = _Explanation(self._theme, row.explanation)
        text.setContentsMargins(0, 0, 0, _ROW_GAP)
        self._form.addRow("", text)

    def set_row_shown(self, row: int, shown: bool) -> None:
        """Show a row of the layout, or not."""
        self._form.setRowVisible(row, shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the wheel from fields that the person does not work in."""
        if (
            event.type() is QEvent.Type.Wheel
            and isinstance(watched, QWidget)
            and not watched.hasFocus()
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)
