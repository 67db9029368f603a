"""Keeps what the session says until the telemetry store is there to hear it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session import ChatSession
from engine.events import MemoryChanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.telemetry import TelemetryStore
    from engine.events import Event


class SessionRelay(QObject):
    """Hands the session's signals to a telemetry store, from the beginning. Main thread only.

    The store needs numpy, whose import the first paint of the window does not wait for.
    """

    def __init__(self, session: ChatSession) -> None:
        """Begin to listen."""
        super().__init__(session)
        self._store: TelemetryStore | None = None
        self._muted_id: int | None = None
        self._kept: list[Callable[[TelemetryStore], None]] = []
        session.submitted.connect(self._on_submitted)
        session.events_arrived.connect(self._on_events)
        session.first_painted.connect(self._on_first_painted)
        session.engine_process_changed.connect(self._on_engine_process)

    def attach(self, store: "TelemetryStore") -> None:
        """Tell `store` all that was kept, and what comes."""
        self._store = store
        for tell in self._kept:
            tell(store)
        self._kept.clear()

    def mute(self, request_id: int) -> None:
        """Tell the store nothing more of this request; what was muted before is over.

        It hears of memory all the same, which outlasts the request.
        """
        self._muted_id = request_id

    def _tell(self, tell: "Callable[[TelemetryStore], None]") -> None:
        if self._store is None:
            self._kept.append(tell)
        else:
            tell(self._store)

    def _on_submitted(self, request_id: int, t_submit_ns: int) -> None:
        self._tell(lambda store: store.on_submitted(request_id, t_submit_ns))

    def _on_events(self, batch: "tuple[Event, ...]") -> None:
        if self._muted_id is not None:
            batch = tuple(
                event
                for event in batch
                if event.request_id != self._muted_id or isinstance(event, MemoryChanged)
            )
        if batch:
            self._tell(lambda store: store.on_events(batch))

    def _on_first_painted(self, request_id: int, t_paint_ns: int) -> None:
        self._tell(lambda store: store.on_first_paint(request_id, t_paint_ns))

    def _on_engine_process(self, pid: int) -> None:
        self._tell(lambda store: store.on_engine_process(pid))
