"""Has a file to import read by a process, and takes over what that says."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from app.store.import_process import CHAT_FIELDS, MESSAGE_FIELDS
from app.store.import_source import Report
from app.store.importing import ImportedFile
from app.store.records import ChatRecord, MessageRecord
from app.store.refusal import CancelledError, RefusedError, refused_elsewhere, translate

_ROOT = Path(__file__).resolve().parent.parent.parent
_MODULE = "app.store.import_process"
_END_S = 2.0


class UnforeseenError(Exception):
    """The process failed in a way that nobody foresaw; the message says how."""


class ImportReader:
    """Reads one file. `cancel` may be called from any thread."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._is_cancelled = False

    def cancel(self) -> None:
        """End the process."""
        with self._lock:
            self._is_cancelled = True
            if self._process is not None:
                self._process.kill()

    def read(self, path: Path, report: Report) -> ImportedFile:
        """All of a file; blocks.

        Raises:
            RefusedError: It cannot be imported, for the reason that the message says.
            CancelledError: `cancel` was called, or `report` says so.
            UnforeseenError: Anything else.
        """
        with self._lock:
            if self._is_cancelled:
                raise CancelledError
            process = self._process = _started(path)
        try:
            return self._take_over(process, path, report)
        finally:
            process.kill()
            # One that waits for a dead drive may stay.
            with suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
            if process.stdout is not None:
                process.stdout.close()

    def _take_over(
        self, process: "subprocess.Popen[bytes]", path: Path, report: Report
    ) -> ImportedFile:
        found = ImportedFile(path=path)
        messages: list[MessageRecord] = []
        for line in process.stdout or ():
            word, *said = json.loads(line)
            match word:
                case "read":
                    report(said[0])
                case "chat":
                    _end_chat(found, messages)
                    messages = []
                    found.chats.append((ChatRecord(**_named(CHAT_FIELDS, said[0])), ()))
                case "messages":
                    messages += [
                        MessageRecord(**_named(MESSAGE_FIELDS, values)) for values in said[0]
                    ]
                case "end":
                    _end_chat(found, messages)
                    return replace(found, **said[0])
                case "refused":
                    raise refused_elsewhere(*said)
                case _:
                    raise UnforeseenError(*said)
        if self._is_cancelled:
            raise CancelledError
        raise RefusedError(
            translate(
                "Exchange",
                "reading it ended before it was done. It may take more memory than there is.",
            )
        )


def _started(path: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", _MODULE, os.fsencode(path.absolute()).hex()],
        cwd=_ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # Else Windows shows a console.
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _named(names: tuple[str, ...], values: list[Any]) -> dict[str, Any]:
    return dict(zip(names, values, strict=True))


def _end_chat(found: ImportedFile, messages: list[MessageRecord]) -> None:
    if found.chats:
        found.chats[-1] = (found.chats[-1][0], tuple(messages))
