"""Conversations on disk: SQLite, written and read by one thread."""
