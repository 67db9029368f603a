"""Reads a file to import in a process of its own: `python -m app.store.import_process HEX`.

Reading JSON is one call for each conversation, which would hold up every thread of the window. HEX
is the path as bytes, in hexadecimal digits. Each line of the output is a JSON list: a word, and
what it says.

* "read": how much of the file is read, 0 to 1.
* "chat": the values of a `ChatRecord`, in the order of its fields.
* "messages": some messages of the chat before, each the values of a `MessageRecord`.
* At the end "end": the other attributes of an `ImportedFile`, by their names; or "refused": text
  and values of a `RefusedError`; or "failed": what nobody foresaw.
"""

import gc
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import fields
from operator import attrgetter
from pathlib import Path

from app.files import meant
from app.store.importing import ImportedFile, read_file
from app.store.own_json import Chat
from app.store.records import ChatRecord, MessageRecord
from app.store.refusal import RefusedError

CHAT_FIELDS = tuple(field.name for field in fields(ChatRecord))
MESSAGE_FIELDS = tuple(field.name for field in fields(MessageRecord))
_OTHERS = ("folders", "n_twice", "n_empty", "n_ignored")
_CHAT_VALUES = attrgetter(*CHAT_FIELDS)
_MESSAGE_VALUES = attrgetter(*MESSAGE_FIELDS)
_STEP = 0.01
# Taking a line apart again is one call as well.
_MOST_MESSAGES = 200
_MOST_CHARACTERS = 1 << 18


def main(path: Path) -> int:
    """Read the file and write what it has; returns the exit code."""
    # Nothing of what is read goes in circles, and looking at all of it takes as long as reading.
    gc.disable()
    told = -1.0

    def report(fraction: float) -> None:
        nonlocal told
        if fraction - told >= _STEP:
            told = fraction
            _write("read", fraction)

    try:
        found = read_file(meant(path), report)
    except RefusedError as error:
        _write("refused", error.text, error.values)
    except Exception as error:  # noqa: BLE001 - the process's boundary: the person is told
        _write("failed", f"{type(error).__name__}: {error}")
    else:
        _write_all(found)
    return 0


def _write_all(found: ImportedFile) -> None:
    for chat in found.chats:
        _write("chat", _CHAT_VALUES(chat[0]))
        for messages in _batches(chat):
            _write("messages", messages)
    _write("end", {name: getattr(found, name) for name in _OTHERS})


def _batches(chat: Chat) -> Iterator[list[object]]:
    batch: list[object] = []
    n_characters = 0
    for message in chat[1]:
        batch.append(_MESSAGE_VALUES(message))
        n_characters += len(message.text)
        if len(batch) >= _MOST_MESSAGES or n_characters > _MOST_CHARACTERS:
            yield batch
            batch, n_characters = [], 0
    if batch:
        yield batch


def _write(*values: object) -> None:
    text = json.dumps(values, ensure_ascii=False)
    sys.stdout.buffer.write(text.encode(errors="surrogatepass") + b"\n")
    if values[0] == "read":
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(Path(os.fsdecode(bytes.fromhex(sys.argv[1])))))
