"""Every text in the panels can be read: painted as a picture of vectors, which keeps its colour."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, QSettings
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.runs.curves import RunCurves
from tests.ui.inspector.test_inspector import contrast
from tests.ui.panels.test_column import SAMPLE
from tests.ui.panels.test_limits import Scene
from tests.waiting import WAIT_MS
from ui.panels.layouts import BuiltIn
from ui.runs.drawing import PlottedRun
from ui.runs.plot import RunPlot
from ui.theme import Theme, ThemeMode

LEAST = 4.5


@pytest.fixture
def scene(theme: Theme, qtbot: QtBot, tmp_path: Path, settings: QSettings) -> Iterator[Scene]:
    scene = Scene(theme, qtbot, tmp_path)
    scene.load()
    scene.know()
    scene.store.on_sample(SAMPLE)
    scene.answer()
    scene.column.resize(430, 6000)
    yield scene
    scene.ceilings.close()
    scene.column.close()


def texts_of(widget: QWidget) -> list[tuple[str, QColor]]:
    """Each text that a widget and its children paint, with its colour."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    widget.render(painter, QPoint())
    painter.end()
    root = ElementTree.fromstring(bytes(buffer.data().data()))
    found = []
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        words = "".join(text.itertext()).strip()
        if words:
            color = QColor(text.get("fill", ""))
            color.setAlphaF(float(text.get("fill-opacity", "1")))
            found.append((words, color))
    return found


@pytest.mark.parametrize("mode", [ThemeMode.LIGHT, ThemeMode.DARK])
def test_every_text_stands_out(scene: Scene, theme: Theme, mode: ThemeMode) -> None:
    theme.set_mode(mode)
    found = []
    for layout in (BuiltIn.ALL, BuiltIn.EXPLAIN):
        scene.column.layouts.choose(layout)
        QApplication.processEvents()
        scene.column.refresh()
        # A value stands on a chip in each graph.
        t0_s, t1_s = scene.column.axis.view_s
        scene.column.axis.set_hover((t0_s + t1_s) / 2)
        found += texts_of(scene.column)
    words = {text for text, _ in found}
    assert {"Live", "Decode rate", "prefill", "Free", "Used"} <= words
    assert len(found) > 200
    grounds = [theme.color(name) for name in ("panel", "side", "hover")]
    faint = {
        text: color.name()
        for text, color in found
        if color.alphaF() < 1 or min(contrast(color, ground) for ground in grounds) < LEAST
    }
    assert faint == {}


@pytest.mark.parametrize("mode", [ThemeMode.LIGHT, ThemeMode.DARK])
def test_every_text_of_the_plot_of_runs_stands_out(
    theme: Theme, qtbot: QtBot, mode: ThemeMode
) -> None:
    theme.set_mode(mode)
    plot = RunPlot(theme)
    plot.resize(600, 400)
    qtbot.addWidget(plot)
    with qtbot.waitExposed(plot, timeout=WAIT_MS):
        plot.show()
    steps = np.array([0.1, 0.2, 0.3])
    curves = RunCurves(t_s=steps, rate_tok_per_s=100 * steps, itl_ms=100 * steps)
    plot.show_runs([PlottedRun(words="A", color=theme.color("phase_decode"), curves=curves)])
    QApplication.processEvents()
    found = texts_of(plot)
    assert {"time since each was sent", "Decode rate, tok/s"} <= {text for text, _ in found}
    grounds = [theme.color(name) for name in ("panel", "background")]
    faint = [t for t, c in found if min(contrast(c, ground) for ground in grounds) < LEAST]
    assert faint == []
