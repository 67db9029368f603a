"""Full-text search over titles and messages."""

import re
import sqlite3
from collections.abc import Iterable

from app.attachments import from_json
from app.store.records import SearchHit

_MOST_MESSAGES = 400
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
    messages = connection.execute(
        "SELECT chat.id, snippet(message_text, 0, ?, ?, '…', ?), message.id FROM message_text "
        "JOIN message ON message.key = message_text.rowid JOIN chat ON chat.key = message.chat "
        "WHERE message_text MATCH ? ORDER BY message_text.rowid DESC LIMIT ?",
        (_BEGIN, _END, _EXCERPT_WORDS, expression, _MOST_MESSAGES),
    ).fetchall()
    return titles + messages


def _scan(connection: sqlite3.Connection, text: str) -> list[_Row]:
    titles = connection.execute(
        "SELECT id, '', NULL FROM chat WHERE instr(title, ?) ORDER BY key DESC LIMIT ?",
        (text, _MOST_CHATS),
    ).fetchall()
    messages = connection.execute(
        "SELECT chat.id, message.text, message.id FROM message "
        "JOIN chat ON chat.key = message.chat "
        "WHERE instr(message.text, ?) ORDER BY message.key DESC LIMIT ?",
        (text, _MOST_MESSAGES),
    ).fetchall()
    return titles + [
        (chat_id, _around(whole, text), message_id) for chat_id, whole, message_id in messages
    ]


def _match_attached(
    connection: sqlite3.Connection, expression: str, words: list[str]
) -> list[_Row]:
    # FTS5 would cut every file into words again for its excerpt; these may be books.
    rows = connection.execute(
        "SELECT chat.id, message.attachments, message.id FROM attached_text "
        "JOIN message ON message.key = attached_text.rowid JOIN chat ON chat.key = message.chat "
        "WHERE attached_text MATCH ? ORDER BY attached_text.rowid DESC LIMIT ?",
        (expression, _MOST_ATTACHED),
    )
    return _newest(rows, words[0])


def _scan_attached(connection: sqlite3.Connection, text: str) -> list[_Row]:
    rows = connection.execute(
        "SELECT chat.id, message.attachments, message.id FROM attached "
        "JOIN message ON message.key = attached.key JOIN chat ON chat.key = message.chat "
        "WHERE instr(attached.text, ?) ORDER BY attached.key DESC LIMIT ?",
        (text, _MOST_ATTACHED),
    )
    return _newest(rows, text)


def _newest(rows: Iterable[tuple[str, str, str]], text: str) -> list[_Row]:
    """The first row of each chat, with text around the match in its files."""
    found: dict[str, tuple[str, str]] = {}
    for chat_id, files, message_id in rows:
        found.setdefault(chat_id, (files, message_id))
    return [
        (chat_id, _in_files(files, text), message_id)
        for chat_id, (files, message_id) in found.items()
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
