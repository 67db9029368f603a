"""Why files are not attached, and what to do, in sentences."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from app.actions import Action
from app.attachments import MOST_FILES, MOST_TOTAL_BYTES
from app.file_text import FileProblemError, Problem
from app.messages import Severity, UserMessage

translate = QCoreApplication.translate

_MOST_LISTED = 6


def reason_of(error: FileProblemError) -> str:
    """Why a file is not attached, and what to do."""
    return _with_values(_reason(error.problem), error)


def not_attached(refused: Sequence[tuple[str, FileProblemError]]) -> UserMessage:
    """These files, by name, are not attached."""
    name, error = refused[0]
    if len(refused) == 1:
        title = translate("Attachments", "“{name}” was not attached").replace("{name}", name)
        text = reason_of(error)
    else:
        title = translate("Attachments", "{n} files were not attached")
        title = title.format(n=QLocale().toString(len(refused)))
        line = translate("Attachments", "“{name}”: {reason}")
        lines = [
            line.replace("{reason}", reason_of(error)).replace("{name}", name)
            for name, error in refused[:_MOST_LISTED]
        ]
        if len(refused) > _MOST_LISTED:
            lines.append("…")
        text = "\n".join(lines)
    are_models = all(error.problem is Problem.MODEL for _, error in refused)
    return UserMessage(
        severity=Severity.WARNING,
        title=title,
        text=text,
        actions=(Action.OPEN_MODEL,) if are_models else (),
        technical="\n".join(error.technical for _, error in refused if error.technical),
    )


def too_many_files() -> UserMessage:
    """No more files fit on one message."""
    text = translate("Attachments", "A message takes at most {n} files. Send these first.")
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Attachments", "Not all files were attached"),
        text=text.format(n=QLocale().toString(MOST_FILES)),
    )


def too_much_together(name: str) -> UserMessage:
    """The text of all files of a message is too much."""
    text = translate(
        "Attachments", "A message takes at most {most} of text. Send the other files first."
    )
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Attachments", "“{name}” was not attached").replace("{name}", name),
        text=text.format(most=QLocale().formattedDataSize(MOST_TOTAL_BYTES, 0)),
    )


def attached_already(name: str) -> UserMessage:
    """The same file with the same text is there."""
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Attachments", "“{name}” is attached already").replace("{name}", name),
        text=translate("Attachments", "The same text goes along only once."),
    )


def still_reading(name: str) -> UserMessage:
    """The person sent before a file was read."""
    text = translate(
        "Attachments", "Send when it is there, or take it from the message to send without it."
    )
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Attachments", "“{name}” is still being read").replace("{name}", name),
        text=text,
    )


def _reason(problem: Problem) -> str:
    match problem:
        case Problem.GONE:
            return translate("Attachments", "It is no longer there.")
        case Problem.FOLDER:
            return translate("Attachments", "It is a folder. Attach the files in it instead.")
        case Problem.NOT_A_FILE:
            return translate("Attachments", "It is not a file. Choose text files or PDFs.")
        case Problem.UNREADABLE:
            return translate("Attachments", "It could not be read: {reason}.")
        case Problem.TOO_LARGE:
            return translate(
                "Attachments",
                "It is {size}, and at most {most} can be attached. Copy the part that matters "
                "instead.",
            )
        case Problem.TOO_MUCH_TEXT:
            return translate(
                "Attachments",
                "There is more than {most} of text in it. Attach only the pages that matter, "
                "saved as a PDF of their own.",
            )
        case Problem.EMPTY:
            return translate("Attachments", "There is nothing in it.")
        case Problem.PICTURE:
            return translate("Attachments", "It is a picture, and only text can be attached.")
        case Problem.OFFICE:
            return translate(
                "Attachments",
                "It is an office document. Save it as a PDF, as text or as CSV, and attach that.",
            )
        case Problem.MODEL:
            return translate("Attachments", "It is a model. Open it to chat with it.")
        case _:
            return _reason_of_others(problem)


def _reason_of_others(problem: Problem) -> str:
    match problem:
        case Problem.NOT_TEXT:
            return translate(
                "Attachments",
                "It is not text. Text, code, Markdown, CSV and PDF can be attached.",
            )
        case Problem.PASSWORD:
            return translate(
                "Attachments",
                "It is protected by a password. Open it in a PDF viewer, print or save it as a "
                "PDF without the password, and attach that.",
            )
        case Problem.CIPHER:
            return translate(
                "Attachments",
                "It is encrypted in a way that cannot be read here. Open it in a PDF viewer, "
                "print or save it as a PDF without protection, and attach that.",
            )
        case Problem.DAMAGED_PDF:
            return translate(
                "Attachments",
                "It is a damaged PDF. Where a PDF viewer opens it, save it from there as another "
                "file, and attach that.",
            )
        case Problem.NO_TEXT_IN_PDF:
            return translate(
                "Attachments",
                "No text was found in it: its pages may be scanned pictures. Let a text "
                "recognition (OCR) add the text first.",
            )
        case Problem.TOO_MUCH_MEMORY:
            return translate(
                "Attachments", "Reading it takes too much memory. It may be damaged or hostile."
            )
        case Problem.TOO_SLOW:
            return translate(
                "Attachments",
                "Reading it takes too long. The drive may not answer, or the file may be damaged.",
            )
        case _:
            return translate("Attachments", "What reads files has ended too early. Try again.")


def _with_values(text: str, error: FileProblemError) -> str:
    locale = QLocale()
    values = {"reason": error.technical.rstrip(".")}
    if error.n_bytes is not None:
        values["size"] = locale.formattedDataSize(error.n_bytes, 1)
    if error.most_bytes is not None:
        values["most"] = locale.formattedDataSize(error.most_bytes, 0)
    return text.format(**values)
