"""The window's side of the sampler process: start it, read it, start it again."""

import logging
import multiprocessing
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.marks import Mark, MarkKind
from app.sample_watch import SampleWatch
from app.silence import Silence
from engine.nvml import NvmlLoader, load_nvml
from engine.rapl import POWERCAP
from engine.sampler import IDLE_INTERVAL_MS, run_sampler
from engine.samples import ClockFault, Interval, Sample, SamplerMessage, SensorFault, Watch

ANSWER_INTERVAL_MS = 250

_BACK_OFF_S = (0.5, 1.0, 2.0, 5.0, 15.0, 60.0)
_JOIN_S = 2.0
# A driver of a GPU that is gone may keep a question waiting for ever.
_HUNG_S = 30.0
_LATE_S = 3.0
# Deaths that come from outside and say nothing about NVML.
_NOT_STARTED = -1000
_KILLED = {-signal.SIGTERM, -getattr(signal, "SIGKILL", signal.SIGTERM)}

SamplerMain = Callable[[Connection, NvmlLoader | None, Path], None]
"""As `run_sampler`."""

_log = logging.getLogger(__name__)


class SamplerReader(QObject):
    """Owns the sampler process and the thread that reads it.

    The public methods belong to the main thread and never block, save `close`.

    Signals:
        sample_arrived(Sample): The sampler took a sample.
        restarted(int): The sampler process died with this exit code, for the first time, and is
            started again. Later deaths are logged and marked only.
        marked(Mark): Samples were not taken for a while, or a clock is not what it was. Comes
            before the sample after it.
        samples_missed(): Several samples are overdue.
    """

    sample_arrived = Signal(object)
    marked = Signal(object)
    samples_missed = Signal()
    restarted = Signal(int)

    def __init__(
        self,
        *,
        load_nvml: NvmlLoader = load_nvml,
        powercap: Path = POWERCAP,
        sampler: SamplerMain = run_sampler,
        back_off_s: Sequence[float] = _BACK_OFF_S,
        hung_s: float = _HUNG_S,
        late_s: float = _LATE_S,
        parent: QObject | None = None,
    ) -> None:
        """Start nothing yet: `start` does, after the window's first paint.

        Args:
            load_nvml: Gives NVML inside the sampler process; a module-level function.
            powercap: Folder of the energy counters of the CPU.
            sampler: Runs in the process; a module-level function.
            back_off_s: Pauses before each start after a death; the last one is repeated.
            hung_s: A sampler that says nothing for so long after a sample was due is killed, and
                the second time GPUs are not read any more.
            late_s: Samples are missed when none has come so long after three were due.
            parent: Owner.
        """
        super().__init__(parent)
        self._load_nvml: NvmlLoader | None = load_nvml
        self._powercap = powercap
        self._sampler = sampler
        self._samples = SampleWatch()
        self._longest_interval_ms = IDLE_INTERVAL_MS
        self._pause_s = 0.0
        self._back_off_s = tuple(back_off_s)
        self._hung_s = hung_s
        self._n_hangs = 0
        self._watch = Watch(engine_pid=None, window_pid=os.getpid())
        self._interval = Interval(interval_ms=IDLE_INTERVAL_MS)
        self._silence = Silence(late_s=late_s, hung_s=hung_s, interval_s=IDLE_INTERVAL_MS / 1000)
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._pid: int | None = None
        self._closing = threading.Event()
        self._wake_receiver, self._wake_sender = multiprocessing.Pipe(duplex=False)
        self._thread = threading.Thread(target=self._run, name="sampler-reader", daemon=True)

    @property
    def pid(self) -> int | None:
        """Process id of the sampler, None while there is none."""
        return self._pid

    def start(self) -> None:
        """Start the process, in the background."""
        self._thread.start()

    def set_engine_pid(self, pid: int) -> None:
        """Look at this engine process from now on; 0 is none."""
        with self._lock:
            self._watch = Watch(engine_pid=pid or None, window_pid=os.getpid())
            self._send(self._watch)

    def set_interval_ms(self, interval_ms: int) -> None:
        """Take a sample this often."""
        with self._lock:
            if self._interval.interval_ms != interval_ms:
                self._interval = Interval(interval_ms=interval_ms)
                self._longest_interval_ms = max(self._longest_interval_ms, interval_ms)
                self._silence.ask(interval_ms / 1000)
                self._send(self._interval)

    def set_pause_s(self, pause_s: float) -> None:
        """Let samples wait so long and come together: one wake-up then, not one for each."""
        self._pause_s = pause_s

    def close(self) -> None:
        """End the process and join the thread. May be called twice."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._wake_sender.send(None)
        if self._thread.ident is not None:
            self._thread.join()
        self._wake_receiver.close()
        self._wake_sender.close()

    def _run(self) -> None:
        n_deaths = 0
        while not self._closing.is_set():
            try:
                exit_code = self._serve_one_process()
            except OSError as error:
                _log.warning("the sampler process could not be started: %s", error)
                exit_code = _NOT_STARTED
            if self._closing.is_set():
                break
            self._note_death(exit_code, is_first=n_deaths == 0)
            pause_s = self._back_off_s[min(n_deaths, len(self._back_off_s) - 1)]
            n_deaths += 1
            self._closing.wait(pause_s)

    def _serve_one_process(self) -> int:
        """Start a sampler, read it until it is gone, and give its exit code."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=self._sampler,
            args=(theirs, self._load_nvml, self._powercap),
            name="sampler",
            daemon=True,
        )
        try:
            process.start()
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        with self._lock:
            self._connection, self._pid = ours, process.pid
            self._silence.begin()
            self._send(self._watch)
            self._send(self._interval)
        if not self._read(ours):
            _log.warning("the sampler process says nothing any more and is killed")
            self._n_hangs += 1
            process.kill()
        with self._lock:
            self._connection, self._pid = None, None
            ours.close()
        return _reap(process)

    def _read(self, connection: Connection) -> bool:
        """Until it ends or is to end; False where it says nothing any more."""
        while not self._closing.is_set():
            if not self._hears(connection):
                return False
            if self._closing.is_set():
                break
            try:
                self._take(connection.recv())
                if self._pause_s and not connection.poll():
                    wait([self._wake_receiver], self._pause_s)
            except (EOFError, OSError):
                break
        return True

    def _hears(self, connection: Connection) -> bool:
        """Wait until it says something, or this is to end; False where it says nothing any more."""
        watched = [connection, self._wake_receiver]
        is_told = False
        while True:
            with self._lock:
                late_s, hung_s = self._silence.left_s()
            if hung_s <= 0:
                # Once more: both may have been stopped, or the machine slept, all of that time.
                return bool(wait(watched, self._hung_s / 4))
            # Not what this process was too late to hear.
            if late_s <= 0 and not is_told and not wait(watched, 0):
                is_told = True
                self.samples_missed.emit()
            left_s = hung_s if is_told else min(late_s, hung_s)
            # Not longer: samples may be asked for more often meanwhile.
            if wait(watched, min(left_s, self._hung_s)):
                return True

    def _take(self, message: SamplerMessage) -> None:
        with self._lock:
            self._silence.end(is_sample=isinstance(message, Sample))
        match message:
            case Sample():
                self._look_at(message)
                self.sample_arrived.emit(message)
            case ClockFault():
                self._mark_clocks(message)
            case SensorFault(sensor=sensor, text=text):
                _log.warning("sensor %s: %s", sensor, text)

    def _look_at(self, sample: Sample) -> None:
        with self._lock:
            longest_ms = self._longest_interval_ms
            # The one that is in force may have been taken up a moment ago.
            self._longest_interval_ms = max(IDLE_INTERVAL_MS, self._interval.interval_ms)
        mark = self._samples.look(sample, interval_ns=longest_ms * 1_000_000)
        if mark is not None:
            self._mark(mark)

    def _mark_clocks(self, fault: ClockFault) -> None:
        t_ns = fault.t_ns
        if fault.asleep_ns:
            # That is why samples are missing, where the clock went on meanwhile.
            self._samples.forget()
            self._mark(Mark(kind=MarkKind.SUSPENDED, t_ns=t_ns, detail=(fault.asleep_ns,)))
        if fault.jump_ns:
            self._mark(Mark(kind=MarkKind.CLOCK_JUMPED, t_ns=t_ns, detail=(fault.jump_ns,)))

    def _mark(self, mark: Mark) -> None:
        _log.warning("%s: %s", mark.kind.value, mark.detail)
        self.marked.emit(mark)

    def _note_death(self, exit_code: int, *, is_first: bool) -> None:
        _log.warning("the sampler process ended with exit code %d; starting it again", exit_code)
        self._samples.forget()
        now_ns = time.perf_counter_ns()
        self._mark(Mark(kind=MarkKind.SAMPLER_RESTARTED, t_ns=now_ns, detail=(exit_code,)))
        is_nvml_suspect = exit_code not in (*_KILLED, _NOT_STARTED) or self._n_hangs > 1
        if self._load_nvml is not None and is_nvml_suspect:
            _log.warning("GPUs are not read any more: NVML may be what crashed the sampler")
            self._load_nvml = None
        if is_first:
            self.restarted.emit(exit_code)

    def _send(self, command: Watch | Interval) -> None:
        # A dead process is noticed by the reading side, which then starts another.
        if self._connection is not None and _takes_more(self._connection):
            try:
                self._connection.send(command)
            except OSError:
                return


def _takes_more(connection: Connection) -> bool:
    """Whether a short message can be sent at once: a stopped process must not block us."""
    if sys.platform == "win32":
        return True
    return bool(select.select([], [connection], [], 0)[1])


def _reap(process: SpawnProcess) -> int:
    process.join(_JOIN_S)
    if process.exitcode is None:
        process.kill()
        process.join(_JOIN_S)
    exit_code = process.exitcode
    if exit_code is None:
        # A driver may keep it from ending. It is left alone: the end of the application would
        # wait for it as well.
        _log.warning("the sampler process %s does not end, and is left", process.pid)
        multiprocessing.process._children.discard(process)  # type: ignore[attr-defined]  # no other way
        return _NOT_STARTED
    process.close()
    return exit_code
