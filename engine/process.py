"""The parent's side of an engine process: start it, talk to it, stop it, ask why it died."""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
import sys
import threading
import time
from multiprocessing import connection as mp_connection
from queue import SimpleQueue
from typing import TYPE_CHECKING

from engine import worker
from engine.errors import ErrorCode, ErrorInfo
from engine.events import CloseCommand
from engine.log import read_tail
from engine.wire import decode

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from pathlib import Path

    from engine.events import Command, Event

_KILLED_JOIN_S = 5.0

_REASON_OF_SIGNAL = {
    "SIGKILL": "out_of_memory",
    "SIGABRT": "assertion",
    "SIGBUS": "file_changed",
    "SIGSEGV": "crash",
    "SIGILL": "crash",
    "SIGFPE": "crash",
}
# NTSTATUS codes that Windows gives as exit codes, and the 3 of its abort().
_REASON_OF_WINDOWS_CODE = {
    0xC0000005: "crash",
    0xC000001D: "crash",
    0xC0000006: "file_changed",
    0xC0000017: "out_of_memory",
    0xC0000409: "assertion",
    3: "assertion",
}


class EngineProcess:
    """One engine process, for one model. Every method may be called again, in any state.

    One thread starts it, sends, receives and closes; `cancel` and `kill` may be called from any.
    Nothing here raises because the process is dead: `receive` then answers None, and `death`
    says why.
    """

    def __init__(self, *, log_path: Path) -> None:
        """Prepare an engine whose log is `log_path` (see `engine.log.new_log_path`)."""
        self._log_path = log_path
        self._context = multiprocessing.get_context("spawn")
        self._cancelled = self._context.RawValue(ctypes.c_int64, 0)
        self._cancel_lock = threading.Lock()
        self._end_lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._outbox: SimpleQueue[Command | None] = SimpleQueue()
        self._sender: threading.Thread | None = None
        self._exit_code: int | None = None
        self._pid: int | None = None
        self._was_killed = False

    def start(self) -> None:
        """Start the process; returns as soon as the system has made it. Only once."""
        if self._process is not None or self._exit_code is not None:
            raise RuntimeError("an engine process starts once")
        ours, theirs = self._context.Pipe(duplex=True)
        process = self._context.Process(
            target=worker.run,
            args=(theirs, self._cancelled, self._log_path),
            name="oscillama-engine",
            daemon=True,
        )
        try:
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            # The child has its own; ours would hide the end of the pipe.
            theirs.close()
        self._process = process
        self._connection = ours
        self._sender = threading.Thread(
            target=_send_all, args=(ours, self._outbox), name="engine-sender", daemon=True
        )
        self._sender.start()
        self._pid = process.pid

    @property
    def connection(self) -> Connection | None:
        """For `multiprocessing.connection.wait`; None before `start` and after `close`."""
        return self._connection

    @property
    def sentinel(self) -> int | None:
        """Ready when the process has ended; None before `start` and after `close`."""
        return None if self._process is None else self._process.sentinel

    @property
    def pid(self) -> int | None:
        """Process id, kept after the process has ended; None before `start`."""
        return self._pid

    @property
    def log_path(self) -> Path:
        """File with what the engine and its native library wrote."""
        return self._log_path

    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.is_alive()

    def send(self, command: Command) -> None:
        """Hand over a command, in order; dropped where the process is gone. Never blocks.

        A process that does not read would block a sender whose command is larger than the pipe.
        """
        if self._connection is not None:
            self._outbox.put(command)

    def poll(self, timeout_s: float = 0.0) -> bool:
        """Wait until `receive` would not block: there is an event, or the process is gone."""
        if self._connection is None:
            return True
        return bool(mp_connection.wait([self._connection], timeout_s))

    def receive(self) -> Event | None:
        """The next event, waiting for it; None once the process is gone and all were read."""
        if self._connection is None:
            return None
        try:
            data = self._connection.recv_bytes()
        except (EOFError, OSError):
            return None
        return decode(data)

    def cancel(self, request_id: int) -> None:
        """Stop this request and all earlier ones. Never taken back. From any thread."""
        with self._cancel_lock:
            self._cancelled.value = max(self._cancelled.value, request_id)

    def close(self, grace_s: float = 2.0) -> None:
        """Ask the process to leave, wait `grace_s`, then kill it; free what it held."""
        process = self._process
        if process is None:
            return
        self.cancel((1 << 63) - 1)
        self.send(CloseCommand())
        self._drain_until_exit(process, grace_s)
        if process.is_alive():
            self.kill()
        self._reap(process)

    def kill(self) -> None:
        """End the process at once. From any thread; `close` is still to be called."""
        with self._end_lock:
            if self._process is not None and self._process.is_alive():
                self._was_killed = True
                self._process.kill()

    def death(self) -> ErrorInfo:
        """Why the process ended, for a process that did; waits for its end to be known.

        Details: "exit_code", "signal" (a name, where a signal ended it), "reason": one of
        "out_of_memory" (a guess: somebody sent SIGKILL, and it was not us), "assertion",
        "file_changed" (the mapped model file was cut), "crash", "killed", "exit".
        """
        if self._process is not None:
            self._process.join(_KILLED_JOIN_S)
            self._exit_code = self._process.exitcode
        code = self._exit_code
        details: list[tuple[str, str | int | float]] = []
        signal_name = _signal_name(code)
        if code is not None:
            details.append(("exit_code", code))
        if signal_name is not None:
            details.append(("signal", signal_name))
        details.append(("reason", self._reason(code, signal_name)))
        return ErrorInfo(
            code=ErrorCode.ENGINE_DIED,
            details=tuple(details),
            technical=f"engine process {self._pid} ended with exit code {code}"
            + (f" ({signal_name})" if signal_name else ""),
            log_tail=read_tail(self._log_path),
        )

    def _reason(self, code: int | None, signal_name: str | None) -> str:
        if self._was_killed and code != 0:
            return "killed"
        if signal_name is not None:
            return _REASON_OF_SIGNAL.get(signal_name, "killed")
        if sys.platform == "win32" and code is not None:
            return _REASON_OF_WINDOWS_CODE.get(code & 0xFFFFFFFF, "exit")
        return "exit"

    def _drain_until_exit(self, process: SpawnProcess, grace_s: float) -> None:
        # A child that is blocked in a full pipe leaves only when somebody reads.
        deadline_s = time.monotonic() + grace_s
        connection = self._connection
        while connection is not None and (left_s := deadline_s - time.monotonic()) > 0:
            ready = mp_connection.wait([connection, process.sentinel], left_s)
            if not ready or process.sentinel in ready or self.receive() is None:
                break
        process.join(max(0.0, deadline_s - time.monotonic()))

    def _reap(self, process: SpawnProcess) -> None:
        process.join(_KILLED_JOIN_S)
        with self._end_lock:
            self._exit_code = process.exitcode
            self._process = None
            if self._exit_code is not None:
                process.close()
        if self._sender is not None:
            # The process is gone: what is being sent to it fails now.
            self._outbox.put(None)
            self._sender.join()
            self._sender = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _send_all(connection: Connection, outbox: SimpleQueue[Command | None]) -> None:
    while (command := outbox.get()) is not None:
        try:
            connection.send(command)
        except OSError:
            return


def _signal_name(exit_code: int | None) -> str | None:
    if exit_code is None or exit_code >= 0:
        return None
    try:
        return signal.Signals(-exit_code).name
    except ValueError:
        return f"signal {-exit_code}"
