"""Conversations leave as files and come back the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.library import ChatLibrary
from app.messages import Severity, UserMessage
from app.open_chat import OpenChat
from app.store.thread import StoreThread
from app.transcript import Answer, AnswerPhase, UserTurn
from tests.app.store.samples import ERROR, finish, found, running_answer, talk
from tests.waiting import WAIT_MS
from ui.export.page import html_page

pytestmark = pytest.mark.usefixtures("read_here")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.transcript import Conversation

    Make = Callable[[str], ChatLibrary]
    Document = dict[str, Any]


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Iterator[Make]:
    """Opens a library by its name."""
    made: list[ChatLibrary] = []

    def make_it(name: str) -> ChatLibrary:
        store = StoreThread(tmp_path / f"{name}.sqlite3")
        library = ChatLibrary(store)
        store.setParent(library)
        with qtbot.waitSignal(store.opened, timeout=WAIT_MS):
            store.start()
        made.append(library)
        return library

    yield make_it
    for library in made:
        library.close()


@pytest.fixture
def filled(make: Make) -> ChatLibrary:
    """Branches, an error, every figure, and text of all kinds."""
    library = make("first")
    talk(library, "Plain", "Answer with `code` and <b>tags</b> & more")
    chat = talk(library, "漢字 \U0001f600 \u202e\0", "עברית\r\n\ttab")
    question = chat.turns[0]
    other = running_answer("Another answer")
    library.add_turn(chat, other, instead_of=chat.turns[1])
    finish(other)
    other.n_continuations = 2
    library.note_change(other)
    library.add_turn(chat, UserTurn(text="In other words"), instead_of=question)
    chat.show_through(question)
    library.keep(chat)
    failed = talk(library, "Fails", "")
    library.add_turn(failed, UserTurn(text="again"))
    answer = running_answer()
    library.add_turn(failed, answer)
    answer.phase, answer.error = AnswerPhase.FAILED, ERROR
    library.note_change(answer)
    library.set_pinned(failed, True)
    library.set_archived(chat, True)
    library.set_draft(chat, "not sent “yet”")
    library.folders.create("Empty")
    library.folders.create("Work")
    library.folders.move(failed, "Work")
    return library


def exported(
    library: ChatLibrary, path: Path, qtbot: QtBot, chat: Conversation | None = None
) -> bytes:
    with qtbot.waitSignal(library.message_raised, timeout=WAIT_MS) as waiter:
        library.export(str(path), chat, html_page)
    assert waiter.args is not None
    assert waiter.args[0].title == "Conversations were exported"
    return path.read_bytes()


def imported(library: ChatLibrary, path: Path, qtbot: QtBot) -> UserMessage:
    with qtbot.waitSignal(library.message_raised, timeout=WAIT_MS) as waiter:
        library.import_file(str(path))
    assert waiter.args is not None
    message = waiter.args[0]
    assert isinstance(message, UserMessage)
    return message


def test_export_import_and_export_again_is_the_same_byte_for_byte(
    make: Make, filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    before = exported(filled, tmp_path / "a.json", qtbot)
    second = make("second")
    message = imported(second, tmp_path / "a.json", qtbot)
    assert message.text == "New: 3. There already: 0."
    assert exported(second, tmp_path / "b.json", qtbot) == before
    assert {chat.title for chat in second.chats} == {chat.title for chat in filled.chats}
    document = json.loads(before)
    assert len(document["conversations"]) == 3
    assert document["folders"] == ["Empty", "Work"]
    assert [folder.name for folder in second.folders.records] == ["Empty", "Work"]
    assert [chat.folder for chat in second.chats].count("Work") == 1
    [branched] = [chat for chat in document["conversations"] if chat["archived"]]
    assert len(branched["messages"]) == 4
    assert branched["messages"][1]["figures"]["n_prompt_tokens"] == 96
    assert branched["messages"][2]["figures"]["n_continuations"] == 2
    assert branched["leaf_id"] == branched["messages"][2]["message_id"]


def test_what_is_there_already_is_not_taken_twice(
    filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    before = exported(filled, tmp_path / "a.json", qtbot)
    assert (
        imported(filled, tmp_path / "a.json", qtbot).text
        == "Nothing new was imported. There already: 3."
    )
    assert exported(filled, tmp_path / "b.json", qtbot) == before


def test_a_chat_that_went_on_here_is_left_as_it_is(
    filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    exported(filled, tmp_path / "a.json", qtbot)
    [plain] = [chat for chat in filled.chats if chat.title == "Plain"]
    filled.add_turn(plain, UserTurn(text="More"))
    assert (
        imported(filled, tmp_path / "a.json", qtbot).text
        == "Nothing new was imported. There already: 3."
    )
    assert len(plain.turns) == 3


def test_a_deleted_chat_that_is_imported_is_there_once_and_stays(
    make: Make, filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    exported(filled, tmp_path / "a.json", qtbot)
    [plain] = [chat for chat in filled.chats if chat.title == "Plain"]
    filled.delete(plain)
    assert imported(filled, tmp_path / "a.json", qtbot).text == "New: 1. There already: 2."
    assert filled.undo_delete() is None
    assert [chat.title for chat in filled.chats].count("Plain") == 1
    filled.close()
    assert [chat.title for chat in make("first").chats].count("Plain") == 1


def test_a_chat_that_is_deleted_while_it_is_imported_is_gone(
    make: Make, filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    exported(filled, tmp_path / "a.json", qtbot)
    [plain] = [chat for chat in filled.chats if chat.title == "Plain"]
    with qtbot.waitSignal(filled.message_raised, timeout=WAIT_MS):
        filled.import_file(str(tmp_path / "a.json"))
        filled.delete(plain)
        filled.finish_delete()
    assert "Plain" not in [chat.title for chat in filled.chats]
    filled.close()
    assert "Plain" not in [chat.title for chat in make("first").chats]


def test_a_chat_that_differs_comes_as_another_and_only_once(
    filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    document = json.loads(exported(filled, tmp_path / "a.json", qtbot))
    [plain] = [chat for chat in document["conversations"] if chat["title"] == "Plain"]
    plain["messages"][1]["text"] = "Another answer to the same"
    (tmp_path / "b.json").write_text(json.dumps(document))
    assert imported(filled, tmp_path / "b.json", qtbot).text == "New: 1. There already: 2."
    assert [chat.title for chat in filled.chats].count("Plain") == 2
    assert (
        imported(filled, tmp_path / "b.json", qtbot).text
        == "Nothing new was imported. There already: 3."
    )
    assert [chat.title for chat in filled.chats].count("Plain") == 2


def test_one_chat_alone(filled: ChatLibrary, qtbot: QtBot, tmp_path: Path) -> None:
    [plain] = [chat for chat in filled.chats if chat.title == "Plain"]
    document = json.loads(exported(filled, tmp_path / "a.json", qtbot, plain))
    assert [chat["title"] for chat in document["conversations"]] == ["Plain"]


def test_markdown_has_the_branch_that_is_shown(
    filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    text = exported(filled, tmp_path / "a.md", qtbot).decode()
    assert "# Plain\n\n**You**\n\nPlain\n\n**SmolLM2-135M-Instruct**\n\nAnswer with `code`" in text
    assert "Another answer" in text
    assert "עברית" not in text


def test_html_shows_text_as_text(filled: ChatLibrary, qtbot: QtBot, tmp_path: Path) -> None:
    text = exported(filled, tmp_path / "a.html", qtbot).decode()
    assert "Answer with <code>code</code> and &lt;b&gt;tags&lt;/b&gt; &amp; more" in text
    assert "<b>tags" not in text
    assert "http:" not in text


def test_a_folder_that_is_not_there_is_said(
    filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(filled.message_raised, timeout=WAIT_MS) as waiter:
        filled.export(str(tmp_path / "missing" / "a.json"), None, html_page)
    assert waiter.args is not None
    assert waiter.args[0].title == "The conversations could not be exported"
    assert waiter.args[0].severity is Severity.ERROR


def test_a_name_that_is_as_long_as_can_be_is_taken_and_a_longer_one_said(
    filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    assert exported(filled, tmp_path / f"{'a' * 250}.json", qtbot)
    with qtbot.waitSignal(filled.message_raised, timeout=WAIT_MS) as waiter:
        filled.export(str(tmp_path / f"{'a' * 300}.json"), None, html_page)
    assert waiter.args is not None
    assert waiter.args[0].title == "The conversations could not be exported"
    assert len(exported(filled, tmp_path / "a.json", qtbot)) > 0
    assert len(list(tmp_path.glob("*.json"))) == 2
    assert list(tmp_path.glob(".new-*")) == []


@pytest.mark.parametrize("ending", ["json", "md", "html"])
def test_what_cannot_be_encoded_is_exported_as_a_mark(
    make: Make, qtbot: QtBot, tmp_path: Path, ending: str
) -> None:
    library = make("first")
    chat = talk(library, "Why?", "Because.")
    answer = running_answer("No.")
    library.add_turn(chat, answer)
    answer.error = replace(ERROR, technical="\ud800")
    answer.settings = '{"stop": ["\\ud800"]}'
    finish(answer)
    library.note_change(answer)
    text = exported(library, tmp_path / f"a.{ending}", qtbot).decode()
    assert "Because." in text
    assert ("\ufffd" in text) == (ending == "json")


def _without_title(document: Document) -> None:
    del document["conversations"][1]["title"]


def _same_id(document: Document) -> None:
    chats = document["conversations"]
    chats[0]["chat_id"] = chats[1]["chat_id"]


def _parent_after(document: Document) -> None:
    messages = document["conversations"][0]["messages"]
    messages[0]["parent_id"] = messages[1]["message_id"]


def _set(name: str, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document["conversations"][2]["messages"][0][name] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_without_title, "conversations[1]: title"),
        (_same_id, "the same id"),
        (_parent_after, "messages[0].parent_id"),
        (_set("text", 7), "messages[0].text"),
        (_set("text", "\ud800"), "messages[0].text"),
        (_set("role", "system prompt"), "messages[0].role"),
        (_set("created_ms", True), "messages[0].created_ms"),
        (_set("created_ms", 1 << 70), "messages[0].created_ms"),
        (_set("figures", "fast"), "messages[0].figures"),
        (_set("figures", {"ttft_ns": float("inf")}), "messages[0].figures"),
        (lambda document: document.update(version=2), "a later version"),
        (lambda document: document.update(format="other"), "is no export of Oscillama"),
        (lambda document: document.update(conversations={}), "at conversations"),
    ],
)
def test_a_wrong_file_is_refused_whole_with_the_reason(
    make: Make,
    filled: ChatLibrary,
    qtbot: QtBot,
    tmp_path: Path,
    change: Callable[[Document], None],
    words: str,
) -> None:
    document = json.loads(exported(filled, tmp_path / "a.json", qtbot))
    change(document)
    (tmp_path / "bad.json").write_text(json.dumps(document))
    second = make("second")
    message = imported(second, tmp_path / "bad.json", qtbot)
    assert message.title == "Nothing was imported"
    assert words in message.text
    assert second.chats == ()


@pytest.mark.parametrize(
    "content", [b"", b'{"format": "oscill', b"\xff\xfe\0", b"[" * 200_000, b"PK\3\4 zip", b"3"]
)
def test_what_is_no_export_is_refused(
    make: Make, qtbot: QtBot, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "bad.json").write_bytes(content)
    library = make("first")
    assert imported(library, tmp_path / "bad.json", qtbot).title == "Nothing was imported"
    assert library.chats == ()


def test_a_missing_file_is_said(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    message = imported(make("first"), tmp_path / "missing.json", qtbot)
    assert message.title == "Nothing was imported"


def test_what_no_machine_can_have_measured_is_unknown(
    make: Make, filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    document = json.loads(exported(filled, tmp_path / "a.json", qtbot))
    [plain] = [chat for chat in document["conversations"] if chat["title"] == "Plain"]
    plain["messages"][1]["figures"] |= {
        "ttft_ns": 10**30,
        "tpot_ns": 12.5,
        "itl_p50_ns": 9 * 10**9,
        "n_output_tokens": 3 * 10**9,
        "n_prompt_tokens": 96.5,
        "n_ctx": 2**31,
        "n_continuations": -1,
        "felt_ttft_ns": 3 * 10**9,
    }
    (tmp_path / "a.json").write_text(json.dumps(document))
    second = make("second")
    imported(second, tmp_path / "a.json", qtbot)
    [chat] = [chat for chat in second.chats if chat.title == "Plain"]
    with qtbot.waitSignal(second.chat_read, timeout=WAIT_MS):
        second.read(chat)
    answer = chat.turns[1]
    assert isinstance(answer, Answer)
    assert answer.figures is not None
    assert (answer.figures.ttft_ns, answer.figures.tpot_ns) == (None, 12.5)
    assert (answer.figures.itl_p50_ns, answer.figures.n_prompt_tokens) == (9 * 10**9, None)
    assert (answer.figures.n_output_tokens, answer.n_ctx, answer.n_continuations) == (0, None, 0)
    assert answer.felt_ttft_ns == 3 * 10**9


def test_an_import_survives_a_restart(
    make: Make, filled: ChatLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    before = exported(filled, tmp_path / "a.json", qtbot)
    second = make("second")
    imported(second, tmp_path / "a.json", qtbot)
    second.close()
    assert exported(make("second"), tmp_path / "b.json", qtbot) == before


def test_an_edited_answer_and_copies_are_exported_found_and_imported_again(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    library = make("first")
    session = OpenChat(library)
    chat = talk(library, "Why is the sky blue?", "<think>\nHm.\n</think>\n\nBecause.")
    session.open_chat(chat.chat_id)
    [_, answer] = chat.turns
    assert isinstance(answer, Answer)
    assert session.edit_answer(answer, "Through *Rayleigh* scattering.")
    session.branch_out(chat_answer(chat))
    session.duplicate(chat)

    [first, *_] = found(library, "rayleigh", qtbot)
    assert first.message_id == chat_answer(session.current_chat).turn_id
    assert len(found(library, "rayleigh", qtbot)) == 3
    markdown = exported(library, tmp_path / "a.md", qtbot, chat).decode()
    assert "**SmolLM2-135M-Instruct, edited**" in markdown
    assert "Through *Rayleigh* scattering." in markdown
    page = exported(library, tmp_path / "a.html", qtbot, chat).decode()
    assert "SmolLM2-135M-Instruct, edited" in page
    assert "Through <em>Rayleigh</em> scattering." in page
    before = exported(library, tmp_path / "a.json", qtbot)
    second = make("second")
    assert imported(second, tmp_path / "a.json", qtbot).text == "New: 3. There already: 0."
    assert exported(second, tmp_path / "b.json", qtbot) == before
    documents = {each["title"]: each for each in json.loads(before)["conversations"]}
    original, copy = documents["Why is the sky blue?"], documents["Copy: Why is the sky blue?"]
    assert [part["text"] for part in copy["messages"]] == [
        part["text"] for part in original["messages"]
    ]
    assert [part["figures"] for part in copy["messages"]] == [
        part["figures"] for part in original["messages"]
    ]
    assert original["messages"][2]["text"] == (
        "<think>\nHm.\n</think>\n\nThrough *Rayleigh* scattering."
    )
    assert original["messages"][2]["figures"] == {"is_edited": True}
    assert len(documents["Branch: Why is the sky blue?"]["messages"]) == 2


def test_a_chat_that_was_not_read_yet_is_copied_when_it_is(make: Make, qtbot: QtBot) -> None:
    library = make("first")
    talk(library, "Why?", "Because.")
    library.close()
    again = make("first")
    [chat] = again.chats
    session = OpenChat(again)
    with qtbot.waitSignal(session.chat_opened, timeout=WAIT_MS):
        session.duplicate(chat)
    assert session.current_chat is not chat
    assert [turn.text for turn in session.current_chat.turns] == ["Why?", "Because."]
    assert session.current_chat.title == "Copy: Why?"


def chat_answer(chat: Conversation) -> Answer:
    answer = chat.turns[-1]
    assert isinstance(answer, Answer)
    return answer
