"""The longest turn of the event loop where there is very much of one thing.

Run by hand: python -m tests.benchmarks.bench_much [kind ...]
CPU time of the main thread, and what ran in the longest turns.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.collector import QuietCollector
from app.library import ChatLibrary
from app.requests import prompt_if_sent
from app.store.codec import message_record
from app.store.database import Database
from app.store.records import ChatRecord
from app.store.thread import StoreThread
from app.transcript import Answer, AnswerPhase, Turn, UserTurn
from engine.figures import RequestTrace
from tests.benchmarks.bench_conversation_view import window_in
from tests.benchmarks.window_run import GapMeter
from tests.ui.fakes import FakeSession
from ui.markdown.warm import warm_up

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWERS = {
    "formulas": " ".join(f"$x_{{{n}}}$" for n in range(8_000)),
    "rows": "| a | b | c |\n|---|---|--:|\n"
    + "".join(f"| row {n} | *{n}* | {n * n} |\n" for n in range(5_000)),
    "fences": "".join(f"```python\nvalue = {n}\n```\n\nText {n}\n\n" for n in range(5_000)),
    "long code": "".join(
        "```python\n" + f"value = {n}\n" * 200 + "```\n\nText\n\n" for n in range(300)
    ),
}
STREAMED_CHARACTERS = 60_000
A_FRAME = 64
N_MESSAGES = 60_000


def answer_at_once(app: QApplication, folder: Path, text: str) -> GapMeter:
    """A long answer that is there already."""
    window, session = window_in(app, folder)
    meter, loop = GapMeter(1), QEventLoop()
    meter.start()
    answer = session.add_turns("Go on")
    session.prefill(answer)
    session.stream(answer, text)
    session.finish(answer)
    _wait_until(loop, lambda: window.chat.view.is_settled)
    meter.stop()
    print(f"{len(app.allWidgets())} widgets", end=", ")
    window.close()
    window.deleteLater()
    return meter


def answer_streaming(app: QApplication, folder: Path, text: str) -> GapMeter:
    """The beginning of it at 64 characters every 16 ms."""
    window, session = window_in(app, folder)
    meter, loop = GapMeter(1), QEventLoop()
    answer = session.add_turns("Go on")
    session.prefill(answer)
    meter.start()
    feed, places = QTimer(), iter(range(0, min(len(text), STREAMED_CHARACTERS), A_FRAME))

    def push() -> None:
        begin = next(places, None)
        if begin is None:
            feed.stop()
            loop.quit()
        else:
            piece = text[begin : begin + A_FRAME]
            session.stream(answer, piece, n_tokens=16, t_ms=begin // 4 + 1)

    feed.timeout.connect(push)
    feed.start(16)
    loop.exec()
    meter.stop()
    window.close()
    window.deleteLater()
    return meter


class CountingSession(FakeSession):
    """Makes of a conversation what the engine would count, as the real one does."""

    def count(self, typed: str, *_: object) -> int | None:
        """Count nothing."""
        prompt_if_sent(self.current_chat, typed)
        self.calls.append(("count", typed))
        return None


def long_chat(app: QApplication, folder: Path) -> tuple[GapMeter, GapMeter]:
    """A conversation of 60,000 messages that is opened, and then typed in."""
    path = folder / "chats.sqlite3"
    _write_long_chat(path)
    store = StoreThread(path)
    session = CountingSession(ChatLibrary(store))
    window, _ = window_in(app, folder, session)
    loop, opening, typing = QEventLoop(), GapMeter(1), GapMeter(1)
    store.start()
    _wait_until(loop, lambda: session.library.chat("long") is not None)
    opening.start()
    session.open_chat("long")
    _wait_until(loop, lambda: ("count", "") in session.calls and window.chat.view.is_settled)
    opening.stop()
    typing.start()
    field, calls = window.chat.composer.field, session.calls
    for word in ("So", "what", "is", "it"):
        field.insertPlainText(f"{word} ")
        counted = ("count", field.toPlainText())
        _wait_until(loop, partial(calls.__contains__, counted))
    typing.stop()
    window.close()
    window.deleteLater()
    session.library.close()
    return opening, typing


def _write_long_chat(path: Path) -> None:
    database = Database(path)
    database.begin(durable=False)
    turns: list[Turn] = []
    for number in range(N_MESSAGES):
        parent = turns[-1].turn_id if turns else None
        text = f"Words of message {number}, in a line of some length. " * 8
        turns.append(
            Answer(trace=RequestTrace(1, 0), text=text, parent_id=parent, phase=AnswerPhase.DONE)
            if number % 2
            else UserTurn(text=text, parent_id=parent)
        )
    leaf_id = turns[-1].turn_id
    database.save_chat(
        ChatRecord(chat_id="long", title="Long", created_ms=1, changed_ms=1, leaf_id=leaf_id)
    )
    database.save_messages("long", [message_record(turn) for turn in turns])
    database.commit()
    database.close()


def draft(app: QApplication, folder: Path) -> GapMeter:
    """A text of 1 MB that is pasted into the composer."""
    window, _ = window_in(app, folder)
    meter, loop = GapMeter(1), QEventLoop()
    field = window.chat.composer.field
    QApplication.clipboard().setText("Words that are pasted, in lines of some length.\n" * 20_000)
    app.processEvents()
    meter.start()
    field.paste()
    QTimer.singleShot(3_000, loop.quit)
    loop.exec()
    meter.stop()
    window.close()
    window.deleteLater()
    return meter


def _wait_until(loop: QEventLoop, is_done: Callable[[], bool]) -> None:
    look = QTimer()
    look.timeout.connect(lambda: loop.quit() if is_done() else None)
    look.start(50)
    loop.exec()


def report(name: str, meter: GapMeter) -> None:
    busy_ms = sorted(meter.busy_ms)
    print(
        f"{name}: longest turn {busy_ms[-1]:.1f} ms of CPU time, "
        f"p99 {busy_ms[len(busy_ms) * 99 // 100]:.1f} ms, {sum(busy_ms) / 1e3:.2f} s in all"
    )
    print("\n".join(f"    {line}" for line in meter.samples.report()[:14]))


def main() -> None:
    app = QApplication([])
    warm_up()
    collector = QuietCollector(lambda: False, lambda: False)
    collector.start()
    collector.resume()
    wanted = sys.argv[1:] or [*ANSWERS, "draft", "long chat"]
    for kind in wanted:
        with tempfile.TemporaryDirectory() as name:
            if kind == "draft":
                report("draft of 1 MB", draft(app, Path(name)))
                continue
            if kind == "long chat":
                opening, typing = long_chat(app, Path(name))
                report(f"opening {N_MESSAGES} messages", opening)
                report("typing in them", typing)
                continue
            report(f"{kind} streaming", answer_streaming(app, Path(name), ANSWERS[kind]))
            report(f"{kind} at once", answer_at_once(app, Path(name), ANSWERS[kind]))


if __name__ == "__main__":
    main()
