"""Which chat is open while chats are read and deleted."""

from pytestqt.qtbot import QtBot

from app.open_chat import OpenChat
from tests.app.store.conftest import OpenLibrary
from tests.app.store.samples import talk
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
    assert copy.title == "And red? (copy)"
    assert [turn.text for turn in copy.turns] == ["And red?", "Because of Rayleigh, too."]
