"""Which chat is open while chats are read and deleted."""

from pathlib import Path
from threading import current_thread, main_thread

import pytest
from pytestqt.qtbot import QtBot

from app.library import ChatLibrary
from app.open_chat import OpenChat
from app.store import jobs
from app.store.codec import message_record
from app.store.records import MessageRecord
from app.store.thread import StoreThread
from app.transcript import Conversation, Turn, UserTurn
from tests.app.store.conftest import OpenLibrary
from tests.app.store.samples import finish, running_answer, talk
from tests.waiting import WAIT_MS


def test_a_chat_deleted_while_it_is_read_is_not_opened(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    before = open_library()
    talk(before, "Why is the sky blue?", "Because of Rayleigh.")
    before.close()
    library = open_library()
    [chat] = library.chats
    open_chat = OpenChat(library)
    open_chat.open_chat(chat.chat_id)
    with qtbot.waitSignal(library.chat_read, timeout=WAIT_MS):
        open_chat.delete_chat(chat)
    assert open_chat.current_chat is not chat
    assert open_chat.current_chat.is_empty
    open_chat.undo_delete()
    assert open_chat.current_chat is chat
    assert [turn.text for turn in chat.turns] == ["Why is the sky blue?", "Because of Rayleigh."]


def test_a_chat_duplicated_before_it_is_read_does_not_take_the_place_of_a_new_one(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    before = open_library()
    talk(before, "Why is the sky blue?", "Because of Rayleigh.")
    before.close()
    library = open_library()
    [chat] = library.chats
    open_chat = OpenChat(library)
    open_chat.duplicate(chat)
    open_chat.new_chat()
    begun = open_chat.current_chat
    with qtbot.waitSignal(library.chat_read, timeout=WAIT_MS):
        pass
    assert open_chat.current_chat is begun
    assert set(library.chats) == {chat, begun}


def test_of_a_chat_opened_and_one_duplicated_before_both_are_read_the_copy_is_shown(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    before = open_library()
    talk(before, "Why is the sky blue?", "Because of Rayleigh.")
    talk(before, "And red?", "Because of Rayleigh, too.")
    before.close()
    library = open_library()
    second, first = library.chats
    open_chat = OpenChat(library)
    open_chat.open_chat(first.chat_id)
    open_chat.duplicate(second)
    with qtbot.waitSignal(open_chat.chat_opened, timeout=WAIT_MS):
        pass
    copy = open_chat.current_chat
    assert copy.title == "Copy: And red?"
    assert [turn.text for turn in copy.turns] == ["And red?", "Because of Rayleigh, too."]


def test_what_is_written_of_a_copy_is_made_by_the_thread_that_writes_it(
    open_library: OpenLibrary, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_here: list[bool] = []

    def note(turn: Turn) -> MessageRecord:
        made_here.append(current_thread() is main_thread())
        return message_record(turn)

    library = open_library()
    open_chat = OpenChat(library)
    chat = talk(library, "Why is the sky blue?", "Because of Rayleigh.")
    monkeypatch.setattr(jobs, "message_record", note)
    open_chat.duplicate(chat)
    copied = open_chat.current_chat.chat_id
    library.close()
    assert made_here == [False, False]
    again = open_library()
    read = again.chat(copied)
    assert read is not None
    with qtbot.waitSignal(again.chat_read, timeout=WAIT_MS):
        again.read(read)
    assert [turn.text for turn in read.turns] == ["Why is the sky blue?", "Because of Rayleigh."]


def test_a_variant_brought_back_takes_nothing_from_a_copy_that_waits_to_be_written(
    open_library: OpenLibrary, database_file: Path, qtbot: QtBot
) -> None:
    store = StoreThread(database_file)
    library = ChatLibrary(store)
    store.setParent(library)
    chat, other = Conversation(title="Why?"), running_answer("Or so.")
    first = running_answer("Because.")
    for answer in (first, other):
        finish(answer)
    chat.add(UserTurn(text="Why?"))
    chat.add(first)
    chat.add_variant(other, first)
    chat.add(UserTurn(text="And?"))
    library.adopt(chat)
    library.variants.delete(chat, other)
    library.variants.undo()
    store.start()
    library.close()
    again = open_library()
    [read] = again.chats
    with qtbot.waitSignal(again.chat_read, timeout=WAIT_MS):
        again.read(read)
    assert [turn.text for turn in read.tree] == ["Why?", "Because.", "Or so.", "And?"]
