"""Sentences about keeping conversations: what is wrong with the database, and what to do."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.messages import Severity, UserMessage
from app.store.records import ExchangeOutcome, FaultCode, StoreFault

translate = QCoreApplication.translate


def of_fault(fault: StoreFault) -> UserMessage:
    """Why conversations are in memory only."""
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Store", "Conversations are not being saved"),
        text=f"{_cause(fault)} {_what_stays()}",
        technical=fault.technical,
    )


def moved_aside(fault: StoreFault) -> UserMessage:
    """A corrupt database has another name now."""
    text = translate(
        "Store",
        "The file with your conversations is damaged. It was kept as {name}, in {folder}, and a "
        "new one was begun. Conversations that could be read from it: {n}. If you have a backup, "
        "close Oscillama and put it in the place of oscillama.sqlite3.",
    ).replace("{n}", str(fault.n_rescued))
    path = Path(fault.path)
    return UserMessage(
        severity=Severity.ERROR,
        title=translate("Store", "The conversations are damaged"),
        text=text.replace("{name}", path.name).replace("{folder}", str(path.parent)),
        technical=fault.technical,
    )


def written_again(path: str) -> UserMessage:
    """The database had been deleted or moved away."""
    text = translate(
        "Store",
        "{path} had been deleted or moved away. It was written again, with everything that was in "
        "it.",
    )
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Store", "The file with your conversations was gone"),
        text=text.replace("{path}", path),
    )


def left_out(fault: StoreFault) -> UserMessage:
    """One thing could not be written, and all else is."""
    text = translate(
        "Store",
        "Something in a conversation cannot be written, and was left out. It stays on screen "
        "until Oscillama is closed: copy it if you need it. Everything else is saved.",
    )
    return UserMessage(
        severity=Severity.WARNING,
        title=translate("Store", "A change could not be saved"),
        text=text,
        technical=fault.technical,
    )


def not_read(fault: StoreFault, *, is_search: bool) -> UserMessage:
    """A conversation could not be read, or none be searched."""
    if is_search:
        title = translate("Store", "The conversations could not be searched")
    else:
        title = translate("Store", "The conversation could not be read")
    again = translate("Store", "Then try it again.")
    text = f"{_cause_of_question(fault)} {again}"
    return UserMessage(severity=Severity.ERROR, title=title, text=text, technical=fault.technical)


def _not_exchanged(outcome: ExchangeOutcome, fault: StoreFault) -> UserMessage:
    title = translate("Store", "The conversations could not be exported")
    if outcome.is_import:
        title = translate("Store", "Nothing was imported")
    return UserMessage(
        severity=Severity.ERROR,
        title=title,
        text=_cause_of_question(fault),
        technical=fault.technical,
    )


def _cause_of_question(fault: StoreFault) -> str:
    if fault.code is FaultCode.FAILED:
        return translate("Store", "The details say what went wrong.")
    return _cause(fault)


def of_exchange(outcome: ExchangeOutcome) -> UserMessage:
    """What became of an export or an import."""
    if outcome.fault is not None:
        return _not_exchanged(outcome, outcome.fault)
    if outcome.error is not None:
        if outcome.is_import:
            title = translate("Store", "Nothing was imported")
            text = translate("Store", "{path} was refused: {reason}")
        else:
            title = translate("Store", "The conversations could not be exported")
            text = translate(
                "Store", "{path} could not be written: {reason}. Choose another place."
            )
    elif outcome.is_cancelled:
        title = translate("Store", "The import was cancelled")
        text = translate("Store", "Nothing was imported from {path}.")
    elif outcome.is_import:
        if outcome.n_new:
            title = translate("Store", "Conversations were imported")
        else:
            title = translate("Store", "The import is over")
        text = _what_came(outcome)
    else:
        title = translate("Store", "Conversations were exported")
        text = translate("Store", "{path} has them.")
    text = text.replace("{reason}", outcome.error or "").replace("{path}", outcome.path)
    severity = Severity.INFO if outcome.error is None else Severity.ERROR
    return UserMessage(severity=severity, title=title, text=text)


def _what_came(outcome: ExchangeOutcome) -> str:
    if outcome.n_new:
        parts = [translate("Store", "New: {new}. There already: {known}.")]
    else:
        parts = [translate("Store", "Nothing new was imported. There already: {known}.")]
    if outcome.n_empty:
        parts.append(translate("Store", "Left out because nothing is said in them: {empty}."))
    if outcome.n_ignored:
        parts.append(
            translate("Store", "Other files of the archive, such as pictures: {files} not taken.")
        )
    text = " ".join(parts)
    for name, number in (
        ("new", outcome.n_new),
        ("known", outcome.n_known),
        ("empty", outcome.n_empty),
        ("files", outcome.n_ignored),
    ):
        text = text.replace(f"{{{name}}}", str(number))
    return text


def _what_stays() -> str:
    return translate(
        "Store",
        "Everything stays on screen, and is saved as soon as that works again: it is tried every "
        "few seconds. Until then, do not close the window.",
    )


def _cause(fault: StoreFault) -> str:
    match fault.code:
        case FaultCode.LOCKED:
            text = translate(
                "Store",
                "Another program is using {path}. Close it: a database viewer, a backup, or an "
                "Oscillama of another user.",
            )
        case FaultCode.READ_ONLY:
            text = translate(
                "Store", "{path} may only be read. Allow writing to it and to its folder."
            )
        case FaultCode.FULL:
            text = translate("Store", "The disk with {path} is full. Free some space on it.")
        case FaultCode.CORRUPT:
            text = translate(
                "Store", "{path} is damaged and could not be moved away. Move it somewhere else."
            )
        case FaultCode.UNREACHABLE:
            text = translate(
                "Store",
                "{path} cannot be opened. Check that its folder exists, that it is yours, and "
                "that the disk is there.",
            )
        case FaultCode.REPLACED:
            text = translate(
                "Store",
                "Another file has taken the place of {path}. Move that file away. If Oscillama is "
                "closed before, its conversations are kept beside it, in a file with “kept” in its "
                "name.",
            )
        case FaultCode.NEWER:
            text = translate(
                "Store",
                "{path} was written by a later version of Oscillama. Use that version, or move "
                "the file somewhere else.",
            )
        case _:
            text = translate(
                "Store", "{path} could not be written. The details say what SQLite reports."
            )
    return text.replace("{path}", fault.path)
