"""Light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QFont, QPalette

from app.transcript import AnswerPhase
from tests.waiting import WAIT_MS
from ui.theme import Theme, ThemeMode

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


def test_a_choice_changes_colors_and_the_palette(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    theme.set_mode(ThemeMode.LIGHT)
    assert theme.color("background").name() == "#ffffff"
    with qtbot.waitSignal(theme.changed, timeout=WAIT_MS):
        theme.set_mode(ThemeMode.DARK)
    assert theme.color("background").name() == "#0f1216"
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.color("background")
    assert "#0f1216" in qapp.styleSheet()


def test_the_choice_is_kept(qapp: QApplication, theme: Theme, settings: QSettings) -> None:
    theme.set_mode(ThemeMode.DARK)
    again = Theme(qapp, settings)
    assert again.mode is ThemeMode.DARK
    assert again.color("background").name() == "#0f1216"
    again.deleteLater()


def test_a_stored_choice_that_does_not_exist_follows_the_system(
    qapp: QApplication, settings: QSettings
) -> None:
    settings.setValue("window/theme", "sepia")
    theme = Theme(qapp, settings)
    assert theme.mode is ThemeMode.SYSTEM
    theme.deleteLater()


@pytest.mark.parametrize(
    ("phase", "color"),
    [
        (AnswerPhase.WAITING, "#8a94a3"),
        (AnswerPhase.PREFILL, "#e69f00"),
        (AnswerPhase.DECODE, "#56b4e9"),
        (AnswerPhase.STOPPED, "#d55e00"),
        (AnswerPhase.FAILED, "#d55e00"),
    ],
)
def test_phases_have_the_same_color_in_light_and_dark(
    theme: Theme, phase: AnswerPhase, color: str
) -> None:
    for mode in (ThemeMode.LIGHT, ThemeMode.DARK):
        theme.set_mode(mode)
        assert theme.phase_color(phase).name() == color


def test_figures_do_not_dance(theme: Theme) -> None:
    assert QFont.Tag("tnum") in theme.font("secondary").featureTags()
    assert theme.font("body").pixelSize() == 15
    assert theme.font("value").pixelSize() == 22
