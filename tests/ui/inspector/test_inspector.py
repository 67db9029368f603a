"""Clicks on words, colours, and what is told of answers that were not inspected."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.tint import Tint
from app.transcript import Answer
from engine.events import FinishReason
from engine.figures import RequestTrace
from engine.inspection import Candidate, SamplerStage, TokenInspection, pack
from tests.ui.driving import CONTROL, click, press
from tests.waiting import WAIT_MS
from ui.conversation.code_part import CodePart
from ui.inspector.legend import level_colors
from ui.theme import ThemeMode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytestqt.qtbot import QtBot

    from tests.ui.conftest import MakeWindow
    from tests.ui.fakes import FakeSession
    from ui.conversation.text_part import TextPart
    from ui.inspector.panel import TokenPanel
    from ui.main_window import MainWindow
    from ui.theme import Theme

ALT = Qt.KeyboardModifier.AltModifier
PLAIN = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


def told(piece: str, probability: float = 0.25) -> TokenInspection:
    """One of eleven, of which the last was removed."""

    def candidate(
        token: int, text: str, share: float, removed_by: SamplerStage | None = None
    ) -> Candidate:
        return Candidate(
            token=token,
            piece=text.encode(),
            probability=share,
            drawn_probability=0.0 if removed_by else 2 * share,
            removed_by=removed_by,
        )

    others = [candidate(100 + n, f" other{n}", 0.02) for n in range(9)]
    return TokenInspection(
        chosen=candidate(7, piece, probability),
        rank=1,
        alternatives=(*others, candidate(200, " gone", 0.01, SamplerStage.TOP_K)),
        stages=((SamplerStage.TOP_K, 40), (SamplerStage.MIN_P, 10)),
        is_penalized=False,
        watch_ns=400_000,
    )


def answered(
    session: FakeSession,
    pieces: Sequence[str],
    *,
    probabilities: Sequence[float] = (),
    gaps_ms: Sequence[int] = (),
) -> Answer:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    t_ms = 0
    for number, piece in enumerate(pieces):
        t_ms += gaps_ms[number] if gaps_ms else 20
        session.stream(answer, piece, t_ms=t_ms)
        if probabilities:
            answer.inspected[number] = (pack(told(piece, probabilities[number])),)
    session.finish(answer)
    return answer


@pytest.fixture
def ready(window: MainWindow, session: FakeSession) -> MainWindow:
    session.become_ready()
    return window


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until all is in its place; code that gets its colours is laid out once more."""
    view = window.chat.view

    def is_settled() -> bool:
        parts = [part for widget in view.stack.answer_widgets() for part in widget.parts]
        return view.is_settled and all(
            part.is_settled for part in parts if isinstance(part, CodePart)
        )

    qtbot.waitUntil(is_settled, timeout=WAIT_MS)


def part_with(window: MainWindow, text: str) -> tuple[TextPart, QPoint]:
    """The part that has `text`, and where its second character is in the viewport."""
    for part in window.chat.view.text_parts():
        found = part.document().find(text)
        if not found.isNull():
            found.setPosition(found.selectionStart() + 1)
            return part, part.cursorRect(found).center()
    raise AssertionError(text)


