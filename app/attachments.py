"""Text files that go along with a message."""

import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale

from app.messages import Severity, UserMessage

translate = QCoreApplication.translate

MOST_BYTES = 1 << 20
MOST_FILES = 12

_LONGEST_NAME = 120
_FENCES = re.compile(r"`{3,}")
# Control characters, and marks that turn the direction of text round.
_UNFIT_FOR_NAMES = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\ud800-\udfff]"
)
_LANGUAGE = re.compile(r"\.([A-Za-z0-9+#]{1,12})$")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class AttachmentError(Exception):
    """A file that cannot be attached; `message` says why and what to do."""

    def __init__(self, title: str, text: str) -> None:
        """Keep the sentence."""
        super().__init__(title)
        self.message = UserMessage(severity=Severity.WARNING, title=title, text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A text file as it was when it was attached."""

    name: str
    text: str

    @property
    def block(self) -> str:
        """How it goes into the message: its name, and its text in a fence that it cannot close."""
        runs = [len(run) for run in _FENCES.findall(self.text)]
        fence = "`" * max(3, *(n + 1 for n in runs)) if runs else "```"
        found = _LANGUAGE.search(self.name)
        end = "" if self.text.endswith("\n") else "\n"
        return f"{self.name}:\n{fence}{found[1] if found else ''}\n{self.text}{end}{fence}"


def with_attachments(text: str, attachments: Sequence[Attachment]) -> str:
    """The message that is sent: what was typed, then each file."""
    parts = [text] if text.strip() else []
    return "\n\n".join([*parts, *(each.block for each in attachments)]) if attachments else text


def read_attachment(path: Path) -> Attachment:
    """Read a text file in UTF-8, or UTF-16 with a byte order mark; raises `AttachmentError`."""
    name = _UNFIT_FOR_NAMES.sub("\N{REPLACEMENT CHARACTER}", path.name)[:_LONGEST_NAME]
    title = translate("Attachments", "“{name}” was not attached").format(name=name)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise AttachmentError(
                title, translate("Attachments", "It is not a file. Choose text files.")
            )
        if status.st_size > MOST_BYTES:
            raise AttachmentError(title, _too_large(status.st_size))
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        text = translate("Attachments", "It could not be read: {reason}.")
        raise AttachmentError(title, text.format(reason=error.strerror or error)) from error
    if len(data) > MOST_BYTES:
        raise AttachmentError(title, _too_large(len(data)))
    try:
        text = data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise AttachmentError(title, _not_text()) from error
    if "\0" in text:
        raise AttachmentError(title, _not_text())
    if not text.strip():
        raise AttachmentError(title, translate("Attachments", "There is nothing in it."))
    return Attachment(name=name, text=text.replace("\r\n", "\n").replace("\r", "\n"))


def too_many_files() -> UserMessage:
    """No more files fit on one message."""
    text = translate("Attachments", "A message takes at most {n} files. Send these first.")
    return UserMessage(
        severity=Severity.INFO,
        title=translate("Attachments", "Not all files were attached"),
        text=text.format(n=QLocale().toString(MOST_FILES)),
    )


def _too_large(n_bytes: int) -> str:
    locale = QLocale()
    text = translate(
        "Attachments",
        "It is {size}, and at most {most} can be attached. Copy the part that matters instead.",
    )
    return text.format(
        size=locale.formattedDataSize(n_bytes, 1), most=locale.formattedDataSize(MOST_BYTES, 0)
    )


def _not_text() -> str:
    return translate(
        "Attachments",
        "It is not text in UTF-8. Text, code, Markdown and CSV can be attached; save other "
        "files as UTF-8 text first.",
    )
