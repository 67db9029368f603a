"""The tables, as steps from each version to the next (`PRAGMA user_version`)."""

import sqlite3
from time import perf_counter

from app.store.grams import grams

# Text is indexed by triggers, so that it and its index change in one transaction.
_FIRST = """
CREATE TABLE chat (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    folder TEXT NOT NULL DEFAULT '',
    draft TEXT NOT NULL DEFAULT '',
    leaf TEXT,
    settings TEXT
);
CREATE INDEX chat_by_change ON chat(changed_ms);
CREATE TABLE message (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    chat INTEGER NOT NULL REFERENCES chat(key) ON DELETE CASCADE,
    parent TEXT,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    phase TEXT,
    finish_reason TEXT,
    model TEXT,
    engine TEXT,
    figures TEXT,
    settings TEXT,
    error TEXT
);
CREATE INDEX message_by_chat ON message(chat, key);
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE VIRTUAL TABLE chat_text USING fts5(
    title, content='chat', content_rowid='key', tokenize='unicode61 remove_diacritics 2',
    prefix='2 3'
);
CREATE TRIGGER chat_added AFTER INSERT ON chat BEGIN
    INSERT INTO chat_text(rowid, title) VALUES (new.key, new.title);
END;
CREATE TRIGGER chat_removed AFTER DELETE ON chat BEGIN
    INSERT INTO chat_text(chat_text, rowid, title) VALUES ('delete', old.key, old.title);
END;
CREATE TRIGGER chat_renamed AFTER UPDATE OF title ON chat WHEN old.title IS NOT new.title BEGIN
    INSERT INTO chat_text(chat_text, rowid, title) VALUES ('delete', old.key, old.title);
    INSERT INTO chat_text(rowid, title) VALUES (new.key, new.title);
END;

CREATE VIRTUAL TABLE message_text USING fts5(
    text, content='message', content_rowid='key', tokenize='unicode61 remove_diacritics 2',
    prefix='2 3'
);
CREATE TRIGGER message_added AFTER INSERT ON message BEGIN
    INSERT INTO message_text(rowid, text) VALUES (new.key, new.text);
END;
CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN
    INSERT INTO message_text(message_text, rowid, text) VALUES ('delete', old.key, old.text);
END;
CREATE TRIGGER message_grown AFTER UPDATE OF text ON message WHEN old.text IS NOT new.text BEGIN
    INSERT INTO message_text(message_text, rowid, text) VALUES ('delete', old.key, old.text);
    INSERT INTO message_text(rowid, text) VALUES (new.key, new.text);
END;
"""

# Folders that are empty, and what the list shows of each.
_FOLDERS = """
CREATE TABLE folder (
    name TEXT PRIMARY KEY,
    collapsed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO folder(name) SELECT DISTINCT folder FROM chat WHERE folder <> '';
"""

# Indexed by a view, since each word of the JSON would begin with what escapes its line end.
_ATTACHMENTS = """
ALTER TABLE chat ADD COLUMN draft_attachments TEXT;
ALTER TABLE message ADD COLUMN attachments TEXT;

CREATE VIEW attached(key, text) AS
    SELECT message.key, (
        SELECT group_concat(json_extract(value, '$.name') || char(10)
            || json_extract(value, '$.text'), char(10))
        FROM json_each(message.attachments)
    ) FROM message WHERE attachments IS NOT NULL AND json_valid(attachments);
CREATE VIRTUAL TABLE attached_text USING fts5(
    text, content='attached', content_rowid='key', tokenize='unicode61 remove_diacritics 2',
    prefix='2 3'
);
CREATE TRIGGER attached_added AFTER INSERT ON message WHEN new.attachments IS NOT NULL BEGIN
    INSERT INTO attached_text(rowid, text) SELECT key, text FROM attached WHERE key = new.key;
END;
CREATE TRIGGER attached_removed BEFORE DELETE ON message WHEN old.attachments IS NOT NULL BEGIN
    INSERT INTO attached_text(attached_text, rowid, text)
        SELECT 'delete', key, text FROM attached WHERE key = old.key;
END;
CREATE TRIGGER attached_changing BEFORE UPDATE OF attachments ON message
WHEN old.attachments IS NOT NULL AND old.attachments IS NOT new.attachments BEGIN
    INSERT INTO attached_text(attached_text, rowid, text)
        SELECT 'delete', key, text FROM attached WHERE key = old.key;
END;
CREATE TRIGGER attached_changed AFTER UPDATE OF attachments ON message
WHEN new.attachments IS NOT NULL AND old.attachments IS NOT new.attachments BEGIN
    INSERT INTO attached_text(rowid, text) SELECT key, text FROM attached WHERE key = new.key;
END;
"""

