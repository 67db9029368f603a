"""Out of memory, in the several ways in which torch says so, becomes one error."""

from __future__ import annotations

import re
import traceback
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
    "ALLOC_FAILED",
)
_UNITS = {"bytes": 0, "K": 10, "M": 20, "G": 30, "T": 40}
# CUDA and the CPU say MiB, MPS says MB and means the same.
_TRIED = re.compile(r"[Tt]ried to allocate ([\d.]+) ?(bytes|[KMGT](?=i?B))")


@contextmanager
def out_of_memory_as_error(device_title: str, free_bytes: Callable[[], int]) -> Iterator[None]:
    """Turn what torch raises for want of memory into NOT_ENOUGH_MEMORY, and leave the rest.

    The details are "device", and where torch asked for more than there is in one piece,
    "need_bytes" and "have_bytes".
    """
    text = None
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
        is_memory = isinstance(error, torch.OutOfMemoryError | MemoryError) or any(
            sign in str(error) for sign in _SIGNS
        )
        if not is_memory:
            raise
        text = str(error)
        # The frames of the forward pass hold all of its tensors.
        traceback.clear_frames(error.__traceback__)
    if text is None:
        return
    sizes: dict[str, int] = {}
    match, have = _TRIED.search(text), free_bytes()
    if match is not None:
        need = round(float(match[1]) * 2 ** _UNITS[match[2]])
        # Less than is free: limits or gaps are the reason, which the sizes do not explain.
        sizes = {"need_bytes": need, "have_bytes": have} if need > have else {}
    raise EngineError(ErrorCode.NOT_ENOUGH_MEMORY, text, log_tail="", device=device_title, **sizes)
