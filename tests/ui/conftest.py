"""Fixtures of the window's tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, QSettings
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.chat_defaults import ChatDefaults
from app.presets import PresetStore
from app.runs.library import RunLibrary
from app.torch_install import TorchInstall
from app.translation import Translation
from engine.values import LoadOptions
from tests.ui.fakes import FakeSession
from tests.waiting import WAIT_MS
from ui.main_window import MainWindow, WindowServices
from ui.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

MakeWindow = Callable[[], MainWindow]

TRANSLATIONS = Path(__file__).parents[2] / "resources" / "translations"


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> Iterator[None]:
    """Words and numbers are written as in American English, whatever the machine's locale is."""
    before = QLocale()
    translation = Translation(qapp, TRANSLATIONS, QLocale("en_US"))
    yield
    translation.close()
    QLocale.setDefault(before)


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    """Settings of one test."""
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def presets(tmp_path: Path) -> PresetStore:
    """The presets of one test."""
    return PresetStore(tmp_path / "presets.json")


@pytest.fixture
def theme(qapp: QApplication, settings: QSettings) -> Iterator[Theme]:
    """The theme of one test."""
    theme = Theme(qapp, settings)
    yield theme
    theme.deleteLater()


@pytest.fixture
def session(qapp: QApplication) -> FakeSession:
    """A session without an engine."""
    return FakeSession()


@pytest.fixture
def telemetry_made() -> list[QWidget]:
    """The telemetry columns that the window asked for."""
    return []


@pytest.fixture
def closed() -> list[bool]:
    """Whether windows were visible when they said that they had closed."""
    return []


@pytest.fixture
def torch_install(qapp: QApplication, tmp_path: Path) -> Iterator[TorchInstall]:
    """What installs torch: nothing, in a folder without the checkout."""
    install = TorchInstall(tmp_path)
    yield install
    install.close()


@pytest.fixture
def runs(qapp: QApplication, tmp_path: Path) -> Iterator[RunLibrary]:
    """Recorded runs of one test: none yet."""
    library = RunLibrary(tmp_path / "runs")
    yield library
    library.close()


@pytest.fixture
def make_window(
    qtbot: QtBot,
    session: FakeSession,
    theme: Theme,
    settings: QSettings,
    presets: PresetStore,
    tmp_path: Path,
    telemetry_made: list[QWidget],
    torch_install: TorchInstall,
    runs: RunLibrary,
    closed: list[bool],
) -> Iterator[MakeWindow]:
    """Makes windows of the session."""
    windows: list[MainWindow] = []

    def make_telemetry() -> QWidget:
        telemetry_made.append(QLabel("telemetry"))
        return telemetry_made[-1]

    def make() -> MainWindow:
        made = MainWindow(
            session,
            WindowServices(
                theme=theme,
                chat_defaults=ChatDefaults(session, settings, presets),
                settings=settings,
                options_for=lambda path: LoadOptions(model_path=path, cache_dir="cache"),
                telemetry_factory=make_telemetry,
                runs=lambda: runs,
                torch_install=lambda: torch_install,
                log_dir=tmp_path,
                on_first_paint=lambda: made.columns.allow_telemetry(),
                on_close=lambda: closed.append(made.isVisible()),
            ),
        )
        windows.append(made)
        made.resize(1280, 800)
        made.show()
        qtbot.waitUntil(lambda: made.isVisible() and made.chat.view.is_settled, timeout=WAIT_MS)
        session.on_added = partial(
            qtbot.waitUntil, lambda: made.chat.view.is_settled, timeout=WAIT_MS
        )
        return made

    yield make
    session.on_added = None
    for window in windows:
        window.hide()
        window.deleteLater()


@pytest.fixture
def window(make_window: MakeWindow) -> MainWindow:
    """The window on screen."""
    return make_window()
