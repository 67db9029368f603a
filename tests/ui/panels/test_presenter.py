"""What changes while a panel is on the full screen: the layout, and the theme."""

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from tests.app.test_telemetry import load
from tests.ui.panels.test_layouts import OwnScene, scene
from ui.labels import PlainLabel
from ui.panels.layouts import BuiltIn
from ui.theme import Theme, ThemeMode

__all__ = ["scene"]


@pytest.mark.parametrize("key", ["time_per_token", "kv_seen"])
def test_words_have_the_colour_of_the_theme_after_the_full_screen(
    scene: OwnScene, theme: Theme, key: str
) -> None:
    theme.set_mode(ThemeMode.LIGHT)
    scene.choose("Explain")
    theme.set_mode(ThemeMode.DARK)
    shown = scene.present(key)
    labels = shown.findChildren(PlainLabel)
    assert labels
    assert {_color(label) for label in labels} <= _colors(theme)
    shown.close()
    QApplication.processEvents()
    explanation = scene.panel(key).explanation
    assert explanation is not None
    labels = explanation.findChildren(PlainLabel)
    assert labels
    assert {_color(label) for label in labels} <= _colors(theme)


def _color(label: PlainLabel) -> str:
    return label.palette().color(QPalette.ColorRole.WindowText).name()


def _colors(theme: Theme) -> set[str]:
    return {theme.color("text").name(), theme.color("muted").name()}


def test_a_layout_that_is_chosen_during_the_full_screen_stays(scene: OwnScene) -> None:
    shown = scene.present("cpu")
    scene.choose("Hardware")
    hardware = scene.column.area.shown()
    assert shown.isVisible()
    shown.close()
    QApplication.processEvents()
    assert scene.column.layouts.current == BuiltIn.HARDWARE
    assert scene.column.area.shown() == hardware
    assert "limits" in hardware
    assert scene.column.header.set_button.text().startswith("Hardware")


def test_a_panel_that_is_hidden_or_moved_during_the_full_screen_stays_so(scene: OwnScene) -> None:
    shown = scene.present("cpu")
    scene.panel("memory").hide()
    scene.column.area.move_panel(scene.panel("decode_rate"), 1)
    standing = scene.column.area.shown()
    shown.close()
    QApplication.processEvents()
    assert "memory" not in standing
    assert scene.column.area.shown() == standing


def test_the_panel_on_the_full_screen_keeps_its_size_when_others_grow(scene: OwnScene) -> None:
    load(scene.store)
    shown = scene.present("cpu")
    graph = shown.panel.graph
    before = graph.scale_ratio
    assert before > 1.3
    scene.choose("Explain")
    assert graph.scale_ratio == before
    shown.close()
    QApplication.processEvents()
    assert graph.scale_ratio == scene.panel("memory").graph.scale_ratio
