"""The window's own log file, and where crashes and uncaught exceptions go."""

import faulthandler
import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType


class WindowLog:
    """Owns the log file of the GUI process for its life."""

    def __init__(self, log_dir: Path) -> None:
        """Send logging, native crashes and uncaught exceptions to `log_dir`."""
        log_dir.mkdir(parents=True, exist_ok=True)
        self._handler = RotatingFileHandler(
            log_dir / "oscillama.log", maxBytes=1 << 20, backupCount=2, encoding="utf-8"
        )
        self._handler.setFormatter(
            logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
        )
        root = logging.getLogger()
        root.setLevel(logging.INFO)
        root.addHandler(self._handler)
        self._crashes = (log_dir / "oscillama-crash.log").open("a", encoding="utf-8")
        faulthandler.enable(self._crashes)
        self._previous_hook = sys.excepthook
        sys.excepthook = self._log_uncaught

    def close(self) -> None:
        """Give everything back."""
        sys.excepthook = self._previous_hook
        faulthandler.disable()
        self._crashes.close()
        logging.getLogger().removeHandler(self._handler)
        self._handler.close()

    def _log_uncaught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        logging.getLogger("oscillama").critical("uncaught", exc_info=(kind, error, trace))
        self._previous_hook(kind, error, trace)
