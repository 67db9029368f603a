"""The top of the telemetry column finds room in the narrowest one, whatever is in it."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.translation import Translation
from tests.ui.conftest import TRANSLATIONS
from tests.waiting import WAIT_MS
from ui.columns import TELEMETRY_LEAST
from ui.panels.column_header import ColumnHeader
from ui.panels.layouts import BuiltIn, built_in_name
from ui.panels.sizes import COLUMN_MARGIN
from ui.panels.time_axis import TimeAxis
from ui.theme import Theme

NARROWEST = TELEMETRY_LEAST - 2 * COLUMN_MARGIN

Make = Callable[[str], tuple[ColumnHeader, TimeAxis]]


@pytest.fixture
def make(theme: Theme, qtbot: QtBot, qapp: QApplication) -> Iterator[Make]:
    """A header on screen, as wide as in the narrowest column, in a language."""
    translations: list[Translation] = []
    hosts: list[QWidget] = []

    def make_header(language: str) -> tuple[ColumnHeader, TimeAxis]:
        translations.append(Translation(qapp, TRANSLATIONS, QLocale(language)))
        host = QWidget()
        hosts.append(host)
        qtbot.addWidget(host)
        axis = TimeAxis(host)
        header = ColumnHeader(theme, axis, QMenu(host))
        header.setParent(host)
        header.set_name(built_in_name(BuiltIn.ESSENTIAL))
        header.resize(NARROWEST, header.height())
        with qtbot.waitExposed(host, timeout=WAIT_MS):
            host.show()
        QApplication.processEvents()
        return header, axis

    yield make_header
    for translation in translations:
        translation.close()


def assert_all_has_room(header: ColumnHeader) -> None:
    QApplication.processEvents()
    shown = [each for each in header.findChildren(QWidget) if each.isVisible()]
    shown = sorted((each for each in shown if each.parent() is header), key=QWidget.x)
    assert len(shown) >= 3
    for each in shown:
        assert each.width() >= each.sizeHint().width()
    for left, right in pairwise(shown):
        assert left.geometry().right() < right.x()
    assert shown[-1].geometry().right() < header.width()


@pytest.mark.parametrize("language", ["en_US", "fr_FR"])
def test_in_the_narrowest_column_all_of_it_has_room(make: Make, language: str) -> None:
    header, axis = make(language)
    name = built_in_name(BuiltIn.ESSENTIAL)
    assert header.set_button.text() == f"{name} \N{BLACK DOWN-POINTING SMALL TRIANGLE}"
    assert_all_has_room(header)
    header.pause_button.setChecked(True)
    assert_all_has_room(header)
    axis.zoom(0.5, 0.5)
    assert header.follow_button.isVisible()
    assert_all_has_room(header)
    header.set_name("A layout & a very long name of it")
    assert_all_has_room(header)


def test_where_there_is_room_the_timeline_has_words(make: Make) -> None:
    header, _ = make("en_US")
    header.resize(700, header.height())
    assert header.timeline_button.text() == "Timeline"
    assert header.timeline_button.icon().isNull()
    assert_all_has_room(header)
    header.resize(220, header.height())
    assert header.timeline_button.text() == ""
    assert not header.timeline_button.icon().isNull()
    assert header.timeline_button.accessibleName() == "Timeline of all answers"
    assert_all_has_room(header)
