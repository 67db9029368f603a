"""What the devices of this machine reach at most: measured when the person asks, then kept."""

import json
import logging
import sys
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal

from app.files import replace_file
from app.runs import decode
from engine.ceilings.measure import CannotMeasureReason
from engine.ceilings.values import METHOD, Ceilings
from engine.foreign_json import json_value
from engine.machine import cpu_name

_FILE = "ceilings.json"
_END_MS = 2_000
# Far beyond any device, bytes or operations per second.
_MOST_RATE = 1e24

_log = logging.getLogger(__name__)


class CeilingStore(QObject):
    """Owns the process that measures, and the file that keeps the results. Main thread only.

    Attributes:
        problem: Why the last measurement failed or was not kept; None where it was.

    Signals:
        changed(): A measurement began, ended or failed, or was taken back.
    """

    changed = Signal()

    def __init__(
        self,
        cache_dir: Path,
        root: Path,
        *,
        python: str = sys.executable,
        parent: QObject | None = None,
    ) -> None:
        """Read what is kept; measure nothing.

        Args:
            cache_dir: Folder of the file.
            root: The folder of main.py.
            python: The Python that runs the window.
            parent: Owner.
        """
        super().__init__(parent)
        self._file = cache_dir / _FILE
        self._known = _read(self._file, cpu_name())
        self._device: str | None = None
        self.problem: CannotMeasureReason | None = None
        self._process = QProcess(self)
        self._process.setProgram(python)
        self._process.setWorkingDirectory(str(root))
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def measuring(self) -> str | None:
        """The device that is being measured now."""
        return self._device

    def of_device(self, device: str) -> Ceilings | None:
        """What is known of a device, as `EngineInfo.device` calls it."""
        return self._known.get(device)

    def measure(self, device: str) -> None:
        """Measure a device, in a process of its own; nothing while one is being measured."""
        if self._device is not None:
            return
        # One that was cancelled has been killed, and is gone in a moment.
        self._await_end()
        self._device, self.problem = device, None
        self._process.setArguments(["-m", "engine.ceilings.measure", device])
        self._process.start()
        self.changed.emit()

    def cancel(self) -> None:
        """End a measurement that something else disturbs, and say so. Does not wait."""
        if self._device is not None:
            self._device, self.problem = None, CannotMeasureReason.INTERRUPTED
            self._process.kill()
            self.changed.emit()

    def close(self) -> None:
        """End a measurement that runs. May be called twice."""
        self._device = None
        self._process.kill()
        self._await_end()

    def _await_end(self) -> None:
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.waitForFinished(_END_MS)

    def _on_finished(self, code: int) -> None:
        output = bytes(self._process.readAllStandardOutput().data()).decode(errors="replace")
        errors = bytes(self._process.readAllStandardError().data()).decode(errors="replace")
        if self._device is None:
            return
        device, self._device = self._device, None
        known = self._known.get(device)
        ceilings = _parse_line(output) if code == 0 else None
        if ceilings is None:
            self.problem = _reason(errors)
            _log.warning("%s could not be measured: exit code %d: %s", device, code, errors)
        elif ceilings.is_disturbed and known is not None and not known.is_disturbed:
            self.problem = CannotMeasureReason.DISTURBED
        else:
            self._known[device] = ceilings
            self._keep()
        self.changed.emit()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        # A process that crashes finishes as well; one that does not start never does.
        if error is QProcess.ProcessError.FailedToStart and self._device is not None:
            self._device, self.problem = None, CannotMeasureReason.FAILED
            _log.warning("measuring could not begin: %s", self._process.errorString())
            self.changed.emit()

    def _keep(self) -> None:
        """Write the file anew; a result that cannot be kept is measured again another day."""
        kept = [asdict(ceilings) for ceilings in self._known.values()]
        with suppress(OSError):
            replace_file(self._file, json.dumps(kept, indent=1).encode())


def _read(file: Path, machine: str) -> dict[str, Ceilings]:
    """What the file says of this machine; nothing where it cannot be read."""
    try:
        entries = json_value(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    found = (_parse(entry) for entry in (entries if isinstance(entries, list) else []))
    return {known.device: known for known in found if known and known.machine == machine}


def _reason(errors: str) -> CannotMeasureReason:
    try:
        return CannotMeasureReason(errors.strip().rpartition("\n")[2])
    except ValueError:
        return CannotMeasureReason.FAILED


def _parse_line(text: str) -> Ceilings | None:
    try:
        return _parse(json_value(text.strip().rpartition("\n")[2]))
    except ValueError:
        return None


def _parse(entry: object) -> Ceilings | None:
    """One measurement; None where something is missing, cannot be, or was measured otherwise."""
    if not isinstance(entry, dict) or {field.name for field in fields(Ceilings)} - entry.keys():
        return None
    if entry["method"] != METHOD:
        return None
    try:
        threads, others = entry["read_threads"], entry["others_ratio"]
        pairs = entry["matrix_flop_per_s"]
        matrix = tuple((decode.text(name), float(rate)) for name, rate in pairs)
        ceilings = Ceilings(
            machine=decode.text(entry["machine"]),
            device=decode.text(entry["device"]),
            read_bytes_per_s=float(entry["read_bytes_per_s"]),
            read_threads=None if threads is None else decode.count(threads),
            matrix_flop_per_s=matrix,
            others_ratio=None if others is None else float(others),
            measured_ms=decode.date_ms(entry["measured_ms"]),
        )
    except (TypeError, ValueError, OverflowError):
        return None
    rates = [ceilings.read_bytes_per_s, *(rate for _, rate in matrix)]
    is_share = ceilings.others_ratio is None or 0 <= ceilings.others_ratio <= 1
    return ceilings if is_share and all(1 <= rate <= _MOST_RATE for rate in rates) else None
