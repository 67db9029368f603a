"""Imports Qt as a window with background threads needs it."""

import builtins
import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def begun() -> Iterator[None]:
    """Import Qt with all its types, and take back what it does to every import after it.

    Qt for Python makes each type when it is first named, and crashes the process where two
    threads do that at once: all are made here. And it reads the source of each module that is
    imported, to learn whether it may say `from __feature__ import`; nothing here does. That takes
    as long as the imports themselves.
    And what a start makes stays: Python looks for no garbage before `QuietCollector` lets it, or
    the window ends or did not come to be.
    """
    gc.disable()
    os.environ["PYSIDE6_OPTION_LAZY"] = "0"
    try:
        import PySide6.QtCore  # noqa: F401 # for what it does

        builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
        yield
    finally:
        gc.enable()
