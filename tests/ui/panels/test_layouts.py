"""Layouts of the panels are chosen, kept under names, explained, and shown on the full screen."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QSettings, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.ceilings import CeilingStore
from app.layouts import LayoutStore, to_json
from app.relay import SessionRelay
from app.sampling import SamplerReader
from app.telemetry import TelemetryStore
from engine.ceilings.measure import CannotMeasureReason
from engine.values import LoadOptions
from tests.app.test_telemetry import Clock, load
from tests.ui.fakes import FakeSession
from tests.ui.panels.test_column import ESSENTIAL, GPU, SAMPLE, Scene
from tests.waiting import WAIT_MS
from ui.columns import Columns
from ui.name_dialog import NameDialog
from ui.panels.column import TelemetryColumn
from ui.panels.explain.kv_view import KvView
from ui.panels.kv_seen import KvSeenPanel
from ui.panels.layouts import BuiltIn
from ui.panels.limits import LimitsPanel
from ui.panels.live import LivePanels
from ui.panels.look import LARGE
from ui.panels.panel import LivePanel
from ui.panels.presentation import Presentation
from ui.panels.sizes import SEPARATOR
from ui.panels_control import PanelsControl
from ui.theme import Theme, ThemeMode
from ui.window_actions import WindowActions

if TYPE_CHECKING:
    from app.messages import UserMessage

ROOT = Path(__file__).parents[3]


class OwnScene(Scene):
    """A column that keeps layouts, on a machine whose limits can be measured."""

    def __init__(self, theme: Theme, qtbot: QtBot, settings: QSettings, folder: Path) -> None:
        self.clock = Clock()
        self.ceilings = CeilingStore(folder, ROOT)
        self.store = TelemetryStore(self.clock, ceilings=self.ceilings)
        self.layouts = LayoutStore(settings)
        self.column = TelemetryColumn(self.store, theme, layouts=self.layouts)
        self.column.resize(430, 900)
        qtbot.addWidget(self.column)
        with qtbot.waitExposed(self.column, timeout=WAIT_MS):
            self.column.show()
        QApplication.processEvents()

    def shown(self) -> list[str]:
        return [panel.key for panel in self.column.panels if panel.isVisible()]

    def actions(self) -> dict[str, QAction]:
        """What the menu at the head offers now."""
        menu = self.column.header.set_button.menu()
        assert isinstance(menu, QMenu)
        menu.aboutToShow.emit()
        return {action.text().partition("\t")[0]: action for action in menu.actions()}

    def choose(self, name: str) -> None:
        self.actions()[name].trigger()
        QApplication.processEvents()

    def name_it(self, name: str) -> None:
        dialog = next(d for d in self.column.findChildren(NameDialog) if d.isVisible())
        dialog.field.setText(name)
        dialog.accept()

    def present(self, key: str) -> Presentation:
        self.panel(key).header.present_button.click()
        presentation = self.column.presentation
        assert presentation is not None
        QApplication.processEvents()
        return presentation


@pytest.fixture
def scene(theme: Theme, qtbot: QtBot, settings: QSettings, tmp_path: Path) -> Iterator[OwnScene]:
    scene = OwnScene(theme, qtbot, settings, tmp_path)
    yield scene
    scene.column.close()
    scene.ceilings.close()


def checked(scene: OwnScene) -> list[str]:
    actions = scene.actions()
    return [name for name, action in actions.items() if action.isChecked()]


def test_each_layout_shows_its_panels_and_is_checked(scene: OwnScene) -> None:
    assert checked(scene) == ["Essential"]
    scene.choose("Hardware")
    assert scene.shown() == ["decode_rate", "limits", "memory", "memory_map", "cpu"]
    assert checked(scene) == ["Hardware"]
    scene.choose("All")
    assert "limits" in scene.shown()
    assert set(ESSENTIAL) < set(scene.shown())
    scene.choose("Essential")
    assert scene.shown() == ESSENTIAL
    assert scene.column.header.set_button.text().startswith("Essential")


def test_a_layout_that_is_chosen_begins_at_its_top(scene: OwnScene, qtbot: QtBot) -> None:
    scene.choose("Explain")
    bar = scene.column._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100, timeout=WAIT_MS)
    bar.setValue(100)
    scene.choose("All")
    assert bar.value() == 0


def test_a_layout_that_is_chosen_undoes_moves_and_floats(scene: OwnScene) -> None:
    scene.column.area.move_panel(scene.panel("cpu"), -1)
    scene.panel("kv_cache").setFloating(True)
    scene.choose("Essential")
    assert not scene.panel("kv_cache").isFloating()
    places = [scene.panel(key).y() for key in ESSENTIAL]
    assert places == sorted(places)


def test_every_panel_that_explains_has_one_plain_sentence(scene: OwnScene) -> None:
    explaining = [panel for panel in scene.column.panels if BuiltIn.EXPLAIN in panel.layouts]
    assert len(explaining) > 5
    for panel in [*explaining, *(panel for panel in scene.column.panels if panel.plain())]:
        assert panel.plain().endswith("."), panel.key
        assert panel.plain().count(". ") == 0, panel.key
        assert len(panel.plain()) < 160, panel.key


def test_explain_is_larger_with_a_sentence_under_each_figure_and_scrolls(
    scene: OwnScene, qtbot: QtBot
) -> None:
    usual = scene.panel("decode_rate").height()
    scene.choose("Explain")
    for key in scene.shown():
        panel = scene.panel(key)
        explanation = panel.explanation
        assert explanation is not None
        assert explanation.isVisible()
        assert explanation.sentence == panel.plain()
        assert explanation.y() > panel.graph.y() or panel.graph.isHidden()
        assert panel.graph.minimumHeight() >= 112 or panel.graph.isHidden()
    qtbot.waitUntil(lambda: scene.column.area.height() > 900, timeout=WAIT_MS)
    assert scene.panel("decode_rate").height() > usual
    scene.choose("Essential")
    hidden = scene.panel("decode_rate").explanation
    assert hidden is not None
    assert not hidden.isVisible()
    qtbot.waitUntil(lambda: scene.panel("decode_rate").height() < usual * 1.1, timeout=WAIT_MS)


@pytest.mark.parametrize("is_large", [False, True])
def test_panels_say_by_how_much_lower_they_can_be(scene: OwnScene, is_large: bool) -> None:
    scene.column.layouts.set_large(is_large)
    panels = [scene.panel(key) for key in ESSENTIAL]
    usual = [panel.graph.minimumHeight() for panel in panels]
    for panel in panels:
        panel.set_low(True)
    low = [panel.graph.minimumHeight() for panel in panels]
    given = [before - after for before, after in zip(usual, low, strict=True)]
    assert [panel.gives_px for panel in panels] == given
    assert any(given) != is_large


class _Opened(QObject):
    """The names of the classes of windows that were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.Show
            and isinstance(watched, QWidget)
            and watched.isWindow()
            and not isinstance(watched, QMenu)
        ):
            self.names.append(type(watched).__name__)
        return False


