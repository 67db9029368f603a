"""Lets transformers read the header of a GGUF file once, and be stopped meanwhile.

It reads the whole header for the tokenizer, for the configuration and for the weights, one Python
object a token, and builds one and the same table of names for every tensor: most of the time of a
conversion.
"""

from __future__ import annotations

import functools
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.backends.torch_hf.libraries import import_gguf
from engine.errors import EngineError, ErrorCode
from engine.events import LoadStage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.backend import LoadCallback

# Parts of the header between two looks: some milliseconds.
_LOOK_EVERY = 2_000


@contextmanager
def header_is_read_once(on_progress: LoadCallback) -> Iterator[None]:
    """Keep what is read of a GGUF header until the end of the block, reporting CONVERT.

    Reading raises `EngineError` LOAD_CANCELLED when `on_progress` says stop.

    Raises:
        EngineError: BACKEND_MISSING or BACKEND_BROKEN where a library for it does not load.
    """
    gguf = import_gguf()
    n_parts = 0

    class WatchedReader(gguf.GGUFReader):  # type: ignore[misc, name-defined]  # gguf has no types
        def _get_field_parts(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
            nonlocal n_parts
            n_parts += 1
            if n_parts % _LOOK_EVERY == 0 and not on_progress(LoadStage.CONVERT, None):
                raise EngineError(ErrorCode.LOAD_CANCELLED, "cancelled while reading the header")
            return super()._get_field_parts(*arguments, **named)

    originals = (gguf.GGUFReader, gguf.get_tensor_name_map)
    gguf.GGUFReader = functools.cache(WatchedReader)
    gguf.get_tensor_name_map = functools.cache(gguf.get_tensor_name_map)
    try:
        yield
    finally:
        gguf.GGUFReader, gguf.get_tensor_name_map = originals
