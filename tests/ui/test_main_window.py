"""The window, driven with keys and clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton, QToolButton, QWidget

from app import messages
from app.actions import Action
from app.engine_state import EngineState, EngineStatus
from engine.errors import ErrorCode, ErrorInfo
from engine.events import FinishReason, LoadStage
from engine.values import LoadOptions, Notice, NoticeCode
from tests.ui.driving import CONTROL, SHIFT, asked, click, press
from tests.ui.fakes import loaded_model
from tests.waiting import WAIT_MS
from ui.labels import PlainLabel
from ui.name_dialog import NameDialog
from ui.theme import ThemeMode

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from app.transcript import Answer
    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow
    from ui.theme import Theme


def type_text(window: MainWindow, text: str) -> None:
    QTest.keyClicks(window.chat.composer.field, text)


def answered(session: FakeSession, text: str = "Because.") -> Answer:
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, text)
    session.finish(answer)
    return answer


def visible_buttons(widget: QWidget) -> list[str]:
    return [b.text() for b in widget.findChildren(QPushButton) if b.isVisible()]


class TestSending:
    def test_enter_sends_and_empties_the_field(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        type_text(window, "Hello")
        press(window, Qt.Key.Key_Return, SHIFT)
        type_text(window, "there")
        press(window, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
        assert asked(session, "send") == ["Hello\nthere"]
        assert window.chat.composer.text() == ""
        assert window.chat.view.isVisible()

    def test_what_is_not_taken_stays_and_the_reason_is_shown(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.refuse_send = messages.no_model()
        type_text(window, "Hello")
        click(window.chat.composer.button)
        assert window.chat.composer.text() == "Hello"
        [card] = window.chat.messages.cards
        assert card.message == messages.no_model()
        assert visible_buttons(card) == ["Open a model…"]
        close = next(w for w in card.focus_stops() if w.accessibleName() == "Dismiss")
        QTest.mouseClick(close, Qt.MouseButton.LeftButton)
        assert window.chat.messages.cards == []
        assert not window.chat.messages.isVisible()

    @pytest.mark.parametrize("how", ["button", "escape"])
    def test_while_answering_it_stops(
        self, window: MainWindow, session: FakeSession, how: str
    ) -> None:
        session.become_ready()
        session.add_turns("Why?")
        assert window.chat.composer.button.accessibleName() == "Stop the answer"
        if how == "button":
            click(window.chat.composer.button)
        else:
            press(window, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
        assert asked(session, "stop") == [None]

    def test_after_the_answer_it_sends_again(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        answered(session)
        assert window.chat.composer.button.text() == "Send"

    def test_a_suggestion_is_sent_with_enter(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        button = window.chat.empty.prompt_buttons[1]
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Return)
        assert asked(session, "send") == [button.text()]

    def test_drafts_belong_to_their_chats(self, window: MainWindow, session: FakeSession) -> None:
        session.become_ready()
        answered(session)
        first = session.current_chat
        type_text(window, "half a thought")
        press(window, Qt.Key.Key_N)
        assert window.chat.composer.text() == ""
        type_text(window, "another")
        session.open_chat(first.chat_id)
        assert window.chat.composer.text() == "half a thought"

    def test_the_context_meter_follows_an_answer(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        assert not window.chat.composer.meter.isVisible()
        session.become_ready()
        assert window.chat.composer.meter.text() == "0 / 8,192"
        answered(session)
        # Until it is counted as the model will see it next.
        assert window.chat.composer.meter.text() == "97… / 8,192"

    def test_the_context_used_is_the_last_known_until_the_prompt_is_tokenized(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        answer = session.add_turns("Why?")
        assert window.chat.composer.meter.text() == "0… / 8,192"
        session.fail(answer)
        assert window.chat.composer.meter.text() == "0… / 8,192"


class TestField:
    def test_grows_with_its_text_up_to_eight_lines(self, window: MainWindow) -> None:
        field = window.chat.composer.field
        heights = []
        for _ in range(12):
            press(window, Qt.Key.Key_Return, SHIFT)
            heights.append(field.height())
        line = field.fontMetrics().lineSpacing()
        assert heights[1] - heights[0] == line
        assert heights[-1] == heights[-2] == field.fontMetrics().lineSpacing() * 8 + 6

    def test_pastes_plain_text(self, window: MainWindow) -> None:
        source = QMimeData()
        source.setHtml("<b>bold</b>")
        source.setText("<b>plain</b>")
        window.chat.composer.field.insertFromMimeData(source)
        assert window.chat.composer.text() == "<b>plain</b>"

    @pytest.mark.parametrize("text", ["x" * 200_000, "a line\n" * 20_000])
    def test_takes_a_huge_paste_at_the_cursor(self, window: MainWindow, text: str) -> None:
        field = window.chat.composer.field
        field.set_text("ab")
        press(window, Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier)
        source = QMimeData()
        source.setText(text)
        field.insertFromMimeData(source)
        assert window.chat.composer.text() == f"a{text}b"

    def test_a_huge_paste_arrives_without_being_asked_for(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        source = QMimeData()
        source.setText("x" * 100_000)
        field = window.chat.composer.field
        field.insertFromMimeData(source)
        qtbot.waitUntil(lambda: field.document().characterCount() > 100_000, timeout=WAIT_MS)
        assert max_block(field.document()) <= 3_001


def max_block(document: object) -> int:
    from PySide6.QtGui import QTextDocument

    assert isinstance(document, QTextDocument)
    longest, block = 0, document.begin()
    while block.isValid():
        longest = max(longest, block.length())
        block = block.next()
    return longest


class TestEngine:
    def test_without_a_model_it_says_what_to_do(self, window: MainWindow) -> None:
        assert window.chat.empty.open_button.isVisible()
        assert not any(button.isVisible() for button in window.chat.empty.prompt_buttons)
        assert not window.top_bar.engine_button.isEnabled()

    @pytest.mark.parametrize("height", [800, 560, 400])
    def test_how_to_begin_is_whole_beside_an_error(
        self, window: MainWindow, session: FakeSession, height: int
    ) -> None:
        error = messages.of_error(
            ErrorInfo(code=ErrorCode.FILE_NOT_FOUND, details=(("path", "/folder" * 20),))
        )
        session.set_state(EngineState(status=EngineStatus.FAILED, error=error))
        window.actions_.focus.trigger()
        window.resize(640, height)
        QApplication.processEvents()
        empty = window.chat.empty
        for label in empty.findChildren(PlainLabel):
            assert label.height() >= label.heightForWidth(label.width()) > 0
        button = empty.open_button
        assert button.height() >= button.sizeHint().height()
        empty.open_button.setFocus()
        empty.ensureWidgetVisible(button)
        assert button.visibleRegion().boundingRect().size() == button.size()

    def test_a_loaded_model_is_named(self, window: MainWindow, session: FakeSession) -> None:
        session.become_ready()
        assert window.top_bar.model_button.text() == "SmolLM2-135M-Instruct  Q4_1"
        assert window.top_bar.engine_button.text() == "llama.cpp · CPU"
        assert all(button.isVisible() for button in window.chat.empty.prompt_buttons)

    def test_a_load_that_takes_time_shows_progress_and_can_be_cancelled(
        self, qtbot: QtBot, window: MainWindow, session: FakeSession
    ) -> None:
        session.load(LoadOptions(model_path="/models/m.gguf"))
        session.set_state(
            EngineState(
                status=EngineStatus.LOADING,
                options=session.engine_state.options,
                stage=LoadStage.READ,
                fraction=0.42,
            )
        )
        qtbot.waitUntil(window.load_strip.isVisible, timeout=WAIT_MS)
        assert window.load_strip.text().replace("\u202f", " ") == "Reading the model  42 %"
        click(window.load_strip.cancel_button)
        assert asked(session, "cancel_load") == [None]
        session.become_ready()
        assert not window.load_strip.isVisible()

    @pytest.mark.parametrize(
        ("stage", "words"),
        [
            (LoadStage.IMPORT, "Loading PyTorch"),
            (LoadStage.CONVERT, "Converting the weights, once  42 %"),
            (LoadStage.COMPILE, "Compiling for this device, once"),
        ],
    )
    def test_a_load_says_what_it_does(
        self, window: MainWindow, session: FakeSession, stage: LoadStage, words: str
    ) -> None:
        fraction = 0.42 if stage is LoadStage.CONVERT else None
        session.set_state(EngineState(status=EngineStatus.LOADING, stage=stage, fraction=fraction))
        assert window.load_strip.text().replace("\u202f", " ") == words

    def test_a_failed_load_says_why(self, window: MainWindow, session: FakeSession) -> None:
        error = messages.of_error(
            ErrorInfo(code=ErrorCode.NOT_A_GGUF, details=(("path", "/m.gguf"),), technical="magic")
        )
        session.set_state(EngineState(status=EngineStatus.FAILED, error=error))
        [card] = window.chat.messages.cards
        assert card.message == error
        session.message_raised.emit(error)
        assert len(window.chat.messages.cards) == 1
        session.become_ready()
        assert window.chat.messages.cards == []

    def test_an_error_that_an_answer_tells_is_not_told_twice(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        answer = session.add_turns("Why?")
        error = ErrorInfo(code=ErrorCode.ENGINE_DIED)
        session.set_state(EngineState(status=EngineStatus.FAILED, error=messages.of_error(error)))
        session.fail(answer, error)
        assert window.chat.messages.cards == []

    def test_notices_can_be_dismissed(self, window: MainWindow, session: FakeSession) -> None:
        session.become_ready(loaded_model(notices=(Notice(code=NoticeCode.NO_CHAT_TEMPLATE),)))
        assert window.notices.isVisible()
        [label] = window.notices.findChildren(PlainLabel)
        assert label.text().startswith("No chat template")
        [close] = [
            w
            for w in window.notices.findChildren(QWidget)
            if w.accessibleName() == "Dismiss the notice"
        ]
        QTest.mouseClick(close, Qt.MouseButton.LeftButton)
        assert not window.notices.isVisible()


class TestChats:
    def test_chats_are_listed_and_opened_with_the_keyboard(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        answered(session)
        first = session.current_chat
        press(window, Qt.Key.Key_N)
        window.sidebar.catch_up()
        model = window.sidebar.chat_list.model()
        assert [model.index(row, 0).data() for row in range(model.rowCount())] == [
            "Today",
            "New chat",
            "Why?",
        ]
        window.sidebar.chat_list.setFocus()
        QTest.keyClick(window.sidebar.chat_list, Qt.Key.Key_Down)
        assert session.current_chat is first
        assert window.chat.view.isVisible()

    def test_ctrl_shift_c_copies_the_last_answer(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        answered(session, "one\n\ntwo\n")
        press(window, Qt.Key.Key_C, CONTROL | SHIFT)
        assert QGuiApplication.clipboard().text() == "one\n\ntwo\n"

    def test_the_conversation_is_copied_whole(
        self, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        answered(session, "Because.")
        window.actions_.copy_conversation.trigger()
        assert QGuiApplication.clipboard().text() == "You:\nWhy?\n\nModel:\nBecause."

    def test_a_failed_answer_is_retried_from_its_card(
        self, qtbot: QtBot, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        answer = session.add_turns("Why?")
        session.fail(answer)
        qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)
        window.chat.view.maker.action_requested.emit(Action.RETRY, answer)
        assert asked(session, "submit") == [answer]

    def test_felt_ttft_reaches_the_session(
        self, qtbot: QtBot, window: MainWindow, session: FakeSession
    ) -> None:
        session.become_ready()
        answer = session.add_turns("Why?")
        session.prefill(answer)
        session.stream(answer, "Because")
        qtbot.waitUntil(lambda: answer.felt_ttft_ns is not None, timeout=WAIT_MS)
        session.finish(answer, FinishReason.END)


class TestColumns:
    def test_telemetry_is_made_once_after_the_first_paint(
        self,
        qtbot: QtBot,
        window: MainWindow,
        telemetry_made: list[QWidget],
    ) -> None:
        qtbot.waitUntil(lambda: len(telemetry_made) == 1, timeout=WAIT_MS)
        assert telemetry_made[0].isVisible()
        press(window, Qt.Key.Key_T)
        assert not telemetry_made[0].isVisible()
        press(window, Qt.Key.Key_T)
        assert telemetry_made[0].isVisible()
        assert len(telemetry_made) == 1

    def test_hidden_telemetry_is_not_made(
        self,
        qtbot: QtBot,
        make_window: Callable[[], MainWindow],
        settings: QSettings,
        telemetry_made: list[QWidget],
    ) -> None:
        settings.setValue("window/telemetry", False)
        window = make_window()
        with qtbot.waitSignal(window.columns.changed, timeout=WAIT_MS):
            window.columns.allow_telemetry()
        assert telemetry_made == []

    def test_focus_hides_both_sides_and_brings_them_back(self, window: MainWindow) -> None:
        press(window, Qt.Key.Key_B)
        assert not window.sidebar.isVisible()
        press(window, Qt.Key.Key_B)
        click(window.top_bar.focus_button)
        assert not window.sidebar.isVisible()
        assert not window.columns.shows_telemetry
        click(window.top_bar.focus_button)
        assert window.sidebar.isVisible()
        assert window.columns.shows_telemetry

    def test_a_click_on_focus_leaves_the_focus_where_one_types(self, window: MainWindow) -> None:
        window.chat.composer.field.setFocus()
        click(window.top_bar.focus_button)
        assert window.chat.composer.field.hasFocus()
        click(window.top_bar.focus_button)

    def test_what_is_shown_is_kept(
        self, make_window: Callable[[], MainWindow], window: MainWindow, closed: list[bool]
    ) -> None:
        press(window, Qt.Key.Key_B)
        window.resize(1100, 700)
        window.close()
        again = make_window()
        assert not again.sidebar.isVisible()
        assert again.columns.shows_telemetry

    def test_closing_while_answering_hides_the_window_before_anything_else(
        self, window: MainWindow, session: FakeSession, closed: list[bool]
    ) -> None:
        session.become_ready()
        session.add_turns("Why?")
        press(window, Qt.Key.Key_Q)
        assert closed == [False]


def test_everything_that_takes_the_focus_has_a_name(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    session.become_ready(loaded_model(notices=(Notice(code=NoticeCode.NO_CHAT_TEMPLATE),)))
    answered(session, "Look:\n\n```python\nprint(1)\n```\n")
    answer = session.add_turns("Again")
    session.fail(answer)
    session.message_raised.emit(messages.still_answering())
    window.show_engine_settings()
    window.actions_.shortcuts.trigger()
    window.actions_.about.trigger()
    qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)
    nameless = [
        repr(widget)
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not widget.accessibleName()
        # Parts of a spin box or a list, which have the name of the whole.
        and not widget.objectName().startswith("qt_")
    ]
    assert nameless == []


def test_shortcuts_are_listed(window: MainWindow) -> None:
    from ui.dialogs import ShortcutsDialog

    press(window, Qt.Key.Key_F1, Qt.KeyboardModifier.NoModifier)
    dialog = window.findChild(ShortcutsDialog)
    assert dialog is not None
    texts = [label.text() for label in dialog.findChildren(PlainLabel)]
    for action in window.actions_.with_shortcuts():
        assert action.shortcut().toString() in texts
    assert {"Ctrl+N", "Ctrl+O", "Ctrl+L", "Ctrl+B", "Ctrl+T", "Esc", "F1"} <= set(texts)
    listed = [action.text().rstrip("…") for action in window.actions_.with_shortcuts()]
    assert [texts.count(text) for text in listed if text != "Conversations"] == [1] * (
        len(listed) - 1
    )
    order = [texts.index(name) for name in ("Write and answer", "Window", "In a graph")]
    assert order == sorted(order)
    assert dialog.height() <= 640
    dialog.resize(dialog.width(), 200)
    QApplication.processEvents()
    bar = dialog.area.verticalScrollBar()
    assert (bar.value(), bar.maximum() > 0) == (0, True)
    QTest.keyClick(dialog.area, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    QTest.keyClick(dialog.area, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_the_menu_is_short_and_leads_to_every_shortcut(window: MainWindow) -> None:
    more = next(m for m in window.findChildren(QMenu) if m.accessibleName() == "More")
    assert len([action for action in more.actions() if not action.isSeparator()]) <= 14
    within = [action for m in more.findChildren(QMenu) for action in m.actions()]
    reached = {action.text() for action in (*more.actions(), *within)}
    elsewhere = {"New chat", "Open model…", "Open model folder…", "Type a message"}
    elsewhere |= {"Attach files…", "Stop the answer"}
    assert {action.text() for action in window.actions_.with_shortcuts()} - reached == elsewhere


@pytest.mark.parametrize("mode", [ThemeMode.LIGHT, ThemeMode.DARK])
def test_dialogs_have_pictures_where_they_say_something_only(
    window: MainWindow, theme: Theme, mode: ThemeMode
) -> None:
    theme.set_mode(mode)
    window.actions_.new_folder.trigger()
    dialog = window.findChild(NameDialog)
    assert dialog is not None
    buttons = dialog.findChildren(QPushButton)
    assert [button.icon().isNull() for button in buttons] == [True] * len(buttons)
    dialog.close()
    files = QFileDialog(window)
    files.setOption(QFileDialog.Option.DontUseNativeDialog)
    files.show()
    shown = [b for b in files.findChildren(QToolButton) if b.isVisible() and b.isEnabled()]
    assert shown
    for button in shown:
        image = button.grab(button.rect().adjusted(5, 5, -5, -5)).toImage()
        lights = [
            image.pixelColor(x, y).lightness()
            for x in range(image.width())
            for y in range(image.height())
        ]
        assert max(lights) - min(lights) > 60, button.objectName()
    files.close()


def test_keys_change_the_size_of_the_text(window: MainWindow, theme: Theme) -> None:
    press(window, Qt.Key.Key_Plus)
    assert theme.zoom_ratio == 1.1
    press(window, Qt.Key.Key_Minus)
    press(window, Qt.Key.Key_Minus)
    assert theme.zoom_ratio == 0.9
    press(window, Qt.Key.Key_0)
    assert theme.zoom_ratio == 1.0


def test_the_last_answer_is_copied_as_plain_text(window: MainWindow, session: FakeSession) -> None:
    session.become_ready()
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, "**Because**")
    session.finish(answer)
    window.actions_.copy_plain.trigger()
    assert QGuiApplication.clipboard().text() == "Because"


def test_words_are_found_marked_and_gone_through(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    session.become_ready()
    for number in range(3):
        answer = session.add_turns(f"Which apple {number}?")
        session.prefill(answer)
        session.stream(
            answer, "The **Apple** tree.\n\n" + "Words. " * 800 + "\n\n```\napple()\n```\n"
        )
        session.finish(answer)
    view, find = window.chat.view, window.chat.find_bar
    qtbot.waitUntil(lambda: view.is_settled, timeout=WAIT_MS)
    press(window, Qt.Key.Key_F)
    assert find.field.hasFocus()
    QTest.keyClicks(find.field, "apple")
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: find.is_complete, timeout=WAIT_MS)
    assert find.n_matches == 9
    # The last one is seen, at the end.
    assert find.count.text() == "9 of 9"
    place = view.verticalScrollBar().value()
    click(find.previous_button)
    qtbot.waitUntil(lambda: find.is_complete, timeout=WAIT_MS)
    assert find.count.text() == "8 of 9"
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() < place, timeout=WAIT_MS)
    for _ in range(2):
        QTest.keyClick(find.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: find.is_complete, timeout=WAIT_MS)
    assert find.count.text() == "1 of 9"
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() < view.height(), timeout=WAIT_MS)
    QTest.keyClick(find.field, Qt.Key.Key_Escape)
    assert not find.isVisible()
    assert all(not part.extraSelections() for part in view.text_parts())
    assert ("stop", None) not in session.calls
    assert window.chat.composer.field.hasFocus()


def test_what_is_not_there_is_not_found(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    session.become_ready()
    session.add_turns("Why?")
    press(window, Qt.Key.Key_F)
    QTest.keyClicks(window.chat.find_bar.field, "nowhere")
    QTest.keyClick(window.chat.find_bar.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.chat.find_bar.is_complete, timeout=WAIT_MS)
    assert window.chat.find_bar.count.text() == "No matches"
    assert not window.chat.find_bar.next_button.isEnabled()
    session.new_chat()
    assert not window.chat.find_bar.isVisible()
