"""Files of messages and drafts are kept, found, exported and imported."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest

from app.attachments import Attachment, AttachmentKind
from app.store.schema import MIGRATIONS, VERSION
from app.transcript import UserTurn
from tests.app.store.samples import talk
from tests.waiting import WAIT_MS
from ui.export.page import html_page

pytestmark = pytest.mark.usefixtures("read_here")

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.library import ChatLibrary
    from app.store.records import SearchHit
    from app.transcript import Conversation
    from tests.app.store.conftest import OpenLibrary

PDF = Attachment(
    name="report.pdf",
    text="--- page 1 ---\nThe lighthouse\nof “Alexandria”\n\n--- page 3 ---\n\tstood & <fell>",
    kind=AttachmentKind.PDF,
    size_bytes=12_345,
    encoding="",
    n_pages=3,
    n_pages_without_text=1,
)
CSV = Attachment(name="prix.csv", text="café;1\n日本語;2\n", size_bytes=20, encoding="windows-1252")


def ask_with_files(library: ChatLibrary) -> Conversation:
    chat = library.new_chat()
    chat.title = "Why?"
    library.add_turn(chat, UserTurn(text="Why?", attachments=(PDF, CSV)))
    return chat


def read(library: ChatLibrary, chat_id: str, qtbot: QtBot) -> Conversation:
    chat = library.chat(chat_id)
    assert chat is not None
    with qtbot.waitSignal(library.chat_read, timeout=WAIT_MS):
        library.read(chat)
    return chat


def found(library: ChatLibrary, text: str, qtbot: QtBot) -> tuple[SearchHit, ...]:
    with qtbot.waitSignal(library.found, timeout=WAIT_MS) as waiter:
        library.search(text)
    assert waiter.args is not None
    hits: tuple[SearchHit, ...] = waiter.args[1]
    return hits


def exchange(library: ChatLibrary, path: Path, qtbot: QtBot, *, imports: bool = False) -> str:
    with qtbot.waitSignal(library.message_raised, timeout=WAIT_MS) as waiter:
        if imports:
            library.import_file(str(path))
        else:
            library.export(str(path), None, html_page)
    assert waiter.args is not None
    text: str = waiter.args[0].text
    return text


def test_files_are_there_after_a_restart(open_library: OpenLibrary, qtbot: QtBot) -> None:
    library = open_library()
    chat_id = ask_with_files(library).chat_id
    library.close()
    (turn,) = read(open_library(), chat_id, qtbot).turns
    assert isinstance(turn, UserTurn)
    assert turn.text == "Why?"
    assert turn.attachments == (PDF, CSV)


def test_files_of_a_draft_are_kept_and_gone_with_the_last(
    open_library: OpenLibrary, qtbot: QtBot
) -> None:
    library = open_library()
    chat = library.new_chat()
    library.set_draft_attachments(chat, (PDF, CSV))
    assert library.new_chat() is not chat
    library.close()
    library = open_library()
    kept = read(library, chat.chat_id, qtbot)
    assert kept.draft_attachments == (PDF, CSV)
    library.set_draft_attachments(kept, ())
    library.close()
    assert open_library().chat(chat.chat_id) is None


@pytest.mark.parametrize(
    ("words", "excerpt"),
    [
        ("lighthouse", "report.pdf: --- page 1 --- The lighthouse of “Alexandria”"),
        ("fell stood", "fell"),
        ("alexan", "Alexandria"),
        ("日本語 prix", "prix.csv: café;1 日本語;2"),
        ("report", "report.pdf"),
        ("cafe", "report.pdf, prix.csv"),
        ("日本", "prix.csv: café;1 日本語;2"),
    ],
)
def test_text_of_files_is_found(
    open_library: OpenLibrary, qtbot: QtBot, words: str, excerpt: str
) -> None:
    library = open_library()
    chat = ask_with_files(library)
    talk(library, "Something else", "Answer")
    (hit,) = found(library, words, qtbot)
    assert hit.chat_id == chat.chat_id
    assert excerpt in hit.excerpt
    for begin, length in hit.marks:
        assert hit.excerpt[begin : begin + length].casefold() in words.split()


def test_what_is_deleted_is_no_longer_found(open_library: OpenLibrary, qtbot: QtBot) -> None:
    library = open_library()
    chat = ask_with_files(library)
    other = ask_with_files(library)
    library.delete(chat)
    library.finish_delete()
    assert [hit.chat_id for hit in found(library, "lighthouse", qtbot)] == [other.chat_id]
    library.delete(other)
    library.finish_delete()
    assert found(library, "lighthouse", qtbot) == ()


def test_what_was_kept_before_there_were_files_is_read_and_searched(
    open_library: OpenLibrary, database_file: Path, qtbot: QtBot
) -> None:
    database_file.parent.mkdir(parents=True)
    connection = sqlite3.connect(database_file)
    connection.executescript(f"{MIGRATIONS[0]} PRAGMA user_version = 1;")
    connection.execute(
        "INSERT INTO chat(id, title, created_ms, changed_ms) VALUES ('c', 'Old', 1, 1)"
    )
    connection.execute(
        "INSERT INTO message(id, chat, role, text, created_ms) VALUES ('m', 1, 'user', 'Hello', 1)"
    )
    connection.commit()
    connection.close()
    library = open_library()
    (turn,) = read(library, "c", qtbot).turns
    assert isinstance(turn, UserTurn)
    assert turn.attachments == ()
    assert [hit.chat_id for hit in found(library, "hello", qtbot)] == ["c"]
    chat = library.chat("c")
    assert chat is not None
    library.add_turn(chat, UserTurn(text="", attachments=(PDF,)))
    assert [hit.chat_id for hit in found(library, "lighthouse", qtbot)] == ["c"]
    library.close()
    connection = sqlite3.connect(database_file)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    connection.execute("INSERT INTO attached_text(attached_text) VALUES ('integrity-check')")
    connection.close()


def test_export_import_and_export_again_is_the_same_byte_for_byte(
    open_library: OpenLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    library = open_library()
    chat = ask_with_files(library)
    library.set_draft_attachments(chat, (CSV,))
    exchange(library, tmp_path / "a.json", qtbot)
    before = (tmp_path / "a.json").read_bytes()
    (exported,) = json.loads(before)["conversations"]
    assert exported["messages"][0]["attachments"][0]["n_pages"] == 3
    assert exported["draft_attachments"][0]["name"] == "prix.csv"
    library.delete(chat)
    assert exchange(library, tmp_path / "a.json", qtbot, imports=True) == (
        "New: 1. There already: 0."
    )
    exchange(library, tmp_path / "b.json", qtbot)
    assert (tmp_path / "b.json").read_bytes() == before
    assert len(found(library, "lighthouse", qtbot)) == 1


def test_a_file_from_before_there_were_files_is_imported(
    open_library: OpenLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    library = open_library()
    talk(library, "Plain", "Answer")
    path = tmp_path / "a.json"
    exchange(library, path, qtbot)
    document = json.loads(path.read_text(encoding="utf-8"))
    for chat in document["conversations"]:
        del chat["draft_attachments"]
        for message in chat["messages"]:
            del message["attachments"]
    path.write_text(json.dumps(document), encoding="utf-8")
    assert (
        exchange(library, path, qtbot, imports=True)
        == "Nothing new was imported. There already: 1."
    )


@pytest.mark.parametrize(
    ("part", "where"),
    [
        ({}, "conversations[0].messages[0].attachments is"),
        ([{"name": "x"}], "conversations[0].messages[0].attachments[0] is"),
    ],
)
def test_files_that_are_not_as_they_should_be_are_refused(
    open_library: OpenLibrary, qtbot: QtBot, tmp_path: Path, part: object, where: str
) -> None:
    library = open_library()
    ask_with_files(library)
    path = tmp_path / "a.json"
    exchange(library, path, qtbot)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["conversations"][0]["messages"][0]["attachments"] = part
    path.write_text(json.dumps(document), encoding="utf-8")
    assert where in exchange(library, path, qtbot, imports=True)
    assert len(library.chats) == 1


def test_markdown_and_html_have_the_files(
    open_library: OpenLibrary, qtbot: QtBot, tmp_path: Path
) -> None:
    library = open_library()
    ask_with_files(library)
    exchange(library, tmp_path / "a.md", qtbot)
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert "Why?\n\nreport.pdf:\n```\n--- page 1 ---\nThe lighthouse" in text
    assert "prix.csv:\n```csv\ncafé;1" in text
    exchange(library, tmp_path / "a.html", qtbot)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<summary>report.pdf</summary>" in page
    assert "stood &amp; &lt;fell&gt;" in page
