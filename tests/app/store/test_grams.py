"""Search in scripts without spaces finds what a look through all text would find."""

import re
import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.attachments import Attachment, to_json
from app.store import schema
from app.store.database import Database
from app.store.records import ChatRecord, MessageRecord
from app.store.schema import MIGRATIONS
from app.store.thread import StoreThread
from tests.waiting import WAIT_MS

UNSPACED = ["天", "空", "蓝", "ก", "ำ"]
PIECES = [*UNSPACED, "py", "Go", " ", " ", "。"]
TEXT = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
QUERY = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)
# What happens to a text: its number, and what it says then.
CHANGE = st.tuples(st.integers(0, 5), st.none() | TEXT)


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[Path]:
    """Files that are not there yet."""
    return (tmp_path / f"{number}.sqlite3" for number in count())


def old_database(path: Path, texts: list[str]) -> None:
    """As the version wrote it that had no index of pairs; each text is a message and a file."""
    connection = sqlite3.connect(path)
    steps = "".join(MIGRATIONS[:3])
    connection.executescript(f"BEGIN; {steps} PRAGMA user_version = 3; COMMIT;")
    for number, text in enumerate(texts):
        connection.execute(
            "INSERT INTO chat(id, title, created_ms, changed_ms) VALUES (?, ?, 0, 0)",
            (f"chat {number}", ""),
        )
        connection.execute(
            "INSERT INTO message(id, chat, role, text, created_ms, attachments) "
            "SELECT id, key, 'user', ?, 0, ? FROM chat WHERE id = ?",
            (text, to_json((Attachment(name="x", text=text[::-1]),)), f"chat {number}"),
        )
    connection.commit()
    connection.close()


def write(database: Database, number: int, text: str) -> None:
    name = f"chat {number}"
    files = to_json((Attachment(name="x", text=text[::-1]),))
    database.save_chat(ChatRecord(chat_id=name, title="", created_ms=0, changed_ms=0))
    database.save_messages(
        name,
        [
            MessageRecord(
                message_id=name,
                parent_id=None,
                role="user",
                text=text,
                created_ms=0,
                attachments=files,
            )
        ],
    )


def has(text: str, query: str) -> bool:
    """Whether a look through a text finds all words; in Latin letters, from their begin on.

    Where a word changes between scripts, spaces in the text do not matter.
    """
    *words, last = query.lower().replace("。", " ").split()
    patterns = [_pattern(word, is_whole=True) for word in words] + [_pattern(last, is_whole=False)]
    return all(re.search(pattern, text) for pattern in patterns)


def _pattern(word: str, *, is_whole: bool) -> str:
    parts = re.findall("[a-z]+|[^a-z]+", word)
    begin = "(?<![a-z])" if parts[0].isascii() else ""
    end = "(?![a-z])" if is_whole and parts[-1].isascii() else ""
    return begin + r"[ 。\n]*".join(parts) + end


@pytest.mark.parametrize("query", ["gpu显卡", "GPU显卡", "显卡 gp", "ｶﾞﾗｽ gpu"])
def test_how_it_is_written_does_not_matter_in_what_is_not_filled_yet(
    tmp_path: Path, query: str
) -> None:
    path = tmp_path / "old.sqlite3"
    old_database(path, ["我的 GPU显卡 Gpu ガラス"])
    database = Database(path)
    assert not database.is_filled()
    assert finds(database, query) == {"chat 0"}
    while not database.is_filled():
        database.fill()
    assert finds(database, query) == {"chat 0"}
    database.close()


def finds(database: Database, query: str) -> set[str]:
    return {hit.chat_id for hit in database.find(query)}


