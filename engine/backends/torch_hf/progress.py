"""Progress of what transformers does in loops of its own, and a way to stop it there."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import transformers.modeling_gguf_pytorch_utils as gguf_utils
from transformers.utils import logging as hf_logging

from engine.errors import EngineError, ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine.backend import LoadCallback
    from engine.events import LoadStage


@contextmanager
def loops_report(on_progress: LoadCallback, stage: LoadStage) -> Iterator[None]:
    """Report the loops that transformers would show as progress bars, as `stage`.

    They raise `EngineError` LOAD_CANCELLED when `on_progress` says stop.
    """

    def counted(items: Iterable[Any], total: int | None) -> Iterator[Any]:
        for index, item in enumerate(items):
            if not on_progress(stage, index / total if total else None):
                raise EngineError(ErrorCode.LOAD_CANCELLED, f"cancelled in {stage}")
            yield item

    def instead_of_tqdm(
        _factory: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:  # noqa: ANN401
        return _Bar(arguments[0] if arguments else None, named.get("total"), counted)

    def instead_of_gguf_tqdm(items: Any, **_named: Any) -> Any:  # noqa: ANN401
        return counted(items, len(items))

    previous = hf_logging.set_tqdm_hook(instead_of_tqdm)
    gguf_tqdm = gguf_utils.tqdm
    gguf_utils.tqdm = instead_of_gguf_tqdm
    try:
        yield
    finally:
        gguf_utils.tqdm = gguf_tqdm
        hf_logging.set_tqdm_hook(previous)


class _Bar:
    """Looks like a progress bar to transformers: iterated over, or moved by hand."""

    def __init__(
        self,
        items: Iterable[Any] | None,
        total: int | None,
        counted: Callable[[Iterable[Any], int | None], Iterator[Any]],
    ) -> None:
        self._items = items if items is not None else ()
        has_length = hasattr(self._items, "__len__")
        self._total = len(self._items) if has_length else total  # type: ignore[arg-type]  # asked
        self._counted = counted

    def __iter__(self) -> Iterator[Any]:
        return self._counted(self._items, self._total)

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_exception: object) -> None:
        pass

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_arguments, **_named: None
