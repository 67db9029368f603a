"""Identifiers."""

import os


def new_id() -> str:
    """An identifier that no other chat, message or file has, on any machine."""
    # As random as a UUID, whose module costs the start-up time.
    return os.urandom(16).hex()
