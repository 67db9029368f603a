"""The process that reads a file to import."""

import json
from pathlib import Path
from threading import Event, Thread

import pytest

from app.store import import_reader, refusal
from app.store.import_reader import ImportReader
from app.store.importing import read_file
from app.store.refusal import CancelledError, RefusedError
from tests.waiting import WAIT_MS


def write_conversations(path: Path, *texts: str) -> None:
    chats = [
        {"id": str(number), "conversations": [{"from": "human", "value": text}] * 2}
        for number, text in enumerate(texts)
    ]
    path.write_bytes(json.dumps(chats).encode())


def test_it_has_what_reading_here_has(tmp_path: Path) -> None:
    path = tmp_path / "chats.json"
    chats = [
        {
            "id": str(number),
            "create_time": 1_700_000_000,
            "conversations": [{"from": "human", "value": "天空 \ud800\n" * 40}] * number,
        }
        for number in (1, 450, 0)
    ]
    path.write_text(json.dumps(chats), encoding="utf-8")
    seen: list[float] = []
    found = ImportReader().read(path, seen.append)
    assert found == read_file(path, lambda _: None)
    assert [len(messages) for _, messages in found.chats] == [1, 450]
    assert found.n_empty == 1
    assert seen[-1] == 1


def test_a_name_that_is_not_utf8_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t\udce9st.json"
    try:
        write_conversations(path, "Hello")
    except OSError:
        pytest.skip("this system has no such names")
    assert len(ImportReader().read(path, lambda _: None).chats) == 1


def test_a_refusal_says_why_in_the_language_of_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def translate(context: str, text: str) -> str:
        asked.append(context)
        return text.replace("it is no export of", "ce n’est pas un export de")

    monkeypatch.setattr(refusal, "_collected", translate)
    (tmp_path / "a.json").write_text('[{"a": 1}')
    with pytest.raises(RefusedError, match=r"ce n’est pas un export de .* \(\[0\]\)"):
        ImportReader().read(tmp_path / "a.json", lambda _: None)
    assert asked == ["Exchange"]


def test_a_process_that_ends_too_soon_refuses_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Says nothing.
    monkeypatch.setattr(import_reader, "_MODULE", "types")
    write_conversations(tmp_path / "a.json", "Hello")
    with pytest.raises(RefusedError, match="before it was done"):
        ImportReader().read(tmp_path / "a.json", lambda _: None)


def test_cancelling_ends_it_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_conversations(path, *["word " * 50_000] * 100)
    reader = ImportReader()
    has_begun, is_told, has_ended = Event(), Event(), Event()

    def report(_: float) -> None:
        has_begun.set()
        assert is_told.wait(WAIT_MS / 1000)

    def read() -> None:
        with pytest.raises(CancelledError):
            reader.read(path, report)
        has_ended.set()

    thread = Thread(target=read)
    thread.start()
    assert has_begun.wait(WAIT_MS / 1000)
    reader.cancel()
    is_told.set()
    thread.join()
    assert has_ended.is_set()
    with pytest.raises(CancelledError):
        reader.read(path, lambda _: None)
