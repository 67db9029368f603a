"""Reads one file in a process of its own: `python -m app.reading_process HEX`.

HEX is the path as bytes, in hexadecimal digits: not every name of a file can be an argument.
It writes a JSON object to each line of its output: {"page", "n_pages"} while it reads, at the end
{"attachment"}, an object with the fields of `Attachment`, or {"problem", ...} with the attributes
of `FileProblemError`.
"""

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from app.file_text import FileProblemError, Problem, read_file
from app.files import meant

MOST_MEMORY_BYTES = 1 << 30
MOST_CPU_S = 180
_REPORT_EVERY_S = 0.1


def main(path: Path) -> int:
    """Read the file; returns the exit code."""
    _limit()
    last_s = 0.0

    def on_progress(page: int, n_pages: int) -> None:
        nonlocal last_s
        now_s = time.monotonic()
        if now_s - last_s >= _REPORT_EVERY_S:
            last_s = now_s
            _write({"page": page, "n_pages": n_pages})

    try:
        attachment = read_file(meant(path), on_progress)
    except FileProblemError as error:
        _write(
            {
                "problem": error.problem,
                "n_bytes": error.n_bytes,
                "most_bytes": error.most_bytes,
                "technical": error.technical,
            }
        )
    except MemoryError:
        _write({"problem": Problem.TOO_MUCH_MEMORY})
    else:
        _write({"attachment": asdict(attachment)})
    return 0


def _write(values: dict[str, object]) -> None:
    sys.stdout.buffer.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
    sys.stdout.buffer.flush()


def _limit() -> None:
    """Where the system can, bound what a hostile file can take, whoever started this or not."""
    if sys.platform != "win32":
        import resource

        for kind, most in (
            (resource.RLIMIT_AS, MOST_MEMORY_BYTES),
            (resource.RLIMIT_CPU, MOST_CPU_S),
            (resource.RLIMIT_CORE, 0),
        ):
            hard = resource.getrlimit(kind)[1]
            if hard == resource.RLIM_INFINITY or most < hard:
                # Some systems refuse some of them; the window looks at the memory too.
                with suppress(OSError, ValueError):
                    resource.setrlimit(kind, (most, hard))


if __name__ == "__main__":
    sys.exit(main(Path(os.fsdecode(bytes.fromhex(sys.argv[1])))))
