"""Models are opened as files and as folders, and listed when they were."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.actions import Action
from app.engine_state import EngineState, EngineStatus
from engine.values import LoadOptions
from tests.engine.gguf_writer import small_model
from tests.ui.driving import CONTROL, SHIFT, asked, click, press
from tests.ui.fakes import loaded_model
from tests.waiting import WAIT_MS
from ui.labels import PlainLabel

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QAction
    from pytestqt.qtbot import QtBot

    from app.messages import UserMessage
    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "Qwen2.5-0.5B & more"
    made.mkdir()
    (made / "config.json").touch()
    return made


def menu_action(window: MainWindow, text: str) -> QAction:
    menu = window.top_bar.model_button.menu_
    return next(action for action in menu.actions() if action.text() == text)


def wait_for_load(session: FakeSession, qtbot: QtBot, n: int) -> None:
    """Until so many loads were asked for: a look at the header comes before."""
    qtbot.waitUntil(lambda: len(asked(session, "load")) == n, timeout=WAIT_MS)


def test_a_model_is_opened_with_the_choices_made_before(
    window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "ui.dialogs.choose_model_file", lambda parent, current: str(tmp_path / "b.gguf")
    )
    press(window, Qt.Key.Key_O)
    session.set_state(
        EngineState(status=EngineStatus.READY, options=LoadOptions(model_path="/a.gguf", n_ctx=512))
    )
    window.perform(Action.OPEN_MODEL, None)
    assert asked(session, "load") == [
        LoadOptions(model_path=str(tmp_path / "b.gguf"), cache_dir="cache"),
        LoadOptions(model_path=str(tmp_path / "b.gguf"), n_ctx=512),
    ]


@pytest.mark.parametrize("how", ["keys", "menu"])
def test_a_folder_is_opened_with_torch(
    window: MainWindow,
    session: FakeSession,
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    qtbot: QtBot,
    how: str,
) -> None:
    offered: list[str | None] = []

    def choose(parent: object, current: str | None) -> str:
        offered.append(current)
        return str(folder)

    monkeypatch.setattr("ui.dialogs.choose_model_folder", choose)
    session.become_ready()
    if how == "keys":
        press(window, Qt.Key.Key_O, CONTROL | SHIFT)
    else:
        click(window.top_bar.model_button)
        menu_action(window, "Open model folder…").trigger()
        window.top_bar.model_button.menu_.hide()
    wait_for_load(session, qtbot, 1)
    assert offered == ["/models/SmolLM2-135M-Instruct.Q4_1.gguf"]
    assert asked(session, "load") == [LoadOptions(model_path=str(folder), backend="torch")]
    assert window.top_bar.model_button.accessibleDescription() == "Qwen2.5-0.5B & more"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("torn.gguf", small_model()[:-9], "incomplete"),
        ("photo.gguf", b"\x89PNG and more of it", "GGUF"),
        ("notes.txt", b"a shopping list", "GGUF"),
        ("missing.gguf", None, "not there"),
        ("empty folder", None, "folder"),
    ],
)
def test_what_is_no_model_is_refused_and_the_loaded_one_stays(
    window: MainWindow,
    session: FakeSession,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    qtbot: QtBot,
    name: str,
    content: bytes | None,
    words: str,
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    elif "." not in name:
        path.mkdir()
    session.become_ready()
    raised: list[UserMessage] = []
    session.message_raised.connect(raised.append)
    monkeypatch.setattr("ui.dialogs.choose_model_file", lambda parent, current: str(path))
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: bool(raised), timeout=WAIT_MS)
    assert asked(session, "load") == []
    (message,) = raised
    assert words in f"{message.title} {message.text}"
    assert message.text.endswith("The model in use stays as it is.")
    assert session.engine_state.status is EngineStatus.READY


def test_what_is_no_model_is_tried_where_none_is_loaded(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    window.open_model(str(tmp_path / "missing.gguf"))
    assert len(asked(session, "load")) == 1


def test_the_window_does_not_wait_for_a_header_and_the_last_choice_counts(
    window: MainWindow,
    session: FakeSession,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    slow, quick = str(tmp_path / "slow.gguf"), str(tmp_path / "quick.gguf")
    go_on = Event()

    def look(path: str) -> None:
        if path == slow:
            assert go_on.wait(WAIT_MS / 1000)

    monkeypatch.setattr("app.model_check.problem_of", look)
    session.become_ready()
    window.open_model(slow)
    window.open_model(quick)
    wait_for_load(session, qtbot, 1)
    told: list[int] = []
    window._check._answered.connect(lambda number, *_: told.append(number))
    go_on.set()
    qtbot.waitUntil(lambda: told == [1], timeout=WAIT_MS)
    QApplication.processEvents()
    (options,) = asked(session, "load")
    assert isinstance(options, LoadOptions)
    assert options.model_path == quick


def test_who_changes_their_mind_opens_nothing(
    window: MainWindow, session: FakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.dialogs.choose_model_folder", lambda parent, current: None)
    press(window, Qt.Key.Key_O, CONTROL | SHIFT)
    assert asked(session, "load") == []


def test_a_folder_among_the_recent_models_has_its_whole_name_and_opens(
    window: MainWindow, session: FakeSession, folder: Path, qtbot: QtBot
) -> None:
    session.load(LoadOptions(model_path=str(folder), backend="torch", device="cpu"))
    session.become_ready(loaded_model(path=str(folder)))
    session.load(LoadOptions(model_path="/models/smol.gguf"))
    session.become_ready()
    click(window.top_bar.model_button)
    menu_action(window, "Qwen2.5-0.5B && more").trigger()
    window.top_bar.model_button.menu_.hide()
    wait_for_load(session, qtbot, 3)
    assert asked(session, "load")[-1] == LoadOptions(
        model_path=str(folder), backend="torch", device="cpu"
    )


def test_the_model_menu_tells_details_and_recent_models(
    window: MainWindow, session: FakeSession, tmp_path: Path, qtbot: QtBot
) -> None:
    other = tmp_path / "other & more.gguf"
    other.write_bytes(small_model())
    session.load(LoadOptions(model_path=str(other)))
    session.become_ready(loaded_model(path=str(other)))
    session.load(LoadOptions(model_path="/models/smol.gguf"))
    session.become_ready()
    button = window.top_bar.model_button
    click(button)
    assert button.menu_.isVisible()
    texts = [label.text() for label in button.menu_.findChildren(PlainLabel)]
    assert "135\u202fM" in texts
    assert "9, 3 for K and V" in texts
    menu_action(window, "other && more").trigger()
    button.menu_.hide()
    wait_for_load(session, qtbot, 3)
    last = asked(session, "load")[-1]
    assert isinstance(last, LoadOptions)
    assert last.model_path == str(other)


def test_an_answer_does_not_write_recent_models_again(
    window: MainWindow, session: FakeSession, settings: QSettings
) -> None:
    session.load(LoadOptions(model_path="/models/smol.gguf"))
    session.become_ready()
    ready = session.engine_state
    assert settings.value("models/recent") == ["/models/smol.gguf"]
    settings.remove("models/recent")
    session.set_state(replace(ready, status=EngineStatus.ANSWERING))
    session.set_state(ready)
    assert settings.value("models/recent") is None
    session.become_ready(loaded_model(path="/models/smol.gguf"))
    assert settings.value("models/recent") == ["/models/smol.gguf"]
