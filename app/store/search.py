"""Full-text search over titles and messages."""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import merge

from app.attachments import from_json
from app.store.grams import Phrase, expression, has_unspaced, is_in, longest_runs, phrases
from app.store.records import SearchHit
from app.store.schema import unfilled_up_to

_MOST_CHATS = 200
_MOST_ATTACHED = 60
_EXCERPT_WORDS = 14
# What never stands in text that people write, so that it can mark what was found.
_BEGIN, _END = "\ue000", "\ue001"
# A chat, text with marks around what was found, and the message that it is of.
_Row = tuple[str, str, str | None]
_WORDS = re.compile(r"\w+")
_BEFORE, _AFTER = 24, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is searched for.

    Attributes:
        text: As it was typed.
        spaced: For the indexes of words; None where it has letters of scripts without spaces.
        unspaced: For the indexes of pairs of letters, which also have the words between them.
        phrases: What `unspaced` asks for.
        pattern: Finds one of the words in text, as far as accents and width are the same.
    """

    text: str
    spaced: str | None
    unspaced: str
    phrases: list[Phrase]
    pattern: re.Pattern[str]


def find(connection: sqlite3.Connection, text: str) -> tuple[SearchHit, ...]:
    """Chats whose title or messages have every word of `text`; the last may be half typed.

    In scripts without spaces a word may be any part of what is written. Those whose title matches
    come first, then the newest matching message, then the newest with matching files. At most 200.

    Raises:
        sqlite3.Error: SQLite refuses.
    """
    wanted = _wanted(text)
    if wanted is None:
        return ()
    hits: dict[str, SearchHit] = {}
    rows = [
        *_in_titles(connection, wanted),
        *_in_messages(connection, wanted),
        *_in_attachments(connection, wanted),
    ]
    for chat_id, marked, message_id in rows:
        known = hits.get(chat_id)
        if known is None or (marked and not known.excerpt):
            hits[chat_id] = _hit(chat_id, marked, message_id)
        if len(hits) >= _MOST_CHATS:
            break
    return tuple(hits.values())


def _wanted(text: str) -> _Wanted | None:
    words = _WORDS.findall(text)
    asked = phrases(text)
    if not words or not asked:
        return None
    # A single letter begins too many words to be of use.
    half_typed = "*" if len(words[-1]) > 1 else ""
    spaced = " ".join(f'"{word}"' for word in words) + half_typed
    alternatives = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return _Wanted(
        text=text,
        spaced=None if has_unspaced(text) else spaced,
        unspaced=expression(asked),
        phrases=asked,
        pattern=re.compile(alternatives, re.IGNORECASE),
    )


def _in_titles(connection: sqlite3.Connection, wanted: _Wanted) -> list[_Row]:
    keys = _newest_of_chats(
        merge(
            *(
                connection.execute(
                    f"SELECT rowid, rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC",
                    (asked,),
                )
                for table, asked in _indexes(wanted, "chat")
            ),
            reverse=True,
        ),
        _MOST_CHATS,
    )
    return connection.execute(
        "SELECT chat.id, '', NULL FROM chat WHERE key IN (SELECT value FROM json_each(?)) "
        "ORDER BY key DESC",
        (json.dumps(keys),),
    ).fetchall()


def _in_messages(connection: sqlite3.Connection, wanted: _Wanted) -> list[_Row]:
    newest = _newest_of_chats(_found(connection, wanted, "message"), _MOST_CHATS)
    marked = _snippets(connection, wanted.spaced, newest) if wanted.spaced is not None else {}
    return [
        (chat_id, marked.get(key) or _excerpt(whole, wanted) or _start_of(whole), message_id)
        for key, chat_id, whole, message_id in _of_messages(connection, "text", newest)
    ]


def _in_attachments(connection: sqlite3.Connection, wanted: _Wanted) -> list[_Row]:
    newest = _newest_of_chats(_found(connection, wanted, "attached"), _MOST_ATTACHED)
    # FTS5 would cut every file into words again for its excerpt; these may be books.
    return [
        (chat_id, _in_files(files, wanted), message_id)
        for _, chat_id, files, message_id in _of_messages(connection, "attachments", newest)
    ]


def _indexes(wanted: _Wanted, kind: str) -> list[tuple[str, str]]:
    """Tables to ask, and what for."""
    of_words = [(f"{kind}_text", wanted.spaced)] if wanted.spaced is not None else []
    return [*of_words, (f"{kind}_gram", wanted.unspaced)]


def _found(connection: sqlite3.Connection, wanted: _Wanted, kind: str) -> Iterator[tuple[int, int]]:
    """Key of each message that has it, and of its chat; the newest first, read as far as asked."""
    yield from merge(
        *(
            connection.execute(
                f"SELECT {table}.rowid, message.chat FROM {table} "
                f"JOIN message ON message.key = {table}.rowid "
                f"WHERE {table} MATCH ? ORDER BY {table}.rowid DESC",
                (asked,),
            )
            for table, asked in _indexes(wanted, kind)
        ),
        reverse=True,
    )
    if wanted.spaced is None:
        yield from _scan(connection, wanted, kind)


def _scan(connection: sqlite3.Connection, wanted: _Wanted, kind: str) -> Iterator[tuple[int, int]]:
    """The same of what is not in the index of pairs yet."""
    upto = unfilled_up_to(connection)
    for key, chat, whole in connection.execute(
        f"SELECT source.key, message.chat, source.text FROM {kind} AS source "
        "JOIN message ON message.key = source.key "
        "WHERE source.key <= ? AND (instr(source.text, ?) OR instr(source.text, ?)) "
        "ORDER BY source.key DESC",
        (upto, *longest_runs(wanted.text)),
    ):
        if is_in(whole, wanted.phrases):
            yield key, chat


def _newest_of_chats(rows: Iterable[tuple[int, int]], most: int) -> list[int]:
    """The first key of each chat, read no further than to as many chats as are wanted."""
    keys: dict[int, int] = {}
    for key, chat in rows:
        keys.setdefault(chat, key)
        if len(keys) >= most:
            break
    return list(keys.values())


def _snippets(connection: sqlite3.Connection, expression: str, keys: list[int]) -> dict[int, str]:
    # The plus keeps SQLite from asking the index for one message after the other.
    return dict(
        connection.execute(
            "SELECT rowid, snippet(message_text, 0, ?, ?, '…', ?) FROM message_text "
            "WHERE message_text MATCH ? AND rowid >= ? "
            "AND +rowid IN (SELECT value FROM json_each(?))",
            (
                *(_BEGIN, _END, _EXCERPT_WORDS, expression),
                *(min(keys, default=0), json.dumps(keys)),
            ),
        )
    )


def _of_messages(
    connection: sqlite3.Connection, column: str, keys: Iterable[int]
) -> list[tuple[int, str, str, str]]:
    """Key, chat, a column, and id of each message."""
    rows: list[tuple[int, str, str, str]] = []
    for key in keys:
        rows += connection.execute(
            f"SELECT message.key, chat.id, message.{column}, message.id FROM message "
            "JOIN chat ON chat.key = message.chat WHERE message.key = ?",
            (key,),
        ).fetchall()
    return rows


def _in_files(files: str, wanted: _Wanted) -> str:
    """Text around the first match in files, after the name of the file; else their names."""
    attachments = from_json(files)
    for attachment in attachments:
        excerpt = _excerpt(attachment.text, wanted)
        if excerpt:
            return f"{attachment.name}: {excerpt}"
    return ", ".join(attachment.name for attachment in attachments)


def _excerpt(whole: str, wanted: _Wanted) -> str:
    """Text around the first match; "" where there is none."""
    first = wanted.pattern.search(whole)
    # Rather where a word begins than within another.
    for match in wanted.pattern.finditer(whole):
        if match.start() == 0 or not whole[match.start() - 1].isalnum():
            first = match
            break
    if first is None:
        return ""
    begin, end = max(0, first.start() - _BEFORE), first.end() + _AFTER
    marked = wanted.pattern.sub(
        lambda match: f"{_BEGIN}{match[0]}{_END}", whole[first.start() : end]
    )
    before = ("…" if begin else "") + whole[begin : first.start()]
    return f"{before}{marked}{'…' if end < len(whole) else ''}"


def _start_of(whole: str) -> str:
    end = _BEFORE + _AFTER
    return whole[:end] + ("…" if end < len(whole) else "")


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
