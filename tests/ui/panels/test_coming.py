"""What stands in the place of the live panels while they are being made."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.relay import SessionRelay
from app.sampling import SamplerReader
from tests.ui.fakes import FakeSession
from tests.waiting import WAIT_MS
from ui.columns import Columns
from ui.palette import ColorName
from ui.panels.coming import ComingPanels
from ui.panels.layouts import BuiltIn
from ui.panels.live import LivePanels
from ui.panels.sizes import BAR_TOP, COLUMN_MARGIN, STRIP_HEIGHT
from ui.theme import Theme

ROOT = Path(__file__).parents[3]


@pytest.fixture
def live(
    settings: QSettings, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LivePanels]:
    monkeypatch.setattr(SamplerReader, "start", lambda _reader: None)
    session, window = FakeSession(), QWidget()
    qtbot.addWidget(window)
    relay = SessionRelay(session)
    yield LivePanels(session, relay, settings, window, root=ROOT, cache_dir=tmp_path)
    session.deleteLater()


def shown_names(live: LivePanels, theme: Theme, layout: BuiltIn | None = None) -> tuple[str, ...]:
    """What the panels of a column are called that are shown, the first or in a layout."""
    column = live.make_column(theme)
    if layout is not None:
        column.layouts.choose(layout)
    shown = column.area.shown()
    names = tuple(panel.title() for panel in column.area.panels if panel.key in shown)
    assert all(panel.title() for panel in column.panels)
    live.close()
    column.deleteLater()
    return names


def test_a_first_start_announces_the_essential_panels(
    live: LivePanels, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    coming = ComingPanels(theme, settings)
    qtbot.addWidget(coming)
    assert coming.names == shown_names(live, theme)
    assert coming.names[0] == "Decode rate"


def test_a_later_start_announces_the_panels_of_the_last(
    live: LivePanels, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    last = shown_names(live, theme, BuiltIn.EXPLAIN)
    coming = ComingPanels(theme, settings)
    qtbot.addWidget(coming)
    assert coming.names == last
    assert "Memory map" in last


def test_what_cannot_be_read_is_not_announced(
    theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    settings.setValue("window/panels", "nonsense")
    coming = ComingPanels(theme, settings)
    qtbot.addWidget(coming)
    assert coming.names[0] == "Decode rate"


def test_each_panel_has_a_card(theme: Theme, settings: QSettings, qtbot: QtBot) -> None:
    coming = ComingPanels(theme, settings)
    qtbot.addWidget(coming)
    coming.resize(430, 800)
    image = coming.grab().toImage()
    panel = theme.color("panel").rgb()
    column = [image.pixelColor(400, y).rgb() == panel for y in range(image.height())]
    n_cards = sum(is_card and not above for above, is_card in pairwise(column))
    assert n_cards == len(coming.names) == 6


@pytest.mark.parametrize("layout", [BuiltIn.ESSENTIAL, BuiltIn.EXPLAIN])
def test_what_announces_stands_where_the_panels_will(
    live: LivePanels, theme: Theme, settings: QSettings, qtbot: QtBot, layout: BuiltIn
) -> None:
    column = live.make_column(theme)
    column.layouts.choose(layout)
    column.resize(430, 900)
    with qtbot.waitExposed(column, timeout=WAIT_MS):
        column.show()
    QApplication.processEvents()
    first = next(panel for panel in column.area.panels if panel.isVisible())
    strip = QRect(column.strip.mapTo(column, QPoint()), column.strip.size())
    card = QRect(first.mapTo(column, QPoint()), first.size())
    live.close()
    column.deleteLater()
    coming = ComingPanels(theme, settings)
    qtbot.addWidget(coming)
    coming.resize(430, 900)
    image = coming.grab().toImage()

    def tops(name: ColorName, x: int) -> list[int]:
        """Where a stretch of this colour begins."""
        wanted = theme.color(name).rgb()
        found = [image.pixelColor(x, y).rgb() == wanted for y in range(image.height())]
        return [y for y in range(1, len(found)) if found[y] and not found[y - 1]]

    scale = strip.height() / STRIP_HEIGHT
    assert tops("line", 215)[0] == pytest.approx(strip.top() + BAR_TOP * scale, abs=1)
    assert tops("panel", 400)[0] - 1 == card.top()
    assert card.left() == COLUMN_MARGIN


def test_telemetry_takes_the_place_of_what_announced_it(
    theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    telemetry = QWidget()
    columns = Columns(theme, settings, QWidget(), QWidget(), lambda: telemetry)
    qtbot.addWidget(columns)
    columns.resize(1280, 800)
    columns.show()
    coming = QWidget()
    columns.announce_telemetry(coming)
    assert coming.isVisible()
    replay = QWidget()
    columns.show_replay(replay)
    assert not coming.isVisible()
    columns.show_replay(None)
    assert coming.isVisible()
    with qtbot.waitSignal(coming.destroyed, timeout=WAIT_MS):
        columns.allow_telemetry()
    assert telemetry.isVisible()
