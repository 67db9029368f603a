"""Fields for numbers and choices of the engine settings."""

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget

from engine.values import BATCH_BOUNDS, Bounds


class AutoSpinBox(QSpinBox):
    """A number that may be left to the engine: "Auto" is one below the least."""

    def __init__(self, bounds: Bounds, value: int | None, step: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setRange(bounds.least - 1, bounds.most)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        self.set_choice(value)

    def choice(self) -> int | None:
        """The number, None for "Auto"."""
        return None if self.value() == self.minimum() else self.value()

    def set_choice(self, value: int | None) -> None:
        """Show a number, or "Auto" for None."""
        self.setValue(self.minimum() if value is None else value)

    def stepBy(self, steps: int) -> None:
        """Step as if "Auto" were just below the least, or 0 where steps are larger."""
        start = 0 if self.choice() is None and self.singleStep() > 1 else self.value()
        self.setValue(start + steps * self.singleStep())
        self.selectAll()


def batch_field(value: int, parent: QWidget) -> QSpinBox:
    """How many tokens at once."""
    spin = QSpinBox(parent)
    spin.setRange(BATCH_BOUNDS.least, BATCH_BOUNDS.most)
    spin.setSingleStep(64)
    spin.setGroupSeparatorShown(True)
    spin.setValue(value)
    return spin


def choice_field(choices: Sequence[tuple[str, str]], current: str, parent: QWidget) -> QComboBox:
    """One of several (value, title); the value is the item's data."""
    combo = QComboBox(parent)
    for value, title in choices:
        combo.addItem(title, value)
    combo.setCurrentIndex(combo.findData(current))
    # A long name of a device does not widen the dialog.
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return combo