def test_explanations_keep_their_size_in_another_theme(theme: Theme, scene: OwnScene) -> None:
    scene.column.layouts.choose(BuiltIn.EXPLAIN)
    explanation = scene.panel("decode_rate").explanation
    assert explanation is not None
    size_px = explanation._sentence.font().pixelSize()
    assert size_px == 16
    for mode in (ThemeMode.DARK, ThemeMode.LIGHT):
        theme.set_mode(mode)
        QApplication.processEvents()
        assert explanation._sentence.font().pixelSize() == size_px


def test_explanations_open_no_windows_of_their_own(qapp: QApplication, scene: OwnScene) -> None:
    opened = _Opened()
    qapp.installEventFilter(opened)
    scene.choose("Explain")
    qapp.removeEventFilter(opened)
    assert opened.names == []


def test_explanations_take_the_room_they_need_and_no_more(scene: OwnScene, qtbot: QtBot) -> None:
    scene.choose("Explain")
    explanation = scene.panel("decode_rate").explanation
    assert explanation is not None
    height = explanation.height()
    scene.column.resize(1200, 900)
    qtbot.waitUntil(lambda: explanation.height() < height, timeout=WAIT_MS)
    shown = scene.present("decode_rate")
    assert shown.panel.graph.height() > explanation.height()
    assert shown.height() == shown.screen().geometry().height()
    shown.close()
    scene.column.resize(430, 900)
    qtbot.waitUntil(lambda: explanation.height() == height, timeout=WAIT_MS)


