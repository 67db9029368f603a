"""The telemetry column shows what happens, freezes, zooms, and lets panels be arranged."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.marks import Mark, MarkKind
from app.telemetry import TelemetryStore
from engine.events import LoadProgress, LoadStage, MemoryChanged
from engine.samples import GpuAbsence, GpuSample, Sample
from engine.values import MemoryUse
from tests.app.test_telemetry import MS, Clock, S, answer, finished, load
from tests.ui.driving import double_click
from tests.waiting import WAIT_MS
from ui.format import UNKNOWN
from ui.panels.column import TelemetryColumn
from ui.panels.layouts import BuiltIn
from ui.panels.panel import LivePanel
from ui.theme import Theme, ThemeMode

ESSENTIAL = ["decode_rate", "time_per_token", "first_token", "kv_cache", "memory", "cpu"]
SAMPLE = Sample(
    t_ns=1 * S,
    engine_pid=7,
    engine_rss_bytes=421 << 20,
    engine_cpu_cores=1.84,
    window_cpu_cores=0.04,
    machine_used_bytes=5 << 30,
    machine_total_bytes=16 << 30,
    machine_cpu_cores=1.9,
    n_cores=2,
    gpu_absence=GpuAbsence.NO_DRIVER,
)
GPU = GpuSample(
    index=0,
    name="Fake GPU",
    memory_used_bytes=3 << 30,
    memory_total_bytes=8 << 30,
    process_memory_bytes=700 << 20,
    utilization_ratio=0.63,
    power_mw=123_400,
    temperature_c=61,
)


class Scene:
    """A column with a store on a clock that stands still."""

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        self.clock = Clock()
        self.store = TelemetryStore(self.clock)
        self.column = TelemetryColumn(self.store, theme)
        self.column.resize(430, 900)
        qtbot.addWidget(self.column)
        with qtbot.waitExposed(self.column, timeout=WAIT_MS):
            self.column.show()
        QApplication.processEvents()

    def panel(self, key: str) -> LivePanel:
        return next(panel for panel in self.column.panels if panel.key == key)

    def texts(self, key: str) -> tuple[str, str]:
        header = self.panel(key).header
        return str(header.value), header.context

    def run_answer(
        self,
        request_id: int = 2,
        t0_ns: int = S,
        *,
        end: bool = True,
        gpus: tuple[GpuSample, ...] = (),
    ) -> None:
        absence = None if gpus else GpuAbsence.NO_DRIVER
        sample = replace(SAMPLE, gpus=gpus, gpu_absence=absence)
        self.store.on_submitted(request_id, t0_ns)
        self.store.on_sample(replace(sample, t_ns=t0_ns + 10 * MS))
        self.store.on_events(tuple(answer(request_id, t0_ns)))
        self.clock.now_ns = t0_ns + 220 * MS
        self.store.on_sample(replace(sample, t_ns=t0_ns + 215 * MS))
        if end:
            self.store.on_events((finished(request_id, t0_ns + 220 * MS),))
        self.column.refresh()

    def picture(self, key: str) -> QImage:
        QApplication.processEvents()
        picture: QImage = self.panel(key).graph.grab().toImage()
        return picture


@pytest.fixture
def scene(theme: Theme, qtbot: QtBot) -> Iterator[Scene]:
    scene = Scene(theme, qtbot)
    yield scene
    scene.column.close()


def test_before_anything_is_known_every_value_is_blank(scene: Scene) -> None:
    assert scene.column.area.shown() == ESSENTIAL
    for key in ESSENTIAL:
        assert scene.texts(key) == (UNKNOWN, "")
        canvas = scene.panel(key).graph.canvas
        assert canvas is not None
        assert canvas.is_empty
        assert canvas.labels.empty.startswith("Shows ")


def test_every_panel_says_its_figure(scene: Scene, qtbot: QtBot) -> None:
    load(scene.store)
    scene.run_answer()
    assert scene.texts("decode_rate") == ("50.0\u202ftok/s", "prefill 400\u202ftok/s")
    assert scene.texts("time_per_token") == (
        "20.0\u202fms",
        "p50 20.0\u202fms   p95 20.0\u202fms",
    )
    assert scene.texts("first_token") == ("107\u202fms", "60 of 100 tokens from cache")
    assert scene.texts("kv_cache") == ("108\u202fKiB", "106 of 4,096 tokens  ·  f16")
    scene.store.lose_cells()
    scene.column.refresh()
    assert scene.texts("kv_cache") == ("108\u202fKiB", "held 106 of 4,096 tokens  ·  f16")
    value, context = scene.texts("memory")
    assert value == "421\u202fMiB"
    assert context == "weights 90\u202fB   KV 180\u202fB   compute 98\u202fB   other 421"
    assert scene.texts("cpu") == ("184\u202f%", "engine threads 2  ·  window 4.0\u202f%")
    qtbot.waitUntil(lambda: not scene.column._timer.isActive(), timeout=WAIT_MS)
    scene.store.on_first_paint(2, 1 * S + 130 * MS)
    assert scene.texts("first_token")[1] == "felt 130\u202fms  ·  60 of 100 tokens from cache"


@pytest.mark.parametrize("key", ESSENTIAL)
def test_each_panel_moves_when_events_arrive(scene: Scene, key: str) -> None:
    load(scene.store)
    before = scene.picture(key)
    scene.run_answer()
    after = scene.picture(key)
    assert before != after
    description = scene.panel(key).accessibleDescription()
    assert str(scene.panel(key).header.value) in description


def test_the_column_repaints_by_itself_while_running_and_rests_when_idle(
    scene: Scene, qtbot: QtBot
) -> None:
    load(scene.store)
    scene.store.on_sample(SAMPLE)
    scene.store.on_submitted(2, 1 * S)
    scene.clock.now_ns = 1 * S + 100 * MS
    scene.store.on_events(tuple(answer(2, 1 * S)))
    qtbot.waitUntil(lambda: scene.texts("decode_rate")[0] == "50.0\u202ftok/s", timeout=WAIT_MS)
    scene.store.on_events((finished(2, 1 * S + 220 * MS),))
    qtbot.waitUntil(lambda: not scene.column._timer.isActive(), timeout=WAIT_MS)
    assert scene.column.axis.view_s == pytest.approx((1.0, 1.22))
    picture = scene.panel("cpu").graph.canvas
    scene.store.on_sample(replace(SAMPLE, t_ns=3 * S, engine_cpu_cores=0.03))
    assert scene.texts("cpu")[0] == "3.0\u202f%"
    assert not scene.column._timer.isActive()
    assert scene.panel("cpu").graph.canvas is picture


def test_a_hidden_column_does_not_work(scene: Scene) -> None:
    scene.column.hide()
    scene.store.on_submitted(2, 1 * S)
    assert not scene.column._timer.isActive()


def test_a_column_shown_late_catches_up(scene: Scene, qtbot: QtBot) -> None:
    scene.column.hide()
    load(scene.store)
    scene.run_answer()
    scene.column.show()
    qtbot.waitUntil(lambda: scene.texts("decode_rate")[0] == "50.0\u202ftok/s", timeout=WAIT_MS)


def test_the_right_edge_is_now_while_running_and_the_end_after(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer(end=False)
    assert scene.column.axis.view_s == pytest.approx((1.0, 1.22))
    scene.clock.now_ns = 4 * S
    scene.column.refresh()
    assert scene.column.axis.view_s == pytest.approx((1.0, 4.0))
    scene.store.on_events((finished(2, 2 * S),))
    scene.clock.now_ns = 9 * S
    scene.column.refresh()
    assert scene.column.axis.view_s == pytest.approx((1.0, 2.0))


def test_after_a_measurement_the_last_answer_is_in_view_again(scene: Scene, qtbot: QtBot) -> None:
    load(scene.store)
    scene.run_answer()
    scene.store.on_submitted(3, 5 * S, is_trial=True)
    scene.store.on_events((*answer(3, 5 * S), finished(3, 6 * S)))
    scene.clock.now_ns = 7 * S
    qtbot.waitUntil(lambda: not scene.column._timer.isActive(), timeout=WAIT_MS)
    assert scene.column.axis.view_s == pytest.approx((5.0, 6.0))
    scene.store.forget_trials()
    assert scene.column.axis.view_s == pytest.approx((1.0, 1.22))
    names = [scene.column.strip.name_of(span.phase) for span in scene.column.strip.spans()]
    assert names == ["wait", "prefill", "decode"]


def test_before_a_prompt_the_kv_panel_has_words_and_no_axis(scene: Scene) -> None:
    load(scene.store)
    scene.column.refresh()
    canvas = scene.panel("kv_cache").graph.canvas
    assert canvas is not None
    assert (canvas.is_empty, canvas.labels.top) == (True, "")
    assert canvas.labels.empty == "Shows when a prompt enters the cache"
    scene.run_answer()
    canvas = scene.panel("kv_cache").graph.canvas
    assert canvas is not None
    assert (canvas.is_empty, canvas.labels.top) == (False, "1\u202fMiB")


def test_all_essential_panels_find_room_in_a_low_window(scene: Scene, qtbot: QtBot) -> None:
    bar = scene.column._scroll.verticalScrollBar()
    panel = scene.panel("cpu")
    usual = panel.minimumSizeHint().height()
    # Of a window 720 pixels high.
    scene.column.resize(430, 720)
    qtbot.waitUntil(lambda: bar.maximum() == 0, timeout=WAIT_MS)
    assert panel.minimumSizeHint().height() < usual
    # Where they scroll anyhow, they are no lower.
    scene.column.resize(430, 600)
    qtbot.waitUntil(lambda: panel.minimumSizeHint().height() == usual, timeout=WAIT_MS)
    assert bar.maximum() > 0


def test_pause_freezes_the_view_while_data_goes_on(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer()
    QTest.mouseClick(scene.column.header.pause_button, Qt.MouseButton.LeftButton)
    assert scene.column.header.pause_button.text() == "Resume"
    before = scene.texts("kv_cache")
    scene.store.on_submitted(3, 5 * S)
    scene.store.on_events((*answer(3, 5 * S, n_steps=40), finished(3, 6 * S)))
    scene.store.on_sample(replace(SAMPLE, t_ns=6 * S, engine_cpu_cores=0.5))
    assert scene.texts("kv_cache") == before
    assert not scene.column._timer.isActive()
    assert scene.column.axis.view_s == pytest.approx((1.0, 1.22))
    QTest.mouseClick(scene.column.header.pause_button, Qt.MouseButton.LeftButton)
    assert scene.texts("kv_cache")[1].startswith("140 of")
    assert scene.column.axis.view_s == pytest.approx((5.0, 6.0))


def test_hovering_one_panel_gives_the_values_of_all(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer()
    graph = scene.panel("kv_cache").graph
    without = scene.picture("decode_rate")
    area = graph.area
    # 60 % of 220 ms: 132 ms after the submit, when the first token is there.
    at = QPoint(int(area.left() + area.width() * 0.6), int(area.center().y()))
    QTest.mouseMove(graph.viewport(), at)
    hover_s = scene.column.axis.hover_s
    assert hover_s is not None
    assert hover_s == pytest.approx(1.132, abs=0.002)
    assert scene.panel("kv_cache").value_at(hover_s) == "104\u202fKiB  ·  101 tokens"
    assert scene.panel("time_per_token").value_at(hover_s) == "20.0\u202fms"
    assert scene.panel("memory").value_at(hover_s) == "421\u202fMiB"
    assert scene.panel("first_token").value_at(0.5) == ""
    assert scene.picture("decode_rate") != without
    scene.column.axis.set_hover(None)
    assert scene.picture("decode_rate") == without


def turn_wheel(
    scene: Scene,
    by: int,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    *,
    aside: int = 0,
) -> None:
    """Over the middle of the first graph; `by` is in eighths of a degree, upwards."""
    graph = scene.panel("decode_rate").graph
    window = scene.column.windowHandle()
    assert window is not None
    place = graph.viewport().mapTo(scene.column, graph.area.center().toPoint())
    # Events that are sent to a widget do not go on to what that stands in.
    QTest.wheelEvent(window, QPointF(place), QPoint(aside, by), stateKey=modifiers)


def test_wheel_zooms_drag_pans_and_double_click_follows(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer()
    axis, view = scene.column.axis, scene.panel("decode_rate").graph.viewport()
    area = scene.panel("decode_rate").graph.area
    middle = QPointF(area.center())
    turn_wheel(scene, 240)
    t0_s, t1_s = axis.view_s
    assert t1_s - t0_s == pytest.approx(0.22 * 0.64)
    assert (t0_s + t1_s) / 2 == pytest.approx(1.11, abs=0.001)
    start = middle.toPoint()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view, start + QPoint(int(area.width() / 4), 0))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start)
    assert axis.view_s[0] == pytest.approx(t0_s - (t1_s - t0_s) / 4, abs=0.002)
    canvas = scene.panel("cpu").graph.canvas
    assert canvas is not None
    assert (canvas.t0_s, canvas.t1_s) == axis.view_s
    double_click(view, start)
    assert axis.view_s == pytest.approx((1.0, 1.22))


def test_zooming_and_panning_end_where_there_is_nothing_more_and_a_button_leads_back(
    scene: Scene,
) -> None:
    load(scene.store)
    scene.run_answer()
    scene.run_answer(3, 5 * S)
    axis, button = scene.column.axis, scene.column.header.follow_button
    assert not button.isVisible()
    turn_wheel(scene, -120 * 40)
    # The load was at 0 s.
    assert axis.view_s == pytest.approx((0.0, 5.22))
    assert button.isVisible()
    turn_wheel(scene, 120 * 60)
    assert axis.view_s[1] - axis.view_s[0] == pytest.approx(0.02)
    axis.pan(100.0)
    assert axis.view_s == pytest.approx((5.2, 5.22))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert axis.view_s == pytest.approx((5.0, 5.22))
    assert not button.isVisible()


def test_the_wheel_scrolls_a_column_that_is_too_long_and_zooms_with_ctrl(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer()
    scene.column.resize(430, 400)
    QApplication.processEvents()
    axis, bar = scene.column.axis, scene.column._scroll.verticalScrollBar()
    before = axis.view_s
    turn_wheel(scene, -120)
    assert axis.view_s == before
    assert bar.value() > 0
    scrolled = bar.value()
    turn_wheel(scene, 120, Qt.KeyboardModifier.ControlModifier)
    assert axis.view_s != before
    assert bar.value() == scrolled
    zoomed = axis.view_s
    turn_wheel(scene, 120, Qt.KeyboardModifier.ShiftModifier)
    assert axis.view_s[0] < zoomed[0]
    assert axis.view_s[1] - axis.view_s[0] == pytest.approx(zoomed[1] - zoomed[0])


def test_a_finger_that_moves_a_little_askew_goes_where_it_mostly_goes(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer()
    scene.column.resize(430, 400)
    QApplication.processEvents()
    turn_wheel(scene, 120, Qt.KeyboardModifier.ControlModifier)
    axis, bar = scene.column.axis, scene.column._scroll.verticalScrollBar()
    t0_s, t1_s = axis.view_s
    turn_wheel(scene, -30, aside=90)
    assert axis.view_s[0] == pytest.approx(t0_s - 0.075 * (t1_s - t0_s))
    assert bar.value() == 0
    panned = axis.view_s
    turn_wheel(scene, -90, aside=30)
    assert axis.view_s == panned
    assert bar.value() > 0


def test_times_under_graphs_count_from_the_send_of_the_answer_in_view(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer()
    axis = scene.column.axis
    assert axis.zero_s == pytest.approx(1.0)
    scene.run_answer(3, 5 * S)
    assert axis.zero_s == pytest.approx(5.0)
    axis.look_at(1.1, 1.2)
    assert axis.zero_s == pytest.approx(1.0)
    graph, strip = scene.panel("decode_rate").graph, scene.column.strip

    def shown() -> tuple[QImage, QImage]:
        below = QRect(0, int(graph.area.bottom()) + 4, graph.width(), 12)
        return graph.grab(below).toImage(), strip.grab(QRect(0, 20, strip.width(), 12)).toImage()

    def change(step_s: float) -> tuple[bool, bool]:
        begin_s, end_s = axis.view_s
        before = shown()
        axis.look_at(begin_s + step_s, end_s + step_s)
        return shown()[0] != before[0], shown()[1] != before[1]

    graph.parentWidget().setFixedHeight(200)
    QApplication.processEvents()
    assert change(0.02) == (True, True)
    # A low graph has all its room for the curve.
    graph.setFixedHeight(60)
    QApplication.processEvents()
    assert change(0.01) == (False, True)


def test_keys_do_what_the_pointer_does(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer()
    axis, graph = scene.column.axis, scene.panel("decode_rate").graph
    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_Plus)
    assert axis.view_s[1] - axis.view_s[0] == pytest.approx(0.22 * 0.8)
    before_s = axis.view_s[0]
    QTest.keyClick(graph, Qt.Key.Key_Right)
    assert axis.view_s[0] == pytest.approx(before_s + 0.0176)
    QTest.keyClick(graph, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert axis.hover_s is not None
    QTest.keyClick(graph, Qt.Key.Key_Home)
    assert axis.view_s == pytest.approx((1.0, 1.22))


def test_gpu_panels_come_with_a_gpu_and_say_why_when_there_is_none(scene: Scene) -> None:
    scene.store.on_sample(SAMPLE)
    actions = {action.text(): action for action in scene.column.panel_actions()}
    assert not actions["GPU use: no NVIDIA driver was found"].isEnabled()
    assert not scene.panel("gpu_use").isVisible()
    scene.store.on_sample(replace(SAMPLE, gpus=(GPU,), gpu_absence=None))
    assert scene.panel("gpu_use").isVisible()
    assert scene.texts("gpu_use") == ("63\u202f%", "123\u202fW  ·  61\u202f°C")
    assert scene.texts("gpu_memory")[0] == "700\u202fMiB"
    assert not scene.panel("gpu_power").isVisible()
    scene.column.show_all()
    assert scene.texts("gpu_power")[0] == "123\u202fW"
    assert scene.texts("gpu_temperature")[0] == "61\u202f°C"
    scene.store.on_sample(replace(SAMPLE, gpu_absence=GpuAbsence.SAMPLER_CRASHED))
    assert not scene.panel("gpu_use").isVisible()


def test_gpu_panels_stay_as_they_are_while_a_sampler_that_starts_again_looks_for_gpus(
    scene: Scene,
) -> None:
    sample = replace(SAMPLE, gpus=(GPU,), gpu_absence=None)
    scene.store.on_sample(sample)
    QApplication.processEvents()
    area = scene.column.area
    # As somebody who drags the edge below it.
    area._shares_evenly = False
    first = scene.panel("decode_rate")
    scene.column.resize(430, 1400)
    QApplication.processEvents()
    area.resizeDocks([first], [first.height() + 40], Qt.Orientation.Vertical)
    QApplication.processEvents()
    heights = [panel.height() for panel in scene.column.panels if panel.isVisible()]
    scene.store.on_mark(Mark(t_ns=2 * S, kind=MarkKind.SAMPLER_RESTARTED))
    assert scene.panel("gpu_use").isVisible()
    assert scene.texts("gpu_use")[0] == UNKNOWN
    for after in (replace(sample, t_ns=3 * S, gpus=()), replace(sample, t_ns=4 * S)):
        scene.store.on_sample(after)
        QApplication.processEvents()
        assert scene.panel("gpu_use").isVisible()
        assert [p.height() for p in scene.column.panels if p.isVisible()] == heights
    assert scene.texts("gpu_use")[0] == "63\u202f%"
    scene.store.on_sample(replace(SAMPLE, t_ns=5 * S, gpu_absence=GpuAbsence.SAMPLER_CRASHED))
    assert not scene.panel("gpu_use").isVisible()


@pytest.mark.parametrize("is_restarted", [True, False])
def test_a_layout_chosen_while_samples_are_overdue_has_the_panels_of_the_gpu(
    scene: Scene, is_restarted: bool
) -> None:
    scene.store.on_sample(replace(SAMPLE, gpus=(GPU,), gpu_absence=None))
    scene.store.on_samples_missed()
    if is_restarted:
        scene.store.on_mark(Mark(t_ns=2 * S, kind=MarkKind.SAMPLER_RESTARTED))
        # A sampler samples before it has looked for GPUs.
        scene.store.on_sample(replace(SAMPLE, t_ns=3 * S, gpu_absence=None))
    scene.column.layouts.choose(BuiltIn.HARDWARE)
    assert scene.panel("gpu_use").isVisible()
    assert scene.panel("cpu_power").isVisible()
    texts = [action.text() for action in scene.column.panel_actions()]
    assert "GPU use" in texts
    assert not any("not looked for yet" in text for text in texts)


def test_panels_are_asked_whether_they_can_be_shown_only_when_a_gpu_comes_or_goes(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.store.on_sample(replace(SAMPLE, gpus=(GPU,), gpu_absence=None))
    asked: list[str] = []
    absence = LivePanel.absence

    def ask(panel: LivePanel) -> str:
        asked.append(panel.key)
        return absence(panel)

    monkeypatch.setattr(LivePanel, "absence", ask)
    scene.store.on_sample(replace(SAMPLE, t_ns=2 * S, gpus=(GPU,), gpu_absence=None))
    scene.run_answer(t0_ns=3 * S, gpus=(GPU,))
    assert asked == []
    scene.store.on_sample(replace(SAMPLE, t_ns=9 * S, gpu_absence=GpuAbsence.DRIVER_FAILED))
    assert "cpu" in asked


def test_panels_are_hidden_and_shown_from_the_menu(scene: Scene) -> None:
    actions = {action.text(): action for action in scene.column.panel_actions()}
    actions["KV cache"].trigger()
    assert not scene.panel("kv_cache").isVisible()
    assert scene.column.header.set_button.text().startswith("My choice")
    scene.column.show_essential()
    assert scene.panel("kv_cache").isVisible()
    assert scene.column.header.set_button.text().startswith("Essential")


def _choose(scene: Scene, key: str, name: str) -> None:
    menu = scene.panel(key).header.menu_button.menu()
    next(action for action in menu.actions() if action.text() == name).trigger()
    QApplication.processEvents()


def test_panels_move_up_and_down_with_the_keyboard(scene: Scene) -> None:
    _choose(scene, "kv_cache", "Move up")
    assert scene.column.area.order()[2:4] == ["kv_cache", "first_token"]
    assert scene.panel("kv_cache").y() < scene.panel("first_token").y()
    _choose(scene, "kv_cache", "Move down")
    assert scene.panel("kv_cache").y() > scene.panel("first_token").y()
    _choose(scene, "decode_rate", "Move up")
    assert scene.column.area.order()[0] == "decode_rate"
    assert scene.column.area.shown() == ESSENTIAL


def test_a_layout_is_saved_and_restored(scene: Scene) -> None:
    _choose(scene, "cpu", "Move up")
    _choose(scene, "time_per_token", "Hide")
    layout = scene.column.layouts.arrangement()
    scene.column.show_essential()
    scene.column.area.reset()
    QApplication.processEvents()
    assert scene.panel("cpu").y() > scene.panel("memory").y()
    assert scene.column.layouts.restore(layout)
    QApplication.processEvents()
    assert scene.panel("cpu").y() < scene.panel("memory").y()
    assert not scene.panel("time_per_token").isVisible()
    assert scene.column.header.set_button.text().startswith("My choice")


def test_an_arrangement_that_qt_refuses_changes_nothing(scene: Scene) -> None:
    arrangement = replace(scene.column.layouts.arrangement(), state=b"\0\0", is_large=True)
    assert not scene.column.layouts.restore(arrangement)
    assert scene.column.area.shown() == ESSENTIAL
    assert scene.column.header.set_button.text().startswith("Essential")


def test_theme_changes_are_followed_at_once(scene: Scene, theme: Theme) -> None:
    theme.set_mode(ThemeMode.DARK)
    dark = scene.column.grab().toImage()
    assert dark.pixelColor(3, 3) == theme.color("side")
    theme.set_mode(ThemeMode.LIGHT)
    QApplication.processEvents()
    light = scene.column.grab().toImage()
    assert light.pixelColor(3, 3) == theme.color("side")
    corner = scene.panel("cpu").graph.grab().toImage().pixelColor(2, 2)
    assert corner == theme.color("panel")


def test_everything_has_an_accessible_name_and_a_definition(scene: Scene) -> None:
    for panel in scene.column.panels:
        assert panel.accessibleName()
        assert panel.graph.accessibleName()
        assert panel.header.menu_button.accessibleName()
        assert len(panel.header.toolTip()) > 40
    for key, term in [
        ("first_token", "TTFT"),
        ("time_per_token", "TPOT"),
        ("time_per_token", "ITL"),
    ]:
        assert term in scene.panel(key).header.toolTip()
    assert scene.column.strip.accessibleName() == "Phase"
    assert scene.column.header.pause_button.accessibleName()
    assert scene.column.header.set_button.accessibleName()


def test_the_strip_says_the_phase(scene: Scene) -> None:
    scene.clock.now_ns = 500 * MS
    load(scene.store)
    assert scene.column.strip.accessibleDescription() == "idle"
    scene.store.on_submitted(2, 1 * S)
    scene.clock.now_ns = 1 * S + 50 * MS
    scene.store.on_events(tuple(answer(2, 1 * S)[:2]))
    scene.column.refresh()
    assert scene.column.strip.accessibleDescription() == "prefill"
    names = [scene.column.strip.name_of(span.phase) for span in scene.column.strip.spans()]
    assert names == ["wait", "prefill"]


def legend_colors(scene: Scene) -> set[str]:
    strip = scene.column.strip.grab().toImage()
    from_row = strip.height() // 2
    return {
        strip.pixelColor(x, row).name()
        for x in range(strip.width())
        for row in range(from_row, strip.height())
    }


def test_compiling_is_said_and_is_in_the_legend_while_it_is_in_view(
    scene: Scene, theme: Theme
) -> None:
    color = theme.color("phase_compile").name()
    load(scene.store)
    scene.run_answer()
    assert color not in legend_colors(scene)
    for t_ms, stage in ((3000, LoadStage.READ), (3100, LoadStage.COMPILE)):
        event = LoadProgress(request_id=3, t_ns=t_ms * MS, stage=stage, fraction=None)
        scene.store.on_events((event,))
    scene.clock.now_ns = 4 * S
    scene.column.refresh()
    assert scene.column.strip.accessibleDescription() == "compiling"
    assert {color, theme.color("phase_load").name()} <= legend_colors(scene)


def test_the_parts_of_memory_follow_what_the_engine_says(scene: Scene) -> None:
    load(scene.store)
    scene.run_answer(gpus=(GPU,))
    assert "compute 98" in scene.texts("memory")[1]
    scene.panel("gpu_memory").setVisible(True)
    memory = MemoryUse(
        weights_bytes=200 << 20, kv_bytes=100 << 20, compute_bytes=300 << 20, on_gpu=True
    )
    scene.store.on_submitted(3, 2 * S)
    scene.store.on_events((MemoryChanged(request_id=3, t_ns=2 * S, memory=memory),))
    scene.column.refresh()
    assert scene.texts("memory")[1] == ""
    assert scene.texts("gpu_memory")[1] == "weights 200   KV 100   compute 300   other 100"


def test_a_panel_floats_and_docks_again(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.panel("cpu")
    scene.column.move(900, 0)
    QApplication.processEvents()
    left = panel.mapToGlobal(QPoint()).x()
    _choose(scene, "cpu", "Float")
    QApplication.processEvents()
    assert panel.isWindow()
    bare = Qt.WindowType.FramelessWindowHint
    qtbot.waitUntil(lambda: not panel.windowFlags() & bare, timeout=WAIT_MS)
    # Beside the panels that moved up.
    assert panel.x() < left - 100
    names = [action.text() for action in panel.header.menu_button.menu().actions()]
    assert "Dock" in names
    assert "Float" not in names
    assert panel.windowTitle() == "CPU"
    place, height = panel.pos(), panel.height()
    scene.column.present(panel)
    QApplication.processEvents()
    assert scene.column.presentation is not None
    scene.column.presentation.close()
    QApplication.processEvents()
    assert panel.height() == height
    panel.close()
    QApplication.processEvents()
    assert not panel.isWindow()
    assert panel.isVisible()
    _choose(scene, "cpu", "Float")
    qtbot.waitUntil(lambda: panel.x() == place.x(), timeout=WAIT_MS)


def test_a_panel_that_floats_while_a_button_is_held_elsewhere_has_a_frame_then(
    scene: Scene, qtbot: QtBot
) -> None:
    panel, elsewhere = scene.panel("cpu"), scene.column
    bare = Qt.WindowType.FramelessWindowHint
    QTest.mousePress(elsewhere, Qt.MouseButton.LeftButton)
    _choose(scene, "cpu", "Float")
    QApplication.processEvents()
    assert panel.windowFlags() & bare
    QTest.mouseRelease(elsewhere, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not panel.windowFlags() & bare, timeout=WAIT_MS)
    assert panel.isVisible()


@pytest.mark.parametrize(("n_cores", "interval_ms"), [(2, 250), (8, 100)])
def test_frames_are_fewer_where_the_engine_computes_on_every_core(
    scene: Scene, n_cores: int, interval_ms: int
) -> None:
    load(scene.store)
    scene.store.on_sample(replace(SAMPLE, n_cores=n_cores))
    scene.store.on_submitted(2, 2 * S)
    timers = scene.column.findChildren(QTimer)
    (timer,) = (each for each in timers if each.isActive() and not each.isSingleShot())
    assert timer.interval() == interval_ms
