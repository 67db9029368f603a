"""What is still there after a restart."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from threading import get_ident

import pytest
from pytestqt.qtbot import QtBot

from app.library import ChatLibrary
from app.store import jobs
from app.store.codec import turns_of
from app.store.records import MessageRecord
from app.transcript import Answer, AnswerPhase, Conversation, Turn, UserTurn
from tests.app.store.conftest import OpenLibrary
from tests.app.store.samples import ERROR, finish, found, running_answer, talk
from tests.waiting import WAIT_MS

pytestmark = pytest.mark.usefixtures("read_here")


def reopened(library: ChatLibrary, open_library: OpenLibrary) -> ChatLibrary:
    library.close()
    return open_library()


def read(library: ChatLibrary, chat: Conversation, qtbot: QtBot) -> Conversation:
    with qtbot.waitSignal(library.chat_read, timeout=WAIT_MS):
        library.read(chat)
    return chat


def titles(library: ChatLibrary) -> list[str]:
    return [chat.title for chat in library.chats]


def test_a_conversation_is_there_after_a_restart_with_everything_that_was_measured(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    library = open_library()
    before = talk(library, "Why is the sky blue?", "Because of Rayleigh.")
    asked, answered = before.turns
    assert isinstance(answered, Answer)

    again = reopened(library, open_library)
    [chat] = again.chats
    assert chat.title == "Why is the sky blue?"
    assert not chat.is_read
    read(again, chat, qtbot)

    question, answer = chat.turns
    assert isinstance(question, UserTurn)
    assert isinstance(answer, Answer)
    assert (question.text, question.turn_id) == ("Why is the sky blue?", asked.turn_id)
    assert question.created_ms == asked.created_ms
    assert answer.text == "Because of Rayleigh."
    assert answer.parent_id == question.turn_id
    assert answer.phase is AnswerPhase.DONE
    assert answer.finish_reason is answered.finish_reason
    assert answer.figures == answered.figures
    assert answer.felt_ttft_ns == answered.felt_ttft_ns
    assert answer.n_ctx == 8192
    assert answer.model_name == "SmolLM2-135M-Instruct"
    assert answer.engine_name == "llama"
    assert answer.settings == '{"temperature": 0.8}'


def test_turns_are_decoded_by_the_thread_of_the_store(
    open_library: OpenLibrary, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library()
    talk(library, "Why is the sky blue?", "Because of Rayleigh.")
    again = reopened(library, open_library)
    threads: list[int] = []

    def decode(records: Sequence[MessageRecord]) -> list[Turn]:
        threads.append(get_ident())
        return turns_of(records)

    monkeypatch.setattr(jobs, "turns_of", decode)
    chat = read(again, again.chats[0], qtbot)
    assert len(chat.turns) == 2
    [thread] = threads
    assert thread != get_ident()


def test_a_failed_answer_still_says_why(open_library: OpenLibrary, qtbot: QtBot) -> None:
    library = open_library()
    chat = talk(library, "Why?", "")
    answer = running_answer()
    library.add_turn(chat, answer)
    answer.phase, answer.error = AnswerPhase.FAILED, ERROR
    library.note_change(answer)

    again = reopened(library, open_library)
    last = read(again, again.chats[0], qtbot).turns[-1]

    assert isinstance(last, Answer)
    assert last.phase is AnswerPhase.FAILED
    assert last.error == ERROR


def test_an_answer_that_was_running_counts_as_stopped(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    library = open_library()
    chat = talk(library, "Why?", "Because.")
    answer = running_answer()
    library.add_turn(chat, answer)
    answer.text = "half an answ"
    library.note_change(answer)

    again = reopened(library, open_library)
    last = read(again, again.chats[0], qtbot).turns[-1]

    assert isinstance(last, Answer)
    assert last.text == "half an answ"
    assert last.phase is AnswerPhase.STOPPED


def test_a_running_answer_reaches_the_disk_before_it_is_over(
    open_library: OpenLibrary, database_file: Path, qtbot: QtBot
) -> None:
    library = open_library()
    chat = talk(library, "Why?", "Because.")
    answer = running_answer()
    library.add_turn(chat, answer)
    answer.text = "half an answ"
    library.note_change(answer)

    def is_written() -> bool:
        other = sqlite3.connect(database_file)
        try:
            rows = other.execute("SELECT text FROM message WHERE id = ?", (answer.turn_id,))
            return rows.fetchall() == [("half an answ",)]
        finally:
            other.close()

    qtbot.waitUntil(is_written, timeout=WAIT_MS)
    finish(answer)


def test_the_chat_changed_last_comes_first(open_library: OpenLibrary) -> None:
    library = open_library()
    first = talk(library, "First", "1")
    talk(library, "Second", "2")
    assert titles(library) == ["Second", "First"]

    library.add_turn(first, UserTurn(text="More"))

    assert titles(library) == ["First", "Second"]
    assert titles(reopened(library, open_library)) == ["First", "Second"]


def test_title_pin_archive_and_draft_are_kept(open_library: OpenLibrary) -> None:
    library = open_library()
    chat = talk(library, "Why?", "Because.")
    library.rename(chat, "  The \n sky ")
    library.set_pinned(chat, True)
    library.set_archived(chat, True)
    library.set_draft(chat, "and at sunset?")

    [again] = reopened(library, open_library).chats

    assert again.title == "The sky"
    assert again.is_pinned
    assert again.is_archived
    assert again.draft == "and at sunset?"


def test_a_title_of_white_space_changes_nothing(open_library: OpenLibrary) -> None:
    library = open_library()
    chat = talk(library, "Why?", "Because.")
    library.rename(chat, " \t")
    assert chat.title == "Why?"


def test_what_is_said_in_an_archived_chat_brings_it_back(open_library: OpenLibrary) -> None:
    library = open_library()
    chat = talk(library, "Why?", "Because.")
    library.set_archived(chat, True)
    library.add_turn(chat, UserTurn(text="More"))
    assert not reopened(library, open_library).chats[0].is_archived


def test_a_draft_alone_is_kept_and_gone_with_its_last_letter(open_library: OpenLibrary) -> None:
    library = open_library()
    chat = library.new_chat()
    library.set_draft(chat, "half a thought")
    library.set_open(chat)
    again = reopened(library, open_library)
    [kept] = again.chats
    assert kept.draft == "half a thought"

    kept.fill(())
    again.set_draft(kept, "")
    assert reopened(again, open_library).chats == ()


def test_an_empty_chat_is_not_kept(open_library: OpenLibrary) -> None:
    library = open_library()
    library.new_chat()
    assert reopened(library, open_library).chats == ()


class TestDelete:
    def test_undo_brings_it_back_where_it_was(self, open_library: OpenLibrary) -> None:
        library = open_library()
        for name in ("First", "Second", "Third"):
            talk(library, name, "x")
        library.delete(library.chats[1])
        assert titles(library) == ["Third", "First"]
        library.undo_delete()
        assert titles(library) == ["Third", "Second", "First"]
        assert titles(reopened(library, open_library)) == ["Third", "Second", "First"]

    def test_closing_deletes_for_good(
        self, open_library: OpenLibrary, database_file: Path, qtbot: QtBot
    ) -> None:
        library = open_library()
        talk(library, "secret plans", "of nobody")
        library.delete(library.chats[0])
        again = reopened(library, open_library)
        assert again.chats == ()
        assert found(again, "nobody", qtbot) == []
        again.close()
        other = sqlite3.connect(database_file)
        assert other.execute("SELECT count(*) FROM message").fetchone() == (0,)
        other.close()

    def test_the_next_deletion_ends_the_undo_of_the_one_before(
        self, open_library: OpenLibrary
    ) -> None:
        library = open_library()
        for name in ("First", "Second"):
            talk(library, name, "x")
        library.delete(library.chats[0])
        library.delete(library.chats[0])
        undone = library.undo_delete()
        assert undone is not None
        assert undone.title == "First"
        assert titles(reopened(library, open_library)) == ["First"]

    def test_an_answer_that_still_runs_does_not_bring_it_back(
        self, open_library: OpenLibrary
    ) -> None:
        library = open_library()
        chat = talk(library, "Why?", "Because.")
        answer = running_answer("more")
        library.add_turn(chat, answer)
        library.delete(chat)
        library.finish_delete()
        finish(answer)
        library.note_change(answer)
        assert reopened(library, open_library).chats == ()

    def test_a_draft_that_comes_again_while_nothing_can_be_written_is_kept(
        self, open_library: OpenLibrary, database_file: Path, qtbot: QtBot
    ) -> None:
        library = open_library()
        other = sqlite3.connect(database_file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        chat = library.new_chat()
        library.set_draft(chat, "Wh")
        library.set_draft(chat, "")
        library.set_draft(chat, "Why?")
        library.add_turn(chat, UserTurn(text="Why?"))
        other.execute("ROLLBACK")
        other.close()
        again = reopened(library, open_library)
        [kept] = again.chats
        assert [turn.text for turn in read(again, kept, qtbot).turns] == ["Why?"]

    def test_a_draft_that_was_not_kept_yet_does_not_bring_it_back(
        self, open_library: OpenLibrary
    ) -> None:
        library = open_library()
        chat = library.new_chat()
        library.delete(chat)
        library.set_draft(chat, "half a thought")
        assert reopened(library, open_library).chats == ()

    def test_a_draft_that_was_not_kept_yet_comes_back_with_its_chat(
        self, open_library: OpenLibrary
    ) -> None:
        library = open_library()
        chat = talk(library, "Why?", "Because.")
        library.delete(chat)
        library.set_draft(chat, "and then")
        library.undo_delete()
        [kept] = reopened(library, open_library).chats
        assert kept.draft == "and then"

    def test_what_the_store_tells_of_it_later_does_not_bring_it_back(
        self, open_library: OpenLibrary, qtbot: QtBot
    ) -> None:
        library = open_library()
        talk(library, "Why?", "Because.")
        again = reopened(library, open_library)
        [chat] = again.chats
        store = again._store
        assert store is not None
        with qtbot.waitSignal(store.answered, timeout=WAIT_MS) as waiter:
            store.ask(lambda database: database.content())
        assert waiter.args is not None
        again.delete(chat)
        store.opened.emit(waiter.args[1])
        assert again.chats == ()
        again.finish_delete()
        store.opened.emit(waiter.args[1])
        assert again.chats == ()
        assert reopened(again, open_library).chats == ()


def test_a_model_file_that_is_not_named_in_utf_8_is_kept_too(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    library = open_library()
    chat = talk(library, "Why?", "")
    answer = running_answer("Because.")
    library.add_turn(chat, answer)
    answer.model_name = "model-\udcff"
    finish(answer)
    library.note_change(answer)
    again = reopened(library, open_library)
    last = read(again, again.chats[0], qtbot).turns[-1]
    assert isinstance(last, Answer)
    assert (last.text, last.model_name) == ("Because.", "model-\ufffd")


@pytest.mark.parametrize("text", ["\ud800 alone", "nul \0 inside", "\U0001f600 漢字 עברית \u202e"])
def test_any_text_survives(open_library: OpenLibrary, qtbot: QtBot, text: str) -> None:
    library = open_library()
    talk(library, text, text)
    again = reopened(library, open_library)
    chat = read(again, again.chats[0], qtbot)
    assert [turn.text for turn in chat.turns] == [text.replace("\ud800", "\ufffd")] * 2


def test_the_variant_that_was_chosen_is_shown_after_a_restart(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    library = open_library()
    chat = talk(library, "Why is the sky blue?", "Because of Rayleigh.")
    first = chat.turns[-1]
    other = running_answer("Because it scatters.")
    library.add_turn(chat, other, instead_of=first)
    finish(other)
    library.note_change(other)
    chat.show_through(first)
    library.keep(chat)

    again = reopened(library, open_library)
    [kept] = again.chats
    read(again, kept, qtbot)

    assert kept.turns[-1].text == "Because of Rayleigh."
    assert [turn.text for turn in kept.variants(kept.turns[-1])] == [
        "Because of Rayleigh.",
        "Because it scatters.",
    ]


def test_a_search_says_in_which_message_of_whatever_branch(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    library = open_library()
    chat = talk(library, "Why is the sky blue?", "Because of Rayleigh.")
    first = chat.turns[-1]
    other = running_answer("Because it scatters.")
    library.add_turn(chat, other, instead_of=first)
    finish(other)
    library.note_change(other)

    [hit] = found(library, "rayleigh", qtbot)
    assert hit.message_id == first.turn_id
    [by_title] = found(library, "sky", qtbot)
    assert by_title.message_id == chat.turns[0].turn_id


@pytest.mark.parametrize("is_undone", [False, True], ids=["deleted", "undone"])
def test_a_deleted_variant_is_gone_after_a_restart_unless_it_was_brought_back(
    open_library: OpenLibrary, qtbot: QtBot, *, is_undone: bool
) -> None:
    library = open_library()
    chat = talk(library, "Why is the sky blue?", "Because of Rayleigh.")
    first = chat.turns[-1]
    other = running_answer("Because it scatters.")
    library.add_turn(chat, other, instead_of=first)
    finish(other)
    library.note_change(other)
    library.variants.delete(chat, first)
    if is_undone:
        assert library.variants.undo() is chat

    again = reopened(library, open_library)
    [kept] = again.chats
    read(again, kept, qtbot)

    texts = [turn.text for turn in kept.variants(kept.turns[-1])]
    if is_undone:
        assert texts == ["Because of Rayleigh.", "Because it scatters."]
        assert kept.turns[-1].text == "Because of Rayleigh."
    else:
        assert texts == ["Because it scatters."]
    assert len(found(again, "rayleigh", qtbot)) == is_undone


def test_a_title_is_cut_where_no_row_could_show_it(open_library: OpenLibrary) -> None:
    library = open_library()
    chat = talk(library, "Why?", "Because.")
    library.rename(chat, "x" * 1_000_000)
    assert chat.title == "x" * 200


def test_a_name_that_nobody_can_see_is_no_name_of_a_folder(open_library: OpenLibrary) -> None:
    folders = open_library().folders
    for unseen in ("\u200b", "\u202e", "\0", " \u2066 "):
        assert folders.problem_of_name(unseen) is not None
        assert folders.create(unseen) == ""
    assert folders.create("\u202egnp\0") == "gnp"
    # What joins letters and pictures stays.
    assert folders.create("👩\u200d💻") == "👩\u200d💻"


def test_a_folder_of_an_import_has_a_name_as_ours_have(
    open_library: OpenLibrary, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "chats.json"
    whole = {"format": "oscillama-conversations", "version": 1, "conversations": []}
    path.write_text(json.dumps(whole | {"folders": ["x" * 61]}))
    library = open_library()
    with qtbot.waitSignal(library.message_raised, timeout=WAIT_MS) as waiter:
        library.import_file(str(path))
    assert waiter.args is not None
    assert waiter.args[0].title == "Nothing was imported"
