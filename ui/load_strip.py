"""What a load is doing, how far it is, and Cancel."""

from PySide6.QtWidgets import QWidget

from app.engine_state import EngineState, EngineStatus
from engine.events import LoadStage
from ui.progress_strip import ProgressStrip
from ui.theme import Theme


class LoadStrip(ProgressStrip):
    """Visible while a load takes a noticeable time."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "phase_load", parent)
        self._bar.setAccessibleName(self.tr("Load progress"))
        self.cancel_button.setAccessibleName(self.tr("Cancel loading"))
        self.setAccessibleName(self.tr("Loading"))

    def show_state(self, state: EngineState) -> None:
        """Show the progress of a load, or nothing."""
        if state.status is not EngineStatus.LOADING:
            self.end()
            return
        self.show_words(
            self._stage_text(state.stage),
            state.fraction,
            "phase_compile" if state.stage is LoadStage.COMPILE else "phase_load",
        )

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
