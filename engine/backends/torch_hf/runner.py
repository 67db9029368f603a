"""Forward passes of a loaded model over its KV cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.backends.torch_hf.devices import Device
    from engine.backends.torch_hf.kv_cache import KvCache
    from engine.backends.torch_hf.model import Model


class Runner:
    """Computes tokens after those in the cache. One thread.

    Attributes:
        one_by_one: Whether tokens that follow others are computed one at a time.
    """

    def __init__(self, model: Model, kv: KvCache, device: Device) -> None:
        """Run `model` with `kv`, both on `device`."""
        self.one_by_one = False
        self._module = model.module
        self._kv = kv
        self._device_name = device.name
        self._cache_argument = model.cache_argument
        self._options: dict[str, Any] = {"use_cache": True}
        if model.keeps_last_logits:
            self._options["logits_to_keep"] = 1
        self._one = torch.zeros((1, 1), dtype=torch.long, device=device.name)

    def n_passes(self, n_tokens: int, *, follows: bool) -> int:
        """Forward passes that `compute` makes."""
        return n_tokens if follows and self.one_by_one else 1

    def compute(self, tokens: Sequence[int], *, follows: bool = False) -> Any:  # noqa: ANN401
        """Logits after the last of `tokens`, shape [vocabulary]; a GPU may still be at work.

        `follows` says that the cache holds tokens.
        """
        if follows and self.one_by_one:
            logits = None
            for token in tokens:
                logits = self.compute_one(token)
            return logits
        return self._forward(torch.tensor([list(tokens)], device=self._device_name))

    def compute_one(self, token: int) -> Any:  # noqa: ANN401
        """As `compute`, for one token."""
        self._one.fill_(token)
        return self._forward(self._one)

    def _forward(self, ids: Any) -> Any:  # noqa: ANN401
        with torch.inference_mode():
            output = self._module(
                input_ids=ids, **{self._cache_argument: self._kv.handle}, **self._options
            )
            return output.logits[0, -1]
