"""Keys that stand in tooltips as well as in the list of shortcuts."""

import sys

from PySide6.QtGui import QKeySequence

# What stands on the key; the one beside the digits does the same.
ENTER = "Return" if sys.platform == "darwin" else "Enter"
PRESENT = "F11"
EDIT = "Ctrl+E"
EDIT_ANSWER = "Ctrl+Shift+E"
REGENERATE = "Ctrl+Shift+R"
CONTINUE = f"Ctrl+Shift+{ENTER}"
PREVIOUS_VARIANT = "Ctrl+PgUp"
NEXT_VARIANT = "Ctrl+PgDown"
TIMELINE = "Ctrl+Shift+T"
RUNS = "Ctrl+Shift+M"


def native(keys: str) -> str:
    """Keys as this system writes them."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def with_keys(text: str, keys: str) -> str:
    """A tooltip that names the keys, as this system writes them."""
    return f"{text} ({native(keys)})"


def in_menu(text: str, keys: str) -> str:
    """The words of a menu that name keys which another action has."""
    return f"{text}\t{native(keys)}"
