"""The timeline of a store: what is in view, what the line and the cursors say, keys and mouse."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.marks import Mark, MarkKind
from app.runs.file import read_run, write_run
from app.telemetry import TelemetryStore
from app.timeline.bounds import begin_s
from app.timeline.recorded import store_of
from engine.errors import ErrorCode, ErrorInfo
from engine.events import Failed, Finished, FinishReason
from engine.samples import Sample
from tests.app.runs.making import MS, T0, answer, recorded, sample
from tests.ui.driving import CONTROL, SHIFT, click, double_click
from tests.ui.fakes import loaded_model
from tests.waiting import WAIT_MS
from ui.timeline.backdrop import Backdrop
from ui.timeline.chart import Follow
from ui.timeline.cursors import CursorName
from ui.timeline.lanes import all_lanes, run_lanes
from ui.timeline.machine_lanes import StepLane
from ui.timeline.window import TimelineWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.timeline.chart import TimelineChart

GAP_NS = 10_000 * MS
WORDS = {(2, 2): "\u0020sky\n", (2, 3): "blue"}


def token_texts(request_id: int) -> Callable[[int], str | None]:
    return lambda step: WORDS.get((request_id, step))


class Clock:
    now_ns = T0

    def __call__(self) -> int:
        return self.now_ns


@pytest.fixture
def store(qapp: QApplication) -> TelemetryStore:
    """Two answers, ten seconds apart; the second was stopped. 0 s is when the first was sent."""
    store = TelemetryStore(Clock())
    store.on_events((loaded_model(),))
    store.on_submitted(2, T0)
    store.on_events(tuple(answer(2)))
    store.on_submitted(3, T0 + GAP_NS)
    *events, end = answer(3, T0 + GAP_NS)
    assert isinstance(end, Finished)
    store.on_events((*events, replace(end, reason=FinishReason.CANCELLED)))
    for t_ns in range(T0, T0 + GAP_NS + 2000 * MS, 1000 * MS):
        store.on_sample(sample(t_ns, energy_mj=(t_ns - T0) // MS * 4, power_mw=4000))
    return store


@pytest.fixture
def shown(
    store: TelemetryStore, theme: Theme, settings: QSettings, qtbot: QtBot
) -> Iterator[TimelineWindow]:
    """The window on screen, 1280 x 760."""
    parent = QWidget()
    made = TimelineWindow(
        theme, store, settings, parent, lanes=all_lanes(token_texts), token_texts=token_texts
    )
    made.resize(1280, 760)
    with qtbot.waitExposed(made, timeout=WAIT_MS):
        made.show()
    yield made
    made.hide()
    parent.deleteLater()


def view_ms(chart: TimelineChart) -> tuple[float, float]:
    t0_s, t1_s = chart.axis.view_s
    return t0_s * 1e3, t1_s * 1e3


def at(chart: TimelineChart, t_s: float) -> QPoint:
    scene = chart.scene(chart.lanes[2])
    return QPointF(scene.x(t_s), scene.area.center().y()).toPoint()


def point(chart: TimelineChart, t_s: float) -> None:
    QTest.mouseMove(chart, at(chart, t_s))


def key(chart: TimelineChart, name: Qt.Key, modifiers: Qt.KeyboardModifier | None = None) -> None:
    QTest.keyClick(chart, name, modifiers or Qt.KeyboardModifier.NoModifier)


def bar_color(chart: TimelineChart, lane: int, t_s: float) -> QColor:
    """The colour of the bar of a run at a moment, as painted."""
    chart.setFocus()
    scene = chart.scene(chart.lanes[lane])
    place = QPoint(int(scene.x(t_s)), int(scene.area.top()) + 4)
    return chart.grab().toImage().pixelColor(place)


def tick_height(chart: TimelineChart, lane: int, t_s: float) -> int:
    """Pixels of the tick of a run's step that ended at a moment, as painted."""
    chart.axis.set_hover(None)
    scene = chart.scene(chart.lanes[lane])
    image, bottom = chart.grab().toImage(), int(scene.area.bottom())
    decode = scene.theme.color("phase_decode").name()
    columns = [int(scene.x(t_s)) + shift for shift in (-1, 0, 1)]
    rows = range(bottom - int(scene.area.height() * 0.6), bottom)
    return max(sum(image.pixelColor(x, y).name() == decode for y in rows) for x in columns)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["a", "b", "c", "d"], ["b", "c", "d"]),
        (["a", "b", None, None], ["b"]),
        (["a", "b", "much too long for it" * 9, "much too long for it" * 9], []),
    ],
)
def test_words_of_steps_are_written_where_they_are_known_and_most_fit(
    shown: TimelineWindow, texts: list[str | None], words: list[str]
) -> None:
    lane = StepLane(lambda _request_id: lambda step: texts[step] if step < 4 else None)
    scene = replace(shown.chart.scene(shown.chart.lanes[2]), t0_s=0.0, t1_s=1.0)
    metrics = QFontMetrics(scene.theme.font("caption"))
    assert [text for _, text in lane.words(scene, metrics)] == words