def test_own_layouts_are_kept_chosen_renamed_and_deleted(scene: OwnScene) -> None:
    scene.choose("Explain")
    scene.panel("memory").hide()
    scene.column.area.move_panel(scene.panel("kv_cache"), -1)
    assert checked(scene) == ["Large, with explanations"]
    scene.choose("Save this layout…")
    scene.name_it("Lecture & lab")
    assert checked(scene)[0] == "Lecture && lab"
    scene.choose("Essential")
    scene.choose("Lecture && lab")
    assert "memory" not in scene.shown()
    assert scene.panel("kv_cache").y() < scene.panel("limits").y()
    assert scene.column.layouts.is_large
    scene.choose("Rename “Lecture && lab”…")
    scene.name_it("Lab")
    assert scene.column.header.set_button.text() == "Lab ▾"
    assert list(scene.layouts.names) == ["Lab"]
    scene.panel("cpu").show()
    assert scene.column.header.set_button.text().startswith("My choice")
    scene.panel("cpu").hide()
    assert scene.column.header.set_button.text() == "Lab ▾"
    assert "Save in “Lab”" not in scene.actions()
    scene.panel("cpu").show()
    scene.choose("Save in “Lab”")
    assert scene.column.header.set_button.text() == "Lab ▾"
    kept = scene.layouts.get("Lab")
    assert kept is not None
    assert "cpu" in kept.shown
    scene.present("cpu").close()
    QApplication.processEvents()
    assert scene.column.header.set_button.text() == "Lab ▾"
    scene.choose("Delete “Lab”")
    assert list(scene.layouts.names) == []
    assert scene.column.header.set_button.text().startswith("My choice")
    assert "memory" not in scene.shown()


def test_the_layout_kept_last_is_there_again_when_its_panels_are(scene: OwnScene) -> None:
    scene.choose("Save this layout…")
    scene.name_it("Mine")
    scene.panel("cpu").hide()
    assert checked(scene) == []
    scene.panel("cpu").show()
    # It shows what “Essential” shows as well.
    assert checked(scene) == ["Mine"]


def test_what_is_much_fills_the_screen_in_two_parts(scene: OwnScene) -> None:
    scene.choose("All")
    load(scene.store)
    panel = scene.panel("kv_seen")
    assert isinstance(panel, KvSeenPanel)
    view, shown = panel.view, scene.present("kv_seen")
    assert isinstance(view, KvView)
    first = shown.position.text()
    assert (view.grid.isVisible(), view.facts.isVisible()) == (True, False)
    QTest.keyClick(shown, Qt.Key.Key_Right)
    assert shown.panel is panel
    assert shown.position.text() != first
    assert (view.grid.isVisible(), view.facts.isVisible()) == (False, True)
    QTest.keyClick(shown, Qt.Key.Key_Right)
    assert shown.panel is not panel
    QApplication.processEvents()
    assert panel.isAncestorOf(view.grid)
    assert view.grid.isVisibleTo(panel)
    assert view.facts.isVisibleTo(panel)


