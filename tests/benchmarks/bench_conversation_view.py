"""How long the GUI thread is blocked while an answer streams in at 1,000 tok/s.

Run by hand: python -m tests.benchmarks.bench_conversation_view [n_tokens]
"""

import os
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.chat_defaults import ChatDefaults
from app.collector import QuietCollector
from app.presets import PresetStore
from app.runs.library import RunLibrary
from app.torch_install import TorchInstall
from engine.values import LoadOptions
from tests.ui.fakes import FakeSession
from ui.conversation.answer_widget import AnswerWidget
from ui.conversation.view import ConversationView
from ui.main_window import MainWindow, WindowServices
from ui.markdown.warm import warm_up
from ui.theme import Theme

TOK_PER_S = 1_000
FRAME_MS = 16
HEARTBEAT_MS = 2
PROSE = "Sunlight is a mix of every colour, and the air scatters blue more than red. "
CODE = "\n\n```python\ndef scattering(nm):\n    return (550 / nm) ** 4\n```\n\n"
TABLE = "\n\n| Colour | Wavelength |\n|---|--:|\n" + "| **blue** | `450` nm |\n" * 12
LIST = "\n\n" + "1. The *incoming* light\n   - scatters [more](https://example.org)\n" * 4
MATH = "\n\nFor $x_{%d}$ it is\n\n$$\\int_0^\\infty e^{-x^2} dx = \\frac{\\sqrt{\\pi}}{%d}$$\n\n"
EVERYTHING = "".join(
    f"## Part {n}\n\n" + PROSE * 4 + CODE + LIST + TABLE + MATH % (n, n) for n in range(120)
)
TEXTS = {
    "everything": EVERYTHING,
    "prose and code": PROSE * 5 + CODE,
    "one paragraph": PROSE,
    "one code block": "    value = scattering(wavelength_nm) ** 4  # as above\n" * 2,
}


