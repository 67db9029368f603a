"""The import that runs. Main thread only."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.store.records import ExchangeOutcome

if TYPE_CHECKING:
    from app.store.import_source import Report
    from app.store.import_thread import ImportThread


class ChatImport(QObject):
    """Reads one file at a time in a thread of its own, and can be cancelled until `end`.

    Signals:
        changed(str, float | None): The file, and how far it is, 0 to 1; None when it is over.
        file_read(ImportedFile): What it has, to be written.
        stopped(ExchangeOutcome): It was refused or cancelled while it was read.
    """

    changed = Signal(str, object)
    file_read = Signal(object)
    stopped = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._thread: ImportThread | None = None

    def begin(self, path: str) -> None:
        """Read a file; nothing while another is imported."""
        from app.store.import_thread import ImportThread

        if self._thread is not None:
            return
        self._thread = ImportThread(Path(path), self)
        self._thread.progressed.connect(lambda fraction: self.changed.emit(path, fraction))
        self._thread.read.connect(self._on_read)
        self.changed.emit(path, 0.0)
        self._thread.start()

    def cancel(self) -> None:
        """End it soon; nothing will have been imported."""
        if self._thread is not None:
            self._thread.cancel()

    def report_writing(self) -> "Report":
        """What the database tells how much it has written; raises CancelledError when to end."""
        if self._thread is None:
            raise RuntimeError("nothing is imported")
        return self._thread.report_writing

    def end(self) -> None:
        """It is over, whatever became of it."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.wait()
            thread.deleteLater()
            self.changed.emit(str(thread.path), None)

    def close(self) -> None:
        """Cancel it, and wait for its thread."""
        self.cancel()
        if self._thread is not None:
            self._thread.wait()

    def _on_read(self, found: object) -> None:
        if self._thread is None:
            return
        if found is None or isinstance(found, str):
            path = str(self._thread.path)
            is_cancelled = found is None
            self.stopped.emit(
                ExchangeOutcome(path=path, is_import=True, error=found, is_cancelled=is_cancelled)
            )
        else:
            self.file_read.emit(found)