def test_a_panel_fills_the_screen_and_comes_back(scene: OwnScene, qtbot: QtBot) -> None:
    load(scene.store)
    scene.run_answer()
    heights = {key: scene.panel(key).height() for key in ESSENTIAL}
    panel = scene.panel("time_per_token")
    shown = scene.present("time_per_token")
    assert shown.isFullScreen()
    assert shown.size() == scene.column.screen().size()
    assert panel.graph.window() is shown
    assert panel.graph.scale_ratio > 1.3
    assert str(shown.head.value) == "20.0\u202fms"
    assert panel.explanation is not None
    assert panel.explanation.isVisible()
    assert shown.accessibleName() == "Full screen: Time per output token"
    with qtbot.waitSignal(shown.ended, timeout=WAIT_MS):
        QTest.keyClick(shown, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert panel.graph.window() is scene.column
    assert panel.graph.scale_ratio == 1.0
    assert not panel.explanation.isVisible()
    qtbot.waitUntil(
        lambda: {key: scene.panel(key).height() for key in ESSENTIAL} == heights,
        timeout=WAIT_MS,
    )
    assert scene.column.header.set_button.text().startswith("Essential")


def test_an_own_layout_like_a_built_in_one_stays_after_the_full_screen(
    scene: OwnScene,
) -> None:
    scene.choose("Save this layout…")
    scene.name_it("Mine")
    scene.column.area.move_panel(scene.panel("cpu"), -1)
    scene.choose("Save in “Mine”")
    scene.present("cpu").close()
    QApplication.processEvents()
    assert scene.column.header.set_button.text() == "Mine ▾"


def test_arrows_go_through_the_panels_shown(scene: OwnScene) -> None:
    shown = scene.present("cpu")
    QTest.keyClick(shown, Qt.Key.Key_Right)
    assert shown.panel.key == "decode_rate"
    assert scene.panel("cpu").graph.window() is scene.column
    QTest.keyClick(shown, Qt.Key.Key_Left)
    QTest.keyClick(shown, Qt.Key.Key_PageUp)
    assert shown.panel.key == "memory"
    shown.next_button.click()
    assert shown.panel.key == "cpu"
    assert shown.position.text() == "6 of 6"
    QTest.keyClick(shown, Qt.Key.Key_F11)
    assert scene.column.presentation is None


def test_only_the_panel_on_the_full_screen_is_drawn_and_it_is_live(
    scene: OwnScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(scene.store)
    shown = scene.present("decode_rate")
    drawn: list[str] = []
    refresh = LivePanel.refresh_graph

    def note(panel: LivePanel) -> None:
        drawn.append(panel.key)
        refresh(panel)

    monkeypatch.setattr(LivePanel, "refresh_graph", note)
    scene.run_answer()
    assert set(drawn) == {"decode_rate"}
    assert str(shown.head.value) == "50.0\u202ftok/s"
    canvas = shown.panel.graph.canvas
    assert canvas is not None
    assert not canvas.is_empty
    shown.close()
    assert set(drawn) > {"decode_rate"}
    assert scene.texts("kv_cache")[0] == "108\u202fKiB"


def test_a_presentation_ends_with_its_column(scene: OwnScene) -> None:
    shown = scene.present("cpu")
    scene.column.hide()
    assert not shown.isVisible()
    assert scene.column.presentation is None


def test_a_panel_with_a_button_keeps_it_on_the_full_screen(scene: OwnScene) -> None:
    scene.choose("Hardware")
    shown = scene.present("limits")
    panel = scene.panel("limits")
    assert isinstance(panel, LimitsPanel)
    assert panel.measure_button.window() is shown
    assert panel.measure_button.isVisible()
    assert not shown.strip.isVisible()
    shown.go(1)
    assert shown.strip.isVisible()


def test_a_long_context_stands_in_two_lines_or_in_the_tooltip(scene: OwnScene) -> None:
    header = scene.panel("decode_rate").header
    value = header.value
    header.show_reading(value, "first half of it  ·  second half of it that is longer")
    one_line = header.toolTip()
    header.resize(430, header.height())
    header.grab()
    assert header.toolTip() == one_line
    header.resize(150, header.height())
    header.grab()
    assert "second half of it that is longer" in header.toolTip()


def test_a_right_click_opens_the_menu_of_a_panel(scene: OwnScene) -> None:
    panel = scene.panel("cpu")
    menu = panel.header.menu_button.menu()
    assert isinstance(menu, QMenu)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(20, 20), QPoint(20, 20))
    QApplication.sendEvent(panel.header, event)
    assert menu.isVisible()
    menu.close()


class Start:
    """A start of the application, as far as panels are concerned."""

    def __init__(self, settings: QSettings, theme: Theme, folder: Path) -> None:
        self.session = FakeSession()
        self.raised: list[UserMessage] = []
        self.session.message_raised.connect(self.raised.append)
        relay = SessionRelay(self.session)
        self.window = QWidget()
        self.live = LivePanels(
            self.session, relay, settings, self.window, root=ROOT, cache_dir=folder
        )
        self.column = self.live.make_column(theme)

    def end(self) -> None:
        self.live.close()
        self.column.deleteLater()
        self.window.deleteLater()


@pytest.fixture
def no_sampler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SamplerReader, "start", lambda _reader: None)


