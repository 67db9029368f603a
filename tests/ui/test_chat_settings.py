"""The chat settings: fields with keys and clicks, presets, and what the session is told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from app import messages
from app.chat_settings import ChatSettings, Overflow
from app.presets import PresetStore
from app.translation import Translation
from engine.errors import ErrorCode, ErrorInfo
from engine.sampling_bounds import SAMPLING_BOUNDS
from engine.values import SamplingParams
from tests.screen import shows
from tests.ui.conftest import TRANSLATIONS
from tests.ui.driving import CONTROL, SHIFT, asked, click, press
from tests.ui.fakes import loaded_model
from tests.waiting import WAIT_MS
from ui.chat_options import stop_strings, stop_text
from ui.chat_settings_dialog import ChatSettingsDialog
from ui.name_dialog import NameDialog
from ui.option_form import OptionForm

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from tests.ui.conftest import MakeWindow
    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow
    from ui.theme import Theme


def open_settings(window: MainWindow) -> ChatSettingsDialog:
    click(window.chat.composer.settings_button)
    dialog = next(d for d in window.findChildren(ChatSettingsDialog) if d.isVisible())
    assert isinstance(dialog, ChatSettingsDialog)
    return dialog


def button(dialog: ChatSettingsDialog, text: str) -> QPushButton:
    return next(b for b in dialog.findChildren(QPushButton) if b.text() == text)


def test_the_model_is_named_as_in_the_header(window: MainWindow, session: FakeSession) -> None:
    session.become_ready()
    dialog = open_settings(window)
    assert dialog.for_model.text().endswith(" for SmolLM2-135M-Instruct")


@pytest.mark.parametrize("language", ["en_US", "fr_FR"])
def test_a_long_name_of_the_model_fits(
    qapp: QApplication, make_window: MakeWindow, session: FakeSession, language: str
) -> None:
    translation = Translation(qapp, TRANSLATIONS, QLocale(language))
    window = make_window()
    session.become_ready(loaded_model(path=f"/models/First{'-and-more' * 30}-Last.gguf"))
    dialog = open_settings(window)
    words = dialog.for_model.text()
    assert "First" in words
    assert "…" in words
    assert words.endswith("-Last")
    form = dialog.findChild(OptionForm)
    assert form is not None
    box = dialog.for_model
    left = box.mapTo(form.viewport(), QPoint(0, 0)).x()
    assert left + box.sizeHint().width() <= form.viewport().width()
    translation.close()


def use(dialog: ChatSettingsDialog) -> None:
    click(button(dialog, "Use in this chat"))


def enter(dialog: ChatSettingsDialog, name: str, value: str) -> None:
    """Type a number into a field."""
    spin = dialog.options.numbers[name].spin
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, value)
    QTest.keyClick(spin, Qt.Key.Key_Tab)


def choose(dialog: ChatSettingsDialog, preset: str) -> None:
    combo = dialog.presets.combo
    combo.setFocus()
    steps = combo.findText(preset) - combo.currentIndex()
    for _ in range(abs(steps)):
        QTest.keyClick(combo, Qt.Key.Key_Down if steps > 0 else Qt.Key.Key_Up)
    assert combo.currentText() == preset


def name_it(dialog: ChatSettingsDialog, name: str) -> NameDialog:
    ask = next(d for d in dialog.findChildren(NameDialog) if d.isVisible())
    assert isinstance(ask, NameDialog)
    ask.field.selectAll()
    QTest.keyClicks(ask.field, name)
    QTest.keyClick(ask.field, Qt.Key.Key_Return)
    return ask


def test_a_key_opens_what_the_button_does(window: MainWindow) -> None:
    press(window, Qt.Key.Key_Comma, CONTROL | SHIFT)
    assert any(d.isVisible() for d in window.findChildren(ChatSettingsDialog))


def test_what_is_set_holds_for_this_chat_only(window: MainWindow, session: FakeSession) -> None:
    session.add_turns("Hello")
    first = session.current_chat
    dialog = open_settings(window)
    assert dialog.options.settings() == ChatSettings()
    dialog.options.system_prompt.setFocus()
    QTest.keyClicks(dialog.options.system_prompt, "Be brief.")
    QTest.keyClick(dialog.options.system_prompt, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.options.system_prompt, "Be kind.")
    enter(dialog, "temperature", "1.25")
    enter(dialog, "top_k", "7")
    enter(dialog, "seed", "4294967295")
    dialog.options.max_tokens.spin.setFocus()
    dialog.options.max_tokens.spin.selectAll()
    QTest.keyClicks(dialog.options.max_tokens.spin, "300")
    QTest.keyClick(dialog.options.max_tokens.spin, Qt.Key.Key_Tab)
    dialog.options.stop.setFocus()
    QTest.keyClicks(dialog.options.stop, "END")
    QTest.keyClick(dialog.options.stop, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.options.stop, "\\n\\n")
    dialog.options.overflow.setFocus()
    QTest.keyClicks(dialog.options.overflow, "Lea")
    assert first.settings == ChatSettings()
    use(dialog)
    assert first.settings == ChatSettings(
        system_prompt="Be brief.\nBe kind.",
        sampling=SamplingParams(temperature=1.25, top_k=7, seed=4294967295),
        max_tokens=300,
        stop=("END", "\n\n"),
        overflow=Overflow.DROP_OLDEST,
    )
    session.new_chat()
    assert session.current_chat.settings == ChatSettings()
    assert open_settings(window).options.settings() == ChatSettings()


def test_cancel_changes_nothing(window: MainWindow, session: FakeSession) -> None:
    dialog = open_settings(window)
    enter(dialog, "temperature", "1.25")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert session.current_chat.settings == ChatSettings()


def test_new_chats_begin_with_what_was_kept_also_after_a_restart(
    window: MainWindow, session: FakeSession, make_window: MakeWindow
) -> None:
    session.add_turns("Hello")
    dialog = open_settings(window)
    enter(dialog, "top_p", "0.5")
    click(dialog.for_new_chats)
    use(dialog)
    session.new_chat()
    warm = ChatSettings(sampling=SamplingParams(top_p=0.5))
    assert session.current_chat.settings == warm
    session.set_new_settings(ChatSettings())
    make_window()
    assert session.current_chat.settings == warm


@pytest.mark.parametrize("name", list(SAMPLING_BOUNDS))
def test_fields_take_what_the_engine_takes_and_go_back(window: MainWindow, name: str) -> None:
    dialog = open_settings(window)
    field = dialog.options.numbers[name]
    default = getattr(SamplingParams(), name)
    assert field.value() == default
    assert not field.reset_button.isEnabled()
    enter(dialog, name, f"{SAMPLING_BOUNDS[name].most:.0f}")
    assert field.value() == SAMPLING_BOUNDS[name].most
    dialog.options.settings()
    click(field.reset_button)
    assert field.value() == default
    assert not field.reset_button.isEnabled()


def test_a_slider_moves_the_number_and_follows_it(window: MainWindow) -> None:
    dialog = open_settings(window)
    field = dialog.options.numbers["temperature"]
    assert field.slider is not None
    field.slider.setFocus()
    QTest.keyClick(field.slider, Qt.Key.Key_Right)
    assert field.value() == 0.75
    QTest.keyClick(field.slider, Qt.Key.Key_Home)
    assert field.value() == 0
    enter(dialog, "temperature", "50")
    assert field.slider.value() == field.slider.maximum()
    assert field.value() == 50


def test_the_wheel_does_not_change_a_field_on_its_way(window: MainWindow) -> None:
    dialog = open_settings(window)
    spin = dialog.options.numbers["temperature"].spin
    dialog.options.system_prompt.setFocus()
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(spin.mapToGlobal(QPoint(5, 5))),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(spin, event)
    assert spin.value() == 0.7


def test_every_field_is_named_and_explained(window: MainWindow) -> None:
    dialog = open_settings(window)
    for field in [*dialog.options.numbers.values(), dialog.options.max_tokens]:
        assert field.spin.accessibleName()
        assert field.spin.accessibleDescription()
        assert field.reset_button.accessibleName().startswith("Reset ")
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    for row in dialog.options.rows():
        assert row.name in labels
        assert row.explanation in labels


def test_a_preset_fills_the_fields_and_keeps_the_system_prompt(
    window: MainWindow, session: FakeSession
) -> None:
    dialog = open_settings(window)
    assert dialog.presets.combo.currentText() == "Balanced"
    QTest.keyClicks(dialog.options.system_prompt, "Hi")
    choose(dialog, "Precise")
    assert dialog.options.numbers["temperature"].value() == 0.3
    assert dialog.options.system_prompt.text() == "Hi"
    enter(dialog, "temperature", "0.31")
    assert dialog.presets.combo.currentText() == "Own settings"
    choose(dialog, "Deterministic")
    use(dialog)
    settings = session.current_chat.settings
    assert settings.sampling.temperature == 0
    assert settings.system_prompt == "Hi"
    assert open_settings(window).presets.combo.currentText() == "Deterministic"


def test_own_presets_are_kept_renamed_and_deleted(window: MainWindow, presets: PresetStore) -> None:
    dialog = open_settings(window)
    bar = dialog.presets
    assert not bar.rename_button.isEnabled()
    assert not bar.delete_button.isEnabled()
    QTest.keyClicks(dialog.options.system_prompt, "Hi")
    enter(dialog, "temperature", "1.7")
    click(bar.save_button)
    ask = name_it(dialog, "balanced")
    assert ask.isVisible()
    assert shows(ask, "There is a preset of this name already.")
    name_it(dialog, "Wild")
    assert bar.combo.currentText() == "Wild"
    click(bar.rename_button)
    name_it(dialog, "Wilder")
    assert bar.combo.currentText() == "Wilder"
    choose(dialog, "Balanced")
    assert dialog.options.numbers["temperature"].value() == 0.7
    choose(dialog, "Wilder")
    assert dialog.options.numbers["temperature"].value() == 1.7
    assert [p.name for p in presets.presets()][4:] == ["Wilder"]
    click(bar.delete_button)
    assert [p.name for p in presets.presets()][4:] == []
    assert bar.combo.currentText() == "Own settings"
    assert dialog.options.numbers["temperature"].value() == 1.7


def test_a_model_begins_with_its_preset(
    window: MainWindow, session: FakeSession, presets: PresetStore, make_window: MakeWindow
) -> None:
    dialog = open_settings(window)
    assert not dialog.for_model.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    session.become_ready(loaded_model(name="A & B", path="/models/A & B.gguf"))
    session.add_turns("Hello")
    dialog = open_settings(window)
    choose(dialog, "Creative")
    assert "A && B" in dialog.for_model.text()
    click(dialog.for_model)
    use(dialog)
    session.new_chat()
    creative = presets.find("builtin:creative")
    assert creative is not None
    assert session.current_chat.settings.sampling == creative.settings.sampling
    session.become_ready(loaded_model(name="Other"))
    assert session.current_chat.settings == ChatSettings()
    session.become_ready(loaded_model(name="A & B"))
    assert session.current_chat.settings.sampling == creative.settings.sampling
    dialog = open_settings(window)
    assert dialog.for_model.isChecked()
    click(dialog.for_model)
    use(dialog)
    assert presets.of_model("A & B") is None


def test_a_ticked_preset_stays_ticked_while_other_fields_change(
    window: MainWindow, session: FakeSession, presets: PresetStore
) -> None:
    session.become_ready(loaded_model(name="Other"))
    dialog = open_settings(window)
    choose(dialog, "Precise")
    click(dialog.for_model)
    QTest.keyClicks(dialog.options.system_prompt, "Be brief.")
    assert dialog.for_model.isChecked()
    use(dialog)
    chosen = presets.of_model("Other")
    assert chosen is not None
    assert chosen.name == "Precise"


def test_numbers_keep_digits_that_are_not_shown(window: MainWindow, session: FakeSession) -> None:
    exact = ChatSettings(sampling=SamplingParams(top_p=0.925, repeat_penalty=1.025))
    session.set_chat_settings(session.current_chat, exact)
    use(open_settings(window))
    assert session.current_chat.settings == exact
    dialog = open_settings(window)
    enter(dialog, "top_p", "0.5")
    use(dialog)
    assert session.current_chat.settings.sampling == replace(exact.sampling, top_p=0.5)


def test_a_preset_that_cannot_be_written_says_why(
    window: MainWindow, presets: PresetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    dialog = open_settings(window)
    click(dialog.presets.save_button)
    monkeypatch.setattr("os.fsync", full)
    name_it(dialog, "Wild")
    assert shows(dialog, "No space left on device")
    assert len(presets.presets()) == 4


def test_reset_all_shows_the_defaults(window: MainWindow, session: FakeSession) -> None:
    session.set_chat_settings(
        session.current_chat,
        ChatSettings(system_prompt="Hi", max_tokens=4, stop=("a",), overflow=Overflow.DROP_OLDEST),
    )
    dialog = open_settings(window)
    click(button(dialog, "Reset all"))
    assert dialog.options.settings() == ChatSettings()


def test_a_huge_system_prompt_comes_back_whole(window: MainWindow, session: FakeSession) -> None:
    huge = "x" * 100_000
    session.set_chat_settings(session.current_chat, ChatSettings(system_prompt=huge))
    dialog = open_settings(window)
    use(dialog)
    assert session.current_chat.settings.system_prompt == huge


@pytest.mark.parametrize(
    "stop", [(), ("END",), ("\n\n", "a\tb", "back\\slash", "\\n"), ("  spaced ", "é🚀")]
)
def test_stop_strings_can_be_typed(stop: tuple[str, ...]) -> None:
    assert stop_strings(stop_text(stop)) == stop


def test_a_refused_setting_opens_these(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    session.become_ready()
    answer = session.add_turns("Hi")
    error = ErrorInfo(
        code=ErrorCode.INVALID_OPTION,
        details=(("option", "top_p"), ("value", 1.5), ("minimum", 0.0), ("maximum", 1.0)),
    )
    session.fail(answer, error)
    words = "“Top-p” is 1.5: it must lie between 0 and 1."
    qtbot.waitUntil(lambda: shows(window, words), timeout=WAIT_MS)
    click(next(b for b in window.findChildren(QPushButton) if b.text() == "Chat settings…"))
    assert any(d.isVisible() for d in window.findChildren(ChatSettingsDialog))


def test_leaving_out_the_oldest_turns_is_a_button_of_the_error(
    window: MainWindow, session: FakeSession, qtbot: QtBot
) -> None:
    session.become_ready()
    answer = session.add_turns("Hi")
    session.fail(
        answer,
        ErrorInfo(code=ErrorCode.PROMPT_TOO_LONG, details=(("n_prompt", 9000), ("n_ctx", 8192))),
    )
    label = "Leave out the oldest turns"
    qtbot.waitUntil(lambda: shows(window, label), timeout=WAIT_MS)
    click(next(b for b in window.findChildren(QPushButton) if b.text() == label))
    assert asked(session, "submit") == [answer]
    assert session.current_chat.settings.overflow is Overflow.DROP_OLDEST


def test_a_mark_shows_where_the_model_begins_to_see(
    window: MainWindow, session: FakeSession
) -> None:
    session.become_ready()
    for n in range(4):
        answer = session.add_turns(f"Question {n}")
        session.prefill(answer)
        session.stream(answer, "Because.")
        session.finish(answer)
    chat, view = session.current_chat, window.chat.view
    assert not view.cut_mark.isVisible()
    chat.first_seen.add(chat.turns[4].turn_id)
    session.settings_changed.emit(chat)
    assert view.cut_mark.isVisible()
    assert shows(view.cut_mark, "The model no longer sees what is above")
    above, below = view.stack.slots[3], view.stack.slots[4]
    assert above.top + above.height <= view.cut_mark.y()
    assert view.cut_mark.geometry().bottom() <= below.top
    session.new_chat()
    assert not view.cut_mark.isVisible()
    session.open_chat(chat.chat_id)
    assert view.cut_mark.isVisible()
    chat.first_seen.clear()
    session.settings_changed.emit(chat)
    assert not view.cut_mark.isVisible()


def test_damaged_presets_are_told(
    tmp_path_factory: pytest.TempPathFactory, settings: QSettings, theme: Theme
) -> None:
    path = tmp_path_factory.mktemp("config") / "presets.json"
    path.write_text("{")
    problem = PresetStore(path).problem
    assert problem is not None
    said = messages.presets_unread(problem)
    assert str(path) in said.text
    assert "presets.json.damaged" in said.text
    left = messages.presets_unread(replace(problem, moved_to=None, reason="Permission denied"))
    assert "Permission denied" in left.text
