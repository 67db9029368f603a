"""Markdown: cut into blocks while it streams, and written into documents."""
