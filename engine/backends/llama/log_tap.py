"""llama.cpp's log: to the engine's log, and to whoever reads what a load reports."""

from typing import Any

from engine.log import EngineLog

# `enum ggml_log_level`.
_DEBUG, _CONTINUES = 1, 5


class LogTap:
    """Owns the library's log callback, of which a process has one.

    Debug lines (a thousand at a load) are kept only while capturing: per-layer facts are said
    nowhere else.
    """

    def __init__(self, llama: Any, log: EngineLog) -> None:  # noqa: ANN401
        """Start to receive."""
        self._llama = llama
        self._log = log
        self._captured: list[str] | None = None
        self._level = 0
        self._callback: object | None = llama.llama_log_callback(self._receive)
        llama.llama_log_set(self._callback, None)

    def start_capture(self) -> None:
        """Keep what is said from now on."""
        self._captured = []

    def captured(self) -> list[str]:
        """The lines said since `start_capture`, which go on being kept."""
        return "".join(self._captured or ()).splitlines()

    def stop_capture(self) -> None:
        """Keep nothing."""
        self._captured = None

    def close(self) -> None:
        """Give the log back to the library's default. May be called twice."""
        if self._callback is not None:
            self._llama.llama_log_set(self._llama.llama_log_callback(), None)
            self._callback = None

    def _receive(self, level: int, text: bytes, _data: int | None) -> None:
        if level != _CONTINUES:
            self._level = level
        if self._level == _DEBUG and self._captured is None:
            return
        line = text.decode("utf-8", "replace")
        if self._captured is not None:
            self._captured.append(line)
        if self._level != _DEBUG:
            self._log.write(line)
