"""Reads files in processes of their own, so that no file can hold up or bring down the window."""

import json
import os
import sys
from collections import deque
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from app.attachments import attachment_of
from app.file_text import FileProblemError, Problem
from app.reading_process import MOST_MEMORY_BYTES

_ROOT = Path(__file__).resolve().parent.parent
_MODULE = "app.reading_process"
_MOST_AT_ONCE = 2
_MOST_MS = 120_000
_LOOK_MS = 200
_END_MS = 2_000


@dataclass(slots=True, kw_only=True, eq=False)
class _Job:
    number: int
    path: str
    process: QProcess | None = None
    timer: QTimer | None = None
    output: bytearray = field(default_factory=bytearray)
    result: dict[str, object] | None = None


class AttachmentReader(QObject):
    """Reads a few files at a time. Lives in the main thread; only `close` may block.

    Signals:
        progressed(int, int, int): Number of a file, the page it is at, and how many there are.
        read(int, Attachment): Number of a file, and what is in it.
        failed(int, FileProblemError): Number of a file, and why it cannot be attached.
    """

    progressed = Signal(int, int, int)
    read = Signal(int, object)
    failed = Signal(int, object)

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        most_ms: int = _MOST_MS,
        most_memory_bytes: int = MOST_MEMORY_BYTES,
    ) -> None:
        """Start nothing yet; a file may take so long, and so much resident memory."""
        super().__init__(parent)
        self._most_ms = most_ms
        self._most_memory_bytes = most_memory_bytes
        self._numbers = count(1)
        self._waiting: deque[_Job] = deque()
        self._running: dict[int, _Job] = {}
        # Killed, and not yet gone: one that waits for a dead drive may take its time.
        self._ending: set[QProcess] = set()
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._look_at_memory)

    def begin(self, path: str) -> int:
        """Read a file, by its absolute path; returns the number that the signals then have."""
        job = _Job(number=next(self._numbers), path=path)
        self._waiting.append(job)
        # Not from within: whoever asks is to know the number first.
        QTimer.singleShot(0, self, self._start_next)
        return job.number

    def cancel(self, number: int) -> None:
        """Stop reading a file; nothing more is told of it."""
        self._waiting = deque(job for job in self._waiting if job.number != number)
        job = self._running.pop(number, None)
        if job is not None:
            self._let_go(job)
        self._start_next()

    def close(self) -> None:
        """End all that runs. May be called again."""
        self._waiting.clear()
        for job in list(self._running.values()):
            self._let_go(job)
        self._running.clear()
        self._look.stop()
        for process in list(self._ending):
            process.waitForFinished(_END_MS)

    def _start_next(self) -> None:
        while self._waiting and len(self._running) < _MOST_AT_ONCE:
            self._start(self._waiting.popleft())

    def _start(self, job: _Job) -> None:
        process = QProcess(self)
        job.process = process
        self._running[job.number] = job
        process.setWorkingDirectory(str(_ROOT))
        process.setStandardErrorFile(QProcess.nullDevice())
        process.readyReadStandardOutput.connect(lambda: self._read_output(job))
        process.finished.connect(lambda: self._on_finished(job))
        process.errorOccurred.connect(lambda error: self._on_error(job, error))
        job.timer = QTimer(self)
        job.timer.setSingleShot(True)
        job.timer.timeout.connect(lambda: self._kill(job, Problem.TOO_SLOW))
        job.timer.start(self._most_ms)
        process.start(sys.executable, ["-m", _MODULE, os.fsencode(job.path).hex()])
        self._look.start()

    def _read_output(self, job: _Job) -> None:
        if job.process is None:
            return
        job.output += job.process.readAllStandardOutput().data()
        *lines, job.output = job.output.split(b"\n")
        for line in lines:
            values = json.loads(line)
            if "page" in values:
                self.progressed.emit(job.number, values["page"], values["n_pages"])
            else:
                job.result = values

    def _on_error(self, job: _Job, error: QProcess.ProcessError) -> None:
        # All others end in `finished`.
        if error is QProcess.ProcessError.FailedToStart:
            self._end(job)

    def _on_finished(self, job: _Job) -> None:
        self._read_output(job)
        self._end(job)

    def _end(self, job: _Job) -> None:
        if self._running.pop(job.number, None) is None:
            return
        technical = job.process.errorString() if job.process is not None else ""
        self._let_go(job)
        result = job.result or {}
        found = attachment_of(result.get("attachment"))
        if found is not None:
            self.read.emit(job.number, found)
        else:
            self.failed.emit(job.number, _problem_of(result, technical))
        self._start_next()

    def _kill(self, job: _Job, problem: Problem) -> None:
        """Say at once that it failed: a process that waits for a dead drive may stay."""
        if self._running.pop(job.number, None) is None:
            return
        self._let_go(job)
        self.failed.emit(job.number, FileProblemError(problem))
        self._start_next()

    def _let_go(self, job: _Job) -> None:
        """End its process, without waiting, and hear no more of it."""
        process, timer = job.process, job.timer
        job.process = job.timer = None
        if timer is not None:
            timer.stop()
            timer.deleteLater()
        if process is not None:
            # Its other signals find no process, and do nothing.
            if process.state() is QProcess.ProcessState.NotRunning:
                process.deleteLater()
            else:
                self._ending.add(process)
                process.finished.connect(lambda: self._forget(process))
                process.kill()
        if not self._running:
            self._look.stop()

    def _forget(self, process: QProcess) -> None:
        self._ending.discard(process)
        process.deleteLater()

    def _look_at_memory(self) -> None:
        import psutil

        for job in list(self._running.values()):
            try:
                pid = job.process.processId() if job.process is not None else 0
                used = psutil.Process(pid).memory_info().rss if pid else 0
            except psutil.Error:
                continue
            if used > self._most_memory_bytes:
                self._kill(job, Problem.TOO_MUCH_MEMORY)


def _problem_of(result: dict[str, object], technical: str) -> FileProblemError:
    """What the process said of a file that it could not read, or that it said nothing."""
    try:
        problem = Problem(str(result.get("problem")))
    except ValueError:
        return FileProblemError(Problem.NO_PROCESS, technical=technical)
    n_bytes, most_bytes = result.get("n_bytes"), result.get("most_bytes")
    return FileProblemError(
        problem,
        n_bytes=n_bytes if isinstance(n_bytes, int) else None,
        most_bytes=most_bytes if isinstance(most_bytes, int) else None,
        technical=str(result.get("technical", "")),
    )
