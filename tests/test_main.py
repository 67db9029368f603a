import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import main
from app.actions import Action
from app.engine_state import EngineStatus
from app.paths import AppPaths, app_paths, with_writable_logs
from app.runs.file import read_run
from app.sample_row import SAMPLE_COLUMNS
from app.torch_install import TorchInstall
from app.transcript import Answer, AnswerPhase
from engine.backends.scripted import Script
from engine.values import LoadOptions
from tests.screen import shows, texts
from tests.starter_window import ENDLESS, GREEDY
from tests.torch_tree import TorchTree
from tests.waiting import WAIT_MS
from ui.format import UNKNOWN
from ui.install_dialog import InstallDialog
from ui.panels.column import TelemetryColumn
from ui.panels.panel import LivePanel
from ui.panels_missing import MissingPanels

ROOT = Path(__file__).parents[1]

Open = Callable[[LoadOptions | None], main.WindowApplication]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """The window speaks the machine's language; these tests read English."""
    before = QLocale()
    yield
    QLocale.setDefault(before)


@pytest.fixture
def open_window(qapp: QApplication, qtbot: QtBot) -> Iterator[Open]:
    """Opens the real window, as `main.py` does."""
    opened: list[main.WindowApplication] = []

    def open_it(options: LoadOptions | None) -> main.WindowApplication:
        application = main.WindowApplication(
            qapp, app_paths(), main.engine_starter(app_paths()), options, locale=QLocale("en_US")
        )
        opened.append(application)
        application.window.resize(1280, 800)
        application.show()
        qtbot.waitUntil(lambda: application.window.columns.telemetry is not None, timeout=WAIT_MS)
        return application

    yield open_it
    for application in opened:
        if application.window.isVisible():
            application.window.close()
            application.close()
        application.window.deleteLater()
        application.theme.deleteLater()
    # What other threads have said is heard while those who listen are there.
    qapp.processEvents()


@pytest.fixture
def starter(open_window: Open, starter_model_path: Path) -> main.WindowApplication:
    """The window with the starter model, still loading; greedy."""
    application = open_window(main.load_options(str(starter_model_path), app_paths()))
    application.session.set_chat_settings(application.session.current_chat, GREEDY)
    return application


def ready(application: main.WindowApplication, qtbot: QtBot) -> None:
    qtbot.waitUntil(
        lambda: application.session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS
    )


def type_and_send(application: main.WindowApplication, qtbot: QtBot, text: str) -> Answer:
    field = application.window.chat.composer.field
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    turn = application.session.current_chat.turns[-1]
    assert isinstance(turn, Answer)
    return turn


def over(answer: Answer, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)


def panels(application: main.WindowApplication) -> dict[str, LivePanel]:
    column = application.window.columns.telemetry
    assert isinstance(column, TelemetryColumn)
    return {panel.key: panel for panel in column.panels if panel.isVisible()}


def picture(panel: LivePanel) -> QImage:
    image: QImage = panel.graph.grab().toImage()
    return image


def moves(panel: LivePanel, before: QImage, qtbot: QtBot) -> None:
    def has_moved() -> bool:
        return panel.header.value.number != UNKNOWN and picture(panel) != before

    qtbot.waitUntil(has_moved, timeout=WAIT_MS)


def test_a_person_chats_and_watches(starter: main.WindowApplication, qtbot: QtBot) -> None:
    window = starter.window
    ready(starter, qtbot)
    assert shows(window, "SmolLM2-135M-Instruct")
    window.resize(1240, 900)
    QApplication.processEvents()
    before = {key: picture(panel) for key, panel in panels(starter).items()}

    answer = type_and_send(starter, qtbot, ENDLESS)
    qtbot.waitUntil(lambda: shows(window, ENDLESS), timeout=WAIT_MS)
    assert window.chat.composer.text() == ""

    qtbot.waitUntil(lambda: len(answer.text) > 40, timeout=WAIT_MS)
    first_words = answer.text[:40].split("\n")[0]
    qtbot.waitUntil(
        lambda: shows(window, first_words) and shows(window, "decoding"), timeout=WAIT_MS
    )
    length_now = len(answer.text)
    qtbot.waitUntil(lambda: len(answer.text) > length_now + 20, timeout=WAIT_MS)
    for key, panel in panels(starter).items():
        moves(panel, before[key], qtbot)

    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=WAIT_MS)
    QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    over(answer, qtbot)
    assert answer.phase is AnswerPhase.STOPPED
    qtbot.waitUntil(lambda: shows(window, "TTFT"), timeout=WAIT_MS)

    second = type_and_send(starter, qtbot, "And at sunset?")
    qtbot.waitUntil(lambda: bool(second.text), timeout=WAIT_MS)
    assert second.trace.figures().n_cached_tokens
    starter.session.stop()
    over(second, qtbot)


