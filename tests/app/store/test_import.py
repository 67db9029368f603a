"""Files are imported whole or refused whole, with the reason, whatever they are."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from app.store import import_source, import_thread, json_stream
from app.store.foreign import build
from app.store.import_reader import ImportReader
from app.store.importing import ImportedFile, read_file
from app.store.json_stream import JsonStream
from app.store.refusal import CancelledError, RefusedError
from app.transcript import now_ms
from tests.app.store.foreign.exports import CHATGPT, LM_STUDIO, OPEN_WEBUI, SHAREGPT
from tests.app.store.samples import talk
from tests.waiting import WAIT_MS

pytestmark = pytest.mark.usefixtures("read_here")

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.library import ChatLibrary
    from app.messages import UserMessage
    from app.store.import_source import Report
    from tests.app.store.conftest import OpenLibrary

Files = dict[str, bytes]


def shard(*chats: object) -> bytes:
    return json.dumps(list(chats)).encode()


def zipped(files: Files, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def imported(library: ChatLibrary, path: Path, qtbot: QtBot) -> UserMessage:
    with qtbot.waitSignal(library.message_raised, timeout=WAIT_MS) as waiter:
        library.import_file(str(path))
    assert waiter.args is not None
    message: UserMessage = waiter.args[0]
    return message


def titles(path: Path) -> list[str]:
    return [chat.title for chat, _ in read_file(path, lambda _: None).chats]


def refusal(path: Path) -> str:
    with pytest.raises(RefusedError) as caught:
        read_file(path, lambda _: None)
    return str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "chats.json"
    os.mkfifo(pipe)
    assert "not a file" in refusal(pipe)
    assert "not a file" in refusal(tmp_path)


OTHER = CHATGPT | {"conversation_id": "other", "title": "Other"}
ZIP = {
    "conversations-000.json": shard(CHATGPT),
    "conversations-001.json": shard(OTHER, CHATGPT),
    "user.json": b"{}",
    "chat.html": b"<html>",
    "file-1/sky.png": b"\x89PNG",
    "__MACOSX/._conversations-000.json": b"\0\5\26\7",
}


def test_a_zip_of_chatgpt_with_its_shards(
    open_library: OpenLibrary, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(zipped(ZIP))
    library = open_library()
    assert imported(library, path, qtbot).text == (
        "New: 2. There already: 1. Other files of the archive, such as pictures: 3 not taken."
    )
    assert {chat.title for chat in library.chats} == {"Sky", "Other"}
    assert imported(library, path, qtbot).text.startswith(
        "Nothing new was imported. There already: 3."
    )
    assert len(library.chats) == 2


@pytest.mark.parametrize(
    "name", ["conversations.json", "Export 2026/conversations.json", "chat/1700.conversation.json"]
)
def test_where_conversations_stand_in_an_archive(tmp_path: Path, name: str) -> None:
    content = json.dumps(LM_STUDIO).encode() if name.startswith("chat/") else shard(CHATGPT)
    (tmp_path / "a.zip").write_bytes(zipped({name: content}))
    assert len(titles(tmp_path / "a.zip")) == 1


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (shard(OPEN_WEBUI), ["Sea"]),
        (shard(OPEN_WEBUI, OPEN_WEBUI | {"id": "w2", "title": "B"}), ["Sea", "B"]),
        (json.dumps(OPEN_WEBUI).encode(), ["Sea"]),
        (json.dumps(LM_STUDIO, indent=2).encode(), ["Hills"]),
        (shard(SHAREGPT), ["Hello there"]),
        (b"\xef\xbb\xbf" + shard(SHAREGPT), ["Hello there"]),
        (
            "\r\n".join(
                json.dumps({"conversations": [{"from": "human", "value": word}]})
                for word in ("one", "two\u2028", "three")
            ).encode()
            + b"\n\n",
            ["one", "two", "three"],
        ),
    ],
)
def test_single_files_lists_and_lines(tmp_path: Path, content: bytes, expected: list[str]) -> None:
    (tmp_path / "a.json").write_bytes(content)
    assert titles(tmp_path / "a.json") == expected


@pytest.mark.parametrize("item", [CHATGPT, OPEN_WEBUI, LM_STUDIO, SHAREGPT])
def test_what_was_imported_is_there_already_the_next_time(
    open_library: OpenLibrary,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    item: object,
) -> None:
    (tmp_path / "a.json").write_bytes(shard(item))
    library = open_library()
    assert imported(library, tmp_path / "a.json", qtbot).text == "New: 1. There already: 0."
    monkeypatch.setattr(build, "now_ms", lambda: now_ms() + 60_000)
    assert (
        imported(library, tmp_path / "a.json", qtbot).text
        == "Nothing new was imported. There already: 1."
    )
    assert len(library.chats) == 1


def test_what_nobody_foresaw_refuses_the_file(
    open_library: OpenLibrary, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("nobody thought of this")

    monkeypatch.setattr(ImportReader, "read", fail)
    message = imported(open_library(), tmp_path / "a.json", qtbot)
    assert message.title == "Nothing was imported"
    assert "LookupError: nobody thought of this" in message.text


def test_what_has_no_words_is_left_out_and_said(
    open_library: OpenLibrary, tmp_path: Path, qtbot: QtBot
) -> None:
    empty = {"id": "e", "conversations": [{"from": "human", "value": " "}]}
    (tmp_path / "a.json").write_bytes(shard(empty, SHAREGPT))
    message = imported(open_library(), tmp_path / "a.json", qtbot)
    assert message.text == (
        "New: 1. There already: 0. Left out because nothing is said in them: 1."
    )


def _lying(content: bytes, real: int, claimed: int) -> bytes:
    """An archive that says of its first file that it is smaller than it is."""
    return content.replace(struct.pack("<L", real), struct.pack("<L", claimed))


def _encrypted(content: bytes) -> bytes:
    """The flag of encryption set, in both places."""
    data = bytearray(content)
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + at] |= 1
    return bytes(data)


def _link() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo("conversations.json")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


def _twice() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("conversations.json", shard(CHATGPT))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("conversations.json", shard(OTHER))
    return buffer.getvalue()


GOOD = zipped({"conversations.json": shard(CHATGPT)})
STORED = zipped({"conversations.json": shard(CHATGPT)}, zipfile.ZIP_STORED)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: zipped({"../conversations.json": shard(CHATGPT)}), "leads out of it (../conv"),
        (lambda: zipped(ZIP | {"/etc/cron.d/x": b"x"}), "leads out of it (/etc"),
        (lambda: zipped(ZIP | {"C:\\x.json": b"x"}), "leads out of it (C:"),
        (lambda: zipped(ZIP | {"a\\..\\..\\x": b"x"}), "leads out of it"),
        (_link, "leads out of it (conversations.json)"),
        (_twice, "two files in it have the same name"),
        (lambda: zipped({"a/b.txt": b"x"}), "there is no conversations.json in it"),
        (lambda: zipped({"inner.zip": GOOD}), "there is no conversations.json in it"),
        (lambda: _encrypted(GOOD), "it is encrypted"),
        (lambda: GOOD[: len(GOOD) // 2], "damaged ZIP archive"),
        (lambda: GOOD[:200] + b"\xa5" * 50 + GOOD[250:], "damaged ZIP archive"),
        (lambda: STORED[:200] + b"\xa5" * 50 + STORED[250:], "("),
        (lambda: zipped({"conversations.json": shard(CHATGPT)[:-40]}), "not whole JSON"),
        (lambda: zipped({"conversations.json": b"<html>"}), "not whole JSON"),
        (lambda: zipped({"conversations.json": b"[" * 100_000}), "nested too deeply"),
    ],
)
def test_an_archive_that_is_not_what_it_should_be(
    tmp_path: Path, make: Callable[[], bytes], words: str
) -> None:
    (tmp_path / "a.zip").write_bytes(make())
    assert words in refusal(tmp_path / "a.zip")


def test_a_bomb_is_refused_by_what_it_says_and_by_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = b'[{"conversations": [{"from": "human", "value": "' + b"a" * 3_000_000
    whole = zipped({"conversations.json": bomb})
    assert len(whole) < 10_000
    monkeypatch.setattr(import_source, "MOST_BYTES", 1_000_000)
    (tmp_path / "a.zip").write_bytes(whole)
    assert "larger than" in refusal(tmp_path / "a.zip")
    n_read: list[int] = []
    monkeypatch.setattr(
        import_source.ImportSource, "_count", lambda self, n_bytes: n_read.append(n_bytes)
    )
    (tmp_path / "a.zip").write_bytes(_lying(whole, len(bomb), 1_000))
    refusal(tmp_path / "a.zip")
    assert sum(n_read) <= 1_000


def test_a_large_file_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_source, "MOST_BYTES", 1_000)
    (tmp_path / "a.json").write_bytes(shard(CHATGPT))
    assert "larger than" in refusal(tmp_path / "a.json")


def test_one_conversation_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "_MOST_CHARACTERS", 1_000_000)
    (tmp_path / "a.json").write_bytes(b'[{"mapping": {"a": "' + b"x" * 4_000_000)
    assert "one conversation in it" in refusal(tmp_path / "a.json")


def test_nothing_is_half_imported(open_library: OpenLibrary, tmp_path: Path, qtbot: QtBot) -> None:
    files = {"conversations-000.json": shard(CHATGPT), "conversations-001.json": b'[{"mapping": '}
    (tmp_path / "a.zip").write_bytes(zipped(files))
    library = open_library()
    message = imported(library, tmp_path / "a.zip", qtbot)
    assert message.title == "Nothing was imported"
    assert library.chats == ()


class TestCancel:
    def test_while_reading(self, open_library: OpenLibrary, tmp_path: Path, qtbot: QtBot) -> None:
        path = tmp_path / "a.zip"
        path.write_bytes(zipped(ZIP))
        library = open_library()
        library.exchange.imports.changed.connect(lambda *_: library.exchange.imports.cancel())
        message = imported(library, path, qtbot)
        assert message.title == "The import was cancelled"
        assert library.chats == ()
        library.exchange.imports.changed.disconnect()
        assert imported(library, path, qtbot).title == "Conversations were imported"

    def test_while_writing(
        self,
        open_library: OpenLibrary,
        tmp_path: Path,
        qtbot: QtBot,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path = tmp_path / "a.json"
        path.write_bytes(shard(CHATGPT, OTHER))
        library = open_library()
        talk(library, "Before", "x")
        report = import_thread.ImportThread.report_writing

        def cancelled_after_one(thread: import_thread.ImportThread, fraction: float) -> None:
            if fraction > 0:
                thread.cancel()
            report(thread, fraction)

        monkeypatch.setattr(import_thread.ImportThread, "report_writing", cancelled_after_one)
        message = imported(library, path, qtbot)
        assert message.title == "The import was cancelled"
        assert [chat.title for chat in library.chats] == ["Before"]

    def test_when_the_window_closes(self, open_library: OpenLibrary, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_bytes(shard(CHATGPT))
        library = open_library()
        library.import_file(str(path))
        library.close()

    def test_ends_in_the_middle_of_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.json").write_bytes(shard(*[CHATGPT] * 200))
        seen: list[float] = []

        def report(fraction: float) -> None:
            seen.append(fraction)
            if len(seen) == 3:
                raise CancelledError

        with pytest.raises(CancelledError):
            read_file(tmp_path / "a.json", report)
        assert 0 < seen[-1] < 1
        assert seen == sorted(seen)


def test_the_database_is_not_held_while_a_file_is_read(
    open_library: OpenLibrary, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said meanwhile is written at once."""
    path = tmp_path / "a.json"
    path.write_bytes(shard(CHATGPT))
    go_on = Event()

    def read_slowly(_: ImportReader, path: Path, report: Report) -> ImportedFile:
        assert go_on.wait(WAIT_MS / 1000)
        return read_file(path, report)

    monkeypatch.setattr(ImportReader, "read", read_slowly)
    library = open_library()
    library.import_file(str(path))
    talk(library, "Meanwhile", "x")
    with qtbot.waitSignal(library.found, timeout=WAIT_MS) as waiter:
        library.search("Meanwhile")
    assert waiter.args is not None
    assert len(waiter.args[1]) == 1
    with qtbot.waitSignal(library.message_raised, timeout=WAIT_MS):
        go_on.set()
    assert {chat.title for chat in library.chats} == {"Meanwhile", "Sky"}


class TestStream:
    @pytest.mark.parametrize("chunk", [1, 2, 7, 1 << 18])
    def test_it_gives_the_same_in_pieces(self, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
        values: list[Any] = [1, -2.5e3, 'a\\"]é\U0001f600', [], {"a": [None, True]}, 12345, "", {}]
        monkeypatch.setattr(json_stream, "_CHUNK", chunk)
        stream = JsonStream(io.StringIO(json.dumps(values, ensure_ascii=False, indent=1) + " \n"))
        assert list(stream.items()) == values
        assert stream.peek() == ""

    @pytest.mark.parametrize("text", ["[1 2]", "[1,]", "[1", "[", '["a', "[fal", "[1,,2]"])
    def test_what_is_not_json_is_refused(self, text: str) -> None:
        with pytest.raises(RefusedError):
            list(JsonStream(io.StringIO(text)).items())
