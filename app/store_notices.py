"""What is wrong with keeping conversations, told to the person. Main thread only."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app import sentences_store
from app.store.records import FaultCode

if TYPE_CHECKING:
    from app.messages import UserMessage
    from app.store.records import StoreFault
    from app.store.thread import StoreThread


class StoreNotices(QObject):
    """Puts what the store's thread tells into sentences.

    Attributes:
        unkept: Why chats are in memory only; None while they are written.

    Signals:
        message_raised(UserMessage): Something to say about keeping chats.
        message_withdrawn(UserMessage): What was said is no longer so.
        unkept_changed(UserMessage | None): `unkept` is another now.
    """

    message_raised = Signal(object)
    message_withdrawn = Signal(object)
    unkept_changed = Signal(object)

    def __init__(self, store: "StoreThread | None", parent: QObject) -> None:
        """Without a store, say nothing."""
        super().__init__(parent)
        self.unkept: UserMessage | None = None
        self._store = store
        self._is_written_at_end = True
        if store is not None:
            store.fault_changed.connect(self._on_fault)
            store.left_out.connect(self._on_left_out)
            store.written_again.connect(self._on_written_again)

    def is_lost_at_end(self) -> bool:
        """Whether anything is gone when the application ends now."""
        return (
            self._store is not None
            and not self._is_written_at_end
            and self._store.loses_something()
        )

    def _on_fault(self, fault: "StoreFault | None") -> None:
        before = self.unkept
        # Beside another file in its place, the database is kept under another name.
        self._is_written_at_end = fault is None or fault.code is FaultCode.REPLACED
        self.unkept = sentences_store.of_fault(fault) if fault is not None else None
        if before is not None:
            self.message_withdrawn.emit(before)
        if self.unkept is not None:
            self.message_raised.emit(self.unkept)
        self.unkept_changed.emit(self.unkept)

    def _on_left_out(self, fault: "StoreFault") -> None:
        self.message_raised.emit(sentences_store.left_out(fault))

    def _on_written_again(self, path: str) -> None:
        self.message_raised.emit(sentences_store.written_again(path))