def test_the_figures_under_the_answer_are_those_of_the_trace(
    open_window: Open, qtbot: QtBot
) -> None:
    script = Script(tok_per_s=200)
    application = open_window(LoadOptions(model_path=script.path(), backend="scripted"))
    ready(application, qtbot)

    answer = type_and_send(application, qtbot, "Hello")
    over(answer, qtbot)

    figures = answer.figures
    assert figures is not None
    assert figures.ttft_ns is not None
    assert figures.context_used_tokens is not None
    qtbot.waitUntil(lambda: shows(application.window, "end of answer"), timeout=WAIT_MS)
    line = next(text for text in texts(application.window) if "end of answer" in text)
    assert f"{figures.n_output_tokens} tokens" in line
    assert f"{figures.context_used_tokens:,} / 8,192" in line
    qtbot.waitUntil(lambda: answer.felt_ttft_ns is not None, timeout=WAIT_MS)
    assert (answer.felt_ttft_ns or 0) >= figures.ttft_ns


def test_conversations_are_there_after_a_restart(open_window: Open, qtbot: QtBot) -> None:
    script = LoadOptions(model_path=Script(answer="Because so.").path(), backend="scripted")
    first = open_window(script)
    ready(first, qtbot)
    over(type_and_send(first, qtbot, "Why is it?"), qtbot)
    qtbot.waitUntil(lambda: shows(first.window, "end of answer"), timeout=WAIT_MS)

    def figures(window: QWidget) -> list[str]:
        # Where the line breaks is not the same at once.
        line = next(text for text in texts(window) if "end of answer" in text)
        return line.replace("\n", " · ").split()

    line = figures(first.window)
    QTest.keyClicks(first.window.chat.composer.field, "half a thought")
    first.window.close()
    first.close()

    second = open_window(script)

    qtbot.waitUntil(lambda: shows(second.window, "Because so."), timeout=WAIT_MS)
    assert shows(second.window, "Why is it?")
    assert figures(second.window) == line
    assert second.session.current_chat.title == "Why is it?"
    assert second.window.chat.composer.text() == "half a thought"
    ready(second, qtbot)
    over(type_and_send(second, qtbot, "!"), qtbot)
    assert [turn.text for turn in second.session.current_chat.turns] == [
        "Why is it?",
        "Because so.",
        "half a thought!",
        "Because so.",
    ]


def test_a_window_that_is_killed_while_answering_keeps_the_conversation(
    qtbot: QtBot, temporary_home: Path, open_window: Open
) -> None:
    script = Script(tok_per_s=100, answer="word " * 4000)
    writer = subprocess.Popen(
        [sys.executable, "-c", _KILLED, script.path()], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    n_characters = int(writer.stdout.readline())
    os.kill(writer.pid, signal.SIGKILL)
    writer.communicate()

    application = open_window(None)
    qtbot.waitUntil(lambda: bool(application.session.current_chat.turns), timeout=WAIT_MS)
    chat = application.session.current_chat
    answer = chat.turns[-1]
    assert isinstance(answer, Answer)
    assert len(answer.text) >= n_characters > 0
    assert answer.phase is AnswerPhase.STOPPED


_KILLED = """
import sqlite3, sys
from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication
import main
from app.paths import app_paths
from app.engine_state import EngineStatus
from engine.values import LoadOptions

application = QApplication([])
options = LoadOptions(model_path=sys.argv[1], backend="scripted")
window = main.WindowApplication(
    application, app_paths(), main.engine_starter(app_paths()), options, locale=QLocale("en_US")
)
window.show()
state = {"sent": False}
def look():
    session = window.session
    if session.engine_state.status is EngineStatus.READY and not state["sent"]:
        state["sent"] = session.send("Why?")
    reader = sqlite3.connect(app_paths().database_file)
    try:
        for (text,) in reader.execute("SELECT text FROM message WHERE role = 'assistant'"):
            if text:
                print(len(text), flush=True)
                timer.stop()
    except sqlite3.OperationalError:
        pass
    reader.close()
timer = QTimer()
timer.timeout.connect(look)
timer.start(100)
application.exec()
"""


def test_copying_an_answer_gives_its_text(open_window: Open, qtbot: QtBot) -> None:
    text = "Look:\n\n```python\nprint('漢字')\n```\n\nDone."
    script = Script(answer=text)
    application = open_window(LoadOptions(model_path=script.path(), backend="scripted"))
    ready(application, qtbot)
    over(type_and_send(application, qtbot, "Hello"), qtbot)

    QTest.keyClick(
        application.window,
        Qt.Key.Key_C,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )

    assert QGuiApplication.clipboard().text() == text


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: folder / "missing.gguf", "The model is not there"),
        (lambda folder: _written(folder, b"PNG" * 100), "This is not a model file"),
    ],
)
def test_a_bad_file_says_what_is_wrong_and_what_to_do(
    open_window: Open, qtbot: QtBot, tmp_path: Path, make: Callable[[Path], Path], words: str
) -> None:
    application = open_window(main.load_options(str(make(tmp_path)), app_paths()))

    qtbot.waitUntil(lambda: shows(application.window, words), timeout=WAIT_MS)

    assert shows(application.window, "Open a model…")