@settings(max_examples=30)
@given(
    old=st.lists(TEXT, max_size=4),
    changes=st.lists(CHANGE, max_size=5),
    queries=st.lists(QUERY, min_size=1, max_size=6),
    n_filled=st.integers(0, 5),
)
def test_it_finds_what_a_look_through_all_text_finds(
    paths: Iterator[Path],
    old: list[str],
    changes: list[tuple[int, str | None]],
    queries: list[str],
    n_filled: int,
) -> None:
    path = next(paths)
    old_database(path, old)
    texts = dict(enumerate(old))
    database = Database(path)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(schema, "_FILLED_AT_ONCE", 1)
        patched.setattr(schema, "_SLICE_S", 0)
        for _ in range(n_filled):
            database.fill()
    database.begin(durable=False)
    for number, text in changes:
        if text is None:
            database.delete_chat(f"chat {number}")
            texts.pop(number, None)
        else:
            write(database, number, text)
            texts[number] = text
    database.commit()
    for is_filled in (False, True):
        for query in queries:
            if not query.strip(" 。"):
                continue
            # Words of Latin letters alone are not looked for in what is not filled yet.
            if is_filled or any(letter in query for letter in UNSPACED):
                expected = {
                    f"chat {number}"
                    for number, text in texts.items()
                    if has(text.lower(), query) or has("x\n" + text[::-1].lower(), query)
                }
                assert finds(database, query) == expected, (query, texts)
        while not database.is_filled():
            database.fill()
    database.close()


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("使用Python编程", "python"),
        ("使用Python编程", "PYTHON 编程"),
        ("使用Python编程", "用py"),
        ("天空为什么是蓝色的", "蓝色 天空"),
        ("カフェで待つ", "ｶﾌｪ"),
        ("ＡＢＣ社", "abc社"),
        ("Café在巴黎", "cafe 巴"),
        ("𠮷野家", "𠮷"),
        ("ภาษาไทย", "ษาไ"),
        ("한국어를 배웁니다", "국어"),
    ],
)
def test_order_case_accents_and_width_do_not_matter(tmp_path: Path, text: str, query: str) -> None:
    database = Database(tmp_path / "a.sqlite3")
    write(database, 1, text)
    write(database, 2, "Other text, 其他文本")
    assert finds(database, query) == {"chat 1"}
    database.close()


def test_titles_of_scripts_without_spaces_are_found_when_they_change(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.sqlite3")
    chat = ChatRecord(chat_id="a", title="天空为什么", created_ms=0, changed_ms=0)
    database.save_chat(chat)
    assert finds(database, "空为") == {"a"}
    database.save_chat(ChatRecord(chat_id="a", title="海洋", created_ms=0, changed_ms=0))
    assert finds(database, "空为") == set()
    assert finds(database, "海") == {"a"}
    database.delete_chat("a")
    assert finds(database, "海") == set()
    database.close()


def test_the_excerpt_marks_every_word(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.sqlite3")
    write(database, 1, "前" * 100 + "使用Python编程。" + "后" * 100)
    [hit] = database.find("编程 python")
    assert [hit.excerpt[at : at + n] for at, n in hit.marks] == ["Python", "编程"]
    assert hit.excerpt.startswith("…前")
    assert hit.excerpt.endswith("后…")
    database.close()


def test_what_an_earlier_version_wrote_is_filled_in_while_nothing_is_asked(
    qtbot: QtBot, tmp_path: Path
) -> None:
    is_over = Event()

    class Watched(Database):
        def is_filled(self) -> bool:
            filled = super().is_filled()
            if filled:
                is_over.set()
            return filled

    path = tmp_path / "a.sqlite3"
    old_database(path, ["天空"] * 50)
    store = StoreThread(path, open_database=Watched)
    with qtbot.waitSignal(store.opened, timeout=WAIT_MS):
        store.start()
    assert is_over.wait(WAIT_MS / 1000)
    store.close()
    connection = sqlite3.connect(path)
    found = "SELECT count(*) FROM message_gram WHERE message_gram MATCH '天空'"
    assert connection.execute(found).fetchone() == (50,)
    connection.close()
