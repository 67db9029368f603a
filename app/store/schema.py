"""The tables, as steps from each version to the next (`PRAGMA user_version`)."""

import sqlite3

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

MIGRATIONS: tuple[str, ...] = (_FIRST, _ATTACHMENTS, _FOLDERS)
"""Step n brings a database of version n to version n + 1."""

VERSION = len(MIGRATIONS)


class NewerDatabaseError(Exception):
    """The file was written by a later version of the application."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to this version; each step whole or not at all.

    Raises:
        NewerDatabaseError: The tables are those of a later version. Nothing was changed.
        sqlite3.Error: SQLite refuses.
    """
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
