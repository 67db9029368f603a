"""How long the GUI thread is blocked by answers with thousands of the same, by finding, by drafts.

Run by hand: python -m tests.benchmarks.bench_reading [name ...]
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.collector import QuietCollector
from app.transcript import Answer, AnswerPhase, UserTurn
from engine.figures import RequestTrace
from tests.benchmarks.bench_conversation_view import CODE, LIST, MATH, PROSE, TABLE, window_in
from tests.ui.fakes import FakeSession
from ui.main_window import MainWindow
from ui.markdown.warm import warm_up

N_TURNS = 800
LIMIT_S = 120
ANSWERS = {
    "8,000 formulas": " ".join(f"$x_{{{n % 50}}}$" for n in range(8_000)),
    "15,000 empty fences": "```\n```\n" * 15_000,
    "a table of 5,000 rows": "| a | b |\n|---|---|\n" + "| one | two |\n" * 5_000,
    "a million characters": "x" * 1_000_000,
}
DRAFTS = {"words": "some words " * 90_000, "lines": "a line of text\n" * 65_000}


class Beats:
    """Beats of the event loop, with the CPU time of the GUI thread at each."""

    def __init__(self, app: QApplication) -> None:
        self._app = app
        self._at: list[tuple[float, float]] = []
        self._timer = QTimer(interval=2)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def measure(self, name: str, begin: Callable[[], object], is_over: Callable[[], bool]) -> None:
        """Print how long something took, and its longest blocks."""
        self._app.processEvents()
        self._at.clear()
        self._beat()
        begin()
        end_s = time.perf_counter() + LIMIT_S
        while not is_over() and time.perf_counter() < end_s:
            self._app.processEvents()
        self._beat()
        walls = sorted((b[0] - a[0]) * 1e3 for a, b in pairwise(self._at))
        cpus = sorted((b[1] - a[1]) * 1e3 for a, b in pairwise(self._at))
        took_s = self._at[-1][0] - self._at[0][0]
        print(f"{name:32} {took_s:6.2f} s, blocked {walls[-1]:4.0f} ms, CPU {cpus[-1]:4.0f} ms")

    def _beat(self) -> None:
        self._at.append((time.perf_counter(), time.thread_time()))


def opened(window: MainWindow, session: FakeSession, beats: Beats, name: str, text: str) -> None:
    view = window.chat.view
    chat = session.current_chat
    for n in range(1 if name in ANSWERS else N_TURNS // 2):
        chat.add(UserTurn(text=f"Question {n}"))
        done = Answer(trace=RequestTrace(0, 0), phase=AnswerPhase.DONE, text=text)
        chat.add(done)
    session.new_chat()
    beats.measure(
        f"open {name}",
        lambda: session.open_chat(chat.chat_id),
        lambda: view.is_settled and view.formulas.is_idle,
    )


def main() -> None:
    app = QApplication([])
    warm_up()
    collector = QuietCollector(lambda: False, lambda: False)
    collector.start()
    collector.resume()
    folder = tempfile.TemporaryDirectory()
    window, session = window_in(app, Path(folder.name))
    beats, wanted = Beats(app), sys.argv[1:]
    for name, text in ANSWERS.items():
        if not wanted or name in wanted:
            opened(window, session, beats, name, text)
            session.new_chat()
    if not wanted or "find" in wanted:
        text = PROSE * 4 + CODE + LIST + TABLE + MATH % (1, 1)
        opened(window, session, beats, f"{N_TURNS} turns", text)
        find = window.chat.find_bar
        find.open_find()
        for words in ("Sunlight", "scattering"):
            beats.measure(
                f"find {words}", partial(find.field.setText, words), lambda: find.is_complete
            )
            print(f"  {find.count.text()}")
        find.close_find()
    composer = window.chat.composer
    for name, text in DRAFTS.items():
        if not wanted or "draft" in wanted:
            beats.measure(
                f"a draft of 1 MB of {name}",
                partial(composer.set_text, text),
                lambda: not composer.field.is_inserting,
            )
            composer.set_text("")
    window.close()


if __name__ == "__main__":
    main()
