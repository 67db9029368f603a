"""torch is installed from the card of the error, with clicks and keys; only pip pretends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app import messages
from app.engine_state import EngineState, EngineStatus
from app.torch_install import TorchInstall
from engine.errors import ErrorCode, ErrorInfo
from engine.values import LoadOptions
from tests.screen import shows
from tests.torch_tree import TorchTree
from tests.waiting import WAIT_MS
from ui.install_dialog import InstallDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow

OPTIONS = LoadOptions(model_path="/models/folder", backend="torch")
MISSING = ErrorInfo(code=ErrorCode.BACKEND_MISSING, details=(("backend", "torch"),))


@pytest.fixture
def tree(tmp_path: Path) -> TorchTree:
    (tmp_path / "Makefile").touch()
    return TorchTree(tmp_path)


@pytest.fixture
def torch_install(qapp: QApplication, tree: TorchTree) -> Iterator[TorchInstall]:
    """What installs torch into an environment of this test."""
    install = TorchInstall(tree.root, python=tree.python, environment=str(tree.venv))
    yield install
    install.close()


@pytest.fixture
def use_pip(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Says how far pip gets."""
    return lambda how: monkeypatch.setenv("FAKE_PIP", how)


@pytest.fixture
def dialog(window: MainWindow, session: FakeSession, qtbot: QtBot) -> InstallDialog:
    """The dialog, opened from the card that says that torch is missing."""
    session.set_state(
        EngineState(status=EngineStatus.FAILED, options=OPTIONS, error=messages.of_error(MISSING))
    )
    return opened(window, qtbot)


def opened(window: MainWindow, qtbot: QtBot) -> InstallDialog:
    press(window, "Install PyTorch…")
    dialog = window.findChild(InstallDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow, timeout=WAIT_MS)
    return dialog


def press(widget: QWidget, text: str) -> None:
    [button] = [
        button
        for button in widget.findChildren(QAbstractButton)
        if button.isVisible() and button.text() == text
    ]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def loads(session: FakeSession) -> list[object]:
    return [argument for name, argument in session.calls if name == "load"]


def test_it_asks_first_and_says_what_and_where(dialog: InstallDialog, tree: TorchTree) -> None:
    assert not dialog.isModal()
    assert shows(dialog, f"into {tree.venv}")
    assert shows(dialog, "several GB")
    assert dialog.command.text() == "make run TORCH=1"
    press(dialog, "Copy")
    assert QGuiApplication.clipboard().text() == "make run TORCH=1"
    press(dialog, "Not now")
    assert not dialog.isVisible()
    assert tree.packages() == set()


def test_installed_it_loads_the_model_that_failed(
    qtbot: QtBot,
    window: MainWindow,
    session: FakeSession,
    dialog: InstallDialog,
    tree: TorchTree,
    use_pip: Callable[[str], None],
) -> None:
    use_pip("works")
    with qtbot.waitSignal(dialog.installed, timeout=WAIT_MS):
        press(dialog, "Install")
    assert not dialog.isVisible()
    assert tree.missing("torch") == []
    assert loads(session) == [OPTIONS]


def test_who_has_moved_on_is_told_and_left_alone(
    qtbot: QtBot,
    window: MainWindow,
    session: FakeSession,
    dialog: InstallDialog,
    use_pip: Callable[[str], None],
) -> None:
    use_pip("works")
    session.become_ready()
    with qtbot.waitSignal(dialog.installed, timeout=WAIT_MS):
        press(dialog, "Install")
    assert loads(session) == []
    assert shows(window, "PyTorch is installed")