def test_it_opens_at_the_last_answer_and_goes_to_all_of_them(shown: TimelineWindow) -> None:
    chart = shown.chart
    begin, end = view_ms(chart)
    assert begin == pytest.approx(10_000, abs=10)
    assert end == pytest.approx(10_318, abs=10)
    click(shown.all_button)
    begin, end = view_ms(chart)
    assert begin <= 0
    assert end >= 10_318
    click(shown.answer_button)
    assert view_ms(chart)[0] == pytest.approx(10_000, abs=10)


def test_zooming_out_to_all_follows_all_of_it_again_while_the_clock_runs(
    shown: TimelineWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    axis = shown.chart.axis
    click(shown.all_button)
    begin_s, end_s = axis.view_s
    axis.zoom(0.5, end_s / 2)
    assert axis.view_s[0] > begin_s
    monkeypatch.setattr(Clock, "now_ns", T0 + round((end_s + 0.5) * 1e9))
    axis.zoom(100.0, end_s / 2)
    assert axis.is_following
    # What came long after the last answer can be looked at.
    monkeypatch.setattr(Clock, "now_ns", T0 + round((end_s + 60) * 1e9))
    axis.zoom(100.0, end_s / 2)
    assert axis.view_s == pytest.approx((begin_s, end_s + 60))


def test_it_goes_from_answer_to_answer(shown: TimelineWindow) -> None:
    chart = shown.chart
    key(chart, Qt.Key.Key_PageUp)
    assert view_ms(chart)[0] == pytest.approx(0, abs=10)
    key(chart, Qt.Key.Key_PageUp)
    assert view_ms(chart)[0] == pytest.approx(0, abs=10)
    click(shown.next_button)
    assert view_ms(chart)[0] == pytest.approx(10_000, abs=10)


def test_pointing_tells_everything_known_of_the_moment(shown: TimelineWindow) -> None:
    chart = shown.chart
    key(chart, Qt.Key.Key_PageUp)
    chart.axis.set_hover(0.150)
    words = shown.readout.moment.text()
    assert "Answer 1, 150\u202fms after it was sent" in words
    assert "decode 200\u202fms" in words
    assert "step 3" in words
    assert "“␣sky⏎”" in words
    assert "20.0\u202fms since the step before" in words
    assert "KV cache 102 tokens" in words
    assert "engine memory 421\u202fMiB" in shown.readout.machine.text()
    assert "GPU power 4.00\u202fW" in shown.readout.machine.text()
    assert words in chart.accessibleDescription()


def test_the_answer_of_the_steps_is_looked_for_once_a_picture(
    store: TelemetryStore, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    looked_for: list[int] = []
    asked: list[int] = []

    def text_of(step: int) -> str:
        asked.append(step)
        return "x"

    def texts_of(request_id: int) -> Callable[[int], str | None]:
        looked_for.append(request_id)
        return text_of

    parent = QWidget()
    made = TimelineWindow(theme, store, settings, parent, lanes=all_lanes(texts_of))
    with qtbot.waitExposed(made, timeout=WAIT_MS):
        made.show()
    made.chart.grab()
    looked_for.clear()
    asked.clear()
    made.chart.redraw()
    made.chart.grab()
    # The view begins a little before, where the last step of the answer before may reach in.
    assert looked_for == [2, 3]
    assert len(asked) > 5
    made.hide()
    parent.deleteLater()


def test_a_mark_says_what_happened_where_it_did(shown: TimelineWindow) -> None:
    chart = shown.chart
    chart.axis.set_hover(10.015)
    assert "60 of 100 prompt tokens came from the cache" in shown.readout.machine.text()
    chart.axis.set_hover(10.318)
    assert "stopped" in shown.readout.machine.text()
    chart.store.on_mark(Mark(kind=MarkKind.SUSPENDED, t_ns=T0 + 10_100 * MS, detail=(5 * 10**9,)))
    chart.axis.set_hover(10.100)
    assert "the machine slept for 5.00\u202fs" in shown.readout.machine.text()


def test_curves_of_the_cpu_stay_while_samples_are_overdue(shown: TimelineWindow) -> None:
    chart = shown.chart
    chart.store.on_sample(Sample(t_ns=T0 + 11_500 * MS, n_cores=4, engine_cpu_cores=2.0))
    said = "engine CPU 50\u202f%"
    chart.axis.set_hover(11.5)
    assert said in shown.readout.machine.text()
    chart.store.on_samples_missed()
    chart.axis.set_hover(11.499)
    assert said in shown.readout.machine.text()
    assert "CPU, engine" in [entry.text for entry in chart.lanes[4].legend(chart.store)]


def test_two_cursors_give_the_difference_with_keys(shown: TimelineWindow) -> None:
    chart = shown.chart
    key(chart, Qt.Key.Key_PageUp)
    chart.axis.set_hover(0.140)
    key(chart, Qt.Key.Key_A)
    assert "Set the other cursor" in shown.readout.cursors.text()
    chart.axis.set_hover(0.240)
    key(chart, Qt.Key.Key_B)
    words = shown.readout.cursors.text()
    assert "Δ 100\u202fms" in words
    assert "5 steps" in words
    assert "50.0\u202ftok/s" in words
    assert "0.400\u202fJ of the GPU" in words
    key(chart, Qt.Key.Key_Escape)
    assert shown.isVisible()
    assert shown.readout.cursors.text() == ""
    assert not shown.clear_button.isEnabled()


def test_two_cursors_are_set_and_moved_with_the_mouse(shown: TimelineWindow) -> None:
    chart = shown.chart
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at(chart, 10.150))
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, SHIFT, at(chart, 10.250))
    span_s = chart.cursors.span_s
    assert span_s == pytest.approx((10.150, 10.250), abs=0.001)
    QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=at(chart, 10.250))
    QTest.mouseMove(chart, at(chart, 10.200))
    QTest.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=at(chart, 10.200))
    assert chart.cursors.at(CursorName.B) == pytest.approx(10.200, abs=0.001)
    assert chart.cursors.at(CursorName.A) == pytest.approx(10.150, abs=0.001)


