"""The real window with the starter model: settings, counts, and turns that are left out."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

import main
from app.chat_settings import ChatSettings, Overflow
from app.engine_state import EngineStatus
from app.paths import app_paths
from app.transcript import Answer, AnswerPhase
from engine.values import LoadOptions, SamplingParams
from tests.pdfs import write_pdf
from tests.screen import shows
from tests.waiting import WAIT_MS

pytestmark = pytest.mark.model

Open = Callable[[int], main.WindowApplication]


@pytest.fixture
def open_window(qapp: QApplication, qtbot: QtBot, starter_model_path: Path) -> Iterator[Open]:
    """Opens the window with the starter model in a context of so many tokens.

    One that is open is closed first, as a person would restart the application.
    """
    before = QLocale()
    opened: list[main.WindowApplication] = []

    def close() -> None:
        while opened:
            application = opened.pop()
            application.window.close()
            application.close()
            application.window.deleteLater()

    def open_it(n_ctx: int) -> main.WindowApplication:
        close()
        paths = app_paths()
        options = LoadOptions(model_path=str(starter_model_path), n_ctx=n_ctx)
        application = main.WindowApplication(
            qapp, paths, main.engine_starter(paths), options, locale=QLocale("en_US")
        )
        opened.append(application)
        application.window.resize(1280, 800)
        application.show()
        status = application.session.engine_state
        assert status.status is not EngineStatus.FAILED
        qtbot.waitUntil(
            lambda: application.session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS
        )
        return application

    yield open_it
    close()
    QLocale.setDefault(before)


def send(application: main.WindowApplication, qtbot: QtBot) -> Answer:
    QTest.keyClick(application.window.chat.composer.field, Qt.Key.Key_Return)
    answer = application.session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    return answer


def wait_counted(application: main.WindowApplication, qtbot: QtBot) -> None:
    """Until every file is read, and the meter exact."""
    composer = application.window.chat.composer
    bar = composer.attachments
    qtbot.waitUntil(
        lambda: not bar.reading and not bar.uncounted() and "…" not in composer.meter.text(),
        timeout=WAIT_MS,
    )


def brief(application: main.WindowApplication) -> None:
    settings = ChatSettings(
        system_prompt="Be brief.", sampling=SamplingParams(temperature=0), max_tokens=24
    )
    session = application.session
    session.set_chat_settings(session.current_chat, settings)


def test_the_meter_says_before_sending_what_the_prompt_then_has(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    application = open_window(2048)
    brief(application)
    composer = application.window.chat.composer
    for turn in range(2):
        QTest.keyClicks(composer.field, f"Name a river, number {turn}.")
        path = tmp_path / f"{turn}.csv"
        path.write_text("name,length\nNile,6650\n", encoding="utf-8")
        report = write_pdf(tmp_path / f"{turn}.pdf", [f"Rivers flow to the sea. {turn}"])
        application.window.chat.attach([str(path), str(report)])
        wait_counted(application, qtbot)
        assert len(composer.attachments.attachments) == 2
        counted = composer.meter.text()
        answer = send(application, qtbot)
        assert answer.phase is AnswerPhase.DONE
        assert counted == f"{answer.trace.n_prompt_tokens} + 24 / 2,048"
        assert answer.trace.n_output_tokens <= 24


def test_tokens_of_a_file_are_those_it_adds(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    application = open_window(2048)
    brief(application)
    composer = application.window.chat.composer
    QTest.keyClicks(composer.field, "Why?")
    qtbot.waitUntil(lambda: "…" not in composer.meter.text(), timeout=WAIT_MS)
    without = int(composer.meter.text().split(" ")[0].replace(",", ""))
    application.window.chat.attach([str(write_pdf(tmp_path / "a.pdf", ["word " * 60] * 3))])
    wait_counted(application, qtbot)
    (chip,) = composer.attachments.chips
    n_tokens = chip.n_tokens
    assert n_tokens is not None
    with_it = int(composer.meter.text().split(" ")[0].replace(",", ""))
    # The empty line between is a token or two of its own.
    assert 1 <= with_it - without - n_tokens <= 2


def test_what_is_left_out_is_said_before_and_then_done(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    application = open_window(512)
    window, session = application.window, application.session
    chat = session.current_chat
    session.set_chat_settings(
        chat,
        ChatSettings(
            sampling=SamplingParams(temperature=0), max_tokens=24, overflow=Overflow.DROP_OLDEST
        ),
    )
    composer = window.chat.composer
    for turn in range(3):
        QTest.keyClicks(composer.field, f"Name a river, number {turn}.")
        wait_counted(application, qtbot)
        assert not composer.forecast.isVisible()
        send(application, qtbot)
    path = tmp_path / "long.txt"
    path.write_text("river " * 360, encoding="utf-8")
    window.chat.attach([str(path)])
    wait_counted(application, qtbot)
    qtbot.waitUntil(composer.forecast.isVisible, timeout=WAIT_MS)
    predicted = composer.forecast.text()
    answer = send(application, qtbot)
    assert answer.phase is AnswerPhase.DONE
    assert chat.n_left_out > 0
    assert f"leaves out {chat.n_left_out} turn" in predicted


def test_files_that_wait_to_be_sent_survive_a_restart(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    first = open_window(512)
    QTest.keyClicks(first.window.chat.composer.field, "Why?")
    first.window.chat.attach([str(write_pdf(tmp_path / "a.pdf", ["The text"]))])
    wait_counted(first, qtbot)
    composer = open_window(512).window.chat.composer
    qtbot.waitUntil(lambda: bool(composer.attachments.chips), timeout=WAIT_MS)
    (attachment,) = composer.attachments.attachments
    assert attachment.name == "a.pdf"
    assert "The text" in attachment.text
    assert composer.text() == "Why?"


def test_turns_are_left_out_only_after_the_person_said_so(open_window: Open, qtbot: QtBot) -> None:
    application = open_window(256)
    brief(application)
    window, chat = application.window, application.session.current_chat
    field = window.chat.composer.field
    QTest.keyClicks(field, "Tell me about lighthouses. " * 3)
    answer = send(application, qtbot)
    while answer.phase is AnswerPhase.DONE:
        assert not window.chat.view.cut_mark.isVisible()
        QTest.keyClicks(field, "Tell me about lighthouses. " * 3)
        answer = send(application, qtbot)
    qtbot.waitUntil(lambda: shows(window, "The conversation no longer fits"), timeout=WAIT_MS)
    assert chat.n_left_out == 0

    label = "Leave out the oldest turns"
    button = next(b for b in window.findChildren(QPushButton) if b.text() == label)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: answer.phase is AnswerPhase.DONE, timeout=WAIT_MS)
    assert answer.text
    assert 0 < chat.n_left_out < len(chat.turns) - 1
    qtbot.waitUntil(window.chat.view.cut_mark.isVisible, timeout=WAIT_MS)


def test_damaged_presets_are_told_and_kept_aside(open_window: Open, qtbot: QtBot) -> None:
    file = app_paths().presets_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{", encoding="utf-8")
    application = open_window(256)
    assert shows(application.window, "Your presets were damaged")
    assert file.with_name("presets.json.damaged").read_text(encoding="utf-8") == "{"
