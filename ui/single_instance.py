"""One window for each person: a second start raises the first and hands its model over."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCryptographicHash,
    QDeadlineTimer,
    QLockFile,
    QObject,
    QThread,
    QTimer,
    Signal,
)

from engine.foreign_json import json_value

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtNetwork import QLocalServer, QLocalSocket

LOCK_NAME = "oscillama.lock"
# Ending may take as long as the engine and a file that is written need.
_PATIENCE_MS = 10_000
_WAIT_MS = 500
_PAUSE_MS = 50
_MOST_BYTES = 64 * 1024


class SingleInstance(QObject):
    """Holds the claim to be the only one that works with a data folder. Main thread only.

    A claim whose process has died is taken over. Where the folder cannot be written there is
    nothing to share, and everybody is the first.

    Signals:
        raised(str): Another start wants the window in front, with this model; empty for none.
    """

    raised = Signal(str)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._lock: QLockFile | None = None
        self._server: QLocalServer | None = None
        self._sockets: list[QLocalSocket] = []
        self._sweep = QTimer(self)
        self._sweep.setSingleShot(True)
        self._sweep.setInterval(0)
        self._sweep.timeout.connect(self._drop_sockets)
        path = str(folder.absolute()).encode("utf-8", "surrogateescape")
        digest = QCryptographicHash.hash(path, QCryptographicHash.Algorithm.Sha256)
        self._name = f"oscillama-{bytes(digest.toHex().data()).decode()[:20]}"

    def claim(self) -> bool:
        """Whether this process is the first one; `listen` then hears of others."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return True
        lock = QLockFile(str(self._folder / LOCK_NAME))
        # Only a process that is gone makes a lock stale, not its age.
        lock.setStaleLockTime(0)
        if not lock.tryLock(0) and lock.error() is QLockFile.LockError.LockFailedError:
            return False
        self._lock = lock
        return True

    def listen(self) -> None:
        """Hear of other starts from now on; for the first process, when its window is there."""
        if self._lock is None:
            return
        # The window does not wait for the network of Qt.
        from PySide6.QtNetwork import QLocalServer

        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        # What a process that died has left behind.
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)

    def raise_first(self, model: str | None) -> bool | None:
        """Ask the first process for its window; blocks until it has heard, about 10 s at most.

        Returns None where the first has ended meanwhile: this process is the first now.
        """
        from PySide6.QtNetwork import QLocalSocket

        message = json.dumps({"model": model or ""}).encode() + b"\n"
        deadline = QDeadlineTimer(_PATIENCE_MS)
        while not deadline.hasExpired():
            socket = QLocalSocket()
            socket.connectToServer(self._name)
            if socket.waitForConnected(_WAIT_MS):
                socket.write(message)
                socket.flush()
                if socket.waitForReadyRead(deadline.remainingTime()):
                    return True
            # It has its lock and not yet its ear, or no longer: then it is about to end.
            if self.claim():
                return None
            QThread.msleep(_PAUSE_MS)
        return False

    def stop_listening(self) -> None:
        """Hear no more of other starts: the window is going. They wait until it is gone."""
        self._sweep.stop()
        self._sockets.clear()
        if self._server is not None:
            self._server.close()
            self._server = None

    def close(self) -> None:
        """Let another process be the first. May be called again."""
        self.stop_listening()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _on_connection(self) -> None:
        socket = self._server.nextPendingConnection() if self._server is not None else None
        if socket is None:
            return
        self._sockets.append(socket)
        socket.readyRead.connect(self._read_sockets)
        socket.disconnected.connect(self._sweep.start)

    def _read_sockets(self) -> None:
        for socket in self._sockets:
            if socket.canReadLine():
                self._hear(bytes(socket.readLine(_MOST_BYTES).data()), socket)
            elif socket.bytesAvailable() > _MOST_BYTES:
                socket.close()

    def _hear(self, line: bytes, socket: QLocalSocket) -> None:
        try:
            message = json_value(line)
        except ValueError:
            message = None
        model = message.get("model") if isinstance(message, dict) else None
        if isinstance(model, str):
            socket.write(b"ok\n")
            socket.flush()
            self.raised.emit(model)
        socket.disconnectFromServer()

    def _drop_sockets(self) -> None:
        """Let those go that are done; not while one of them still tells that it is."""
        from PySide6.QtNetwork import QLocalSocket

        left = QLocalSocket.LocalSocketState.UnconnectedState
        self._sockets = [socket for socket in self._sockets if socket.state() is not left]


def hand_over(instance: SingleInstance, model: str | None) -> int | None:
    """Raise the window that is open already, with `model` in it; returns the exit code.

    None where that window has just ended: this process opens one.
    """
    was_raised = instance.raise_first(model)
    if was_raised is None:
        return None
    if was_raised:
        sys.stdout.write(
            "oscillama: its window is open already, and was asked to come to the front.\n"
        )
        return 0
    sys.stderr.write(
        "oscillama: it is running already and does not answer. Close its window, or end its "
        "process, and start it again.\n"
    )
    return 1
