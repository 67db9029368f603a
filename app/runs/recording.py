"""Puts recorder and library together with what they listen to."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app import sentences_runs
from app.engine_state import EngineState
from app.inference import InferenceThread
from app.runs.library import RunLibrary
from app.runs.recorder import RunRecorder
from app.session import ChatSession

if TYPE_CHECKING:
    from app.sampling import SamplerReader


class Recording(QObject):
    """Records every request of a session. Main thread only.

    Attributes:
        library: The runs of the person.
        recorder: What gathers them.
    """

    def __init__(self, session: ChatSession, inference: InferenceThread, folder: Path) -> None:
        """Listen; runs are kept in `folder`, which is made when there is one to keep."""
        super().__init__(session)
        self._session = session
        self.library = RunLibrary(folder, parent=self)
        self.recorder = RunRecorder(self)
        inference.requested.connect(self.recorder.on_requested)
        session.engine_changed.connect(self._on_engine_changed)
        session.events_arrived.connect(self.recorder.on_events)
        session.first_painted.connect(self.recorder.on_first_paint)
        self.recorder.recorded.connect(self.library.record)
        self.library.failed.connect(self._on_failed)

    def listen_to(self, reader: "SamplerReader") -> None:
        """Record what this sampler says, too."""
        reader.sample_arrived.connect(self.recorder.on_sample)
        reader.marked.connect(self.recorder.on_mark)

    def close(self) -> None:
        """Write what is left, and join the thread."""
        self.recorder.close()
        self.library.close()

    def _on_engine_changed(self, state: EngineState) -> None:
        self.recorder.on_options(state.options)

    def _on_failed(self, reason: str) -> None:
        if reason:
            self._session.message_raised.emit(
                sentences_runs.not_recorded(self.library.folder, reason)
            )
