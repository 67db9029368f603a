"""Files that were still being read when the application ended."""

import sqlite3
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.transcript import Conversation
from tests.app.store.conftest import OpenLibrary
from tests.app.store.samples import talk

PATHS = ("/home/a/notes.md", "/home/a/t\udce9st.txt")


def only_chat(open_library: OpenLibrary) -> Conversation:
    [chat] = open_library().chats
    return chat


def test_the_next_start_has_their_paths(open_library: OpenLibrary) -> None:
    library = open_library()
    library.unread_files.set(library.new_chat(), PATHS)
    library.close()
    assert only_chat(open_library).draft_paths == PATHS


def test_they_are_forgotten_once_they_are_read(open_library: OpenLibrary) -> None:
    library = open_library()
    empty, talked = library.new_chat(), talk(library, "Why?", "Because.")
    for chat in (empty, talked):
        library.unread_files.set(chat, PATHS)
        library.unread_files.set(chat, ())
    library.close()
    chat = only_chat(open_library)
    assert (chat.chat_id, chat.draft_paths) == (talked.chat_id, ())


def test_those_of_a_deleted_chat_come_back_with_it(open_library: OpenLibrary) -> None:
    library = open_library()
    chat = talk(library, "Why?", "Because.")
    library.unread_files.set(chat, PATHS)
    library.delete(chat)
    library.undo_delete()
    library.close()
    assert only_chat(open_library).draft_paths == PATHS


@pytest.mark.parametrize("kept", ["[1", "[]", '{"a": 1}', '{"a": ["zz"]}'])
def test_what_is_no_list_of_paths_is_left_out(
    open_library: OpenLibrary, database_file: Path, qtbot: QtBot, kept: str
) -> None:
    library = open_library()
    talk(library, "Why?", "Because.")
    library.close()
    connection = sqlite3.connect(database_file)
    connection.execute("INSERT OR REPLACE INTO state VALUES ('unread files', ?)", (kept,))
    connection.commit()
    connection.close()
    assert only_chat(open_library).draft_paths == ()
