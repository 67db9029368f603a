"""Exports and imports of a library. Main thread only."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chat_import import ChatImport

if TYPE_CHECKING:
    from app.store.exporting import Page
    from app.store.importing import ImportedFile
    from app.store.thread import StoreThread


class ChatExchange(QObject):
    """Asks the store to write files of conversations, and to take them over.

    Signals:
        done(ExchangeOutcome | None): How an export or an import ended; None where the database
            could not be asked.
    """

    done = Signal(object)

    def __init__(self, store: "StoreThread | None", parent: QObject) -> None:
        """Without a store, do nothing."""
        super().__init__(parent)
        self._store = store
        self._numbers: set[int] = set()
        self.imports = ChatImport(self)
        self.imports.file_read.connect(self._on_file_read)
        self.imports.stopped.connect(self._end)
        if store is not None:
            store.answered.connect(self._on_answered)

    def export(self, path: str, chat_id: str | None, page: "Page") -> None:
        """Write one chat, or all, to a file."""
        if self._store is not None:
            from app.store.exporting import export_file

            self._numbers.add(self._store.ask(partial(export_file, Path(path), chat_id, page)))

    def import_file(self, path: str) -> None:
        """Read a file, and take it over when all of it could be read."""
        if self._store is not None:
            self.imports.begin(path)

    def close(self) -> None:
        """Cancel an import, and wait for its thread."""
        self._store = None
        self.imports.close()

    def _on_file_read(self, found: "ImportedFile") -> None:
        if self._store is not None:
            from app.store.importing import write_file

            write = partial(write_file, found, self.imports.report_writing())
            self._numbers.add(self._store.ask(write))

    def _on_answered(self, number: int, answer: object) -> None:
        if number in self._numbers:
            self._numbers.remove(number)
            self._end(answer)

    def _end(self, outcome: object) -> None:
        if getattr(outcome, "is_import", True):
            self.imports.end()
        self.done.emit(outcome)
