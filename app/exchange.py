"""Exports and imports of a library. Main thread only."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chat_import import ChatImport
from app.store.records import ExchangeOutcome, StoreFault

if TYPE_CHECKING:
    from app.store.exporting import Page, Readable
    from app.store.importing import ImportedFile
    from app.store.thread import StoreThread


class ChatExchange(QObject):
    """Asks the store to write files of conversations, and to take them over.

    Signals:
        done(ExchangeOutcome): How an export or an import ended.
    """

    done = Signal(object)

    def __init__(self, store: "StoreThread | None", parent: QObject) -> None:
        """Without a store, do nothing."""
        super().__init__(parent)
        self._store = store
        self._asked: dict[int, ExchangeOutcome] = {}
        self.imports = ChatImport(self)
        self.imports.file_read.connect(self._on_file_read)
        self.imports.stopped.connect(self._end)
        if store is not None:
            store.answered.connect(self._on_answered)

    def export(self, path: str, chat_id: str | None, page: "Page") -> None:
        """Write one chat, or all, to a file."""
        if self._store is not None:
            from app.store.exporting import export_file

            number = self._store.ask(partial(export_file, Path(path), chat_id, page))
            self._asked[number] = ExchangeOutcome(path=path, is_import=False)

    def export_now(self, path: str, page: "Page", chats: "Readable") -> ExchangeOutcome:
        """Write all `chats` to a file before this returns, also where the store cannot."""
        from app.store.exporting import export_file

        outcome = export_file(Path(path), None, page, chats)
        self.done.emit(outcome)
        return outcome

    def import_file(self, path: str) -> None:
        """Read a file, and take it over when all of it could be read."""
        if self._store is not None:
            self.imports.begin(path)

    def cancel(self) -> None:
        """Begin nothing any more, and end an import soon."""
        self._store = None
        self.imports.cancel()

    def close(self) -> None:
        """Cancel an import, and wait for its thread."""
        self.cancel()
        self.imports.close()

    def _on_file_read(self, found: "ImportedFile") -> None:
        if self._store is not None:
            from app.store.importing import write_file

            write = partial(write_file, found, self.imports.report_writing())
            asked = ExchangeOutcome(path=str(found.path), is_import=True)
            self._asked[self._store.ask(write)] = asked

    def _on_answered(self, number: int, answer: object) -> None:
        asked = self._asked.pop(number, None)
        if asked is not None:
            if isinstance(answer, StoreFault):
                self._end(replace(asked, fault=answer))
            elif isinstance(answer, ExchangeOutcome):
                self._end(answer)

    def _end(self, outcome: ExchangeOutcome) -> None:
        if outcome.is_import:
            self.imports.end()
        self.done.emit(outcome)