def test_dragging_moves_the_view_and_sets_no_cursor(shown: TimelineWindow) -> None:
    chart = shown.chart
    before_s = chart.axis.view_s
    start, end = at(chart, 10.250), at(chart, 10.200)
    QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(chart, end)
    QTest.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=end)
    assert chart.axis.view_s[0] - before_s[0] == pytest.approx(0.05, abs=0.001)
    assert not chart.cursors.is_any_set


def test_the_line_is_gone_where_what_is_dragged_leaves_the_graph(shown: TimelineWindow) -> None:
    chart = shown.chart
    start, on, out = at(chart, 10.200), at(chart, 10.150), QPoint(20, 200)
    QTest.mouseMove(chart, start)
    QTest.mousePress(chart, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(chart, on)
    assert chart.axis.hover_s == pytest.approx(10.200, abs=0.001)
    QTest.mouseMove(chart, out)
    QTest.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=out)
    assert chart.axis.hover_s is None


def test_the_wheel_zooms_around_the_pointer(shown: TimelineWindow) -> None:
    chart = shown.chart
    place = at(chart, 10.200)
    event = QWheelEvent(
        QPointF(place),
        QPointF(chart.mapToGlobal(place)),
        QPoint(),
        QPoint(0, 1200),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(chart, event)
    t0_s, t1_s = chart.axis.view_s
    assert t1_s - t0_s == pytest.approx(0.328 * 0.8**10, rel=0.02)
    assert abs(at(chart, 10.200).x() - place.x()) <= 2


def test_keys_go_from_step_to_step(shown: TimelineWindow) -> None:
    chart = shown.chart
    chart.axis.set_hover(10.140)
    key(chart, Qt.Key.Key_Right, CONTROL)
    assert chart.axis.hover_s == pytest.approx(10.157)
    key(chart, Qt.Key.Key_Left, CONTROL)
    key(chart, Qt.Key.Key_Left, CONTROL)
    assert chart.axis.hover_s == pytest.approx(10.117)
    key(chart, Qt.Key.Key_Left, CONTROL)
    # The step before is of the other answer: the view goes there.
    assert chart.axis.hover_s == pytest.approx(0.317)
    t0_s, t1_s = chart.axis.view_s
    assert t0_s < 0.317 < t1_s


def test_a_double_click_shows_the_answer_under_it(shown: TimelineWindow) -> None:
    chart = shown.chart
    click(shown.all_button)
    chart.axis.look_at(-1.0, 1.0)
    place = at(chart, 0.2)
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=place)
    double_click(chart, place)
    assert not chart.cursors.is_any_set
    begin, end = view_ms(chart)
    assert (begin, end) == pytest.approx((0, 318), abs=10)