@pytest.mark.usefixtures("no_sampler")
def test_a_panel_that_floats_does_so_after_a_restart(
    settings: QSettings, theme: Theme, tmp_path: Path
) -> None:
    for is_floating in (False, True):
        start = Start(settings, theme, tmp_path)
        start.window.show()
        cpu = next(panel for panel in start.column.panels if panel.key == "cpu")
        assert cpu.isFloating() == is_floating
        assert not cpu.isHidden()
        cpu.setFloating(True)
        start.window.close()
        # As the application does with every window before it ends.
        cpu.close()
        start.end()


@pytest.mark.usefixtures("no_sampler")
def test_layouts_survive_a_restart(settings: QSettings, theme: Theme, tmp_path: Path) -> None:
    first = Start(settings, theme, tmp_path)
    first.column.layouts.choose(BuiltIn.EXPLAIN)
    first.column.layouts.save_as("Lecture")
    first.end()
    again = Start(settings, theme, tmp_path)
    assert again.raised == []
    assert again.column.layouts.current == "own:Lecture"
    assert again.column.layouts.is_large
    again.column.layouts.choose(BuiltIn.ESSENTIAL)
    again.column.layouts.choose("own:Lecture")
    assert again.column.layouts.is_large
    again.end()


@pytest.mark.usefixtures("no_sampler")
def test_gpu_panels_of_a_layout_wait_for_the_gpu_to_be_found_again(
    settings: QSettings, theme: Theme, tmp_path: Path
) -> None:
    first = Start(settings, theme, tmp_path)
    first.live._store.on_sample(replace(SAMPLE, gpus=(GPU,), gpu_absence=None))
    first.column.layouts.choose(BuiltIn.ESSENTIAL)
    assert "gpu_use" in first.column.area.shown()
    first.end()
    again = Start(settings, theme, tmp_path)
    assert again.column.layouts.current == BuiltIn.ESSENTIAL
    assert "gpu_use" in again.column.area.shown()
    again.live._store.on_sample(SAMPLE)
    assert again.column.layouts.current == BuiltIn.ESSENTIAL
    assert "gpu_use" not in again.column.area.shown()
    again.end()


@pytest.mark.usefixtures("no_sampler")
@pytest.mark.parametrize("is_newer", [True, False])
def test_an_arrangement_that_cannot_be_taken_is_told_and_kept(
    settings: QSettings, theme: Theme, tmp_path: Path, is_newer: bool
) -> None:
    first = Start(settings, theme, tmp_path)
    arrangement = to_json(first.column.layouts.arrangement())
    first.end()
    if is_newer:
        arrangement["shown"] = ["cpu", "quantum"]
    stored = json.dumps(arrangement) if is_newer else "{"
    settings.setValue("window/panels", QByteArray(stored.encode()))
    again = Start(settings, theme, tmp_path)
    (message,) = again.raised
    assert ("quantum" in message.text) == is_newer
    assert "window/panels_unread" in message.text
    assert again.column.layouts.current == BuiltIn.ESSENTIAL
    again.end()
    assert settings.value("window/panels_unread") == QByteArray(stored.encode())


@pytest.mark.usefixtures("no_sampler")
def test_an_own_layout_for_another_version_is_told(
    settings: QSettings, theme: Theme, tmp_path: Path
) -> None:
    first = Start(settings, theme, tmp_path)
    entry = {"name": "Tomorrow", **to_json(first.column.layouts.arrangement())}
    first.end()
    settings.setValue("window/layouts", json.dumps([{**entry, "shown": ["quantum"]}]))
    again = Start(settings, theme, tmp_path)
    (message,) = again.raised
    assert "“Tomorrow”" in message.text
    assert "“quantum”" in message.text
    again.end()


@pytest.mark.usefixtures("no_sampler")
def test_layouts_that_cannot_be_used_are_told_at_once(
    settings: QSettings, theme: Theme, tmp_path: Path
) -> None:
    entries = [{"name": f"Old {n}", "state": 7} for n in range(6)]
    settings.setValue("window/layouts", json.dumps([*entries, 7]))
    start = Start(settings, theme, tmp_path)
    (message,) = start.raised
    assert "“Old 0”, “Old 1”, “Old 2”, “Old 3”, “Old 4”, …." in message.text
    assert "window/layouts" in message.text
    store = start.column.layouts.store
    assert store is not None
    assert store.problem_of_name("hardware") is not None
    start.end()


