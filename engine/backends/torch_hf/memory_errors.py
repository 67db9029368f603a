"""Out of memory, in the several ways in which torch says so, becomes one error."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch

from engine.errors import EngineError, ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SIGNS = (
    "can't allocate memory",
    "out of memory",
    "not enough memory",
    "bad alloc",
    "std::bad_alloc",
)
_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
_TRIED = re.compile(r"[Tt]ried to allocate ([\d.]+) ?(bytes|KiB|MiB|GiB|TiB)")


@contextmanager
def out_of_memory_as_error(device_title: str, free_bytes: Callable[[], int]) -> Iterator[None]:
    """Turn what torch raises for want of memory into NOT_ENOUGH_MEMORY, and leave the rest.

    The details are "device", "have_bytes", and "need_bytes" where torch says what it tried to take.
    """
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
        is_memory = isinstance(error, torch.OutOfMemoryError | MemoryError) or any(
            sign in str(error) for sign in _SIGNS
        )
        if not is_memory:
            raise
        need: dict[str, int] = {}
        if match := _TRIED.search(str(error)):
            need["need_bytes"] = round(float(match[1]) * _UNITS[match[2]])
        raise EngineError(
            ErrorCode.NOT_ENOUGH_MEMORY,
            str(error),
            log_tail="",
            device=device_title,
            have_bytes=free_bytes(),
            **need,
        ) from None
