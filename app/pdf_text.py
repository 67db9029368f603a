"""The text of a PDF, page by page. Without Qt: it runs in a process of its own."""

import logging
from typing import BinaryIO

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError

from app.attachments import MOST_BYTES, Attachment, AttachmentKind
from app.file_text import FileProblemError, Problem, Progress, clean

# What pypdf meets in files that are not as they should be.
_FAULTS = (
    PyPdfError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


def read_pdf(file: BinaryIO, name: str, size_bytes: int, on_progress: Progress) -> Attachment:
    """Read the text of every page.

    A page that cannot be read counts as one without text, as long as there are others.

    Args:
        file: The PDF.
        name: Of the file.
        size_bytes: Of the file.
        on_progress: Called before each page.

    Raises:
        FileProblemError: It is encrypted, damaged, has no text, or more than can be attached.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = _opened(file)
        n_pages = len(reader.pages)
    except _FAULTS as error:
        raise _damaged(error) from error
    parts: list[str] = []
    fault: Exception | None = None
    n_without, n_characters = 0, 0
    for number in range(1, n_pages + 1):
        on_progress(number, n_pages)
        try:
            text = _text_of(reader.pages[number - 1])
        except _FAULTS as error:
            text, fault = "", error
        if not text:
            n_without += 1
            continue
        parts.append(f"--- page {number} ---\n{text}")
        n_characters += len(text)
        if n_characters > MOST_BYTES:
            raise FileProblemError(Problem.TOO_MUCH_TEXT, most_bytes=MOST_BYTES)
    if not parts:
        if fault is not None:
            raise _damaged(fault)
        raise FileProblemError(Problem.NO_TEXT_IN_PDF)
    whole = "\n\n".join(parts)
    if len(whole.encode()) > MOST_BYTES:
        raise FileProblemError(Problem.TOO_MUCH_TEXT, most_bytes=MOST_BYTES)
    return Attachment(
        name=name,
        text=whole,
        kind=AttachmentKind.PDF,
        size_bytes=size_bytes,
        encoding="",
        n_pages=n_pages,
        n_pages_without_text=n_without,
    )


def _opened(file: BinaryIO) -> PdfReader:
    try:
        reader = PdfReader(file)
        # Many are encrypted with an empty password, only so that they are not printed.
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileProblemError(Problem.PASSWORD)
    except DependencyError as error:
        raise FileProblemError(Problem.CIPHER, technical=str(error)) from error
    except FileNotDecryptedError as error:
        raise FileProblemError(Problem.PASSWORD) from error
    return reader


def _text_of(page: PageObject) -> str:
    text = clean(page.extract_text()).replace("\0", "")
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def _damaged(error: Exception) -> FileProblemError:
    technical = f"{type(error).__name__}: {error}"[:500]
    return FileProblemError(Problem.DAMAGED_PDF, technical=technical)