@pytest.mark.usefixtures("no_sampler")
def test_an_own_layout_that_qt_refuses_is_told_and_changes_nothing(
    settings: QSettings, theme: Theme, tmp_path: Path
) -> None:
    start = Start(settings, theme, tmp_path)
    layouts = start.column.layouts
    assert layouts.store is not None
    layouts.store.save("Torn", replace(layouts.arrangement(), state=b"torn", shown=("cpu",)))
    before = start.column.area.shown()
    chosen: list[bool] = []
    layouts.chosen.connect(lambda: chosen.append(True))
    layouts.choose("own:Torn")
    (message,) = start.raised
    assert "“Torn”" in message.text
    assert "window/layouts" in message.text
    assert start.column.area.shown() == before
    assert layouts.current == BuiltIn.ESSENTIAL
    assert chosen == []
    start.end()


@pytest.mark.usefixtures("no_sampler")
def test_an_arrangement_of_the_first_versions_is_taken_without_a_word(
    settings: QSettings, theme: Theme, tmp_path: Path
) -> None:
    first = Start(settings, theme, tmp_path)
    first.column.area.show_only(["cpu", "memory"])
    state = first.column.layouts.arrangement().state
    first.end()
    settings.setValue("window/panels", QByteArray(state))
    again = Start(settings, theme, tmp_path)
    assert again.raised == []
    assert sorted(again.column.area.shown()) == ["cpu", "memory"]
    assert not settings.contains("window/panels_unread")
    again.end()


@pytest.mark.usefixtures("no_sampler")
def test_a_load_that_is_asked_for_ends_a_measurement_of_the_limits_at_once(
    settings: QSettings, theme: Theme, tmp_path: Path
) -> None:
    start = Start(settings, theme, tmp_path)
    start.live.ceilings.measure("CPU")
    start.session.load(LoadOptions(model_path="model.gguf"))
    assert start.live.ceilings.measuring is None
    assert start.live.ceilings.problem is CannotMeasureReason.INTERRUPTED
    start.end()


class Windowed:
    """The columns of a window with its actions, as far as panels are concerned."""

    def __init__(
        self, theme: Theme, settings: QSettings, qtbot: QtBot, *, makes_panels: bool = True
    ) -> None:
        self.column = TelemetryColumn(TelemetryStore(Clock()), theme, layouts=LayoutStore(settings))
        center = QLineEdit()
        self.columns = Columns(theme, settings, QWidget(), center, lambda: self.column)
        qtbot.addWidget(self.columns)
        self.actions = WindowActions(self.columns, theme)
        PanelsControl(self.actions, self.columns)
        self.columns.resize(1280, 800)
        with qtbot.waitActive(self.columns, timeout=WAIT_MS):
            self.columns.show()
            self.columns.activateWindow()
        center.setFocus()
        if makes_panels:
            self.columns.allow_telemetry()
        self.field = center


