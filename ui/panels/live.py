"""The telemetry column and what feeds it: the sampler, the history, the limits of the devices."""

import json
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal
from PySide6.QtWidgets import QWidget

from app import messages, sentences_layouts
from app.ceilings import CeilingStore
from app.engine_state import UNSEEN_FRAME_S, EngineState, EngineStatus
from app.layouts import (
    ARRANGEMENT_KEY,
    LayoutProblem,
    LayoutStore,
    kept_arrangement,
    put_aside,
    to_json,
)
from app.relay import SessionRelay
from app.sampling import ANSWER_INTERVAL_MS, SamplerReader
from app.session import ChatSession
from app.telemetry import TelemetryStore
from app.watching import WatchingMeter
from engine.sampler import IDLE_INTERVAL_MS
from ui.panels.column import TelemetryColumn
from ui.panels.layouts import BuiltIn, built_in_name
from ui.panels.seen import WindowSeen
from ui.theme import Theme


class LivePanels(QObject):
    """Made after the window's first paint: it imports what plots need. Main thread only.

    Signals:
        timeline_requested(): Show the same on the timeline.
    """

    timeline_requested = Signal()

    def __init__(
        self,
        session: ChatSession,
        relay: SessionRelay,
        settings: QSettings,
        window: QWidget,
        root: Path,
        cache_dir: Path,
    ) -> None:
        """Begin to listen; `make_column` begins to sample.

        Args:
            session: What the figures are of.
            relay: Tells the history what happened before it was there, too.
            settings: Keep the layout of the column.
            window: Where it is shown; little is done while it is minimised.
            root: The folder of main.py.
            cache_dir: Keeps the measured limits.
        """
        super().__init__(session)
        self._session = session
        self._settings = settings
        self._column: TelemetryColumn | None = None
        self._is_sampling = False
        self._seen = WindowSeen(window, self)
        self._seen.changed.connect(self._on_seen)
        # With the window go the panels that float, and afterwards nothing tells that they did.
        self._seen.closing.connect(self._keep_layout)
        self._has_kept_layout = False
        self._is_seen = True
        self.reader = SamplerReader()
        self.reader.restarted.connect(self._on_sampler_restarted)
        self.ceilings = CeilingStore(cache_dir, root, parent=self)
        # Made whether or not the panels are shown: what it keeps is bounded.
        self._store = TelemetryStore(ceilings=self.ceilings, parent=self)
        self._store.running_changed.connect(self._set_sampling)
        self.reader.sample_arrived.connect(self._store.on_sample)
        self.reader.marked.connect(self._store.on_mark)
        relay.attach(self._store)
        session.engine_changed.connect(self._on_engine_changed)
        self.watching = WatchingMeter(
            session, relay, self._store, self.reader.set_interval_ms, cache_dir, parent=self
        )

    @property
    def store(self) -> TelemetryStore:
        """What the panels and the timeline show."""
        return self._store

    def make_column(self, theme: Theme) -> TelemetryColumn:
        """Begin to sample, and make the column as it was laid out before."""
        self._start_sampling()
        layouts = LayoutStore(self._settings, [built_in_name(each) for each in BuiltIn])
        self._column = TelemetryColumn(self._store, theme, layouts=layouts, watching=self.watching)
        self._column.timeline_requested.connect(self.timeline_requested)
        self._column.presentation_changed.connect(self._on_seen)
        self._column.layouts.refused.connect(self._on_refused)
        known = frozenset(panel.key for panel in self._column.panels)
        problems = layouts.read(known)
        if problems:
            self._session.message_raised.emit(sentences_layouts.layouts_unused(problems))
        self._restore(self._column, known)
        return self._column

    def close(self) -> None:
        """End the sampler and a measurement, and keep the layout."""
        self.watching.stop()
        self.reader.close()
        self.ceilings.close()
        if not self._has_kept_layout:
            self._keep_layout()

    def _keep_layout(self) -> None:
        if self._column is not None:
            self._has_kept_layout = True
            stored = json.dumps(to_json(self._column.layouts.arrangement())).encode()
            self._settings.setValue(ARRANGEMENT_KEY, QByteArray(stored))

    def _restore(self, column: TelemetryColumn, known: frozenset[str]) -> None:
        """Let the panels stand as they did; say so where they cannot, and keep what was kept."""
        if self._settings.value(ARRANGEMENT_KEY) is None:
            return
        strangers: list[str] = []
        arrangement = kept_arrangement(self._settings)
        if arrangement is not None:
            strangers = arrangement.strangers(known)
            if not strangers and column.layouts.restore(arrangement):
                return
        problem = LayoutProblem(
            name="",
            stranger=strangers[0] if strangers else "",
            kept_as=put_aside(self._settings, ARRANGEMENT_KEY),
        )
        self._session.message_raised.emit(sentences_layouts.arrangement_unused(problem))

    def _on_refused(self, problem: LayoutProblem) -> None:
        self._session.message_raised.emit(sentences_layouts.layouts_unused([problem]))

    def _set_sampling(self, running: bool) -> None:
        # Panels may be hidden: answers are recorded with samples all the same.
        if running:
            self._start_sampling()
        self.reader.set_interval_ms(ANSWER_INTERVAL_MS if running else IDLE_INTERVAL_MS)

    def _on_engine_changed(self, state: EngineState) -> None:
        # Before the engine tells of it, which may be in the middle of something.
        if state.status is EngineStatus.LOADING:
            self.ceilings.cancel()

    def _on_seen(self) -> None:
        # On the full screen of another a panel may go on while the window is minimised.
        presents = self._column is not None and self._column.presentation is not None
        is_seen = self._seen.is_seen or presents
        if is_seen == self._is_seen:
            return
        self._is_seen = is_seen
        self._session.set_seen(is_seen)
        self.reader.set_pause_s(0.0 if is_seen else UNSEEN_FRAME_S)
        if is_seen and self._column is not None:
            self._column.wake()

    def _start_sampling(self) -> None:
        if not self._is_sampling:
            self._is_sampling = True
            self.reader.start()

    def _on_sampler_restarted(self) -> None:
        self._session.message_raised.emit(messages.sampler_restarted())
