"""The real window with the starter model: the timeline says what the figures say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import main
from app.engine_state import EngineStatus
from app.marks import MarkKind
from app.telemetry import TelemetryStore
from app.timeline.stretches import Stage, stretches_of
from app.transcript import Answer
from engine.events import FinishReason
from tests.starter_window import ENDLESS, GREEDY, starter_window
from tests.ui.driving import click
from tests.waiting import WAIT_MS
from ui.runs.window import RunsWindow
from ui.timeline.window import TimelineWindow

pytestmark = pytest.mark.model

N_TOKENS = 12


@pytest.fixture
def application(
    qapp: QApplication, qtbot: QtBot, starter_model_path: Path
) -> Iterator[main.WindowApplication]:
    """The window with the starter model, which the first question may have to wait for."""
    with starter_window(qapp, starter_model_path, max_tokens=N_TOKENS) as made:
        qtbot.waitUntil(lambda: made.live_panels is not None, timeout=WAIT_MS)
        yield made


def ask(application: main.WindowApplication, qtbot: QtBot, text: str) -> Answer:
    assert application.session.send(text)
    answer = application.session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: answer.felt_ttft_ns is not None, timeout=WAIT_MS)
    return answer


def says_what_the_figures_say(store: TelemetryStore, index: int, answer: Answer) -> None:
    turn = store.turns[index]
    figures = answer.figures
    assert figures is not None
    took = dict.fromkeys(Stage, 0)
    for each in stretches_of(turn.trace):
        assert each.t1_ns is not None
        took[each.stage] += each.t1_ns - each.t0_ns
    prepared_ns = took[Stage.TEMPLATE] + took[Stage.TOKENIZE] + took[Stage.LOOKUP]
    assert took[Stage.QUEUE] == figures.queue_ns
    assert prepared_ns == figures.prepare_ns
    assert min(took[Stage.TEMPLATE], took[Stage.TOKENIZE], took[Stage.LOOKUP]) > 0
    assert took[Stage.PREFILL] == figures.prefill_ns
    assert took[Stage.FIRST_TOKEN] == figures.first_token_ns
    assert prepared_ns + took[Stage.PREFILL] + took[Stage.FIRST_TOKEN] == figures.ttft_ns
    assert answer.felt_ttft_ns is not None
    assert figures.ttft_ns is not None
    assert took[Stage.QUEUE] + figures.ttft_ns <= answer.felt_ttft_ns
    first_ns, last_ns = turn.trace.t_first_ns, turn.trace.t_last_ns
    assert first_ns is not None
    assert last_ns is not None
    ticks, itl = store.steps.between(store.to_s(first_ns), store.to_s(last_ns), "itl")
    begin = int(ticks.searchsorted(store.to_s(first_ns)))
    own = slice(begin, begin + figures.n_output_tokens)
    assert ticks[own].tolist() == [store.to_s(t_ns) for t_ns in answer.trace.step_t_ns]
    assert itl[own][1:].tolist() == list(answer.trace.itl().interval_ns)


def test_the_timeline_agrees_with_the_figures_live_and_recorded(
    application: main.WindowApplication, qtbot: QtBot
) -> None:
    window = application.window
    window.actions_.timeline.trigger()
    shown = window.findChild(TimelineWindow)
    assert shown is not None
    store = shown.chart.store
    # Sent before the model is there: the queue has the load in it.
    first = ask(application, qtbot, "Name a river.")
    second = ask(application, qtbot, "And tell me a story about a mountain.")
    says_what_the_figures_say(store, 0, first)
    says_what_the_figures_say(store, 1, second)
    (load, *_) = store.phases.loads
    assert load.t1_s is not None
    reused = [
        mark
        for mark in store.marks.between(0, store.to_ns(store.now_s))
        if mark.kind is MarkKind.CACHE_REUSE
    ]
    trace = second.trace
    assert [mark.detail for mark in reused] == [(trace.n_cached_tokens, trace.n_prompt_tokens)]

    chart = shown.chart
    chart.show_turn(1)
    steps_s = [store.to_s(t_ns) for t_ns in trace.step_t_ns]
    for name, t_s in ((Qt.Key.Key_A, steps_s[2]), (Qt.Key.Key_B, steps_s[-1])):
        chart.axis.set_hover(t_s)
        QTest.keyClick(chart, name)
    assert f"{len(steps_s) - 3} steps" in shown.readout.cursors.text()
    chart.axis.set_hover(steps_s[1])
    text = second.text[second.step_ends[0] : second.step_ends[1]].replace(" ", "␣")
    assert f"“{text}”" in shown.readout.moment.text()
    shown.close()
    foot = window.chat.view.stack.answer_widgets()[0].foot
    click(foot.button("timeline"))
    (shown,) = [each for each in window.findChildren(TimelineWindow) if each.isVisible()]
    begin_s, end_s = shown.chart.axis.view_s
    assert begin_s < store.to_s(first.trace.t_submit_ns) < end_s < steps_s[0]
    shown.close()

    qtbot.waitUntil(lambda: application.recording.library.n_runs == 2, timeout=WAIT_MS)
    window.actions_.runs.trigger()
    list_ = window.findChild(RunsWindow)
    assert list_ is not None
    qtbot.waitUntil(lambda: len(list_.model.rows) == 2, timeout=WAIT_MS)
    list_.table.selectRow(0)
    qtbot.waitUntil(list_.timeline_button.isEnabled, timeout=WAIT_MS)
    click(list_.timeline_button)

    def recorded() -> list[TimelineWindow]:
        found = window.findChildren(TimelineWindow)
        return [each for each in found if len(each.chart.store.turns) == 1]

    qtbot.waitUntil(lambda: len(recorded()) == 1, timeout=WAIT_MS)
    (run,) = recorded()
    assert "Timeline –" in run.windowTitle()
    by_submit = {
        answer.trace.t_end_ns - answer.trace.t_submit_ns: answer
        for answer in (first, second)
        if answer.trace.t_end_ns is not None
    }
    end_ns = run.chart.store.turns[0].t_end_ns
    assert end_ns is not None
    says_what_the_run_says(run.chart.store, by_submit[end_ns])
    run.close()
    list_.close()


def says_what_the_run_says(store: TelemetryStore, answer: Answer) -> None:
    """A recorded run begins at 0 and is otherwise the same."""
    t0_ns = answer.trace.t_submit_ns
    recorded = stretches_of(store.turns[0].trace)
    live = stretches_of(answer.trace)
    assert [(each.stage, each.t0_ns, each.t1_ns) for each in recorded] == [
        (each.stage, each.t0_ns - t0_ns, (each.t1_ns or 0) - t0_ns) for each in live
    ]
    (ticks,) = store.steps.between(-1e9, 1e9)
    assert [store.to_ns(t_s) for t_s in ticks] == [t - t0_ns for t in answer.trace.step_t_ns]


def test_a_stop_is_marked_where_it_happened(
    application: main.WindowApplication, qtbot: QtBot
) -> None:
    session = application.session
    qtbot.waitUntil(lambda: session.engine_state.status is EngineStatus.READY, timeout=WAIT_MS)
    session.set_chat_settings(session.current_chat, GREEDY)
    assert session.send(ENDLESS)
    answer = session.current_chat.turns[-1]
    assert isinstance(answer, Answer)
    qtbot.waitUntil(lambda: bool(answer.text), timeout=WAIT_MS)
    application.window.actions_.stop.trigger()
    qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
    assert answer.finish_reason is FinishReason.CANCELLED
    assert application.live_panels is not None
    store = application.live_panels.store
    end_ns = answer.trace.t_end_ns
    assert end_ns is not None
    (stop,) = [mark for mark in store.marks.between(0, end_ns) if mark.kind is MarkKind.STOP]
    assert stop.t_ns == end_ns
