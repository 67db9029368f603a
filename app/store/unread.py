"""Paths of files that are still being read, by the chat whose draft they are for, as JSON."""

import json
import os
from collections.abc import Mapping, Sequence

from engine.foreign_json import json_value


def to_json(paths: Mapping[str, Sequence[str]]) -> str:
    """As bytes in hexadecimal digits, since not every name of a file can be written."""
    return json.dumps(
        {chat: [os.fsencode(path).hex() for path in each] for chat, each in paths.items()}
    )


def from_json(text: str | None) -> dict[str, tuple[str, ...]]:
    """The reverse; nothing where it is not that."""
    try:
        return {
            str(chat): tuple(os.fsdecode(bytes.fromhex(path)) for path in paths)
            for chat, paths in json_value(text or "{}").items()
        }
    except (ValueError, TypeError, AttributeError):
        return {}
