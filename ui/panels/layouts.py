"""The layouts of panels that come with the application; each panel says in which it stands."""

from enum import StrEnum

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate

OWN_PREFIX = "own:"


class BuiltIn(StrEnum):
    """A layout that is always there."""

    ESSENTIAL = "essential"
    HARDWARE = "hardware"
    EXPLAIN = "explain"
    ALL = "all"

    @property
    def is_large(self) -> bool:
        """Whether its panels are large and explained."""
        return self is BuiltIn.EXPLAIN


def built_in_name(layout: BuiltIn) -> str:
    """For people."""
    match layout:
        case BuiltIn.ESSENTIAL:
            return translate("Layouts", "Essential")
        case BuiltIn.HARDWARE:
            return translate("Layouts", "Hardware")
        case BuiltIn.EXPLAIN:
            return translate("Layouts", "Explain")
    return translate("Layouts", "All")


def built_in_tip(layout: BuiltIn) -> str:
    """What it is for."""
    match layout:
        case BuiltIn.ESSENTIAL:
            return translate("Layouts", "What most people want to see")
        case BuiltIn.HARDWARE:
            return translate("Layouts", "What the machine does, and how near it is to its limits")
        case BuiltIn.EXPLAIN:
            return translate("Layouts", "Larger, with a plain sentence under each figure")
    return translate("Layouts", "Everything this machine has figures for")


def own_key(name: str) -> str:
    """The key of a layout of the person's own."""
    return f"{OWN_PREFIX}{name}"


def own_name(key: str) -> str | None:
    """The name of a layout of the person's own; None where it is built in, or none."""
    return key.removeprefix(OWN_PREFIX) if key.startswith(OWN_PREFIX) else None
