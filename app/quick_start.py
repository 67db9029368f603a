"""Keeps Python and Qt from work that a start of the window has no use for."""

import builtins
import gc


def begin() -> None:
    """Import Qt, and take back what it does to every import after it.

    Qt for Python reads the source of each module that is imported, to learn whether it may say
    `from __feature__ import`; nothing here does. That takes as long as the imports themselves.
    And what a start makes stays: Python need not look for garbage before `QuietCollector` does.
    """
    gc.disable()

    import PySide6.QtCore  # noqa: F401 # for what it does

    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
