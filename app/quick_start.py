"""Keeps Python and Qt from work that a start of the window has no use for."""

import builtins
import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def begun() -> Iterator[None]:
    """Import Qt, and take back what it does to every import after it.

    Qt for Python reads the source of each module that is imported, to learn whether it may say
    `from __feature__ import`; nothing here does. That takes as long as the imports themselves.
    And what a start makes stays: Python looks for no garbage before `QuietCollector` lets it, or
    the window ends or did not come to be.
    """
    gc.disable()
    try:
        import PySide6.QtCore  # noqa: F401 # for what it does

        builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
        yield
    finally:
        gc.enable()