def test_f11_before_there_are_panels_presents_one_when_there_are(
    theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    windowed = Windowed(theme, settings, qtbot, makes_panels=False)
    QTest.keyClick(windowed.field, Qt.Key.Key_F11)
    assert windowed.columns.telemetry is None
    windowed.columns.allow_telemetry()
    shown = windowed.column.presentation
    assert shown is not None
    shown.close()
    # Once, not whenever a column is shown.
    windowed.columns.set_sidebar_shown(False)
    assert windowed.column.presentation is None
    windowed.columns.hide()


@pytest.fixture
def windowed(theme: Theme, settings: QSettings, qtbot: QtBot) -> Iterator[Windowed]:
    windowed = Windowed(theme, settings, qtbot)
    yield windowed
    windowed.columns.hide()


def test_f11_leaves_the_columns_as_they_are(windowed: Windowed) -> None:
    windowed.columns.set_focus_mode(True)
    QTest.keyClick(windowed.field, Qt.Key.Key_F11)
    shown = windowed.column.presentation
    assert shown is not None
    shown.close()
    assert not windowed.columns.shows_telemetry
    windowed.columns.set_focus_mode(False)
    assert windowed.columns.shows_sidebar
    assert windowed.columns.shows_telemetry


def test_f11_presents_the_panel_with_the_focus_else_the_first(windowed: Windowed) -> None:
    QTest.keyClick(windowed.field, Qt.Key.Key_F11)
    shown = windowed.column.presentation
    assert shown is not None
    assert shown.panel.key == "decode_rate"
    shown.close()
    panel = next(panel for panel in windowed.column.panels if panel.key == "memory")
    panel.graph.setFocus()
    QTest.keyClick(panel.graph, Qt.Key.Key_F11)
    shown = windowed.column.presentation
    assert shown is not None
    assert shown.panel is panel
    shown.close()


def test_the_window_has_the_menu_of_layouts_too(windowed: Windowed) -> None:
    menu = windowed.actions.panels_menu
    menu.aboutToShow.emit()
    actions = {action.text(): action for action in menu.actions()}
    assert actions["Live panels"].shortcut().toString() == "Ctrl+T"
    actions["Explain"].trigger()
    assert windowed.column.layouts.current == BuiltIn.EXPLAIN
    menu.aboutToShow.emit()
    assert next(a for a in menu.actions() if a.text() == "Explain").isChecked()


def test_a_view_that_explains_grows_on_the_full_screen_and_comes_back(
    scene: OwnScene, theme: Theme, qtbot: QtBot
) -> None:
    scene.choose("All")
    panel = next(panel for panel in scene.column.panels if isinstance(panel, KvSeenPanel))
    load(scene.store)
    panel.refresh_text()
    shown = Presentation(theme, scene.store, scene.column.axis, [panel], panel, scene.column)
    assert panel.view.window() is shown
    shown.resize(1920, 1080)
    qtbot.waitUntil(lambda: panel.view.look.text > 1.2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: panel.view.geometry().bottom() < shown.height(), timeout=WAIT_MS)
    shown.close()
    QApplication.processEvents()
    assert panel.view.look.text == 1.0
    assert panel.isAncestorOf(panel.view)
    scene.choose("Explain")
    assert panel.view.look.text == LARGE.text


def heights(scene: OwnScene) -> dict[str, int]:
    for _ in range(3):
        QApplication.processEvents()
    return {panel.key: panel.height() for panel in scene.column.panels if panel.isVisible()}


def test_a_layout_looks_the_same_each_time_it_is_chosen(scene: OwnScene) -> None:
    names = ("Essential", "Explain", "Hardware", "All")
    first = {}
    for name in names:
        scene.choose(name)
        first[name] = heights(scene)
    essential = first["Essential"].values()
    assert max(essential) - min(essential) <= 1
    scene.choose("Essential")
    area = scene.column.area
    area.event(QEvent(QEvent.Type.MouseButtonPress))
    top = scene.column.panels[0]
    area.resizeDocks([top], [250], Qt.Orientation.Vertical)
    dragged = heights(scene)
    assert dragged["decode_rate"] > first["Essential"]["decode_rate"] + 20
    scene.column.layouts.save_as("Mine")
    for name in (*names, *reversed(names)):
        scene.choose(name)
        assert heights(scene) == first[name], name
    scene.choose("Mine")
    assert heights(scene) == dragged
    scene.column.resize(430, 1000)
    scene.column.resize(430, 900)
    assert heights(scene)["decode_rate"] > first["Essential"]["decode_rate"] + 20


def test_only_a_drag_of_an_edge_ends_the_equal_shares(scene: OwnScene) -> None:
    scene.column.layouts.choose(BuiltIn.EXPLAIN)
    QApplication.processEvents()
    area, panel = scene.column.area, scene.panel("decode_rate")
    assert panel.explanation is not None
    QTest.mouseClick(panel.explanation, Qt.MouseButton.LeftButton)
    assert area._shares_evenly
    edge = QPoint(area.width() // 2, panel.geometry().bottom() + SEPARATOR // 2)
    QTest.mousePress(area, Qt.MouseButton.LeftButton, pos=edge)
    QTest.mouseRelease(area, Qt.MouseButton.LeftButton, pos=edge)
    assert not area._shares_evenly
