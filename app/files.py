"""Replaces files in one step, so that no crash leaves half of one."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file, which may be new, as may be its folder.

    Whoever reads it finds the old content or the new one, also after a loss of power.

    Raises:
        OSError: The system refuses; the old file is as it was, and nothing else is left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            # Windows renames no open file.
            file.close()
            temporary.replace(path)
        except OSError:
            file.close()
            with suppress(OSError):
                temporary.unlink()
            raise
