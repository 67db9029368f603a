"""Full-text search over titles and messages."""

import json
import re
import sqlite3
from collections.abc import Iterable

from app.attachments import from_json
from app.store.records import SearchHit

_MOST_CHATS = 200
_MOST_ATTACHED = 60
_EXCERPT_WORDS = 14
# What never stands in text that people write, so that it can mark what was found.
_BEGIN, _END = "\ue000", "\ue001"
# A chat, text with marks around what was found, and the message that it is of.
_Row = tuple[str, str, str | None]
_WORDS = re.compile(r"\w+")
_BEFORE, _AFTER = 24, 60
# Scripts without spaces between words: the index has whole runs of them, not words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)


def find(connection: sqlite3.Connection, text: str) -> tuple[SearchHit, ...]:
    """Chats whose title or messages have every word of `text`; the last may be half typed.

    Those whose title matches come first, then the newest matching message, then the newest with
    matching files. At most 200.

    Raises:
        sqlite3.Error: SQLite refuses.
    """
    words = _WORDS.findall(text)
    if not words:
        return ()
    hits: dict[str, SearchHit] = {}
    if _UNSPACED.search(text):
        rows = [*_scan(connection, text.strip()), *_scan_attached(connection, text.strip())]
    else:
        # A single letter begins too many words to be of use.
        half_typed = "*" if len(words[-1]) > 1 else ""
        expression = " ".join(f'"{word}"' for word in words) + half_typed
        rows = [*_match(connection, expression), *_match_attached(connection, expression, words)]
    for chat_id, marked, message_id in rows:
        known = hits.get(chat_id)
        if known is None or (marked and not known.excerpt):
            hits[chat_id] = _hit(chat_id, marked, message_id)
        if len(hits) >= _MOST_CHATS:
            break
    return tuple(hits.values())


def _match(connection: sqlite3.Connection, expression: str) -> list[_Row]:
    titles = connection.execute(
        "SELECT chat.id, '', NULL FROM chat_text JOIN chat ON chat.key = chat_text.rowid "
        "WHERE chat_text MATCH ? ORDER BY chat_text.rowid DESC LIMIT ?",
        (expression, _MOST_CHATS),
    ).fetchall()
    newest = _newest_of_chats(
        connection.execute(
            "SELECT message_text.rowid, message.chat FROM message_text "
            "JOIN message ON message.key = message_text.rowid "
            "WHERE message_text MATCH ? ORDER BY message_text.rowid DESC",
            (expression,),
        ),
        _MOST_CHATS,
    )
    # The plus keeps SQLite from asking the index for one message after the other.
    messages = connection.execute(
        "SELECT chat.id, snippet(message_text, 0, ?, ?, '…', ?), message.id FROM message_text "
        "JOIN message ON message.key = message_text.rowid JOIN chat ON chat.key = message.chat "
        "WHERE message_text MATCH ? AND message_text.rowid >= ? "
        "AND +message_text.rowid IN (SELECT value FROM json_each(?)) "
        "ORDER BY message_text.rowid DESC",
        (
            *(_BEGIN, _END, _EXCERPT_WORDS, expression),
            *(min(newest, default=0), json.dumps(newest)),
        ),
    ).fetchall()
    return titles + messages


def _newest_of_chats(rows: Iterable[tuple[int, int]], most: int) -> list[int]:
    """The first key of each chat, read no further than to as many chats as are wanted."""
    keys: dict[int, int] = {}
    for key, chat in rows:
        keys.setdefault(chat, key)
        if len(keys) >= most:
            break
    return list(keys.values())


def _scan(connection: sqlite3.Connection, text: str) -> list[_Row]:
    titles = connection.execute(
        "SELECT id, '', NULL FROM chat WHERE instr(title, ?) ORDER BY key DESC LIMIT ?",
        (text, _MOST_CHATS),
    ).fetchall()
    newest = _newest_of_chats(
        connection.execute(
            "SELECT key, chat FROM message WHERE instr(text, ?) ORDER BY key DESC", (text,)
        ),
        _MOST_CHATS,
    )
    return titles + [
        (chat_id, _around(whole, text), message_id)
        for chat_id, whole, message_id in _of_messages(connection, "text", newest)
    ]


def _of_messages(
    connection: sqlite3.Connection, column: str, keys: Iterable[int]
) -> list[tuple[str, str, str]]:
    """Chat, a column, and id of each message."""
    rows: list[tuple[str, str, str]] = []
    for key in keys:
        rows += connection.execute(
            f"SELECT chat.id, message.{column}, message.id FROM message "
            "JOIN chat ON chat.key = message.chat WHERE message.key = ?",
            (key,),
        ).fetchall()
    return rows


def _match_attached(
    connection: sqlite3.Connection, expression: str, words: list[str]
) -> list[_Row]:
    newest = _newest_of_chats(
        connection.execute(
            "SELECT attached_text.rowid, message.chat FROM attached_text "
            "JOIN message ON message.key = attached_text.rowid "
            "WHERE attached_text MATCH ? ORDER BY attached_text.rowid DESC",
            (expression,),
        ),
        _MOST_ATTACHED,
    )
    return _in_attachments(connection, newest, words[0])


def _scan_attached(connection: sqlite3.Connection, text: str) -> list[_Row]:
    newest = _newest_of_chats(
        connection.execute(
            "SELECT attached.key, message.chat FROM attached "
            "JOIN message ON message.key = attached.key "
            "WHERE instr(attached.text, ?) ORDER BY attached.key DESC",
            (text,),
        ),
        _MOST_ATTACHED,
    )
    return _in_attachments(connection, newest, text)


def _in_attachments(connection: sqlite3.Connection, keys: Iterable[int], text: str) -> list[_Row]:
    # FTS5 would cut every file into words again for its excerpt; these may be books.
    return [
        (chat_id, _in_files(files, text), message_id)
        for chat_id, files, message_id in _of_messages(connection, "attachments", keys)
    ]


def _in_files(files: str, text: str) -> str:
    """Text around the first match in files, after the name of the file; else their names."""
    attachments = from_json(files)
    for attachment in attachments:
        match = re.search(rf"\b{re.escape(text)}", attachment.text, re.IGNORECASE)
        match = match or re.search(re.escape(text), attachment.text, re.IGNORECASE)
        if match is not None:
            return f"{attachment.name}: {_around(attachment.text, match[0])}"
    return ", ".join(attachment.name for attachment in attachments)


def _around(whole: str, text: str) -> str:
    at = whole.index(text)
    begin, end = max(0, at - _BEFORE), at + len(text) + _AFTER
    before = ("…" if begin else "") + whole[begin:at]
    after = whole[at + len(text) : end] + ("…" if end < len(whole) else "")
    return f"{before}{_BEGIN}{text}{_END}{after}"


def _hit(chat_id: str, marked: str, message_id: str | None) -> SearchHit:
    """Take the marks out of an excerpt and say where they were."""
    excerpt = ""
    marks: list[tuple[int, int]] = []
    for part in re.split(f"({_BEGIN}|{_END})", " ".join(marked.split())):
        if part == _BEGIN:
            marks.append((len(excerpt), 0))
        elif part == _END and marks:
            marks[-1] = (marks[-1][0], len(excerpt) - marks[-1][0])
        elif part != _END:
            excerpt += part
    return SearchHit(chat_id=chat_id, excerpt=excerpt, marks=tuple(marks), message_id=message_id)
