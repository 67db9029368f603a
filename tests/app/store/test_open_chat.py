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