class Stream:
    """Feeds an answer by the clock and keeps the heartbeats of the event loop."""

    def __init__(self, session: FakeSession, n_tokens: int, *, kind: str) -> None:
        self.session = session
        self.answer = session.add_turns("Go on")
        session.prefill(self.answer)
        self.n_tokens = n_tokens
        self.text = (TEXTS[kind]) * (n_tokens * 4 // len(TEXTS[kind]) + 1)
        if kind == "one code block":
            self.text = "```python\n" + self.text
        self.n_sent = 0
        self.beats: list[float] = []
        self.busy: list[float] = []
        self.begin = time.perf_counter()
        self.cpu_begin = time.process_time()

    def beat(self) -> None:
        self.beats.append(time.perf_counter())
        self.busy.append(time.thread_time())

    def push(self) -> None:
        due = min(self.n_tokens, int((time.perf_counter() - self.begin) * TOK_PER_S))
        n = due - self.n_sent
        if n > 0:
            begin = self.n_sent * 4
            self.n_sent = due
            text = self.text[begin : due * 4]
            self.session.stream(self.answer, text, n_tokens=n, t_ms=max(1, due))
        if due == self.n_tokens:
            self.session.finish(self.answer)
            QApplication.quit()

    def report(self, name: str) -> None:
        gaps_ms = sorted((b - a) * 1e3 - HEARTBEAT_MS for a, b in pairwise(self.beats))
        # CPU time of the GUI thread says what is ours when others use the machine too.
        busy_ms = [(b - a) * 1e3 for a, b in pairwise(self.busy)]
        half = len(busy_ms) // 2
        cpu_s = time.process_time() - self.cpu_begin
        print(
            f"{name:32} {self.n_tokens} tokens in {self.beats[-1] - self.begin:5.2f} s  "
            f"blocked: max {gaps_ms[-1]:5.1f} ms, p99 {gaps_ms[int(len(gaps_ms) * 0.99)]:5.1f} ms  "
            f"busy at a stretch: max {max(busy_ms):5.1f} ms "
            f"(first half {max(busy_ms[:half]):5.1f}, second {max(busy_ms[half:]):5.1f})  "
            f"CPU {cpu_s:5.2f} s"
        )


def window_in(
    app: QApplication, folder: Path, session: FakeSession | None = None
) -> tuple[MainWindow, FakeSession]:
    """A window with a session that runs no model; what it keeps lies in `folder`."""
    settings = QSettings(str(folder / "s.ini"), QSettings.Format.IniFormat)
    session = session or FakeSession()
    services = WindowServices(
        theme=Theme(app, settings),
        chat_defaults=ChatDefaults(session, settings, PresetStore(folder / "presets.json")),
        settings=settings,
        options_for=lambda path: LoadOptions(model_path=path),
        telemetry_factory=QWidget,
        runs=lambda: RunLibrary(folder / "runs"),
        torch_install=lambda: TorchInstall(folder),
        log_dir=folder,
        on_first_paint=lambda: None,
        on_close=lambda: None,
    )
    window = MainWindow(session, services)
    window.resize(1440, 900)
    window.show()
    session.become_ready()
    return window, session


def run(app: QApplication, n_tokens: int, n_turns_before: int, *, kind: str) -> None:
    folder = tempfile.TemporaryDirectory()
    window, session = window_in(app, Path(folder.name))
    for number in range(n_turns_before):
        answer = session.add_turns(f"Question {number}")
        session.prefill(answer)
        session.stream(answer, PROSE * 3)
        session.finish(answer)
    app.processEvents()
    stream = Stream(session, n_tokens, kind=kind)
    feed, heart = QTimer(), QTimer()
    feed.timeout.connect(stream.push)
    heart.timeout.connect(stream.beat)
    feed.start(FRAME_MS)
    heart.start(HEARTBEAT_MS)
    app.exec()
    heart.stop()
    feed.stop()
    stream.report(f"{kind}, {n_turns_before} turns before")
    window.close()
    window.deleteLater()


def cost_per_token(app: QApplication, n_tokens: int) -> None:
    """CPU time of one token at the start and at the end of a long answer."""
    folder = tempfile.TemporaryDirectory()
    settings = QSettings(str(Path(folder.name) / "s.ini"), QSettings.Format.IniFormat)
    session = FakeSession()
    view = ConversationView(Theme(app, settings))
    session.turn_added.connect(view.add_turn)
    view.resize(800, 900)
    view.show()
    answer = session.add_turns("Go on")
    session.prefill(answer)
    app.processEvents()
    widget = view.stack.widgets[-1]
    assert isinstance(widget, AnswerWidget)
    costs_ms: list[float] = []
    for begin in range(0, n_tokens * 4, 4):
        session.stream(answer, EVERYTHING[begin : begin + 4], t_ms=begin + 1)
        t_s = time.thread_time()
        widget.update_answer()
        widget.arrange(widget.width())
        app.processEvents()
        costs_ms.append((time.thread_time() - t_s) * 1e3)
    tenth = len(costs_ms) // 10
    first, last = median(costs_ms[:tenth]), median(costs_ms[-tenth:])
    print(
        f"{n_tokens} tokens, each shown by itself: median {first:.2f} ms at the start, "
        f"{last:.2f} ms at the end, ratio {last / first:.2f}; longest {max(costs_ms):.1f} ms"
    )
    view.close()
    view.deleteLater()


def main() -> None:
    n_tokens = int(sys.argv[1]) if len(sys.argv) > 1 else 8_000
    app = QApplication([])
    # As the application does before the first answer.
    warm_up()
    collector = QuietCollector(lambda: False, lambda: False)
    collector.start()
    collector.resume()
    cost_per_token(app, max(n_tokens, 20_000))
    for kind in TEXTS:
        run(app, n_tokens, 0, kind=kind)
    run(app, n_tokens, 200, kind="prose and code")
    run(app, n_tokens, 200, kind="everything")


if __name__ == "__main__":
    main()
