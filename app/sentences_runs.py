"""Sentences about recorded runs."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.messages import Severity, UserMessage
from app.runs.record import RunFault

translate = QCoreApplication.translate


def not_recorded(folder: Path, reason: str) -> UserMessage:
    """Runs cannot be kept."""
    text = translate(
        "Runs",
        "Answers go on, but the runs of this session are not kept: {folder} cannot be used. "
        "Check that the folder is yours and that the disk is not full.",
    )
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Runs", "Runs are not recorded"),
        text=text.replace("{folder}", str(folder)),
        technical=reason,
    )


def fault_words(fault: RunFault) -> str:
    """Why the file of a run is refused, and what that means."""
    match fault:
        case RunFault.NOT_A_RUN:
            return translate("Runs", "Not a run: the file is something else")
        case RunFault.NEWER:
            return translate("Runs", "Written by a newer Oscillama: update to read it")
        case RunFault.DAMAGED:
            return translate("Runs", "Damaged or cut short: nothing in it can be trusted")
        case RunFault.EDITED:
            return translate("Runs", "Changed after it was recorded: its checksum does not match")
        case RunFault.UNREADABLE:
            return translate("Runs", "Cannot be read: check that the file is yours")
