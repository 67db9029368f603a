"""Imports modules in the background, so that the window stays responsive meanwhile."""

from collections.abc import Callable
from importlib import import_module

from PySide6.QtCore import QObject, QThread


class Preload(QThread):
    """Imports modules; `finished` says that they are there, or that one failed.

    One that failed raises again, with its reason, where it is imported next.
    """

    def __init__(
        self,
        *modules: str,
        then: Callable[[], None] | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Take the names of the modules, and what to call with them; `start` begins."""
        super().__init__(parent)
        self._then = then
        self.setObjectName("preload")
        self._modules = modules

    def run(self) -> None:
        """Import them, in this thread."""
        for name in self._modules:
            try:
                import_module(name)
            except ImportError:
                return
        if self._then is not None:
            self._then()
