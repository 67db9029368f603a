"""Looks between the layers of a forward pass on the CPU: how far it is, and whether to stop."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

_PERIOD_NS = 5_000_000


class StoppedError(Exception):
    """The forward pass was left between two layers; the cache holds a part of it."""


class LayerWatch:
    """Asks a function before each layer; a forward pass waits for nothing else.

    Not for a GPU: there the layers are only handed to a queue, and have not run when this looks.
    """

    def __init__(self, module: Any, n_layers: int) -> None:  # noqa: ANN401
        """Find the layers of `module`."""
        layers = _layers(module, n_layers)
        self.can_look = bool(layers)
        self._n_layers = max(len(layers), 1)
        self._handles = [layer.register_forward_pre_hook(self._before_layer) for layer in layers]
        self._ask: Callable[[float], bool] | None = None
        self._n_done = 0
        self._n_passes = 1
        self._next_ns = 0

    def close(self) -> None:
        """Look no more. May be called twice."""
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def start(self, ask: Callable[[float], bool], n_passes: int = 1) -> None:
        """Call `ask` with the share of so many forward passes that is done; False leaves them.

        The pass then raises `StoppedError`.
        """
        self._ask = ask
        self._n_passes = n_passes
        self._n_done = 0
        self._next_ns = 0

    def stop(self) -> None:
        """Ask no more until the next `start`."""
        self._ask = None

    def _before_layer(self, _module: Any, _arguments: Any) -> None:  # noqa: ANN401
        if self._ask is None:
            return
        done = min(self._n_done / (self._n_layers * self._n_passes), 1.0)
        self._n_done += 1
        now = time.perf_counter_ns()
        if now < self._next_ns:
            return
        self._next_ns = now + _PERIOD_NS
        if not self._ask(done):
            raise StoppedError


def _layers(module: Any, n_layers: int) -> list[Any]:  # noqa: ANN401
    # A part that sees pictures may have as many layers.
    decoder = module.get_decoder() if hasattr(module, "get_decoder") else None
    for part in (decoder if isinstance(decoder, torch.nn.Module) else module).modules():
        if isinstance(part, torch.nn.ModuleList) and len(part) == n_layers:
            return list(part)
    return []
