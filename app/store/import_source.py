"""The JSON texts of a file to import: the file itself, or those of a ZIP archive.

Nothing of an archive is ever written to disk, and no more is unpacked than is read.
"""

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, TextIO

from app.store.refusal import CancelledError, RefusedError, refused, too_large, translate

MOST_BYTES = 512 << 20
_MOST_MEMBERS = 200_000
_WANTED = re.compile(r"(conversations(-\d+)?|.*\.conversation)\.json$", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
# What ZIP archives are packed with almost always; others may be missing here.
_ENCRYPTED = 1
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)

Report = Callable[[float], None]
"""Called with how much is read, 0 to 1; raises CancelledError when that shall end."""


class ImportSource:
    """A file to import.

    Attributes:
        n_ignored: Files of the archive that are not read: pictures, sound and the like.
    """

    def __init__(self, path: Path, report: Report) -> None:
        self._path = path
        self._report = report
        self._n_read = 0
        self._n_total = 1
        self.n_ignored = 0

    def texts(self) -> Iterator[tuple[str, TextIO]]:
        """Each text with its name; only the one given last can be read.

        Raises:
            RefusedError: It is no file that can be read, or not one that should be.
            CancelledError: `report` says so.
        """
        try:
            # Opening a pipe or reading a device may never end.
            if not stat.S_ISREG(self._path.stat().st_mode):
                raise RefusedError(translate("Exchange", "it is not a file."))
            with self._path.open("rb") as file:
                if zipfile.is_zipfile(file) or self._path.suffix.lower() == ".zip":
                    yield from self._of_archive(file)
                    return
                self._n_total = self._path.stat().st_size
                if self._n_total > MOST_BYTES:
                    raise too_large()
                file.seek(0)
                yield self._path.name, self._text(file)
        except OSError as error:
            raise RefusedError(error.strerror or str(error)) from error

    def _of_archive(self, file: IO[bytes]) -> Iterator[tuple[str, TextIO]]:
        try:
            archive = zipfile.ZipFile(file)
        except _DAMAGED as error:
            raise _damaged(error) from error
        with archive:
            members = self._members(archive)
            self._n_total = sum(member.file_size for member in members)
            for member in members:
                with _unpacking(), archive.open(member) as opened:
                    yield member.filename, self._text(opened)

    def _members(self, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
        """What is read of an archive, in the order of its names."""
        every = [member for member in archive.infolist() if not member.is_dir()]
        if len(every) > _MOST_MEMBERS:
            raise RefusedError(translate("Exchange", "it has more than 200,000 files."))
        for member in every:
            _check_name(member)
        every = [member for member in every if not _is_junk(member.filename)]
        wanted = [one for one in every if _WANTED.match(PurePosixPath(one.filename).name)]
        if not wanted:
            wanted = [one for one in every if one.filename.lower().endswith((".json", ".jsonl"))]
        if not wanted:
            raise RefusedError(translate("Exchange", "there is no conversations.json in it."))
        if any(member.flag_bits & _ENCRYPTED for member in wanted):
            raise RefusedError(
                translate(
                    "Exchange", "it is encrypted. Unpack it, and import the conversations.json."
                )
            )
        if len({member.filename for member in wanted}) != len(wanted):
            raise RefusedError(translate("Exchange", "two files in it have the same name."))
        if sum(member.file_size for member in wanted) > MOST_BYTES:
            raise too_large()
        self.n_ignored = len(every) - len(wanted)
        return sorted(wanted, key=lambda member: member.filename)

    def _text(self, file: IO[bytes]) -> TextIO:
        counted = io.BufferedReader(_Counted(file, self._count), 1 << 16)
        return io.TextIOWrapper(counted, encoding="utf-8-sig")

    def _count(self, n_bytes: int) -> None:
        self._n_read += n_bytes
        # What an archive says of its sizes may be a lie.
        if self._n_read > MOST_BYTES:
            raise too_large()
        self._report(min(1.0, self._n_read / max(1, self._n_total)))


class _Counted(io.RawIOBase):
    """Counts what is read, and says in whose words it could not be."""

    def __init__(self, file: IO[bytes], count: Callable[[int], None]) -> None:
        super().__init__()
        self._file = file
        self._count = count

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override] # what is given
        """Read into a buffer."""
        with _unpacking():
            read = self._file.read(len(buffer))
        self._count(len(read))
        buffer[: len(read)] = read
        return len(read)


@contextmanager
def _unpacking() -> Iterator[None]:
    try:
        yield
    except (RefusedError, CancelledError):
        raise
    except _DAMAGED as error:
        raise _damaged(error) from error


def _damaged(error: Exception) -> RefusedError:
    if isinstance(error, OSError):
        return RefusedError(error.strerror or str(error))
    return refused(
        translate("Exchange", "it is a damaged ZIP archive ({reason})."), reason=str(error)
    )


def _check_name(member: zipfile.ZipInfo) -> None:
    path = PurePosixPath(member.filename.replace("\\", "/"))
    leads_out = path.is_absolute() or ".." in path.parts or _DRIVE.match(member.filename)
    if leads_out or stat.S_ISLNK(member.external_attr >> 16):
        raise refused(
            translate("Exchange", "it has a file that leads out of it ({name})."),
            name=member.filename,
        )


def _is_junk(name: str) -> bool:
    """Whether a file is what macOS adds to archives."""
    return "__MACOSX/" in name or PurePosixPath(name).name.startswith("._")