def test_a_truncated_model_says_that_it_is_incomplete(
    open_window: Open, qtbot: QtBot, tmp_path: Path, starter_model_path: Path
) -> None:
    path = _written(tmp_path, starter_model_path.read_bytes()[: 40 << 20])
    application = open_window(main.load_options(str(path), app_paths()))

    qtbot.waitUntil(
        lambda: shows(application.window, "The model file is incomplete"), timeout=WAIT_MS
    )


@pytest.mark.parametrize(
    ("n_ctx", "words"), [(1, "This setting cannot be used"), (1 << 30, "Not enough memory")]
)
def test_an_impossible_context_is_refused_in_words(
    open_window: Open, qtbot: QtBot, starter_model_path: Path, n_ctx: int, words: str
) -> None:
    application = open_window(LoadOptions(model_path=str(starter_model_path), n_ctx=n_ctx))

    qtbot.waitUntil(lambda: shows(application.window, words), timeout=WAIT_MS)


def test_a_prompt_longer_than_the_context_keeps_everything(
    open_window: Open, qtbot: QtBot, starter_model_path: Path
) -> None:
    application = open_window(LoadOptions(model_path=str(starter_model_path), n_ctx=256))
    ready(application, qtbot)
    text = "count with me " * 200

    assert application.session.send(text)
    turn = application.session.current_chat.turns[-1]
    assert isinstance(turn, Answer)
    over(turn, qtbot)

    qtbot.waitUntil(
        lambda: shows(application.window, "The conversation no longer fits"), timeout=WAIT_MS
    )
    assert shows(application.window, "count with me count with me")


@pytest.mark.parametrize("phase", [AnswerPhase.PREFILL, AnswerPhase.DECODE])
def test_the_real_engine_killed_is_a_sentence_and_the_chat_goes_on(
    starter: main.WindowApplication, qtbot: QtBot, phase: AnswerPhase
) -> None:
    ready(starter, qtbot)
    pids: list[int] = []
    starter.session.engine_process_changed.connect(pids.append)
    is_long = phase is AnswerPhase.PREFILL
    assert starter.session.send("Tell me about lighthouses. " * 150 if is_long else ENDLESS)
    answer = starter.session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: answer.phase is phase, timeout=WAIT_MS)

    _kill_engine()
    over(answer, qtbot)

    assert answer.phase is AnswerPhase.FAILED
    qtbot.waitUntil(
        lambda: shows(starter.window, "The engine stopped unexpectedly"), timeout=WAIT_MS
    )
    assert shows(starter.window, "SIGKILL")
    assert shows(starter.window, "Tell me about lighthouses." if is_long else ENDLESS)

    retry = next(
        button
        for button in starter.window.chat.view.findChildren(QPushButton)
        if button.isVisible() and button.text() == "Try again"
    )
    QTest.mouseClick(retry, Qt.MouseButton.LeftButton)
    # One that had text is kept, and another stands beside it.
    again = starter.session.current_chat.turns[-1]
    assert isinstance(again, Answer)
    qtbot.waitUntil(lambda: bool(again.text), timeout=WAIT_MS)
    starter.session.stop()
    over(again, qtbot)


def test_closing_while_decoding_leaves_at_once_and_leaves_nothing(
    starter: main.WindowApplication, qtbot: QtBot
) -> None:
    ready(starter, qtbot)
    answer = type_and_send(starter, qtbot, ENDLESS)
    qtbot.waitUntil(lambda: answer.phase is AnswerPhase.DECODE, timeout=WAIT_MS)

    starter.window.close()

    assert not starter.window.isVisible()
    starter.close()
    assert _engines() == []


