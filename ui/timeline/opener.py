"""Opens the timeline, of what happens now and of recorded runs."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QWidget

from app.session import ChatSession
from app.transcript import Answer
from ui.theme import Theme

if TYPE_CHECKING:
    from app.runs.record import RunRecord
    from app.telemetry import TelemetryStore
    from ui.panels.live import LivePanels
    from ui.timeline.window import TimelineWindow
    from ui.window_actions import WindowActions


class TimelineOpener(QObject):
    """Makes the window of the timeline when it is asked for. Main thread only."""

    def __init__(
        self,
        theme: Theme,
        session: ChatSession,
        settings: QSettings,
        actions: "WindowActions",
        window: QWidget,
    ) -> None:
        """Open at the action, as soon as there is something to show."""
        super().__init__(window)
        self._theme = theme
        self._session = session
        self._settings = settings
        self._window = window
        self._store: TelemetryStore | None = None
        self._actions = actions
        self._shown: TimelineWindow | None = None
        self._is_wanted = False
        actions.timeline.triggered.connect(self.open)

    def attach(self, live: "LivePanels") -> None:
        """This is what the timeline shows; opens it where it was asked for before."""
        self._store = live.store
        live.timeline_requested.connect(self.open)
        if self._is_wanted:
            self.open()

    def open(self) -> None:
        """Show the timeline, or bring it to the front."""
        from ui.timeline.lanes import all_lanes
        from ui.timeline.window import TimelineWindow

        if self._store is None:
            self._is_wanted = True
            return
        if self._shown is None:
            self._shown = TimelineWindow(
                self._theme,
                self._store,
                self._settings,
                self._window,
                lanes=all_lanes(self._token_texts),
                token_texts=self._token_texts,
            )
            self._shown.finished.connect(self._on_closed)
            self._shown.runs_requested.connect(self._actions.runs.trigger)
        _bring_up(self._shown)

    def open_at(self, answer: Answer) -> None:
        """Show the timeline at an answer, where it was measured since the window was opened."""
        self.open()
        if self._shown is None or self._store is None:
            return
        for index, turn in enumerate(self._store.turns):
            if turn.request_id == answer.trace.request_id:
                self._shown.chart.show_turn(index)

    def open_runs(self, runs: "list[tuple[RunRecord, str]]") -> None:
        """Show recorded runs in a window of their own; the words of each say which it is.

        One has all its lanes; several have a lane each.
        """
        from app.timeline.moment import no_texts
        from app.timeline.recorded import store_of
        from ui.timeline.lanes import all_lanes, run_lanes
        from ui.timeline.window import TimelineWindow

        told = [(store_of(record), words) for record, words in runs]
        store, words = told[0]
        is_one = len(told) == 1
        shown = TimelineWindow(
            self._theme,
            store,
            self._settings,
            self._window,
            lanes=all_lanes(no_texts) if is_one else run_lanes(told),
            words=words if is_one else self.tr("%Ln run(s)", "", len(told)),
        )
        for each, _ in told:
            each.setParent(shown)
        _bring_up(shown)

    def _on_closed(self) -> None:
        self._shown = None

    def _token_texts(self, request_id: int) -> Callable[[int], str | None]:
        from app.timeline.moment import no_texts
        from app.token_looks import has_steps, text_of_step

        for turn in reversed(self._session.current_chat.turns):
            if isinstance(turn, Answer) and turn.trace.request_id == request_id and has_steps(turn):
                answer, n_steps = turn, len(turn.step_ends)
                return lambda step: text_of_step(answer, step) if step < n_steps else None
        return no_texts(request_id)


def _bring_up(shown: "TimelineWindow") -> None:
    shown.show()
    shown.raise_()
    shown.activateWindow()
