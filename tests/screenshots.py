"""Makes the pictures of the README from the real window with the starter model.

    python -m tests.screenshots

Needs no display. The answers are the model's own and differ from run to run: look at the
pictures before they are kept.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QLocale, QSize, QTimer
from PySide6.QtWidgets import QApplication

import main
from app.engine_state import EngineState, EngineStatus
from app.paths import AppPaths, app_paths
from app.transcript import Answer
from ui.theme import ThemeMode

FOLDER = Path(__file__).parents[1] / "resources" / "screenshots"
QUESTIONS = (
    "Why is the sky blue?",
    "Write a Python function that adds two numbers, with a test, and explain every line of it.",
)
TAKE_AFTER_TOKENS = 90


class Photographer:
    """Drives one window through an empty chat and two questions, and takes its picture."""

    def __init__(self, application: QApplication, size: QSize) -> None:
        self._application = application
        self._folder = tempfile.TemporaryDirectory(prefix="oscillama-screenshots-")
        folder = Path(self._folder.name)
        paths = AppPaths(
            settings_file=folder / "settings.ini",
            log_dir=folder / "log",
            data_dir=folder / "data",
            cache_dir=app_paths().cache_dir,
        )
        self._window = main.WindowApplication(
            application,
            paths,
            main.engine_starter(paths),
            main.first_load(None, paths),
            locale=QLocale("en_US"),
        )
        self._questions = list(QUESTIONS)
        self._begun = False
        self._taken = False
        self._window.session.engine_changed.connect(self._on_engine)
        self._window.session.answer_changed.connect(self._on_answer)
        self._window.window.resize(size)

    def run(self) -> None:
        self._window.theme.set_mode(ThemeMode.DARK)
        self._window.show()
        self._application.exec()
        self._window.close()
        self._folder.cleanup()
        if not self._taken:
            sys.exit("The model answered too little; run it again.")

    def _on_engine(self, state: EngineState) -> None:
        if state.status is EngineStatus.READY and not self._begun:
            self._begun = True
            self._when_panels_are_there(lambda: QTimer.singleShot(2500, self._begin))

    def _when_panels_are_there(self, then: Callable[[], None]) -> None:
        if self._window.window.columns.telemetry is not None:
            then()
        else:
            QTimer.singleShot(50, lambda: self._when_panels_are_there(then))

    def _begin(self) -> None:
        self._take("empty")
        self._ask()

    def _ask(self) -> None:
        self._window.session.send(self._questions.pop(0))

    def _on_answer(self, answer: Answer) -> None:
        if not self._questions and answer.trace.n_output_tokens > TAKE_AFTER_TOKENS:
            if not self._taken:
                self._taken = True
                QTimer.singleShot(300, self._take_both)
        elif answer.phase.is_over and self._questions:
            QTimer.singleShot(500, self._ask)
        elif answer.trace.n_output_tokens > TAKE_AFTER_TOKENS:
            self._window.session.stop()
        if answer.phase.is_over and not self._questions:
            QTimer.singleShot(1500, self._application.quit)

    def _take_both(self) -> None:
        for name, mode in (
            ("answering-dark", ThemeMode.DARK),
            ("answering-light", ThemeMode.LIGHT),
        ):
            self._window.theme.set_mode(mode)
            self._application.processEvents()
            self._take(name)
        self._window.session.stop()

    def _take(self, name: str) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / f"{name}.png"
        if not self._window.window.grab().save(str(path)):
            sys.exit(f"{path} could not be written")


if __name__ == "__main__":
    Photographer(QApplication([]), QSize(1440, 900)).run()
