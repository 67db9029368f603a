"""The window of `bench_watching`: it shows what it is told to, and answers until it is stopped.

Takes one word a line: a `State`, "answer", "stop" or "quit". Says one line of JSON for each.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication

import main
from app.engine_state import EngineState, EngineStatus
from app.paths import AppPaths
from app.transcript import Answer
from engine.events import GenerateCommand
from engine.process import EngineProcess
from tests.benchmarks.window_run import PROMPT

_SIZE = (1920, 1080)
_SETTLE_MS = 1_500
# Tokens before an answer counts as under way: the first frames are drawn, every panel moves.
_BEGIN_TOKENS = 24


class State(StrEnum):
    """What the person sees."""

    PANELS = "panels"
    MINIMISED = "minimised"
    TIMELINE = "timeline"


class WatchedWindow:
    """One window and its engine."""

    def __init__(self, paths: AppPaths, start_engine: Callable[[], EngineProcess]) -> None:
        self._is_ready = self._has_begun = self._is_answering = False
        self._engine_pid = 0
        self.application = QApplication([])
        self.application.setQuitOnLastWindowClosed(False)
        self.window = main.WindowApplication(
            self.application,
            paths,
            start_engine,
            main.first_load(None, paths),
            locale=main.person_locale(),
        )
        self.session = self.window.session
        self.session.engine_process_changed.connect(self._on_engine_process)
        self.session.engine_changed.connect(self._on_engine)
        self.session.events_arrived.connect(self._on_events)
        self._answer_without_end()
        self._input = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        self._input.activated.connect(self._on_input)

    def run(self) -> None:
        self.window.window.resize(*_SIZE)
        self.window.show()
        self.application.exec()
        self.window.close()

    def _answer_without_end(self) -> None:
        inference = self.session._inference
        generate = inference.generate

        def generate_on(command: GenerateCommand, *, is_recorded: bool = True) -> None:
            request = replace(command.request, ignore_end=True, max_tokens=None)
            generate(GenerateCommand(request=request), is_recorded=is_recorded)

        inference.generate = generate_on  # type: ignore[method-assign] # answers go on

    def _on_engine_process(self, pid: int) -> None:
        self._engine_pid = pid

    def _on_engine(self, state: EngineState) -> None:
        if state.status is EngineStatus.FAILED:
            sys.exit(str(state.error))
        if state.status is EngineStatus.READY and not self._is_ready:
            self._is_ready = True
            QTimer.singleShot(_SETTLE_MS, self._show_all)

    def _show_all(self) -> None:
        column = self.window.window.columns.telemetry
        if column is None:
            QTimer.singleShot(100, self._show_all)
            return
        column.show_all()  # type: ignore[attr-defined] # a TelemetryColumn
        loaded = self.session.engine_state.loaded
        assert loaded is not None
        _say(engine_pid=self._engine_pid, n_threads=loaded.engine.n_threads)

    def _on_input(self) -> None:
        word = sys.stdin.readline().strip()
        match word:
            case "answer":
                self._has_begun, self._is_answering = False, True
                self.session.new_chat()
                self.session.send(PROMPT)
            case "stop":
                self.session.stop()
            case "quit" | "":
                self._input.setEnabled(False)
                self.application.quit()
            case _:
                self._show(State(word))

    def _show(self, state: State) -> None:
        if state is State.MINIMISED:
            self.window.window.showMinimized()
        else:
            self.window.window.showNormal()
        if state is State.TIMELINE:
            self.window.window.timeline.open()
        elif (timeline := self.window.window.timeline._shown) is not None:
            timeline.close()
        QTimer.singleShot(_SETTLE_MS, lambda: self._say_state(state))

    def _say_state(self, state: State) -> None:
        window, timeline = self.window.window, self.window.window.timeline._shown
        took = window.isMinimized() == (state is State.MINIMISED)
        if state is State.MINIMISED:
            # What is minimised in name only goes on being painted.
            took = took and not window.windowHandle().isExposed()
        if state is State.TIMELINE:
            took = took and timeline is not None and timeline.windowHandle().isExposed()
        column = window.columns.telemetry
        assert column is not None
        panels = column.panels  # type: ignore[attr-defined] # a TelemetryColumn
        n_painted = sum(not panel.visibleRegion().isEmpty() for panel in panels)
        _say(took=took, n_panels=len(panels), n_in_view=n_painted)

    def _on_events(self, _batch: object) -> None:
        """The session has applied them, but for the end."""
        if not self._is_answering:
            return
        answer = self.session.current_chat.turns[-1]
        assert isinstance(answer, Answer)
        steps = answer.trace.step_t_ns
        if not self._has_begun and len(steps) >= _BEGIN_TOKENS:
            self._has_begun = True
            _say(begun=True)
        if answer.phase.is_over:
            self._is_answering = False
            if not self._has_begun:
                _say(begun=False)
            _say(steps_ns=list(steps))


def _say(**what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()
