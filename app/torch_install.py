"""Installs torch in a process of its own while the window is open."""

import shlex
import subprocess
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QProcess, Signal

from app.actions import Action
from app.messages import Severity, UserMessage
from engine.foreign_json import json_value

translate = QCoreApplication.translate

_LOCK = "requirements-torch.lock"
# What pip is given where there is no lock file.
_PACKAGES = ("torch", "transformers>=5", "accelerate", "safetensors", "gguf", "tokenizers")
_LONGEST_TECHNICAL = 20_000
# The install takes back what is half-done, gigabytes at most, before it ends.
_END_MS = 15_000


class InstallStage(StrEnum):
    """What an install is doing."""

    WAIT = "wait"
    PREPARE = "prepare"
    DOWNLOAD = "download"
    INSTALL = "install"


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallProgress:
    """How far an install is.

    Attributes:
        stage: What it is doing; WAIT is for another install in the same place.
        package: What is downloaded, None in other stages.
        done_bytes: How much of the package has arrived, None where unknown.
        total_bytes: How much it is, None where unknown.
    """

    stage: InstallStage
    package: str | None = None
    done_bytes: int | None = None
    total_bytes: int | None = None

    @property
    def fraction(self) -> float | None:
        """Share of the package that has arrived, 0 to 1; None where unknown."""
        if self.done_bytes is None or not self.total_bytes:
            return None
        return self.done_bytes / self.total_bytes


class TorchInstall(QObject):
    """Owns the process that installs torch. Lives in the main thread; only `close` blocks.

    Signals:
        progressed(InstallProgress): It is further.
        installed(): torch is there now.
        cancelled(): It was stopped, and took back what was half-done.
        failed(UserMessage): It failed, took back what was half-done, and says why.
    """

    progressed = Signal(object)
    installed = Signal()
    cancelled = Signal()
    failed = Signal(object)

    def __init__(
        self,
        root: Path,
        *,
        python: str = sys.executable,
        environment: str = sys.prefix,
        parent: QObject | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            root: The folder of main.py.
            python: The Python that runs the window.
            environment: The folder of its environment.
            parent: Owner.
        """
        super().__init__(parent)
        self._root = root
        self._python = python
        self._environment = Path(environment)
        self._is_cancelled = False
        self._unread = b""
        self._failure: tuple[str, str] | None = None
        self._technical = ""
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._read_progress)
        self._process.readyReadStandardError.connect(self._read_technical)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def environment(self) -> Path:
        """Where torch goes."""
        return self._environment

    @property
    def can_install(self) -> bool:
        """Whether the window can do it: it runs from the environment that `make run` makes."""
        made = self._root / ".venv"
        return self._bootstrap.is_file() and made.resolve() == self._environment.resolve()

    @property
    def command(self) -> str:
        """What a person types in `command_folder` to do the same."""
        if self.can_install and sys.platform != "win32" and (self._root / "Makefile").is_file():
            return "make run TORCH=1"
        lock = self._root / _LOCK
        wanted = ["--requirement", str(lock)] if lock.is_file() else list(_PACKAGES)
        words = [self._python, "-m", "pip", "install", *wanted]
        return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)

    @property
    def command_folder(self) -> Path:
        """Where the command is typed."""
        return self._root

    @property
    def is_running(self) -> bool:
        """Whether an install goes on, or is being stopped."""
        return self._process.state() is not QProcess.ProcessState.NotRunning

    @property
    def is_stopping(self) -> bool:
        """Whether it was told to stop and has not ended yet."""
        return self.is_running and self._is_cancelled

    def start(self) -> None:
        """Begin, unless it runs already."""
        if self.is_running:
            return
        self._is_cancelled = False
        self._unread = b""
        self._failure = None
        self._technical = ""
        arguments = [str(self._bootstrap), "install-torch", "--progress", "json"]
        self._process.setWorkingDirectory(str(self._root))
        self._process.start(self._python, arguments)

    def cancel(self) -> None:
        """Stop it; `cancelled` comes when it has ended."""
        if self.is_running:
            self._is_cancelled = True
            # The end of its input is what ends it, also when the window dies.
            self._process.closeWriteChannel()

    def close(self) -> None:
        """Stop it and wait for its end, without a signal. May be called twice."""
        if not self.is_running:
            return
        self.blockSignals(True)
        self.cancel()
        if not self._process.waitForFinished(_END_MS):
            self._process.kill()
            self._process.waitForFinished(_END_MS)

    @property
    def _bootstrap(self) -> Path:
        return self._root / ".ci" / "bootstrap.py"

    def _read_progress(self) -> None:
        data = self._unread + bytes(self._process.readAllStandardOutput().data())
        *lines, self._unread = data.split(b"\n")
        for line in lines:
            said = _parsed(line)
            if isinstance(said, InstallProgress):
                self.progressed.emit(said)
            elif said is not None:
                self._failure = said
            else:
                self._add_technical(line + b"\n")

    def _read_technical(self) -> None:
        self._add_technical(bytes(self._process.readAllStandardError().data()))

    def _add_technical(self, data: bytes) -> None:
        text = self._technical + data.decode("utf-8", "replace")
        self._technical = text[-_LONGEST_TECHNICAL:]

    def _on_finished(self, exit_code: int, status: QProcess.ExitStatus) -> None:
        self._read_progress()
        self._read_technical()
        if status is QProcess.ExitStatus.NormalExit and exit_code == 0:
            self.installed.emit()
        elif self._is_cancelled:
            self.cancelled.emit()
        else:
            cause, words = self._failure or ("", "")
            self.failed.emit(_failure_message(cause, self._technical.strip() or words))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        # After every other error `finished` comes as well.
        if error is QProcess.ProcessError.FailedToStart:
            self.failed.emit(_failure_message("", self._process.errorString()))


def _parsed(line: bytes) -> InstallProgress | tuple[str, str] | None:
    """Progress, or the cause and the words of a failure; None for what is neither."""
    try:
        said = json_value(line)
        if "failed" in said:
            return str(said["failed"]), str(said["text"])
        return InstallProgress(
            stage=InstallStage(said["stage"]),
            package=said["package"],
            done_bytes=said["done_bytes"],
            total_bytes=said["total_bytes"],
        )
    except (ValueError, TypeError, KeyError):
        return None


def _failure_message(cause: str, technical: str) -> UserMessage:
    match cause:
        case "disk_full":
            why = translate(
                "TorchInstall",
                "The disk has no room for it. Free some space, then try again.",
            )
        case "no_network":
            why = translate(
                "TorchInstall",
                "The package index cannot be reached. Check the network, then try again: what "
                "was downloaded whole is not downloaded twice.",
            )
        case "no_build":
            why = translate(
                "TorchInstall",
                "There is no build of it for this Python and this system. Models in the GGUF "
                "format run without it.",
            )
        case _:
            why = translate(
                "TorchInstall",
                "The details have the installer's own words. Try again, or use the command in "
                "a terminal.",
            )
    kept = translate("TorchInstall", "Nothing that was installed before has changed.")
    return UserMessage(
        severity=Severity.ERROR,
        title=translate("TorchInstall", "PyTorch could not be installed"),
        text=f"{why} {kept}",
        actions=(Action.RETRY,),
        technical=technical,
    )


def torch_installed() -> UserMessage:
    """Torch is there, and no model waits for it any more."""
    return UserMessage(
        severity=Severity.INFO,
        title=translate("TorchInstall", "PyTorch is installed"),
        text=translate("TorchInstall", "Models that need it can be opened now."),
    )
