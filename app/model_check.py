"""A look at what a person opens, before it takes the place of the model in use."""

from contextlib import suppress
from threading import Thread

from PySide6.QtCore import QObject, Signal

from app.model_choice import problem_of
from engine.errors import ErrorInfo


class ModelCheck(QObject):
    """Reads headers beside the main thread, which asks: a share may keep a reader waiting.

    Signals:
        checked(str, ErrorInfo | None): There may be a model at the path, or there is none. Only
            what was asked last is told.
    """

    checked = Signal(str, object)
    _answered = Signal(int, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is asked yet."""
        super().__init__(parent)
        self._n_asked = 0
        self._answered.connect(self._on_answered)

    def ask(self, path: str) -> None:
        """Look whether there may be a model at `path`; `checked` tells."""
        self._n_asked += 1
        # A thread for each, which the end of the application does not wait for: some never end.
        Thread(
            target=self._look, args=(self._n_asked, path), name="model-check", daemon=True
        ).start()

    def _look(self, number: int, path: str) -> None:
        problem = problem_of(path)
        # The window may be gone by now.
        with suppress(RuntimeError):
            self._answered.emit(number, path, problem)

    def _on_answered(self, number: int, path: str, problem: ErrorInfo | None) -> None:
        if number == self._n_asked:
            self.checked.emit(path, problem)
