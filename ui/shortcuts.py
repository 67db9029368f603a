"""Keys that stand in tooltips as well as in the list of shortcuts."""

from PySide6.QtGui import QKeySequence

PRESENT = "F11"
EDIT = "Ctrl+E"
EDIT_ANSWER = "Ctrl+Shift+E"
REGENERATE = "Ctrl+Shift+R"
CONTINUE = "Ctrl+Shift+Return"
PREVIOUS_VARIANT = "Ctrl+PgUp"
NEXT_VARIANT = "Ctrl+PgDown"
TIMELINE = "Ctrl+Shift+T"
RUNS = "Ctrl+Shift+M"


def with_keys(text: str, keys: str) -> str:
    """A tooltip that names the keys, as this system writes them."""
    return f"{text} ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})"


def in_menu(text: str, keys: str) -> str:
    """The words of a menu that name keys which another action has."""
    return f"{text}\t{QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)}"
