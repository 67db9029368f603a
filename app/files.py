"""Finds files, and replaces them in one step, so that no crash leaves half of one."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from app.ids import new_id
from app.text import cut

_UNREADABLE = "\N{REPLACEMENT CHARACTER}"
# What Windows takes in no name, and what turns the direction of writing or cannot be seen.
_UNFIT = re.compile(
    r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+'
)
_OF_WINDOWS = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
_MOST_CHARACTERS, _MOST_BYTES = 80, 180


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file, which may be new, as may be its folder.

    Whoever reads it finds the old content or the new one, also after a loss of power.

    Raises:
        OSError: The system refuses; the old file is as it was, and nothing else is left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with file_instead_of(path) as file:
        file.write(data)


def name_from(words: str) -> str:
    """What a file about `words` is called on every system, without its ending; "" for nothing."""
    name = " ".join(_UNFIT.sub(" ", words).split())
    most = _MOST_CHARACTERS
    while len(cut(name, most).encode()) > _MOST_BYTES:
        most -= 1
    # Hidden on some systems, and dropped at the end by others.
    name = cut(name, most).strip(" .")
    return f"{name}_" if _OF_WINDOWS.match(name) else name


def free_beside(path: Path) -> Path:
    """The path, or one with a number that is taken by no file: "chat (2).json"."""
    free, number = path, 1
    # Unlike `Path.exists` it raises nothing where a name is too long.
    while os.path.exists(free):
        number += 1
        free = path.with_name(f"{path.stem} ({number}){path.suffix}")
    return free


def meant(path: Path) -> Path:
    """The file that is meant by a path out of a dialog or a drop; may block as the system does.

    Qt puts a replacement character for what is not UTF-8 in a name: the one file that is called
    like that otherwise is meant.
    """
    if _UNREADABLE not in path.name:
        return path
    try:
        if path.exists():
            return path
        names = os.listdir(os.fsencode(path.parent))
    except OSError:
        return path
    found = [name for name in names if name.decode(errors="replace") == path.name]
    return path.parent / os.fsdecode(found[0]) if len(found) == 1 else path


@contextmanager
def file_instead_of(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` once the block ends, and none if that raises.

    Raises:
        OSError: As `replace_file`.
    """
    # Short, since the name of the file may be as long as a name can be.
    temporary = path.with_name(f".new-{new_id()}")
    with temporary.open("xb") as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            # Windows renames no open file.
            file.close()
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                file.close()
            with suppress(OSError):
                temporary.unlink()
            raise
