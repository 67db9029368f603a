"""The text of a file, or why there is none. Without Qt: it runs in a process of its own."""

import re
import stat
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from app.attachments import MOST_BYTES, Attachment, fit_name

MOST_PDF_BYTES = 128 << 20

Progress = Callable[[int, int], None]
"""Called with a page and the number of pages."""

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    # Before UTF-16, whose mark it begins with.
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_OFFICE = frozenset(
    {".doc", ".docx", ".epub", ".odp", ".ods", ".odt", ".pages", ".ppt", ".pptx", ".rtf", ".xls"}
    | {".xlsx", ".xlsm", ".numbers", ".key"}
)
_ARCHIVES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{\\rtf")
# Form feeds and escapes stand in logs and listings; other control characters in no text.
_NOT_IN_TEXT = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_SURROGATES = re.compile("[\ud800-\udfff]")


class Problem(StrEnum):
    """Why a file is not attached."""

    GONE = "gone"
    FOLDER = "folder"
    NOT_A_FILE = "not_a_file"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    TOO_MUCH_TEXT = "too_much_text"
    EMPTY = "empty"
    PICTURE = "picture"
    OFFICE = "office"
    MODEL = "model"
    NOT_TEXT = "not_text"
    PASSWORD = "password"
    CIPHER = "cipher"
    DAMAGED_PDF = "damaged_pdf"
    NO_TEXT_IN_PDF = "no_text_in_pdf"
    TOO_SLOW = "too_slow"
    TOO_MUCH_MEMORY = "too_much_memory"
    NO_PROCESS = "no_process"


class FileProblemError(Exception):
    """A file that cannot be attached.

    Attributes:
        problem: Why.
        n_bytes: Its size, where that is why.
        most_bytes: What may be attached, where its size is why.
        technical: What the system or a library said.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        n_bytes: int | None = None,
        most_bytes: int | None = None,
        technical: str = "",
    ) -> None:
        """Keep the reason."""
        super().__init__(problem.value)
        self.problem = problem
        self.n_bytes = n_bytes
        self.most_bytes = most_bytes
        self.technical = technical


def read_file(path: Path, on_progress: Progress) -> Attachment:
    """Read a text file or a PDF; may block as long as the system does.

    Raises:
        FileProblemError: It cannot be attached.
    """
    name = fit_name(path.name)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise FileProblemError(Problem.FOLDER)
        # Opening a pipe would wait for somebody to write.
        if not stat.S_ISREG(status.st_mode):
            raise FileProblemError(Problem.NOT_A_FILE)
        with path.open("rb") as file:
            begin = file.read(1024)
            if b"%PDF-" in begin:
                _check_size(status.st_size, MOST_PDF_BYTES)
                from app.pdf_text import read_pdf

                file.seek(0)
                return read_pdf(file, name, status.st_size, on_progress)
            _refuse_by_kind(begin, path.suffix.lower())
            _check_size(status.st_size, MOST_BYTES)
            data = begin + file.read(MOST_BYTES + 1 - len(begin))
    except FileNotFoundError as error:
        raise FileProblemError(Problem.GONE) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileProblemError(Problem.UNREADABLE, technical=reason) from error
    _check_size(len(data), MOST_BYTES)
    text, encoding = decoded(data)
    if not text.strip():
        raise FileProblemError(Problem.EMPTY)
    return Attachment(name=name, text=text, size_bytes=len(data), encoding=encoding)


def decoded(data: bytes) -> tuple[str, str]:
    """Text and its encoding: by its mark, else UTF-8, else Windows-1252, which Latin-1 is part of.

    Raises:
        FileProblemError: NOT_TEXT.
    """
    marked = next((encoding for mark, encoding in _BOMS if data.startswith(mark)), None)
    for encoding in (marked,) if marked is not None else ("utf-8", "windows-1252"):
        try:
            text = clean(data.decode(encoding))
        except UnicodeDecodeError:
            continue
        if not _NOT_IN_TEXT.search(text):
            return text, encoding.removesuffix("-sig")
    raise FileProblemError(Problem.NOT_TEXT)


def clean(text: str) -> str:
    """Text with one kind of line end, and without what no encoding can write."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", lines)


def _refuse_by_kind(begin: bytes, suffix: str) -> None:
    if begin.startswith(b"GGUF"):
        raise FileProblemError(Problem.MODEL)
    is_webp = begin[:4] == b"RIFF" and begin[8:12] == b"WEBP"
    if is_webp or begin[4:12] in (b"ftypheic", b"ftypavif") or begin.startswith(_PICTURES[:3]):
        raise FileProblemError(Problem.PICTURE)
    # Two letters may begin a text as well.
    if begin.startswith(_PICTURES[3:]) and b"\0" in begin:
        raise FileProblemError(Problem.PICTURE)
    if suffix in _OFFICE and begin.startswith(_ARCHIVES):
        raise FileProblemError(Problem.OFFICE)


def _check_size(n_bytes: int, most_bytes: int) -> None:
    if n_bytes > most_bytes:
        raise FileProblemError(Problem.TOO_LARGE, n_bytes=n_bytes, most_bytes=most_bytes)