# Of scripts without spaces the other indexes have whole runs, not words. Cutting all that earlier
# versions wrote would keep the window waiting: messages up to `unfilled.upto` are not in yet.
_GRAMS = """
CREATE TABLE unfilled (upto INTEGER NOT NULL);
INSERT INTO unfilled SELECT coalesce(max(key), 0) FROM message;

CREATE VIRTUAL TABLE chat_gram USING fts5(title, content='', columnsize=0, tokenize='ascii');
INSERT INTO chat_gram(rowid, title) SELECT key, grams(title) FROM chat;
CREATE TRIGGER chat_gram_added AFTER INSERT ON chat BEGIN
    INSERT INTO chat_gram(rowid, title) VALUES (new.key, grams(new.title));
END;
CREATE TRIGGER chat_gram_removed AFTER DELETE ON chat BEGIN
    INSERT INTO chat_gram(chat_gram, rowid, title) VALUES ('delete', old.key, grams(old.title));
END;
CREATE TRIGGER chat_gram_changed AFTER UPDATE OF title ON chat
WHEN old.title IS NOT new.title BEGIN
    INSERT INTO chat_gram(chat_gram, rowid, title) VALUES ('delete', old.key, grams(old.title));
    INSERT INTO chat_gram(rowid, title) VALUES (new.key, grams(new.title));
END;

CREATE VIRTUAL TABLE message_gram USING fts5(text, content='', columnsize=0, tokenize='ascii');
CREATE TRIGGER message_gram_added AFTER INSERT ON message
WHEN new.key > (SELECT upto FROM unfilled) BEGIN
    INSERT INTO message_gram(rowid, text) VALUES (new.key, grams(new.text));
END;
CREATE TRIGGER message_gram_removed AFTER DELETE ON message
WHEN old.key > (SELECT upto FROM unfilled) BEGIN
    INSERT INTO message_gram(message_gram, rowid, text)
        VALUES ('delete', old.key, grams(old.text));
END;
CREATE TRIGGER message_gram_changed AFTER UPDATE OF text ON message
WHEN old.text IS NOT new.text AND old.key > (SELECT upto FROM unfilled) BEGIN
    INSERT INTO message_gram(message_gram, rowid, text)
        VALUES ('delete', old.key, grams(old.text));
    INSERT INTO message_gram(rowid, text) VALUES (new.key, grams(new.text));
END;

CREATE VIRTUAL TABLE attached_gram USING fts5(text, content='', columnsize=0, tokenize='ascii');
CREATE TRIGGER attached_gram_added AFTER INSERT ON message
WHEN new.attachments IS NOT NULL AND new.key > (SELECT upto FROM unfilled) BEGIN
    INSERT INTO attached_gram(rowid, text)
        SELECT key, grams(text) FROM attached WHERE key = new.key;
END;
CREATE TRIGGER attached_gram_removed BEFORE DELETE ON message
WHEN old.attachments IS NOT NULL AND old.key > (SELECT upto FROM unfilled) BEGIN
    INSERT INTO attached_gram(attached_gram, rowid, text)
        SELECT 'delete', key, grams(text) FROM attached WHERE key = old.key;
END;
CREATE TRIGGER attached_gram_changing BEFORE UPDATE OF attachments ON message
WHEN old.attachments IS NOT NULL AND old.attachments IS NOT new.attachments
    AND old.key > (SELECT upto FROM unfilled) BEGIN
    INSERT INTO attached_gram(attached_gram, rowid, text)
        SELECT 'delete', key, grams(text) FROM attached WHERE key = old.key;
END;
CREATE TRIGGER attached_gram_changed AFTER UPDATE OF attachments ON message
WHEN new.attachments IS NOT NULL AND old.attachments IS NOT new.attachments
    AND new.key > (SELECT upto FROM unfilled) BEGIN
    INSERT INTO attached_gram(rowid, text)
        SELECT key, grams(text) FROM attached WHERE key = new.key;
END;
"""

MIGRATIONS: tuple[str, ...] = (_FIRST, _ATTACHMENTS, _FOLDERS, _GRAMS)
"""Step n brings a database of version n to version n + 1."""

VERSION = len(MIGRATIONS)

_FILLED_AT_ONCE = 20
_SLICE_S = 0.03


class NewerDatabaseError(Exception):
    """The file was written by a later version of the application."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to this version; each step whole or not at all.

    `fill` does what is left of it.

    Raises:
        NewerDatabaseError: The tables are those of a later version. Nothing was changed.
        sqlite3.Error: SQLite refuses.
    """
    # Where SQLite was built to distrust its own triggers, they could not call it.
    connection.execute("PRAGMA trusted_schema = ON")
    connection.create_function("grams", 1, grams, deterministic=True)
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > VERSION:
        raise NewerDatabaseError(f"version {found}, known up to {VERSION}")
    for version in range(found, VERSION):
        try:
            connection.executescript(
                f"BEGIN IMMEDIATE; {MIGRATIONS[version]} PRAGMA user_version = {version + 1}; "
                "COMMIT;"
            )
        except sqlite3.Error:
            if connection.in_transaction:
                connection.rollback()
            raise


def unfilled_up_to(connection: sqlite3.Connection) -> int:
    """The key of the last message whose text is not in the index of pairs yet; 0 for none."""
    return int(connection.execute("SELECT upto FROM unfilled").fetchone()[0])


def fill(connection: sqlite3.Connection) -> None:
    """Put the next messages that an earlier version wrote in the index of pairs, the newest first.

    Takes a moment; called in a transaction.
    """
    end_s = perf_counter() + _SLICE_S
    while upto := unfilled_up_to(connection):
        [first] = connection.execute(
            "SELECT min(key) FROM "
            "(SELECT key FROM message WHERE key <= ? ORDER BY key DESC LIMIT ?)",
            (upto, _FILLED_AT_ONCE),
        ).fetchone()
        if first is not None:
            for name, source in (("message_gram", "message"), ("attached_gram", "attached")):
                connection.execute(
                    f"INSERT INTO {name}(rowid, text) SELECT key, grams(text) FROM {source} "
                    "WHERE key BETWEEN ? AND ?",
                    (first, upto),
                )
        connection.execute("UPDATE unfilled SET upto = ?", ((first or 1) - 1,))
        if perf_counter() > end_s:
            return
