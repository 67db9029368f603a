"""Reads a file to import, beside the window and the database."""

import logging
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, Signal

from app.store.refusal import CancelledError, RefusedError, refused, translate

if TYPE_CHECKING:
    from app.store.import_reader import ImportReader

_log = logging.getLogger(__name__)


class ImportThread(QThread):
    """Reads one file. `cancel` may be called from any thread.

    Signals:
        progressed(float): How far the whole import is, 0 to 1.
        read(ImportedFile | str | None): What the file has; why it is refused; or None where it
            was cancelled.
    """

    progressed = Signal(float)
    read = Signal(object)

    def __init__(self, path: Path, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName("import")
        self.path = path
        self._reader: ImportReader | None = None
        self._cancelled = Event()
        self._percent = -1

    def cancel(self) -> None:
        """End it soon; nothing will have been imported."""
        self._cancelled.set()
        if self._reader is not None:
            self._reader.cancel()

    def run(self) -> None:
        """Read, and tell."""
        # Here, since loading it takes a moment.
        from app.store.import_reader import ImportReader, UnforeseenError

        try:
            self._reader = ImportReader()
            self._report_reading(0.0)
            self.read.emit(self._reader.read(self.path, self._report_reading))
        except RefusedError as error:
            self.read.emit(str(error))
        except CancelledError:
            self.read.emit(None)
        except Exception as error:  # noqa: BLE001 - the thread's boundary: else it would not end
            _log.exception("an import failed")
            reason = translate("Exchange", "it could not be read ({reason}).")
            kind = "" if isinstance(error, UnforeseenError) else f"{type(error).__name__}: "
            self.read.emit(str(refused(reason, reason=f"{kind}{error}")))

    def report_writing(self, fraction: float) -> None:
        """The database has taken over this much, 0 to 1; raises CancelledError when to end."""
        self._report(0.5 + fraction / 2)

    def _report_reading(self, fraction: float) -> None:
        self._report(fraction / 2)

    def _report(self, fraction: float) -> None:
        if self._cancelled.is_set():
            raise CancelledError
        if int(fraction * 100) != self._percent:
            self._percent = int(fraction * 100)
            self.progressed.emit(fraction)
