"""How long a large library takes: 10,000 conversations, and one of 2,000 messages.

python -m tests.benchmarks.bench_conversations
"""

from __future__ import annotations

import gc
import os
import random
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time, thread_time
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QSettings
from PySide6.QtWidgets import QApplication

from app.collector import QuietCollector
from app.library import ChatLibrary
from app.store.codec import message_record
from app.store.database import Database
from app.store.records import ChatRecord
from app.store.thread import StoreThread
from app.transcript import Answer, AnswerPhase, Turn, UserTurn
from engine.figures import RequestTrace
from ui.conversation import answer_widget  # noqa: F401 - there before the first answer
from ui.conversation.view import ConversationView
from ui.markdown.warm import warm_up
from ui.sidebar import Sidebar
from ui.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance

N_CHATS = 10_000
N_PAIRS = 4
N_FOLDERS = 40
N_LONG = 2_000
WORDS = [f"word{number}" for number in range(3_000)]
# One conversation in so many is Chinese.
N_PER_CHINESE = 3
LETTERS = [chr(0x4E00 + number) for number in range(2_000)]
SEEN = LETTERS[7]


def fill(path: Path) -> None:
    """Write the library."""
    chance = random.Random(1)
    database = Database(path)
    database.begin(durable=False)
    for number in range(N_CHATS):
        n_messages = N_LONG if number == 0 else 2 * N_PAIRS
        turns: list[Turn] = []
        for index in range(n_messages):
            if number % N_PER_CHINESE == 1:
                text = "".join(chance.choices(LETTERS, k=150))
            else:
                text = " ".join(chance.choices(WORDS, k=60))
            parent = turns[-1].turn_id if turns else None
            if index % 2 == 0:
                turns.append(UserTurn(text=text, parent_id=parent))
            else:
                trace = RequestTrace(1, 0)
                turns.append(
                    Answer(trace=trace, text=text, parent_id=parent, phase=AnswerPhase.DONE)
                )
        chat = ChatRecord(
            chat_id=f"{number:032x}",
            title=" ".join(chance.choices(WORDS, k=6)),
            created_ms=number,
            changed_ms=1_700_000_000_000 + number * 1_000_000,
            leaf_id=turns[-1].turn_id,
            folder=f"Folder {number % N_FOLDERS}" if number % 2 else "",
        )
        database.save_chat(chat)
        database.save_messages(chat.chat_id, [message_record(turn) for turn in turns])
    database.commit()
    database.close()


class Watch:
    """Milliseconds since it was made, and how many of them the processor worked for this."""

    def __init__(self) -> None:
        self._begun_s, self._worked_s = perf_counter(), process_time()

    def read(self) -> tuple[float, float]:
        """By the clock, and of the processor."""
        return (perf_counter() - self._begun_s) * 1e3, (process_time() - self._worked_s) * 1e3


def wait_for(signal: SignalInstance, begin: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds from `begin` until the signal."""
    loop = QEventLoop()
    signal.connect(loop.quit)
    watch = Watch()
    begin()
    loop.exec()
    signal.disconnect(loop.quit)
    return watch.read()


def main() -> int:
    """Measure and print; returns 1 when a limit is not kept."""
    application = QApplication([])
    # As the application does at its start.
    gc.disable()
    warm_up()
    folder = Path(tempfile.mkdtemp(prefix="oscillama-bench-"))
    path = folder / "oscillama.sqlite3"
    fill(path)
    print(f"{N_CHATS} conversations, {path.stat().st_size / 1e6:.0f} MB")
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    theme = Theme(application, settings)
    sidebar = Sidebar(theme)
    sidebar.resize(228, 800)
    sidebar.show()
    store = StoreThread(path)
    library = ChatLibrary(store)
    current = library.new_chat()
    library.changed.connect(
        lambda: sidebar.show_chats(library.chats, current, library.folders.records)
    )

    def paint() -> None:
        sidebar.repaint()

    watch = Watch()
    wait_for(library.changed, store.start)
    paint()
    results = [("list", watch.read(), 300.0)]
    collector = QuietCollector(lambda: False, lambda: False)
    collector.start()
    collector.resume()
    moves_ms = move(library, sidebar)
    print(f"moving a chat: median {median(moves_ms):.1f} ms of the processor, {worst(moves_ms)}")
    results += [
        (f"search {text!r}", wait_for(library.found, partial(library.search, text)), 200.0)
        for text in ("word17", "word17 word18", "wo", "word17 w", "nothing like it", SEEN, SEEN * 2)
    ]
    view = ConversationView(theme)
    view.resize(860, 700)
    view.show()
    chat = library.chat(f"{0:032x}")
    if chat is None:
        sys.exit("the long conversation is not there")
    watch = Watch()
    wait_for(library.chat_read, lambda: library.read(chat))
    view.show_conversation(chat)
    view.repaint()
    results.append(("open 2,000 messages", watch.read(), 500.0))
    steps_ms = scroll(view)
    print(
        f"a step of scrolling: median {median(steps_ms):.1f} ms of the processor, {worst(steps_ms)}"
    )
    library.close()
    for name, (took_ms, worked_ms), limit_ms in results:
        worked = f"{worked_ms:7.1f} ms of the processor"
        print(f"{name:28} {took_ms:7.1f} ms, {worked}, limit {limit_ms:.0f} ms")
    return int(any(took_ms > limit_ms for _, (took_ms, _), limit_ms in results))


def worst(times_ms: list[float]) -> str:
    """What nearly all of them are within."""
    percentiles = quantiles(times_ms, n=100)
    return (
        f"95 % within {percentiles[94]:.1f} ms, 99 % within {percentiles[98]:.1f} ms, "
        f"longest {max(times_ms):.1f} ms"
    )


def move(library: ChatLibrary, sidebar: Sidebar) -> list[float]:
    """Milliseconds of the processor for each of 100 chats that are pinned or change folders."""
    times_ms = []
    for number, chat in enumerate(library.chats[5_000:5_100]):
        QApplication.processEvents()
        begun_s = thread_time()
        if number % 2:
            library.set_pinned(chat, True)
        else:
            library.folders.move(chat, "Folder 3")
        QApplication.processEvents()
        sidebar.repaint()
        times_ms.append((thread_time() - begun_s) * 1e3)
    return times_ms


def scroll(view: ConversationView) -> list[float]:
    """Milliseconds of the processor for each of 300 steps upwards, of a third of the view."""
    bar, steps_ms = view.verticalScrollBar(), []
    for _ in range(300):
        begun_s = thread_time()
        bar.setValue(bar.value() - view.viewport().height() // 3)
        QApplication.processEvents()
        steps_ms.append((thread_time() - begun_s) * 1e3)
    return steps_ms


if __name__ == "__main__":
    sys.exit(main())
