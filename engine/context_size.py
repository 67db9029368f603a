"""How large a context to make: what was asked for, else as much as fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import EngineError, ErrorCode
from engine.values import Notice, NoticeCode

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.errors import Detail
    from engine.values import LoadOptions

DEFAULT_CTX = 8192
# A chat with less is over after a few turns: better to say so than to load.
_LEAST_AUTOMATIC_CTX = 1024
# Halves of odd sizes are rounded up to what caches are padded to.
_PADDING = 256


def wanted_context(options: LoadOptions, n_ctx_train: int) -> int:
    """The context asked for, else the default, else the trained one where that is less."""
    return options.n_ctx or min(n_ctx_train or DEFAULT_CTX, DEFAULT_CTX)


def fitting_context(
    options: LoadOptions, wanted: int, missing: Callable[[int], tuple[int, int] | None]
) -> int:
    """`wanted` tokens, or where the person asked for no number, half as many until they fit.

    `missing` gives the bytes needed and those there are, where a context does not fit.

    Raises:
        EngineError: NOT_ENOUGH_MEMORY with need_bytes and have_bytes.
    """
    n_ctx = wanted
    if options.n_ctx is None:
        while missing(n_ctx) and n_ctx > _LEAST_AUTOMATIC_CTX:
            n_ctx = max(-(-(n_ctx // 2) // _PADDING) * _PADDING, _LEAST_AUTOMATIC_CTX)
    if short := missing(n_ctx):
        raise not_enough(*short)
    return n_ctx


def context_notices(n_ctx: int, *, wanted: int, n_ctx_train: int) -> list[Notice]:
    """What to say of a context that is smaller than wanted, or larger than the model knows."""
    notices = []
    if n_ctx < wanted:
        details = (("n_ctx", n_ctx), ("wanted", wanted))
        notices.append(Notice(code=NoticeCode.CONTEXT_REDUCED, details=details))
    if n_ctx_train and n_ctx > n_ctx_train:
        details = (("n_ctx", n_ctx), ("n_ctx_train", n_ctx_train))
        notices.append(Notice(code=NoticeCode.CONTEXT_BEYOND_TRAINING, details=details))
    return notices


def not_enough(need_bytes: int, have_bytes: int, **details: Detail) -> EngineError:
    """NOT_ENOUGH_MEMORY for what is about to be allocated."""
    return EngineError(
        ErrorCode.NOT_ENOUGH_MEMORY,
        f"about {need_bytes >> 20} MiB are needed and {have_bytes >> 20} MiB are free",
        log_tail="",
        need_bytes=need_bytes,
        have_bytes=have_bytes,
        **details,
    )
