"""Opens the window of runs, once, and replays runs in the place of the live panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from app.runs.library import RunLibrary
    from app.runs.record import RunFault, RunRecord, RunSummary
    from ui.columns import Columns
    from ui.theme import Theme


class RunsOpener(QObject):
    """Makes the window of runs when it is asked for: it imports what plots need.

    Signals:
        timeline_requested(list[tuple[RunRecord, str]]): Show these runs on the timeline; the
            words say which each is.
    """

    timeline_requested = Signal(object)

    def __init__(
        self,
        theme: Theme,
        library: Callable[[], RunLibrary],
        settings: QSettings,
        window: QWidget,
        columns: Columns,
    ) -> None:
        super().__init__(window)
        self._theme = theme
        self._make_library = library
        self._library: RunLibrary | None = None
        self._settings = settings
        self._window = window
        self._columns = columns
        self._asked: tuple[int, RunSummary] | None = None
        self._asked_timeline: dict[int, RunSummary] = {}
        self._found: list[tuple[RunRecord, str]] = []

    def open(self) -> None:
        """Show the window of runs, or bring it to the front."""
        from ui.runs.window import RunsWindow

        shown = self._window.findChild(RunsWindow)
        if shown is None:
            shown = RunsWindow(self._theme, self._runs(), self._settings, self._window)
            shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            shown.replay_requested.connect(self._replay)
            shown.timeline_requested.connect(self._ask_timeline)
        # Not modal: a chat may go on, and its runs appear.
        shown.show()
        shown.raise_()
        shown.activateWindow()

    def _runs(self) -> RunLibrary:
        if self._library is None:
            self._library = self._make_library()
            self._library.read.connect(self._on_read)
        return self._library

    def _replay(self, run: RunSummary) -> None:
        self._asked = (self._runs().ask(run.name), run)

    def _ask_timeline(self, runs: list[RunSummary]) -> None:
        self._found = []
        self._asked_timeline = {self._runs().ask(run.name): run for run in runs}

    def _take_for_timeline(self, run: RunSummary, answer: object) -> None:
        from app.runs.record import RunFault, RunRecord
        from ui.runs.columns import words_of

        if isinstance(answer, RunRecord):
            self._found.append((answer, words_of(run)))
        elif isinstance(answer, RunFault):
            self._say_unread(run, answer, is_for_timeline=True)
        if not self._asked_timeline and self._found:
            self.timeline_requested.emit(self._found)
            self._found = []

    def _on_read(self, number: int, answer: object) -> None:
        from app.runs.record import RunFault, RunRecord
        from ui.runs.columns import words_of
        from ui.runs.replay_pane import ReplayPane
        from ui.runs.window import RunsWindow

        on_timeline = self._asked_timeline.pop(number, None)
        if on_timeline is not None:
            self._take_for_timeline(on_timeline, answer)
            return
        if self._asked is None or self._asked[0] != number:
            return
        run, self._asked = self._asked[1], None
        if isinstance(answer, RunFault):
            self._say_unread(run, answer, is_for_timeline=False)
            return
        assert isinstance(answer, RunRecord)
        pane = ReplayPane(self._theme, answer, words_of(run))
        pane.closed.connect(lambda: self._columns.show_replay(None))
        self._columns.show_replay(pane)
        # It would stand over what it asked for; its choice is kept for the next time.
        shown = self._window.findChild(RunsWindow)
        if shown is not None:
            shown.hide()
        self._window.activateWindow()

    def _say_unread(self, run: RunSummary, fault: RunFault, *, is_for_timeline: bool) -> None:
        from ui.runs.window import RunsWindow

        # Where it was asked for; nobody waits for it once that is closed.
        shown = self._window.findChild(RunsWindow)
        if shown is not None:
            shown.say_unread(run, fault, is_for_timeline=is_for_timeline)
