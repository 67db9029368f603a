"""Puts recorder and library together with what they listen to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from pathlib import Path

    from app.engine_state import EngineState
    from app.inference import InferenceThread
    from app.marks import Mark
    from app.runs.library import RunLibrary
    from app.runs.recorder import RunRecorder
    from app.sampling import SamplerReader
    from app.session import ChatSession
    from engine.events import Event
    from engine.samples import Sample
    from engine.values import GenerateRequest


class Recording(QObject):
    """Records every request of a session. Main thread only.

    Recorder and library are made when there is something to record or to show, so that the
    window need not wait for what they import.
    """

    def __init__(self, session: ChatSession, inference: InferenceThread, folder: Path) -> None:
        """Listen; runs are kept in `folder`, which is made when there is one to keep."""
        super().__init__(session)
        self._session = session
        self._folder = folder
        self._library: RunLibrary | None = None
        self._recorder: RunRecorder | None = None
        inference.requested.connect(self._on_requested)
        session.engine_changed.connect(self._on_engine_changed)
        session.events_arrived.connect(self._on_events)
        session.first_painted.connect(self._on_first_paint)

    @property
    def library(self) -> RunLibrary:
        """The runs of the person."""
        if self._library is None:
            from app.runs.library import RunLibrary

            self._library = RunLibrary(self._folder, parent=self)
            self._library.failed.connect(self._on_failed)
        return self._library

    @property
    def recorder(self) -> RunRecorder:
        """What gathers them."""
        if self._recorder is None:
            from app.runs.recorder import RunRecorder

            state = self._session.engine_state
            self._recorder = RunRecorder(self)
            self._recorder.on_options(state.options)
            if state.loaded is not None:
                self._recorder.on_events((state.loaded,))
            self._recorder.recorded.connect(self.library.record)
        return self._recorder

    def listen_to(self, reader: SamplerReader) -> None:
        """Record what this sampler says, too."""
        reader.sample_arrived.connect(self._on_sample)
        reader.marked.connect(self._on_mark)

    def close(self) -> None:
        """Write what is left, and join the thread."""
        if self._recorder is not None:
            self._recorder.close()
        if self._library is not None:
            self._library.close()

    def _on_sample(self, sample: Sample) -> None:
        self.recorder.on_sample(sample)

    def _on_mark(self, mark: Mark) -> None:
        self.recorder.on_mark(mark)

    def _on_requested(self, request: GenerateRequest) -> None:
        self.recorder.on_requested(request)

    def _on_engine_changed(self, state: EngineState) -> None:
        if self._recorder is not None:
            self._recorder.on_options(state.options)

    def _on_events(self, batch: tuple[Event, ...]) -> None:
        if self._recorder is not None:
            self._recorder.on_events(batch)

    def _on_first_paint(self, request_id: int, t_ns: int) -> None:
        self.recorder.on_first_paint(request_id, t_ns)

    def _on_failed(self, reason: str) -> None:
        from app import sentences_runs

        if reason:
            self._session.message_raised.emit(sentences_runs.not_recorded(self._folder, reason))
