"""Backends by name. Each loads its library when a model asks for it, and not before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import EngineError, ErrorCode

if TYPE_CHECKING:
    from engine.backend import Backend
    from engine.log import EngineLog


def create(name: str, log: EngineLog) -> Backend:
    """A backend that has loaded nothing yet.

    Raises `EngineError` BACKEND_MISSING with detail "backend" for an unknown name.
    """
    if name == "llama":
        from engine.backends.llama.backend import LlamaBackend

        return LlamaBackend(log)
    if name == "torch":
        from engine.backends.torch_hf.backend import TorchBackend

        return TorchBackend(log)
    if name == "scripted":
        from engine.backends.scripted import ScriptedBackend

        return ScriptedBackend(log)
    raise EngineError(
        ErrorCode.BACKEND_MISSING,
        f"there is no backend {name!r}; there are llama and torch",
        backend=name,
    )
