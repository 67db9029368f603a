import pytest
from PySide6.QtCore import QObject, Signal

from app.preload import Preload
from app.relay import SessionRelay
from app.telemetry import TelemetryStore
from engine.events import MemoryChanged, Started
from engine.values import MemoryUse
from tests.app.test_telemetry import loaded
from tests.waiting import WAIT_MS


class FakeSession(QObject):
    submitted = Signal(int, object)
    events_arrived = Signal(object)
    first_painted = Signal(int, object)
    engine_process_changed = Signal(int)


@pytest.mark.parametrize("attach_first", [True, False])
def test_a_store_hears_everything_from_the_beginning(qapp: QObject, attach_first: bool) -> None:
    session = FakeSession()
    relay = SessionRelay(session)  # type: ignore[arg-type]  # it has the signals that are used
    store = TelemetryStore()
    if attach_first:
        relay.attach(store)

    session.submitted.emit(7, 1_000)
    session.events_arrived.emit((Started(request_id=7, t_ns=2_500),))
    if not attach_first:
        assert store.turns == ()
        relay.attach(store)

    assert store.turn is not None
    assert store.turn.request_id == 7
    assert store.turn.figures.queue_ns == 1_500


def test_of_a_muted_request_only_memory_is_heard(qapp: QObject) -> None:
    session = FakeSession()
    relay = SessionRelay(session)  # type: ignore[arg-type]  # it has the signals that are used
    store = TelemetryStore()
    relay.attach(store)
    memory = MemoryUse(weights_bytes=1, kv_bytes=2, compute_bytes=3)

    session.events_arrived.emit((loaded(0, 500),))
    session.submitted.emit(7, 1_000)
    relay.mute(7)
    session.events_arrived.emit(
        (
            Started(request_id=7, t_ns=2_500),
            MemoryChanged(request_id=7, t_ns=4_000, memory=memory),
        )
    )

    assert store.turn is not None
    assert store.turn.t_start_ns is None
    assert store.memory == memory


def test_a_preload_that_fails_still_finishes(qapp: QObject) -> None:
    preload = Preload("app.version", "no_such_module")

    preload.start()

    assert preload.wait(WAIT_MS)