def click_word(window: MainWindow, text: str, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    part, place = part_with(window, text)
    QTest.mouseClick(part.viewport(), LEFT, modifiers, place + QPoint(2, 0))


def panel_of(window: MainWindow) -> TokenPanel:
    panel = window.inspector.panel
    assert panel is not None
    assert panel.isVisible()
    return panel


def test_answers_are_inspected_only_when_that_is_switched_on(
    ready: MainWindow, session: FakeSession
) -> None:
    found: list[bool] = [session.inspects]
    for _ in range(2):
        press(ready, Qt.Key.Key_I, CONTROL | Qt.KeyboardModifier.ShiftModifier)
        found.append(session.inspects)
    assert found == [False, True, False]


def test_the_switch_and_the_colours_are_remembered(
    make_window: MakeWindow, session: FakeSession
) -> None:
    first = make_window()
    first.inspector.actions_.inspect.trigger()
    first.inspector.set_tint(Tint.LATENCY)
    session.inspects = False
    second = make_window()
    assert session.inspects is True
    assert second.inspector.actions_.inspect.isChecked()
    assert second.inspector.tint is Tint.LATENCY
    assert second.inspector.legend.isVisible()


def test_a_click_on_a_word_shows_its_tokens(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    ready.inspector.actions_.inspect.trigger()
    pieces = ["An", " **unb", "eliev", "able**", " end", "."]
    answered(session, pieces, probabilities=[0.9, 0.25, 0.5, 0.75, 0.9, 0.9])
    settled(qtbot, ready)
    click_word(ready, "unbelievable")
    panel = panel_of(ready)
    assert panel.title.text() == "“unbelievable”"
    assert [chip.text() for chip in panel.chips] == ["␣**unb", "eliev", "able**"]
    assert panel.time.text() == "20.0\u202fms"
    assert panel.probability.text() == "25\u202f%, the most likely"
    assert panel.cache.text() == "2.13\u202fMiB in 97 tokens"
    assert panel.token.text() == "7"
    assert panel.rows.isVisible()
    assert "gone 1.0\u202f%, out: top-k" in panel.rows.accessibleDescription()
    assert "top-k 40 → min-p 10" in panel.note.text()
    assert "400\u202fµs" in panel.note.text()
    click(panel.chips[2])
    assert panel.probability.text() == "75\u202f%, the most likely"


def test_a_click_does_nothing_while_tokens_are_not_inspected(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    answered(session, ["Some", " words"])
    settled(qtbot, ready)
    click_word(ready, "words")
    assert ready.inspector.panel is None


def test_alt_and_a_click_shows_the_time_of_an_answer_that_was_not_inspected(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    answered(session, ["Some", " words"], gaps_ms=[20, 35])
    settled(qtbot, ready)
    click_word(ready, "words", ALT)
    panel = panel_of(ready)
    assert panel.time.text() == "35.0\u202fms"
    assert panel.cache.text() == "2.13\u202fMiB in 97 tokens"
    assert panel.probability.text() == "—"
    assert panel.token.text() == "—"
    assert panel.rows.isHidden()
    assert "begin while Inspect tokens is on" in panel.note.text()


def test_of_an_answer_of_an_earlier_run_nothing_is_made_up(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    kept = Answer(trace=RequestTrace(0, 0), text="Kept words.")
    session.current_chat.fill([kept])
    session.chat_opened.emit(session.current_chat)
    settled(qtbot, ready)
    click_word(ready, "words", ALT)
    panel = panel_of(ready)
    assert panel.chips == ()
    assert {panel.time.text(), panel.probability.text(), panel.cache.text()} == {"—"}
    assert "this session only" in panel.note.text()
    assert not panel.next_button.isEnabled()


def test_words_in_code_and_in_reasoning_are_found_too(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    pieces = ["<think>", "Hmm well", "</think>", "See:\n\n```python\n", "total", " = 1\n", "```\n"]
    answered(session, pieces)
    settled(qtbot, ready)
    click_word(ready, "total", ALT)
    assert [look.step for look in panel_of(ready).looks] == [4]
    widget = ready.chat.view.stack.answer_widgets()[-1]
    reasoning = widget.parts[0]
    click(reasoning.head)  # type: ignore[union-attr]  # the first part is the reasoning
    settled(qtbot, ready)
    click_word(ready, "well", ALT)
    assert [look.step for look in panel_of(ready).looks] == [1]
    click_word(ready, "total", ALT)
    assert [look.step for look in panel_of(ready).looks] == [4]


def test_keys_open_step_and_close(qtbot: QtBot, ready: MainWindow, session: FakeSession) -> None:
    answered(session, ["One", " two", " three"])
    settled(qtbot, ready)
    part, _ = part_with(ready, "two")
    part.setFocus()
    cursor = part.textCursor()
    cursor.setPosition(part.document().find("two").selectionStart() + 1)
    part.setTextCursor(cursor)
    ready.activateWindow()
    QTest.keyClick(part, Qt.Key.Key_I, CONTROL)
    panel = panel_of(ready)
    assert [look.step for look in panel.looks] == [1]
    place = panel.pos()
    QTest.keyClick(panel, Qt.Key.Key_Right)
    assert [look.step for look in panel.looks] == [2]
    assert panel.title.text() == "“␣three”"
    assert panel.pos() == place
    QTest.keyClick(panel, Qt.Key.Key_Right)
    assert [look.step for look in panel.looks] == [2]
    click(panel.previous_button)
    assert [look.step for look in panel.looks] == [1]
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert panel.isHidden()
    assert ("stop", None) not in session.calls
    assert part.hasFocus()


def test_the_panel_closes_also_when_its_words_are_gone(
    qtbot: QtBot, ready: MainWindow, session: FakeSession, theme: Theme
) -> None:
    answered(session, ["Some", " words"])
    settled(qtbot, ready)
    click_word(ready, "words", ALT)
    panel = panel_of(ready)
    # Text of another size is made anew.
    theme.zoom(1)
    settled(qtbot, ready)
    click(panel.previous_button)
    assert [look.text for look in panel.looks] == ["Some"]
    click(panel.close_button)
    assert panel.isHidden()


def test_a_variant_is_looked_into_by_itself(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    first = answered(session, ["Some", " words"])
    settled(qtbot, ready)
    click_word(ready, "words", ALT)
    panel = panel_of(ready)
    session.regenerate(first)
    assert panel.isHidden()
    variant = session.current_chat.turns[-1]
    assert isinstance(variant, Answer)
    session.prefill(variant)
    session.stream(variant, "Other")
    session.finish(variant)
    settled(qtbot, ready)
    click_word(ready, "Other", ALT)
    assert [look.text for look in panel_of(ready).looks] == ["Other"]


def test_of_a_continued_answer_only_what_came_then_is_known(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, "Begun")
    session.finish(answer, FinishReason.LENGTH)
    session.continue_answer(answer)
    session.prefill(answer)
    session.stream(answer, " later")
    session.finish(answer)
    settled(qtbot, ready)
    click_word(ready, "later", ALT)
    assert [look.text for look in panel_of(ready).looks] == [" later"]
    click_word(ready, "Begun", ALT)
    assert panel_of(ready).looks == ()
    assert "since then" in panel_of(ready).note.text()


def test_the_panel_stays_inside_a_window_that_shrinks(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    answered(session, ["Some", " words"], probabilities=[0.5, 0.5])
    settled(qtbot, ready)
    click_word(ready, "words", ALT)
    ready.resize(900, 620)
    settled(qtbot, ready)
    panel = panel_of(ready)
    assert panel.geometry().right() <= ready.chat.view.width()


def test_the_menu_of_a_word_opens_it_too(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    answered(session, ["Some", " words"])
    settled(qtbot, ready)

    def menu_at(text: str) -> QMenu:
        part, place = part_with(ready, text)
        point = part.viewport().mapToGlobal(place)
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, point)
        QApplication.sendEvent(part.viewport(), asked)
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None, timeout=WAIT_MS)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu

    menu = menu_at("words")
    (look,) = [one for one in menu.actions() if one.text() == "Tokens of this word"]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(look).center())
    assert [look.text for look in panel_of(ready).looks] == [" words"]
    panel_of(ready).close_panel()
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None, timeout=WAIT_MS)
    # What the person said was not decoded here.
    menu = menu_at("Why")
    assert "Tokens of this word" not in [one.text() for one in menu.actions()]
    menu.close()
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None, timeout=WAIT_MS)


def test_a_selection_by_mouse_opens_nothing(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    ready.inspector.actions_.inspect.trigger()
    answered(session, ["Some", " words", " here"])
    settled(qtbot, ready)
    part, place = part_with(ready, "words")
    _, end = part_with(ready, "here")
    QTest.mousePress(part.viewport(), LEFT, PLAIN, place)
    QTest.mouseMove(part.viewport(), end)
    QTest.mouseRelease(part.viewport(), LEFT, PLAIN, end)
    assert part.textCursor().hasSelection()
    assert ready.inspector.panel is None


def test_the_panel_goes_with_the_chat(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    answered(session, ["Some", " words"])
    settled(qtbot, ready)
    click_word(ready, "words", ALT)
    panel = panel_of(ready)
    session.new_chat()
    assert panel.isHidden()


def colors_behind(part: TextPart, text: str) -> set[str]:
    """The colours of the pixels around the characters of `text`, most of them its background."""
    picture = part.viewport().grab().toImage()
    found = part.document().find(text)
    cursor = QTextCursor(found)
    cursor.setPosition(found.selectionStart())
    left = part.cursorRect(cursor)
    cursor.setPosition(found.selectionEnd())
    right = part.cursorRect(cursor)
    top = left.bottom() - 2
    ratio = picture.devicePixelRatio()
    return {
        picture.pixelColor(int(x * ratio), int(top * ratio)).name()
        for x in range(left.left() + 1, right.left() - 1)
    }


def test_unlikely_words_are_coloured_and_likely_ones_are_not(
    qtbot: QtBot, ready: MainWindow, session: FakeSession, theme: Theme
) -> None:
    answered(session, ["sure", " maybe", " never"], probabilities=[0.99, 0.3, 0.01])
    settled(qtbot, ready)
    part, _ = part_with(ready, "maybe")
    plain = colors_behind(part, "sure")
    assert part.underlay is None
    ready.inspector.actions_.tints.actions()[2].trigger()
    assert ready.inspector.legend.isVisible()
    assert colors_behind(part, "sure") == plain
    assert not colors_behind(part, "maybe") & plain
    assert not colors_behind(part, "never") & (plain | colors_behind(part, "maybe"))
    click(ready.inspector.legend.close_button)
    assert part.underlay is None
    assert ready.inspector.legend.isHidden()
    assert colors_behind(part, "never") == plain


def test_slow_words_are_coloured_as_they_stream_in(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    ready.inspector.set_tint(Tint.LATENCY)
    answer = session.add_turns("Why?")
    session.prefill(answer)
    for number, text in enumerate(["one", " two", " three", " slow"]):
        session.stream(answer, text, t_ms=20 * number + (200 if number == 3 else 0) + 1)
    settled(qtbot, ready)
    part, _ = part_with(ready, "slow")
    qtbot.waitUntil(lambda: part.underlay is not None, timeout=WAIT_MS)
    assert not colors_behind(part, "slow") & colors_behind(part, "two")
    session.finish(answer)


@pytest.mark.parametrize("mode", [ThemeMode.LIGHT, ThemeMode.DARK])
def test_text_can_be_read_on_every_colour(theme: Theme, mode: ThemeMode) -> None:
    theme.set_mode(mode)
    background, text = theme.color("background"), theme.color("text")
    for color in level_colors(theme):
        assert contrast(mixed(color, background), text) >= 4.5


@pytest.mark.parametrize("mode", [ThemeMode.LIGHT, ThemeMode.DARK])
def test_levels_differ_in_lightness_also_for_who_sees_no_hue(theme: Theme, mode: ThemeMode) -> None:
    theme.set_mode(mode)
    background = theme.color("background")
    shades = [lightness(mixed(color, background)) for color in level_colors(theme)]
    order = sorted(shades, reverse=mode is ThemeMode.LIGHT)
    assert shades == order
    steps = [contrast_of(one, other) for one, other in pairwise(shades)]
    assert min(steps) >= 1.05


def mixed(color: QColor, background: QColor) -> QColor:
    """What is seen of a colour that lets some of the background through."""

    def seen(one: float, other: float) -> float:
        return color.alphaF() * one + (1 - color.alphaF()) * other

    return QColor.fromRgbF(
        seen(color.redF(), background.redF()),
        seen(color.greenF(), background.greenF()),
        seen(color.blueF(), background.blueF()),
    )


def lightness(color: QColor) -> float:
    """Relative luminance, as WCAG 2 defines it."""

    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)

    shares = (0.2126, 0.7152, 0.0722)
    values = (color.redF(), color.greenF(), color.blueF())
    return sum(share * linear(value) for share, value in zip(shares, values, strict=True))


def contrast_of(one: float, other: float) -> float:
    light, dark = max(one, other), min(one, other)
    return (light + 0.05) / (dark + 0.05)


def contrast(one: QColor, other: QColor) -> float:
    return contrast_of(lightness(one), lightness(other))


def test_what_inspecting_took_is_said_at_the_switch(
    qtbot: QtBot, ready: MainWindow, session: FakeSession
) -> None:
    switch = ready.inspector.actions_.inspect
    assert "how much is measured with the next answer" in switch.toolTip()
    answered(session, ["a", "b", "c"], probabilities=[0.5, 0.5, 0.5])
    assert "Took 2.0\u202f% of the decode time" in switch.toolTip()


def test_while_answers_are_inspected_a_strip_says_so_and_what_it_costs(
    ready: MainWindow, session: FakeSession
) -> None:
    strip = ready.inspector.strip
    assert (strip.text, strip.off_button.isVisible()) == ("", False)
    press(ready, Qt.Key.Key_I, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert strip.off_button.isVisible()
    assert "click a word" in strip.text
    assert strip.text.endswith("measured with the next answer.")
    answered(session, ["a", "b", "c"], probabilities=[0.5, 0.5, 0.5])
    assert strip.text.endswith("took 2.0\u202f% of the decode time of the last answer.")
    QTest.mouseClick(strip.off_button, LEFT)
    assert session.inspects is False
    assert (strip.text, strip.off_button.isVisible()) == ("", False)


def test_what_inspecting_took_is_said_of_the_last_answer_only(
    ready: MainWindow, session: FakeSession
) -> None:
    strip, switch = ready.inspector.strip, ready.inspector.actions_.inspect
    unknown, known = "measured with the next answer.", "of the decode time of the last answer."
    switch.trigger()
    answered(session, ["a", "b", "c"], probabilities=[0.5, 0.5, 0.5])
    assert strip.text.endswith(known)
    answered(session, ["a", "b", "c"])
    assert strip.text.endswith(unknown)
    assert unknown.removesuffix(".") in switch.toolTip()
    answered(session, ["a", "b", "c"], probabilities=[0.5, 0.5, 0.5])
    assert strip.text.endswith(known)
    switch.trigger()
    switch.trigger()
    assert strip.text.endswith(unknown)
