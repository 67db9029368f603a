"""What the engine process does with its commands: load one model, answer with it, free it."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

from engine.backends import registry
from engine.errors import EngineError, ErrorCode
from engine.events import Failed, Loaded, LoadProgress, LoadStage, Suspended
from engine.loop import DecodeLoop, end_with_one_event
from engine.sleep import SleepWatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.backend import Backend
    from engine.events import CountCommand, Event, GenerateCommand, LoadCommand
    from engine.log import EngineLog
    from engine.pauses import PauseWatch

_LOAD_REPORT_EVERY_NS = 30_000_000


class EngineService:
    """Serves the commands of one engine process, from one thread."""

    def __init__(
        self,
        *,
        emit: Callable[[Event], None],
        last_cancelled: Callable[[], int],
        log: EngineLog,
        is_awaited: Callable[[], bool] = lambda: False,
        pauses: Sequence[PauseWatch] = (),
        sleep: SleepWatch | None = None,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        """Serve without a model.

        Args:
            emit: Takes each event.
            last_cancelled: Every request up to this id is cancelled.
            log: For the backend.
            is_awaited: Whether the next command has come, so that what nobody waits for is left.
            pauses: Note what holds up steps in this process during answers.
            sleep: Notes whether the machine was suspended; by default this machine.
            clock_ns: Stamps the events.
        """
        self._send = emit
        self._last_cancelled = last_cancelled
        self._log = log
        self._is_awaited = is_awaited
        self._pauses = pauses
        self._sleep = SleepWatch() if sleep is None else sleep
        self._suspended: Suspended | None = None
        self._clock_ns = clock_ns
        self._backend: Backend | None = None
        self._loop: DecodeLoop | None = None

    def load(self, command: LoadCommand) -> None:
        """Load the model of this process; BUSY where there is one already."""
        self._sleep.look()
        t_start_ns = self._clock_ns()
        end_with_one_event(
            command.request_id,
            lambda: self._load(command, t_start_ns),
            emit=self._emit_with_log,
            clock_ns=self._clock_ns,
        )
        if self._loop is None:
            self.close()

    def generate(self, command: GenerateCommand) -> None:
        """Answer a request; NO_MODEL where none is loaded."""
        request = command.request
        # What was before it was sent is no matter of it.
        self._sleep.look()
        if self._loop is None:
            self._refuse(request.request_id)
            return
        slept = self._suspended
        if slept is not None and slept.t_ns > request.t_submit_ns:
            # While it waited for what was done before it.
            self._send(dataclasses.replace(slept, request_id=request.request_id))
        self._loop.run(request, emit=self._emit, is_cancelled=self._cancel(request.request_id))
        self._loop.find_cells(emit=self._emit, is_awaited=self._is_awaited)

    def count(self, command: CountCommand) -> None:
        """Count tokens; NO_MODEL where none is loaded."""
        self._sleep.look()
        if self._loop is None:
            self._refuse(command.request_id)
            return
        self._loop.count(command, emit=self._emit)

    def close(self) -> None:
        """Free the model. May be called twice."""
        self._loop = None
        backend, self._backend = self._backend, None
        if backend is not None:
            backend.close()

    def _refuse(self, request_id: int) -> None:
        error = EngineError(ErrorCode.NO_MODEL, "no model is loaded").info
        self._emit(Failed(request_id=request_id, t_ns=self._clock_ns(), error=error))

    def _load(self, command: LoadCommand, t_start_ns: int) -> Loaded:
        if self._loop is not None:
            raise EngineError(ErrorCode.BUSY, "this engine process has a model already")
        is_cancelled = self._cancel(command.request_id)
        self._backend = registry.create(command.options.backend, self._log)
        loaded = self._backend.load(
            command.options, self._progress(command.request_id, is_cancelled)
        )
        # jinja2 takes as long to import as a small model to load.
        from engine.chat_format import ChatFormat

        chat_format = ChatFormat(
            loaded.model.chat_template, bos_text=loaded.bos_text, eos_text=loaded.eos_text
        )
        if is_cancelled():
            raise EngineError(ErrorCode.LOAD_CANCELLED, "cancelled while loading")
        self._loop = DecodeLoop(
            self._backend, loaded, chat_format, pauses=self._pauses, clock_ns=self._clock_ns
        )
        t_ns = self._clock_ns()
        self._tell_of_sleep(command.request_id, t_ns)
        slept = self._suspended
        return Loaded(
            request_id=command.request_id,
            t_ns=t_ns,
            t_start_ns=t_start_ns,
            slept=slept is not None and slept.t_ns >= t_start_ns,
            model=loaded.model,
            engine=dataclasses.replace(
                loaded.engine, notices=(*loaded.engine.notices, *chat_format.notices)
            ),
            kv=loaded.kv,
            memory=loaded.memory,
            predicted=self._backend.predicted(),
        )

    def _progress(
        self, request_id: int, is_cancelled: Callable[[], bool]
    ) -> Callable[[LoadStage, float | None], bool]:
        last_stage: LoadStage | None = None
        next_report_ns = 0

        def on_progress(stage: LoadStage, fraction: float | None) -> bool:
            nonlocal last_stage, next_report_ns
            if is_cancelled():
                return False
            t_ns = self._clock_ns()
            if stage is not last_stage or t_ns >= next_report_ns or fraction == 1:
                last_stage, next_report_ns = stage, t_ns + _LOAD_REPORT_EVERY_NS
                backend = self._backend
                self._emit(
                    LoadProgress(
                        request_id=request_id,
                        t_ns=t_ns,
                        stage=stage,
                        fraction=fraction,
                        predicted=None if backend is None else backend.predicted(),
                    )
                )
            return True

        return on_progress

    def _cancel(self, request_id: int) -> Callable[[], bool]:
        last_cancelled = self._last_cancelled
        return lambda: last_cancelled() >= request_id

    def _emit(self, event: Event) -> None:
        self._tell_of_sleep(event.request_id, event.t_ns)
        self._send(event)

    def _tell_of_sleep(self, request_id: int, t_ns: int) -> None:
        """Say whether the machine has slept since this was last looked at, as of `t_ns`."""
        if asleep_ns := self._sleep.look():
            self._suspended = Suspended(request_id=request_id, t_ns=t_ns, asleep_ns=asleep_ns)
            self._send(self._suspended)

    def _emit_with_log(self, event: Event) -> None:
        # What the native library wrote is often the only reason a failed load has.
        if isinstance(event, Failed) and not event.error.log_tail:
            error = dataclasses.replace(event.error, log_tail=self._log.tail())
            event = dataclasses.replace(event, error=error)
        self._emit(event)