def test_closing_ends_an_install_of_torch_and_takes_back_what_is_half_done(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = TorchTree(tmp_path)
    install = TorchInstall(tree.root, python=tree.python, environment=str(tree.venv))
    monkeypatch.setenv("FAKE_PIP", "hang in install")
    monkeypatch.setattr("app.torch_install.TorchInstall", lambda _root: install)
    application = open_window(None)
    application.window.perform(Action.INSTALL_TORCH, None)
    [dialog] = application.window.findChildren(InstallDialog)
    QTest.mouseClick(dialog.install_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shows(dialog, "Unpacking"), timeout=WAIT_MS)

    application.window.close()
    application.close()

    assert not install.is_running
    assert not tree.pip_runs()
    assert tree.packages() == set()


def test_the_window_runs_as_a_program(starter_model_path: Path, tmp_path: Path) -> None:
    """The whole of it in its own process, until the terminal's Ctrl+C."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), "--model", str(starter_model_path)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    parent = psutil.Process(process.pid)
    try:
        _wait_for_log(app_paths(), "llama", process)
        children = parent.children(recursive=True)
        process.send_signal(signal.SIGINT)
        process.wait(WAIT_MS / 1000)
    finally:
        process.kill()
        _, errors = process.communicate()
    gone, alive = psutil.wait_procs(children, timeout=WAIT_MS / 1000)
    assert gone
    assert alive == []
    assert b"Traceback" not in errors


@pytest.mark.parametrize(
    ("system", "environ", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"QT_QPA_PLATFORM": "offscreen"}, True),
        ("darwin", {}, True),
    ],
)
def test_where_a_window_can_open(system: str, environ: dict[str, str], expected: bool) -> None:
    assert main.has_display(system, environ) is expected


def test_without_a_display_it_says_so_and_leaves() -> None:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environ = {name: value for name, value in os.environ.items() if name not in names}

    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py")],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "no display here" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_window_that_cannot_be_built_leaves_nothing_running(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no theme today")

    monkeypatch.setattr("ui.theme.style_sheet", fail)

    with pytest.raises(RuntimeError, match="no theme today"):
        main.WindowApplication(
            qapp, app_paths(), main.engine_starter(app_paths()), None, locale=QLocale("en_US")
        )

    assert _engines() == []


@pytest.mark.parametrize("value", ["hello", "@Invalid()", "17", "a, b, c"])
def test_settings_that_are_not_ours_are_ignored(open_window: Open, value: str) -> None:
    file = app_paths().settings_file
    file.parent.mkdir(parents=True, exist_ok=True)
    keys = ("geometry", "columns", "panels", "sidebar", "telemetry", "theme")
    file.write_text("[window]\n" + "".join(f"{key}={value}\n" for key in keys), "utf-8")

    application = open_window(None)

    assert application.window.isVisible()


@pytest.mark.parametrize("name", ["ui.panels.live.CeilingStore", "ui.panels.live.TelemetryColumn"])
def test_panels_that_cannot_be_made_are_said_and_the_window_goes_on(
    open_window: Open, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OverflowError("not today")

    monkeypatch.setattr(name, fail)
    application = open_window(None)
    columns = application.window.columns
    assert isinstance(columns.telemetry, MissingPanels)
    assert "log of the window" in columns.telemetry.text()
    assert shows(application.window, "The live panels cannot be shown")
    columns.set_telemetry_shown(False)
    assert not columns.shows_telemetry


def test_panels_that_were_moved_stay_so(open_window: Open, qtbot: QtBot) -> None:
    first = open_window(None)
    qtbot.waitUntil(lambda: "cpu" in panels(first), timeout=WAIT_MS)
    panels(first)["cpu"].setFloating(True)
    first.window.close()
    first.close()

    second = open_window(None)

    qtbot.waitUntil(lambda: "cpu" in panels(second), timeout=WAIT_MS)
    assert panels(second)["cpu"].isFloating()


def test_logs_that_cannot_be_written_are_kept_elsewhere(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    usual = replace(app_paths(), log_dir=_written(tmp_path, b"a file, not a folder"))
    paths = with_writable_logs(usual)
    assert paths.log_dir != usual.log_dir
    application = open_window(None)

    application.tell_logs_are_elsewhere(usual.log_dir)

    assert shows(application.window, str(usual.log_dir))


def test_the_command_line_names_its_commands() -> None:
    options = main.parse_arguments(["--model", "x.gguf"])
    assert (options.model, options.command) == ("x.gguf", None)

    options = main.parse_arguments(["bench", "--model", "y.gguf", "--repeat", "2"])
    assert (options.model, options.command, options.repeat) == ("y.gguf", "bench", 2)


def test_bench_takes_the_starter_model_where_none_is_named(
    monkeypatch: pytest.MonkeyPatch, starter_model_path: Path
) -> None:
    taken: list[object] = []

    def run(options: argparse.Namespace, _cache_dir: Path) -> int:
        taken.append(options.model)
        return 0

    monkeypatch.setattr("engine.bench.run", run)
    assert main.main(["bench"]) == 0
    assert main.main(["bench", "--model", "y.gguf"]) == 0
    assert [Path(str(model)) for model in taken] == [starter_model_path, Path("y.gguf")]


def test_a_model_of_a_folder_that_nobody_has_is_looked_for_as_it_is_named() -> None:
    assert main.model_path("~nobody-here/x.gguf") == Path.cwd() / "~nobody-here" / "x.gguf"
    assert main.model_path("~/x.gguf") == Path.home() / "x.gguf"


def test_importing_main_loads_nothing_heavy() -> None:
    """Every engine process imports it again."""
    code = (
        "import sys, main; "
        "print(sorted({'PySide6', 'numpy', 'llama_cpp', 'torch', 'argparse'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def _written(folder: Path, data: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(data)
    return path


def _engines() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "resource_tracker" not in " ".join(child.cmdline())]


def _kill_engine() -> None:
    # The sampler imports no native model library: the engine is the larger one.
    largest = max(_engines(), key=lambda process: process.memory_info().rss)
    largest.kill()


def _wait_for_log(paths: AppPaths, words: str, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        for path in paths.log_dir.glob("engine-*.log"):
            if words in path.read_text("utf-8", "replace"):
                return
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
    said = "".join(path.read_text() for path in paths.log_dir.glob("oscillama-crash.log"))
    raise AssertionError(f"the program ended by itself: {process.returncode}\n{said}")


def test_another_start_brings_the_window_to_the_front_with_its_model(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    application = open_window(None)
    application.window.showMinimized()

    application.come_forward(str(tmp_path / "missing.gguf"))

    assert not application.window.isMinimized()
    qtbot.waitUntil(lambda: shows(application.window, "The model is not there"), timeout=WAIT_MS)


@pytest.mark.parametrize("kind", ["missing", "folder", "garbage"])
def test_another_start_with_no_model_at_its_path_keeps_the_one_that_is_loaded(
    open_window: Open, starter_model_path: Path, qtbot: QtBot, tmp_path: Path, kind: str
) -> None:
    application = open_window(main.load_options(str(starter_model_path), app_paths()))
    ready(application, qtbot)
    loaded = application.session.engine_state.loaded
    words, path = {
        "missing": ("The model is not there", tmp_path / "missing.gguf"),
        "folder": ("The model is not there", tmp_path / "missing"),
        "garbage": ("GGUF", tmp_path / "model.gguf"),
    }[kind]
    if kind == "garbage":
        _written(tmp_path, b"not a model")

    application.come_forward(str(path))

    qtbot.waitUntil(lambda: shows(application.window, words), timeout=WAIT_MS)
    assert application.session.engine_state.loaded is loaded
    assert loaded is not None


def test_answers_are_recorded_with_samples_while_the_panels_are_hidden(
    starter: main.WindowApplication, qtbot: QtBot
) -> None:
    application = starter
    application.window.actions_.show_telemetry.trigger()
    ready(application, qtbot)
    answer = type_and_send(application, qtbot, ENDLESS)
    qtbot.waitUntil(lambda: bool(answer.text), timeout=WAIT_MS)
    assert application.live_panels is not None
    with qtbot.waitSignal(
        application.live_panels.reader.sample_arrived,
        timeout=WAIT_MS,
        check_params_cb=lambda sample: sample.engine_rss_bytes is not None,
    ):
        pass
    application.session.stop()
    over(answer, qtbot)
    application.window.close()
    application.close()
    (path,) = app_paths().runs_dir.glob("*.npz")
    run = read_run(path)
    assert run.trace.figures() == answer.figures
    assert run.felt_ttft_ns == answer.felt_ttft_ns
    assert run.loaded is not None
    assert run.loaded.engine.backend == "llama"
    memory = list(run.samples.values[:: len(SAMPLE_COLUMNS)])
    # The engine holds its KV cache at the least.
    assert max(value for value in memory if value == value) > run.loaded.kv.reserved_bytes
