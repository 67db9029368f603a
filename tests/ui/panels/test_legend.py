"""The legend under a graph takes as many lines as its words need."""

import pytest
from pytestqt.qtbot import QtBot

from ui.panels.explain.legend import Legend, LegendEntry
from ui.panels.look import LARGE
from ui.theme import Theme


def test_a_legend_wraps_and_its_axis_ends_the_last_line(theme: Theme, qtbot: QtBot) -> None:
    entries: list[LegendEntry] = [("memory_kv", "in use"), ("phase_decode", "decode")]
    legend = Legend(theme, entries, "time")
    plain = Legend(theme, entries)
    for widget in (legend, plain):
        qtbot.addWidget(widget)
    assert legend.texts == ("in use", "decode")
    one = legend.height_for(1000)
    assert plain.height_for(1000) == one
    # A line for each entry, and one for the axis.
    line = plain.height_for(1) - one
    assert line > 0
    assert legend.height_for(1) == pytest.approx(one + 2 * line)
    legend.set_look(LARGE)
    assert legend.height_for(1000) > one
    legend.resize(1000, legend.height())
    wide = legend.height()
    legend.fit(1)
    assert legend.height() > 2 * wide
    assert Legend(theme).height_for(100) == 0
