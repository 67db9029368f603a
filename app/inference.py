"""The inference thread: the only one that talks to the engine process."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from queue import Empty, SimpleQueue

from PySide6.QtCore import QObject, QThread, Signal

from engine.errors import ErrorCode, ErrorInfo
from engine.events import (
    CountCommand,
    Counted,
    Event,
    Failed,
    Finished,
    FinishReason,
    GenerateCommand,
    LoadCommand,
    Loaded,
    Step,
)
from engine.process import EngineProcess

FRAME_S = 0.033
"""As often text is shown while somebody looks."""
# A pipe holds some 160 steps with what is known of their choice, and then blocks the engine.
_MOST_WAITING = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cancel:
    request_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShowNow:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class _Close:
    pass


_Work = LoadCommand | GenerateCommand | CountCommand
_Order = _Work | _Cancel | _ShowNow | _Close


class InferenceThread(QThread):
    """Owns the engine process, hands it one command at a time and gathers what it says.

    It has an engine process from its start, before a model is asked for, so that a load finds
    it ready. Another load replaces the process. A process that dies, or that does not stop
    within the grace period after a cancel, is reported as the end of the request it worked on.

    The public methods may be called from any thread and never block, save `shutdown`. A request
    ends in one `Finished` or `Failed`, save those that `shutdown` finds open. A count ends in
    `Counted` or `Failed`, or is dropped without a word when something else comes first.

    Signals:
        events_arrived(tuple[Event, ...]): At most once per frame while events come closely.
        requested(GenerateRequest): An answer to be recorded was asked for; in the asking thread.
        process_changed(int): Process id of the engine, 0 when there is none.
        process_lost(ErrorInfo): The engine died while it had nothing to do.
    """

    events_arrived = Signal(object)
    requested = Signal(object)
    process_changed = Signal(int)
    process_lost = Signal(object)

    def __init__(
        self,
        start_engine: Callable[[], EngineProcess],
        *,
        frame_s: float = FRAME_S,
        grace_s: float = 3.0,
        parent: QObject | None = None,
    ) -> None:
        """Prepare; `start` runs it.

        Args:
            start_engine: Gives an engine process that is started; called in this thread. It may
                raise OSError.
            frame_s: Shortest time between two `events_arrived`.
            grace_s: How long a cancelled request may take to end.
            parent: Owner.
        """
        super().__init__(parent)
        self.setObjectName("inference")
        self._new_engine = start_engine
        self._frame_s = frame_s
        self._grace_s = grace_s
        self._orders: SimpleQueue[_Order] = SimpleQueue()
        self._wake_receiver, self._wake_sender = Pipe(duplex=False)
        # Below: touched by the running thread only.
        self._engine: EngineProcess | None = None
        self._engine_is_fresh = False
        self._refusal = ""
        self._has_model = False
        self._waiting: deque[LoadCommand | GenerateCommand] = deque()
        self._active: _Work | None = None
        self._count: CountCommand | None = None
        self._kill_at: float | None = None
        self._batch: list[Event] = []
        self._next_frame = 0.0
        self._pause_s = 0.0
        self._closing = False

    def load(self, command: LoadCommand) -> None:
        """Load a model in a fresh engine process; what runs or waits is cancelled first."""
        self._order(command)

    def generate(self, command: GenerateCommand, *, is_recorded: bool = True) -> None:
        """Produce an answer when all that was asked before has ended."""
        if is_recorded:
            self.requested.emit(command.request)
        self._order(command)

    def count(self, command: CountCommand) -> None:
        """Count tokens when nothing else is to be done; a count that waits is dropped."""
        self._order(command)

    def cancel(self, request_id: int) -> None:
        """Stop one request, wherever it is. It still ends in `Finished` or `Failed`."""
        self._order(_Cancel(request_id=request_id))

    def set_frame_s(self, frame_s: float) -> None:
        """Let this much time pass between two `events_arrived` while tokens stream.

        What waits is told at once. Where tokens come so fast that the pipe could not hold those
        of this time, less passes.
        """
        self._frame_s = frame_s
        if self.isRunning():
            self._order(_ShowNow())

    def shutdown(self) -> None:
        """Close the engine and join the thread. Blocks, at most about the engine's grace."""
        if self.isRunning():
            self._order(_Close())
            self.wait()
        self._wake_receiver.close()
        self._wake_sender.close()

    def run(self) -> None:
        """Serve until `shutdown`. What is not over then ends with the engine, unreported."""
        try:
            self._start_engine()
            while not self._closing:
                self._wait()
                self._take_orders()
                self._gather()
                self._enforce_grace()
                self._hand_over()
                self._emit_when_due()
        finally:
            self._close_engine()

    def _order(self, order: _Order) -> None:
        self._orders.put(order)
        self._wake_sender.send_bytes(b"\0")

    def _wait(self) -> None:
        """Sleep until there is something to do.

        Between two frames the engine's pipe is not looked at: one wake-up per frame, not one
        per token, leaves the cores to the engine.
        """
        now = time.monotonic()
        watched: list[Connection | int] = [self._wake_receiver]
        deadlines = [at for at in (self._kill_at,) if at is not None]
        if now < self._next_frame:
            deadlines.append(self._next_frame)
        if self._engine is not None:
            if now >= self._next_frame and self._engine.connection is not None:
                watched.append(self._engine.connection)
            if self._engine.sentinel is not None:
                watched.append(self._engine.sentinel)
        timeout = max(0.0, min(deadlines) - now) if deadlines else None
        wait(watched, timeout)

    def _take_orders(self) -> None:
        while self._wake_receiver.poll():
            self._wake_receiver.recv_bytes()
        while True:
            try:
                order = self._orders.get_nowait()
            except Empty:
                return
            match order:
                case LoadCommand():
                    for request_id in self._open_ids():
                        self._cancel(request_id)
                    self._count = None
                    self._waiting.append(order)
                case GenerateCommand():
                    self._count = None
                    self._waiting.append(order)
                case CountCommand():
                    self._count = order
                case _Cancel():
                    self._cancel(order.request_id)
                case _ShowNow():
                    self._next_frame = 0.0
                case _Close():
                    self._closing = True
                    for request_id in self._open_ids():
                        self._cancel(request_id)

    def _open_ids(self) -> list[int]:
        commands = [*([self._active] if self._active else []), *self._waiting]
        return [_request_id(command) for command in commands]

    def _cancel(self, request_id: int) -> None:
        if self._active is not None and _request_id(self._active) == request_id:
            if self._engine is not None:
                self._engine.cancel(request_id)
            if self._kill_at is None:
                self._kill_at = time.monotonic() + self._grace_s
            return
        for command in self._waiting:
            if _request_id(command) == request_id:
                self._waiting.remove(command)
                self._batch.append(_cancelled(command))
                return

    def _gather(self) -> None:
        """Take what the engine has said; notice that it died."""
        engine = self._engine
        if engine is None:
            return
        died = not engine.is_alive()
        if time.monotonic() < self._next_frame and not died:
            return
        while engine.poll():
            event = engine.receive()
            if event is None:
                died = True
                break
            self._batch.append(event)
            if self._active is not None and event.request_id == _request_id(self._active):
                if isinstance(event, Loaded):
                    self._has_model = True
                if isinstance(event, Loaded | Finished | Counted | Failed):
                    self._end_active()
        if died:
            self._bury(engine)

    def _end_active(self) -> None:
        self._active = None
        self._kill_at = None

    def _bury(self, engine: EngineProcess) -> None:
        """Report a dead engine as the end of what it was doing."""
        error = engine.death()
        engine.close(grace_s=0)
        self._forget_engine()
        active = self._active
        self._end_active()
        if active is None or isinstance(active, CountCommand):
            self.process_lost.emit(error)
        else:
            self._fail(active, error)

    def _enforce_grace(self) -> None:
        if self._kill_at is None or time.monotonic() < self._kill_at:
            return
        if self._engine is not None:
            self._engine.kill()
            self._engine.close(grace_s=0)
            self._forget_engine()
        if self._active is not None:
            # A load is not missed: the process that was ended for it had nothing else.
            is_load = isinstance(self._active, LoadCommand)
            error = ErrorInfo(
                code=ErrorCode.LOAD_CANCELLED if is_load else ErrorCode.ENGINE_HUNG,
                technical=f"no answer to a cancel within {self._grace_s:g} s; killed",
            )
            self._fail(self._active, error)
        self._end_active()

    def _fail(self, command: _Work, error: ErrorInfo) -> None:
        self._batch.append(
            Failed(request_id=_request_id(command), t_ns=time.perf_counter_ns(), error=error)
        )

    def _hand_over(self) -> None:
        """Give the engine its next command when it has none."""
        while self._active is None and self._waiting and not self._closing:
            command = self._waiting.popleft()
            if isinstance(command, LoadCommand):
                if not self._engine_is_fresh:
                    self._close_engine()
                    self._start_engine()
                self._engine_is_fresh = False
            elif not self._has_model:
                self._fail(command, ErrorInfo(code=ErrorCode.NO_MODEL))
                continue
            if self._engine is None:
                self._fail(command, ErrorInfo(code=ErrorCode.NO_ENGINE, technical=self._refusal))
                continue
            self._active = command
            self._engine.send(command)
        if self._active is None and self._count is not None and not self._closing:
            if self._engine is not None and self._has_model:
                self._active = self._count
                self._engine.send(self._count)
            self._count = None

    def _emit_when_due(self) -> None:
        if time.monotonic() >= self._next_frame or self._closing:
            self._emit_batch()

    def _emit_batch(self) -> None:
        if self._batch:
            batch, self._batch = tuple(self._batch), []
            # What comes before the first token is shown at once, and so is that token.
            streams = any(isinstance(event, Step) for event in batch)
            n_steps = len(batch) if streams else 0
            self._pause_s = pause_s(self._pause_s, n_steps, self._frame_s)
            self._next_frame = time.monotonic() + self._pause_s
            self.events_arrived.emit(batch)

    def _start_engine(self) -> None:
        """Start a process; where the system refuses, the next command fails with its reason."""
        try:
            self._engine = self._new_engine()
        except OSError as error:
            self._refusal = str(error)
            return
        self._engine_is_fresh = True
        self.process_changed.emit(self._engine.pid or 0)

    def _close_engine(self) -> None:
        if self._engine is not None:
            self._engine.close(grace_s=self._grace_s if self._active is None else 0.3)
            self._forget_engine()

    def _forget_engine(self) -> None:
        # What the engine said comes before the news that it is gone.
        self._emit_batch()
        self._engine = None
        self._engine_is_fresh = False
        self._has_model = False
        self.process_changed.emit(0)


def pause_s(last_s: float, n_events: int, frame_s: float) -> float:
    """Time until the next frame, `frame_s` at most: no more waits then than a pipe holds.

    `n_events` came in `last_s` while tokens stream; 0 where none do.
    """
    longer = min(2.0, _MOST_WAITING / n_events) if n_events else 0.0
    return min(frame_s, max(FRAME_S, last_s * longer))


def _request_id(command: _Work) -> int:
    return (
        command.request.request_id if isinstance(command, GenerateCommand) else command.request_id
    )


def _cancelled(command: LoadCommand | GenerateCommand) -> Event:
    """How a command ends that the engine never saw."""
    t_ns = time.perf_counter_ns()
    if isinstance(command, LoadCommand):
        error = ErrorInfo(code=ErrorCode.LOAD_CANCELLED)
        return Failed(request_id=command.request_id, t_ns=t_ns, error=error)
    return Finished(
        request_id=command.request.request_id,
        t_ns=t_ns,
        reason=FinishReason.CANCELLED,
        text="",
        n_output_tokens=0,
    )
