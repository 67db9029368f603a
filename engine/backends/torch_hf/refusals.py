"""What transformers raises for a model that it does not load, as an error for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError

from engine.errors import EngineError, ErrorCode

if TYPE_CHECKING:
    from pathlib import Path

# Raised for files that do not go together; what is none of these is a fault of ours.
LOAD_ERRORS = (
    ImportError, OSError, RuntimeError, ValueError, LookupError, TypeError, AttributeError,
    ArithmeticError, AssertionError, SafetensorError, StrictDataclassError,
)  # fmt: skip


def refused(error: BaseException, path: Path) -> EngineError:
    """UNKNOWN_ARCHITECTURE or NOT_A_CHAT_MODEL where the error says so, else LOAD_FAILED.

    FILE_NOT_FOUND where the files went away meanwhile.
    """
    if not path.exists():
        return EngineError(ErrorCode.FILE_NOT_FOUND, str(error), path=str(path))
    return of_other_kind(error, path) or _failed(error, path)


def of_other_kind(error: BaseException, path: Path) -> EngineError | None:
    """The error for a model that transformers cannot run or that writes no text, else None."""
    if isinstance(error, StrictDataclassError):
        return _failed(error, path)
    text = first_line(error)
    if "architecture" in text and "not supported" in text:
        return EngineError(
            ErrorCode.UNKNOWN_ARCHITECTURE,
            text,
            path=str(path),
            architecture=text.partition("architecture ")[2].partition(" ")[0],
            backend="torch",
        )
    if text.startswith("Unrecognized configuration class"):
        name = text.partition("'")[2].partition("'")[0].rpartition(".")[2]
        return EngineError(
            ErrorCode.NOT_A_CHAT_MODEL,
            text,
            path=str(path),
            architecture=name.removesuffix("Config").lower(),
        )
    return None


def _failed(error: BaseException, path: Path) -> EngineError:
    return EngineError(
        ErrorCode.LOAD_FAILED,
        f"{type(error).__name__}: {error}",
        path=str(path),
        reason=first_line(error),
    )


def first_line(error: BaseException) -> str:
    """The first line of what an exception says, and the next where it only announces that."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    return " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]