def test_what_comes_is_followed_and_what_is_looked_at_stays(
    shown: TimelineWindow, store: TelemetryStore, qtbot: QtBot
) -> None:
    chart = shown.chart
    t0_ns = T0 + 3 * GAP_NS
    store.on_submitted(4, t0_ns)
    store.on_events(tuple(answer(4, t0_ns)))
    qtbot.waitUntil(lambda: abs(view_ms(chart)[0] - 30_000) < 10, timeout=WAIT_MS)
    key(chart, Qt.Key.Key_Plus)
    looked_at = chart.axis.view_s
    store.on_submitted(5, t0_ns + GAP_NS)
    store.on_events(tuple(answer(5, t0_ns + GAP_NS)))
    assert chart.axis.view_s == looked_at


def test_what_is_not_in_view_paints_nothing_anew(
    shown: TimelineWindow, store: TelemetryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = shown.chart
    # Curves go on to the first sample behind the view, which is there already.
    chart.axis.look_at(10.0, 10.4)
    chart.grab()
    painted: list[bool] = []
    paint = Backdrop.paint

    def note(backdrop: Backdrop, painter: QPainter) -> None:
        painted.append(True)
        paint(backdrop, painter)

    monkeypatch.setattr(Backdrop, "paint", note)

    def paints(change: Callable[[], None]) -> bool:
        painted.clear()
        change()
        chart.grab()
        return bool(painted)

    def add_sample(t_ms: int) -> None:
        store.on_sample(sample(T0 + t_ms * MS))

    def add_mark(t_ms: int) -> None:
        store.on_mark(Mark(kind=MarkKind.CLOCK_JUMPED, t_ns=T0 + t_ms * MS, detail=(5 * 10**9,)))

    assert not any(paints(partial(add_sample, t_ms)) for t_ms in (12_000, 13_000))
    assert not paints(lambda: add_mark(13_500))
    assert paints(lambda: add_mark(10_200))
    assert paints(lambda: chart.axis.look_at(10.0, 15.0))
    assert paints(lambda: add_sample(14_000))
    assert paints(lambda: add_sample(16_000))
    assert not paints(lambda: add_sample(17_000))
    assert paints(lambda: store.on_first_paint(3, T0 + GAP_NS + 150 * MS))
    store.on_submitted(9, T0 + 17_000 * MS)
    assert paints(chart._on_frame)


def test_every_lane_says_in_a_sentence_what_it_shows(shown: TimelineWindow) -> None:
    for lane in shown.chart.lanes:
        assert lane.title()
        assert lane.sentence().endswith(".")
    assert "131,072 steps" in shown.kept.text()
    assert "24 hours" in shown.kept.text()
    assert "MiB of memory" in shown.kept.text()


def test_prefill_is_painted_as_stairs_above_what_the_cache_had(
    shown: TimelineWindow, theme: Theme
) -> None:
    chart = shown.chart
    key(chart, Qt.Key.Key_PageUp)
    chart.axis.set_hover(None)
    image = chart.grab().toImage()
    scene = chart.scene(chart.lanes[1])
    bottom, top = scene.area.bottom() - 13, scene.area.top() + 20
    fresh = theme.color("phase_prefill")
    computed = (fresh.name(), fresh.darker(112).name())

    def color(t_s: float, y: float) -> str:
        return image.pixelColor(int(scene.x(t_s)), int(y)).name()

    assert color(0.030, bottom) == theme.color("phase_cached").name()
    # 80 of 100 tokens are there after the first chunk, all after the second.
    assert color(0.030, bottom - 0.7 * (bottom - top)) in computed
    assert color(0.030, top) not in computed
    assert color(0.100, top) in computed


@pytest.mark.parametrize("n_events", [0, 1, 2, 3, 5, 6, 7])
def test_a_request_that_broke_off_anywhere_is_shown_as_far_as_it_came(
    n_events: int, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    error = ErrorInfo(code=ErrorCode.DECODE_FAILED)
    store = TelemetryStore(Clock())
    store.on_submitted(2, T0)
    store.on_events(tuple(answer()[:n_events]))
    parent = QWidget()
    made = TimelineWindow(theme, store, settings, parent, lanes=all_lanes(token_texts))
    with qtbot.waitExposed(made, timeout=WAIT_MS):
        made.show()
    made.chart.grab()
    store.on_events((Failed(request_id=2, t_ns=T0 + 150 * MS, error=error),))
    made.chart.follow(Follow.ALL)
    made.chart.axis.set_hover(0.005)
    made.chart.grab()
    assert "queue" in made.readout.moment.text()
    made.chart.axis.set_hover(0.150)
    assert "failed" in made.readout.machine.text()
    assert made.chart.axis.view_s[1] >= 0.150
    made.hide()
    parent.deleteLater()


def test_it_is_empty_before_the_first_answer(
    theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    parent = QWidget()
    lanes = all_lanes(token_texts)
    made = TimelineWindow(theme, TelemetryStore(Clock()), settings, parent, lanes=lanes)
    with qtbot.waitExposed(made, timeout=WAIT_MS):
        made.show()
    key(made.chart, Qt.Key.Key_PageUp)
    key(made.chart, Qt.Key.Key_Right, CONTROL)
    made.chart.axis.set_hover(0.0)
    assert made.readout.moment.text() == "Nothing was going on"
    made.hide()
    parent.deleteLater()


def test_several_runs_lie_under_each_other_from_when_each_was_sent(
    theme: Theme, settings: QSettings, qtbot: QtBot, tmp_path: Path
) -> None:
    parent = QWidget()
    told = []
    for step_ms in (20, 40):
        write_run(tmp_path / "run.npz", recorded(step_ms=step_ms))
        told.append((store_of(read_run(tmp_path / "run.npz")), f"{step_ms} ms a step"))
    made = TimelineWindow(theme, told[0][0], settings, parent, lanes=run_lanes(told), words="2")
    with qtbot.waitExposed(made, timeout=WAIT_MS):
        made.show()
    chart = made.chart
    assert [lane.title() for lane in chart.lanes] == ["Run 1", "Run 2"]
    assert [lane.sentence().splitlines()[0] for lane in chart.lanes] == [
        "20 ms a step",
        "40 ms a step",
    ]
    assert "50.0\u202ftok/s" in chart.lanes[0].sentence()
    assert "25.0\u202ftok/s" in chart.lanes[1].sentence()
    # The longer of the two is in view whole.
    assert chart.axis.view_s[1] >= 0.517
    chart.axis.set_hover(0.300)
    assert [lane.chip_at(0.300) for lane in chart.lanes] == [
        "decode  ·  step 11  ·  20.0\u202fms",
        "decode  ·  step 6  ·  40.0\u202fms",
    ]
    assert "300\u202fms after each was sent" in made.readout.moment.text()
    assert "Run 1: decode" in made.readout.machine.text()
    assert bar_color(chart, 0, 0.200) == theme.color("phase_decode")
    assert bar_color(chart, 1, 0.450) == theme.color("phase_decode")
    # On one scale: steps of half the time are half as high.
    assert tick_height(chart, 0, 0.257) == pytest.approx(tick_height(chart, 1, 0.277) / 2, abs=2)
    assert bar_color(chart, 0, 0.450) != theme.color("phase_decode")
    chart.cursors.set(CursorName.A, 0.150)
    chart.cursors.set(CursorName.B, 0.250)
    words = made.readout.cursors.text()
    assert words.count("Δ 100\u202fms") == 1
    assert "Run 1: 5 steps  ·  5 tokens  ·  50.0\u202ftok/s" in words
    assert "Run 2: 3 steps  ·  3 tokens  ·  30.0\u202ftok/s" in words
    assert not made.previous_button.isVisible()
    made.hide()
    parent.deleteLater()


def test_the_legend_names_what_there_is_and_gives_a_colour_one_meaning(
    shown: TimelineWindow, theme: Theme
) -> None:
    texts = shown.legend.texts
    assert "GPU" in texts
    assert {"template", "tokenize", "search of the cache"}.isdisjoint(texts)
    entries = shown.legend._entries
    shades = [(theme.color(entry.color).name(), entry.is_pale) for entry in entries]
    assert len(set(shades)) == len(shades)
    assert len(set(texts)) == len(texts)


def test_the_legend_has_no_gpu_where_there_is_none(
    theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    store = TelemetryStore(Clock())
    parent = QWidget()
    qtbot.addWidget(parent)
    made = TimelineWindow(theme, store, settings, parent, lanes=all_lanes(token_texts))
    assert not made.legend.texts
    made.show()
    store.on_sample(sample(T0))
    made.chart.redraw()
    assert made.legend.texts == ("engine memory", "KV cache", "CPU, engine", "CPU, everything")
    store.on_events((loaded_model(),))
    store.on_submitted(2, T0)
    store.on_events(tuple(answer(2)))
    made.chart.redraw()
    assert "decode" in made.legend.texts
    assert "GPU" not in made.legend.texts
    made.done(0)


def test_zooming_ends_at_what_is_known_and_the_bar_says_what_is_followed(
    shown: TimelineWindow,
) -> None:
    chart = shown.chart
    assert shown.answer_button.isChecked()
    chart.zoom(3)
    assert not shown.answer_button.isChecked()
    chart.zoom(-500)
    t0_s, t1_s = chart.axis.view_s
    first_s = begin_s(chart.store, of_all=True)
    assert first_s is not None
    margin_s = 0.02 * (10.3 - first_s)
    assert first_s - margin_s < t0_s < first_s
    assert 10.3 < t1_s < 10.3 + margin_s
    click(shown.all_button)
    assert shown.all_button.isChecked()
    click(shown.all_button)
    assert shown.all_button.isChecked()


def test_earlier_answers_lead_to_the_runs(shown: TimelineWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(shown.runs_requested, timeout=WAIT_MS):
        click(shown.earlier_button)
    assert "Earlier answers" in shown.kept.text()
