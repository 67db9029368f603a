"""What a load is doing, how far it is, and Cancel."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.engine_state import EngineState, EngineStatus
from engine.events import LoadStage
from ui.format import format_percent
from ui.labels import PlainLabel
from ui.theme import Theme
from ui.thin_bar import ThinBar

# A load that is over sooner shows nothing: a strip that flashes disturbs.
_SHOWN_AFTER_MS = 250


class LoadStrip(QWidget):
    """Visible while a load takes a noticeable time.

    Signals:
        cancel_requested(): The person wants the load to stop.
    """

    cancel_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(theme, font="secondary", color="muted", parent=self)
        self._bar = ThinBar(theme, "phase_load", self)
        self._bar.setFixedSize(180, 4)
        self._bar.setAccessibleName(self.tr("Load progress"))
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.setProperty("look", "quiet")
        self.cancel_button.setFont(theme.font("secondary"))
        self.cancel_button.setAccessibleName(self.tr("Cancel loading"))
        self.cancel_button.clicked.connect(self.cancel_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(22, 6, 14, 6)
        layout.setSpacing(14)
        layout.addWidget(self._label)
        layout.addWidget(self._bar)
        layout.addWidget(self.cancel_button)
        layout.addStretch(1)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(_SHOWN_AFTER_MS)
        self._delay.timeout.connect(self.show)
        self.setAccessibleName(self.tr("Loading"))
        self.hide()

    def text(self) -> str:
        """The words shown."""
        return self._label.text()

    def show_state(self, state: EngineState) -> None:
        """Show the progress of a load, or nothing."""
        if state.status is not EngineStatus.LOADING:
            self._delay.stop()
            self.hide()
            return
        text = self._stage_text(state.stage)
        if state.fraction is not None:
            text += f"  {format_percent(state.fraction)}"
        self._label.setText(text)
        self._bar.set_color("phase_compile" if state.stage is LoadStage.COMPILE else "phase_load")
        self._bar.set_fraction(state.fraction)
        if self.isHidden() and not self._delay.isActive():
            self._delay.start()

    def _stage_text(self, stage: LoadStage | None) -> str:
        match stage:
            case LoadStage.IMPORT:
                return self.tr("Loading PyTorch")
            case LoadStage.CONVERT:
                return self.tr("Converting the weights, once")
            case LoadStage.READ:
                return self.tr("Reading the model")
            case LoadStage.CONTEXT:
                return self.tr("Making room for the context")
            case LoadStage.WARM_UP:
                return self.tr("Warming up")
            case LoadStage.COMPILE:
                return self.tr("Compiling for this device, once")
            case LoadStage.MEASURE_THREADS:
                return self.tr("Measuring which number of threads is fastest")
            case None:
                return self.tr("Starting the engine")