@pytest.mark.parametrize("how", ["button", "escape", "closing"])
def test_stopped_it_takes_back_what_is_half_done(
    qtbot: QtBot,
    window: MainWindow,
    session: FakeSession,
    dialog: InstallDialog,
    torch_install: TorchInstall,
    tree: TorchTree,
    use_pip: Callable[[str], None],
    how: str,
) -> None:
    use_pip("hang in download")
    QTest.keyClick(dialog.install_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shows(dialog, "of 7.63"), timeout=WAIT_MS)
    assert shows(dialog, "Downloading torch")
    assert dialog.bar.fraction == 0.5

    with qtbot.waitSignal(torch_install.cancelled, timeout=WAIT_MS):
        if how == "button":
            press(dialog, "Cancel")
        elif how == "escape":
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        else:
            dialog.close()
            assert not dialog.isVisible()
        assert torch_install.is_stopping
        if how != "closing":
            assert shows(dialog, "Stopping")

    assert not any(left.isVisible() for left in window.findChildren(InstallDialog))
    assert not tree.pip_runs()
    assert loads(session) == []
    assert shows(window, "PyTorch is not installed")


def test_a_failure_says_why_and_can_be_tried_again(
    qtbot: QtBot,
    session: FakeSession,
    dialog: InstallDialog,
    use_pip: Callable[[str], None],
) -> None:
    use_pip("disk full")
    press(dialog, "Install")
    qtbot.waitUntil(lambda: shows(dialog, "could not be installed"), timeout=WAIT_MS)
    assert shows(dialog, "Free some space")
    height = dialog.height()
    press(dialog, "Details")
    assert shows(dialog, "[Errno 28]")
    assert dialog.height() > height

    use_pip("works")
    with qtbot.waitSignal(dialog.installed, timeout=WAIT_MS):
        press(dialog, "Try again")
    assert loads(session) == [OPTIONS]


def test_pressing_the_button_again_shows_the_same_install(
    qtbot: QtBot,
    window: MainWindow,
    dialog: InstallDialog,
    torch_install: TorchInstall,
    use_pip: Callable[[str], None],
) -> None:
    use_pip("hang in install")
    press(dialog, "Install")
    qtbot.waitUntil(lambda: shows(dialog, "Unpacking"), timeout=WAIT_MS)
    assert opened(window, qtbot) is dialog
    assert shows(dialog, "Unpacking")
    with qtbot.waitSignal(torch_install.cancelled, timeout=WAIT_MS):
        press(dialog, "Cancel")


def test_opened_while_another_is_being_stopped_it_waits_for_that(
    qtbot: QtBot,
    window: MainWindow,
    dialog: InstallDialog,
    torch_install: TorchInstall,
    use_pip: Callable[[str], None],
) -> None:
    use_pip("hang in download")
    press(dialog, "Install")
    qtbot.waitUntil(lambda: shows(dialog, "Downloading"), timeout=WAIT_MS)
    with qtbot.waitSignal(dialog.destroyed, timeout=WAIT_MS):
        dialog.close()
    if torch_install.is_running:
        again = opened(window, qtbot)
        assert shows(again, "Stopping")
        qtbot.waitUntil(lambda: not torch_install.is_running, timeout=WAIT_MS)


def test_where_it_cannot_be_done_here_there_is_the_command(
    qtbot: QtBot, window: MainWindow, session: FakeSession, tree: TorchTree
) -> None:
    tree.bootstrap.unlink()
    session.set_state(
        EngineState(status=EngineStatus.FAILED, options=OPTIONS, error=messages.of_error(MISSING))
    )
    dialog = opened(window, qtbot)
    assert dialog.command.text().endswith("requirements-torch.lock")
    assert not dialog.install_button.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_everything_in_it_has_a_name_and_is_reached_by_keys(
    qtbot: QtBot, dialog: InstallDialog, use_pip: Callable[[str], None]
) -> None:
    assert tab_stops(dialog) == {
        "Command that installs PyTorch",
        "Copy the command",
        "Not now",
        "Install",
    }
    use_pip("disk full")
    press(dialog, "Install")
    qtbot.waitUntil(lambda: shows(dialog, "could not be installed"), timeout=WAIT_MS)
    assert tab_stops(dialog) == {"Try again", "Show technical details", "Close"}


def tab_stops(dialog: InstallDialog) -> set[str]:
    """The accessible names of what Tab reaches, one round."""
    names = set()
    first = widget = dialog.focusWidget()
    while True:
        names.add(widget.accessibleName())
        QTest.keyClick(widget, Qt.Key.Key_Tab)
        widget = dialog.focusWidget()
        if widget is first:
            return names
