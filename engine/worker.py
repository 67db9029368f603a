"""The engine process: one thread that owns the backend, takes commands and sends events.

This module is imported by every engine process before anything else, and by the parent: it
imports little, and what a model needs is imported when a model is loaded.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from engine.events import CloseCommand, CountCommand, GenerateCommand, LoadCommand
from engine.log import FileLog
from engine.wire import encode

if TYPE_CHECKING:
    from ctypes import c_int64
    from multiprocessing.connection import Connection
    from pathlib import Path

    from engine.events import Command, Event


def run(connection: Connection, cancelled: c_int64, log_path: Path) -> None:
    """Serve commands until `CloseCommand` or until the parent is gone.

    Args:
        connection: Commands come in, events go out.
        cancelled: Shared with the parent, who only ever raises it: every request up to this id
            is cancelled.
        log_path: Where everything that this process prints goes, native code included.
    """
    # Ctrl+C in a terminal reaches the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log = FileLog(log_path)
    _redirect_output(log)
    faulthandler.enable(log.fileno())
    _leave_with_parent()

    def emit(event: Event) -> None:
        try:
            connection.send_bytes(encode(event))
        except OSError:
            _leave()

    from engine.compile_watch import CompileWatch
    from engine.garbage import GarbageWatch
    from engine.service import EngineService

    service = EngineService(
        emit=emit,
        last_cancelled=lambda: cancelled.value,
        log=log,
        is_awaited=connection.poll,
        pauses=(GarbageWatch(), CompileWatch()),
    )
    if not connection.poll():
        # Every load needs it, and jinja2 with it; nobody waits yet.
        import engine.chat_format  # noqa: F401
    try:
        while True:
            match _next_command(connection):
                case LoadCommand() as command:
                    service.load(command)
                case GenerateCommand() as command:
                    service.generate(command)
                case CountCommand() as command:
                    service.count(command)
                case CloseCommand() | None:
                    return
    finally:
        service.close()


def _next_command(connection: Connection) -> Command | None:
    try:
        command: Command = connection.recv()
    except (EOFError, OSError):
        return None
    return command


def _redirect_output(log: FileLog) -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    for descriptor in (1, 2):
        os.dup2(log.fileno(), descriptor)


def _leave_with_parent() -> None:
    # The main thread may be deep in native code when the parent dies, for minutes.
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait_and_leave() -> None:
        parent.join()
        _leave()

    threading.Thread(target=wait_and_leave, name="parent-watch", daemon=True).start()


def _leave() -> None:
    # Nobody is left to hear about a failed clean-up, and the system frees everything.
    os._exit(0)
