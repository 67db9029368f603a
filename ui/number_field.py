"""A number with a slider for where it usually lies, and a way back to where it began."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QPushButton, QSlider, QWidget

from engine.sampling_bounds import SamplingBounds
from ui.theme import Theme

_SPIN_WIDTH = 118
_HEIGHT = 30


class NumberField(QWidget):
    """The slider covers the usual range, the spin box all that is allowed.

    Where `may_be_auto`, one step below the least means "Auto", and there is no slider.

    Signals:
        changed(): Another number.
    """

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        bounds: SamplingBounds,
        default: float | None,
        *,
        step: float,
        parent: QWidget,
        may_be_auto: bool = False,
    ) -> None:
        super().__init__(parent)
        self._default = default
        self._step = step
        self._may_be_auto = may_be_auto
        self._exact = default
        decimals = 2 if step < 1 else 0
        # Rounded as shown: a least of 0.001 must not become 0.00.
        least = max(bounds.least, step / 5) if 0 < bounds.least < step else bounds.least
        self.spin = QDoubleSpinBox(self)
        self.spin.setDecimals(decimals)
        self.spin.setRange(least - 1 if may_be_auto else least, bounds.most)
        self.spin.setSingleStep(step)
        self.spin.setMinimumHeight(_HEIGHT)
        self.spin.setGroupSeparatorShown(True)
        if may_be_auto:
            self.spin.setSpecialValueText(self.tr("Auto"))
        self.slider: QSlider | None = None
        if not may_be_auto:
            self.spin.setFixedWidth(_SPIN_WIDTH)
            self.slider = QSlider(Qt.Orientation.Horizontal, self)
            self.slider.setRange(round(bounds.usual_least / step), round(bounds.usual_most / step))
            self.slider.setPageStep(max(1, (self.slider.maximum() - self.slider.minimum()) // 10))
            self.slider.valueChanged.connect(self._on_slid)
        self.reset_button = QPushButton(self.tr("Reset"), self)
        self.reset_button.setProperty("look", "quiet")
        self.reset_button.setFont(theme.font("secondary"))
        self.reset_button.setAutoDefault(False)
        self.reset_button.setToolTip(
            self.tr("Back to {value}").format(value=self._text_of_default())
        )
        self.reset_button.clicked.connect(lambda: self.set_value(self._default))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        if self.slider is not None:
            layout.addWidget(self.slider, 1)
        layout.addWidget(self.spin, 0 if self.slider is not None else 1)
        layout.addWidget(self.reset_button)
        self.setFocusProxy(self.spin)
        self.spin.valueChanged.connect(self._on_changed)
        self.set_value(default)

    def value(self) -> float | None:
        """The number, None for "Auto". With every digit until the person changes it."""
        if self._exact is not None and self.spin.value() == self._shown(self._exact):
            return self._exact
        if self._may_be_auto and self.spin.value() <= self.spin.minimum():
            return None
        return self.spin.value()

    def set_value(self, value: float | None) -> None:
        """Show a number, or "Auto" for None."""
        self._exact = value
        with QSignalBlocker(self.spin):
            self.spin.setValue(self.spin.minimum() if value is None else value)
        self._on_changed()

    def setAccessibleName(self, name: str) -> None:
        """Name the parts too: these are what a screen reader stops at."""
        super().setAccessibleName(name)
        self.spin.setAccessibleName(name)
        if self.slider is not None:
            self.slider.setAccessibleName(name)
        self.reset_button.setAccessibleName(self.tr("Reset {name}").format(name=name))

    def setAccessibleDescription(self, description: str) -> None:
        """Describe the parts too."""
        super().setAccessibleDescription(description)
        self.spin.setAccessibleDescription(description)

    def sizeHint(self) -> QSize:
        """Room for a slider that can be aimed at."""
        return QSize(320, _HEIGHT)

    def _shown(self, value: float) -> float:
        """What the spin box makes of a number."""
        rounded = round(value, self.spin.decimals())
        return min(self.spin.maximum(), max(self.spin.minimum(), rounded))

    def _text_of_default(self) -> str:
        if self._default is None:
            return self.tr("Auto")
        return self.spin.textFromValue(self._default)

    def _on_slid(self, position: int) -> None:
        # The spin box may lie beyond the slider, which then only follows.
        if position != self._position_of(self.spin.value()):
            self.spin.setValue(position * self._step)

    def _on_changed(self) -> None:
        if self.slider is not None:
            self.slider.setValue(self._position_of(self.spin.value()))
        self.reset_button.setEnabled(self.value() != self._default)
        self.changed.emit()

    def _position_of(self, value: float) -> int:
        slider = self.slider
        if slider is None:
            return 0
        return min(slider.maximum(), max(slider.minimum(), round(value / self._step)))
